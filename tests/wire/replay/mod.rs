//! Recorded histories, written anew: what we would send against what was sent and accepted.
//!
//! A request is read into our own types (tools, instructions, items; what a model wrote goes in by
//! our decoder), encoded, and compared with the recorded one. Members that only a user's `extra`
//! could set are set by it. Both sides then pass the same closed list of spellings that mean one
//! thing ([`settle`]); what still differs is a difference.

mod responses;
mod settle;
mod told;

use std::collections::BTreeMap;

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    protocol::{CacheTime, ChatVendor, Protocol, Request},
};
use serde_json::Value;

use self::{
    settle::{Difference, differences, settle_request},
    told::{Why, string, told},
};
use crate::{
    exchange::{Api, Exchange},
    recorded,
};

/// Members that follow from what we were told; every other one goes through `extra`.
fn told_members(api: Api) -> &'static [&'static str] {
    match api {
        Api::Responses => &["model", "input", "tools", "instructions", "stream"],
        Api::Chat(_) => &["model", "messages", "tools", "stream"],
        Api::Anthropic => &["model", "messages", "tools", "system", "stream"],
        Api::Gemini => &["contents", "tools", "systemInstruction"],
        Api::Ollama => &["model", "messages", "tools", "stream"],
    }
}

macro_rules! with_extra {
    ($protocol:expr, $extra:expr) => {{
        let mut protocol = $protocol;
        for (key, value) in $extra {
            protocol = protocol.extra(key, value).unwrap();
        }
        Box::new(protocol) as Box<dyn Protocol>
    }};
}

fn protocol(api: Api, exchange: &Exchange) -> Box<dyn Protocol> {
    let body = &exchange.request;
    let model = string(&body["model"]);
    let extra: Vec<(&String, &Value)> = body
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, _)| !told_members(api).contains(&key.as_str()))
        .collect();
    match api {
        Api::Responses if exchange.uri.contains("deepseek") => {
            with_extra!(Responses::new(model).interleaved(), extra)
        }
        Api::Responses => with_extra!(Responses::new(model), extra),
        Api::Chat(vendor) => {
            let vendor = ChatVendor::ALL
                .iter()
                .find(|known| known.name() == vendor)
                .unwrap();
            with_extra!(Chat::at(*vendor, model), extra)
        }
        Api::Anthropic => {
            // Marks on tools or on the system text are what `prompt_cache` sets.
            let mut marks = [&body["tools"], &body["system"]]
                .map(Value::to_string)
                .concat();
            let hour = marks.contains("\"1h\"");
            marks.retain(|c| c != ' ');
            let anthropic = Anthropic::new(model);
            let anthropic = match (marks.contains("cache_control"), hour) {
                (true, true) => anthropic.prompt_cache(CacheTime::OneHour),
                (true, false) => anthropic.prompt_cache(CacheTime::FiveMinutes),
                _ => anthropic,
            };
            with_extra!(anthropic, extra)
        }
        Api::Gemini => with_extra!(Gemini::new(model), extra),
        Api::Ollama => with_extra!(Ollama::new(model), extra),
    }
}

#[test]
fn recorded_histories_are_written_as_they_were() {
    let exchanges = recorded("recorded_histories_are_written_as_they_were");
    if exchanges.is_empty() {
        return;
    }
    let mut equal: BTreeMap<&str, usize> = BTreeMap::new();
    let mut untold: BTreeMap<(&str, Why), usize> = BTreeMap::new();
    let mut explained: BTreeMap<(&str, Why), Vec<String>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    let mut unequal = 0;
    for exchange in exchanges.iter().filter(|exchange| exchange.status == 200) {
        let Some(api) = exchange.api() else { continue };
        let protocol = protocol(api, exchange);
        let told = match told(api, protocol.as_ref(), exchange) {
            Ok(told) => told,
            Err(why) => {
                *untold.entry((api.name(), why)).or_default() += 1;
                continue;
            }
        };
        let stream = exchange.request["stream"] == true;
        let mut request = Request::new(&told.items)
            .with_system(&told.system)
            .with_stream(stream);
        let (shown, search) = match told.tools.split_last() {
            _ if told.search.is_some() => (told.tools.as_slice(), told.search.as_ref()),
            // The recorded search tool is the last one that is always shown.
            Some((search, shown)) if !told.deferred.is_empty() => (shown, Some(search)),
            _ => (told.tools.as_slice(), None),
        };
        request = request.with_tools(shown);
        if let Some(search) = search {
            request = request.with_deferred(search, &told.deferred);
        }
        let body = match protocol.encode(&request) {
            Ok(body) => body,
            Err(error) => {
                let Some(why) = why_refused(api, &error.to_string()) else {
                    unexplained.push(format!("{}: {error}", exchange.file));
                    continue;
                };
                unequal += 1;
                let files = explained.entry((api.name(), why)).or_default();
                files.push(exchange.file.clone());
                continue;
            }
        };
        let ours = settle_request(api, &serde_json::from_str(body.json()).unwrap());
        let theirs = settle_request(api, &exchange.request);
        let mut found = Vec::new();
        differences(&ours, &theirs, "", &mut found);
        if found.is_empty() {
            *equal.entry(api.name()).or_default() += 1;
            continue;
        }
        let mut reasons = Vec::new();
        for Difference { place, sides } in found {
            match why_different(api, exchange, &place, &sides) {
                Some(why) => reasons.push(why),
                None => unexplained.push(format!("{} {place}\n    {sides}", exchange.file)),
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        for why in reasons {
            let files = explained.entry((api.name(), why)).or_default();
            files.push(exchange.file.clone());
        }
        unequal += 1;
    }
    let total: usize = equal.values().sum();
    println!(
        "told in our types: {}; equal: {total}, {equal:?}",
        total + unequal
    );
    for ((api, why), count) in &untold {
        println!("not told in our types: {api:<10} {count:>4} {why}");
    }
    for ((api, why), files) in &mut explained {
        println!("unequal: {api:<10} {:>4} {why}", files.len());
        files.dedup();
        files.iter().for_each(|file| println!("    {file}"));
    }
    println!(
        "unequal: {unequal}, without a reason: {}",
        unexplained.len()
    );
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
    assert!(total >= EQUAL, "{total} equal, {EQUAL} expected");
}

/// How many are equal; it may only grow.
const EQUAL: usize = 668;

/// Why we refuse to write a request that was accepted. A closed list.
fn why_refused(api: Api, error: &str) -> Option<Why> {
    match api {
        Api::Anthropic if error.contains("it is `strict`") => {
            Some("`allOf` in a strict schema, which we refuse by the tool's name")
        }
        _ => None,
    }
}

/// Why a place differs. A closed list.
fn why_different(api: Api, exchange: &Exchange, place: &str, sides: &str) -> Option<Why> {
    let theirs = sides.split_once("theirs ").map_or("", |(_, theirs)| theirs);
    let member = place.rsplit('/').next().unwrap_or_default();
    let in_schema = place.contains("/parameters/") || place.contains("/parametersJsonSchema/");
    match (api, member) {
        (Api::Anthropic | Api::Chat(_), "content") if theirs.contains("\"cache_control\"") => {
            Some("a cache mark within a message, where we set none")
        }
        (Api::Responses, "prompt_cache_breakpoint") => {
            Some("a cache mark within a message, where we set none")
        }
        (Api::Chat(_), "cache_control") => Some("a cache mark on a tool of Chat, which we set not"),
        (Api::Chat(_), "eager_input_streaming") => Some("a tool's member that we do not have"),
        (Api::Gemini, _) if in_schema => {
            Some("references written out, and what Gemini's schemas lack put into words")
        }
        (Api::Ollama, _) if in_schema => {
            Some("what the server drops from schemas put into words, or left out")
        }
        (Api::Responses, _)
            if exchange.uri.contains("deepseek") && place.starts_with("/input/*/") =>
        {
            Some(
                "each output right behind its call, where all calls and then all outputs were sent",
            )
        }
        _ => None,
    }
}

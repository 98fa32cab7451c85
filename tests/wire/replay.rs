//! Recorded histories, written anew: what we would send against what was sent and accepted.
//!
//! A request is read into our own types (tools, instructions, items; what a model wrote goes in by
//! our decoder), encoded, and compared with the recorded one. Members that only a user's `extra`
//! could set are set by it. Both sides then pass the same closed list of spellings that mean one
//! thing ([`settle`]); what still differs is a difference.

use std::collections::BTreeMap;

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses, ToolOutput,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, ToolResult, Usage},
    protocol::{CacheTime, ChatVendor, Definition, Protocol, Request},
};
use serde_json::{Map, Value, json};

use crate::{
    exchange::{Api, Exchange},
    recorded,
};

/// A request in our own types, or why it has none.
#[derive(Default)]
struct Told {
    system: String,
    tools: Vec<Definition>,
    deferred: Vec<Definition>,
    items: Vec<Item>,
}

type Why = &'static str;

fn text_of(content: &Value) -> Result<String, Why> {
    match content {
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => match parts.as_slice() {
            [part] if part["text"].is_string() && part.get("image_url").is_none() => {
                Ok(part["text"].as_str().unwrap_or_default().to_owned())
            }
            _ => Err("content of several parts, images or files"),
        },
        Value::Null => Ok(String::new()),
        _ => Err("content of an unknown form"),
    }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn definition(name: &Value, description: &Value, schema: &Value) -> Result<Definition, Why> {
    let schema = if schema.is_null() {
        json!({"type": "object", "properties": {}})
    } else {
        schema.clone()
    };
    Definition::new(string(name), string(description), schema.to_string())
        .map_err(|_| "a schema that is no JSON")
}

/// Adds a result behind the others of its step.
fn push_result(items: &mut Vec<Item>, result: ToolResult) {
    match items.last_mut() {
        Some(Item::Results(results)) => results.push(result),
        _ => items.push(Item::Results(vec![result])),
    }
}

fn decoded(protocol: &dyn Protocol, body: &Value) -> Result<Item, Why> {
    let turn = protocol.decode(body.to_string().as_bytes());
    turn.map(Item::Model)
        .map_err(|_| "a turn that does not decode")
}

fn result(id: &Value, name: &Value, output: String, failed: bool) -> ToolResult {
    let call = ToolCall::new(string(id), string(name), "{}");
    if failed {
        ToolResult::failed(&call, output)
    } else {
        ToolResult::ok(&call, ToolOutput::text(output))
    }
}

fn chat(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told::default();
    for tool in body["tools"].as_array().into_iter().flatten() {
        if tool["type"] != "function" {
            return Err("a tool of the provider's own");
        }
        let function = &tool["function"];
        let definition = definition(
            &function["name"],
            &function["description"],
            &function["parameters"],
        )?;
        told.tools
            .push(definition.with_strict(function["strict"] == true));
    }
    for (place, message) in body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        match message["role"].as_str() {
            Some("system") if place == 0 => told.system = text_of(&message["content"])?,
            Some("system") => return Err("several system messages"),
            Some("user") => told
                .items
                .push(Item::User(text_of(&message["content"])?.into())),
            Some("assistant") => told.items.push(decoded(
                protocol,
                &json!({"choices": [{"message": message}]}),
            )?),
            Some("tool") => push_result(
                &mut told.items,
                result(
                    &message["tool_call_id"],
                    &json!(""),
                    text_of(&message["content"])?,
                    false,
                ),
            ),
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn ollama(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told::default();
    for tool in body["tools"].as_array().into_iter().flatten() {
        let function = &tool["function"];
        told.tools.push(definition(
            &function["name"],
            &function["description"],
            &function["parameters"],
        )?);
    }
    for (place, message) in body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        match message["role"].as_str() {
            Some("system") if place == 0 => told.system = text_of(&message["content"])?,
            Some("user") if message.get("images").is_none() => told
                .items
                .push(Item::User(text_of(&message["content"])?.into())),
            Some("assistant") => told.items.push(decoded(
                protocol,
                &json!({"message": message, "done": true}),
            )?),
            Some("tool") => push_result(
                &mut told.items,
                result(
                    &message["tool_call_id"],
                    &message["tool_name"],
                    text_of(&message["content"])?,
                    false,
                ),
            ),
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn anthropic(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told {
        system: text_of(&body["system"])?,
        ..Told::default()
    };
    for tool in body["tools"].as_array().into_iter().flatten() {
        if tool.get("type").is_some_and(|kind| kind != "custom") || tool["input_schema"].is_null() {
            return Err("a tool of the provider's own");
        }
        let definition = definition(&tool["name"], &tool["description"], &tool["input_schema"])?;
        let definition = definition.with_strict(tool["strict"] == true);
        if tool["defer_loading"] == true {
            told.deferred.push(definition)
        } else {
            told.tools.push(definition)
        }
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            content => content.as_array().cloned().unwrap_or_default(),
        };
        match message["role"].as_str() {
            Some("assistant") => told
                .items
                .push(decoded(protocol, &json!({"content": blocks}))?),
            Some("user") => {
                for block in blocks {
                    match block["type"].as_str() {
                        Some("text") => told.items.push(Item::User(string(&block["text"]).into())),
                        Some("tool_result") => {
                            let references: Vec<String> = block["content"]
                                .as_array()
                                .into_iter()
                                .flatten()
                                .filter(|part| part["type"] == "tool_reference")
                                .map(|part| string(&part["tool_name"]))
                                .collect();
                            let failed = block["is_error"] == true;
                            let done = if references.is_empty() {
                                result(
                                    &block["tool_use_id"],
                                    &json!(""),
                                    text_of(&block["content"])?,
                                    failed,
                                )
                            } else {
                                let call =
                                    ToolCall::new(string(&block["tool_use_id"]), "search", "{}")
                                        .as_search();
                                ToolResult::ok(&call, ToolOutput::default()).loading(references)
                            };
                            push_result(&mut told.items, done);
                        }
                        _ => return Err("content of several parts, images or files"),
                    }
                }
            }
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn responses(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told {
        system: string(&body["instructions"]),
        ..Told::default()
    };
    for tool in body["tools"].as_array().into_iter().flatten() {
        match tool["type"].as_str() {
            Some("function") if tool.get("defer_loading").is_none() => {
                let definition =
                    definition(&tool["name"], &tool["description"], &tool["parameters"])?;
                told.tools
                    .push(definition.with_strict(tool["strict"] == true));
            }
            Some("function") => return Err("deferred tools in `tools`, which we do not send"),
            _ => return Err("a tool of the provider's own"),
        }
    }
    let input = match &body["input"] {
        Value::String(text) => vec![json!({"role": "user", "content": text})],
        input => input.as_array().cloned().unwrap_or_default(),
    };
    let mut turn: Vec<Value> = Vec::new();
    for item in input {
        let kind = item["type"].as_str().unwrap_or("message");
        let by_model = match (kind, item["role"].as_str()) {
            ("message", Some("assistant")) if item["content"].is_array() => true,
            ("message", Some("assistant")) => {
                let part = ModelPart::Text(string(&item["content"]));
                told.items.push(Item::Model(ModelTurn::new(
                    vec![part],
                    StopReason::End,
                    Usage::default(),
                )));
                continue;
            }
            ("message", _)
            | ("function_call_output" | "tool_search_output" | "additional_tools", _) => false,
            _ => true,
        };
        if by_model {
            turn.push(item);
            continue;
        }
        if !turn.is_empty() {
            told.items.push(decoded(
                protocol,
                &json!({"output": std::mem::take(&mut turn)}),
            )?);
        }
        match (kind, item["role"].as_str()) {
            ("message", Some("user")) => told
                .items
                .push(Item::User(text_of(&item["content"])?.into())),
            ("message", _) => return Err("a message of another role"),
            ("function_call_output", _) => push_result(
                &mut told.items,
                result(
                    &item["call_id"],
                    &json!(""),
                    text_of(&item["output"])?,
                    false,
                ),
            ),
            _ => return Err("tools in the input"),
        }
    }
    if !turn.is_empty() {
        told.items
            .push(decoded(protocol, &json!({"output": turn}))?);
    }
    Ok(told)
}

fn gemini(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told {
        system: text_of(&body["systemInstruction"]["parts"])?,
        ..Told::default()
    };
    for tool in body["tools"].as_array().into_iter().flatten() {
        let declarations = tool
            .get("functionDeclarations")
            .or(tool.get("function_declarations"));
        for tool in declarations
            .and_then(Value::as_array)
            .ok_or("a tool of the provider's own")?
        {
            if tool
                .get("parameters")
                .is_some_and(|schema| !schema.is_null())
            {
                return Err("a schema in the older form");
            }
            let schema = tool
                .get("parametersJsonSchema")
                .or(tool.get("parameters_json_schema"));
            told.tools.push(definition(
                &tool["name"],
                &tool["description"],
                schema.unwrap_or(&Value::Null),
            )?);
        }
        if tool.as_object().is_some_and(|tool| tool.len() > 1) {
            return Err("a tool of the provider's own");
        }
    }
    for content in body["contents"].as_array().into_iter().flatten() {
        if content["role"] == "model" {
            told.items.push(decoded(
                protocol,
                &json!({"candidates": [{"content": content, "finishReason": "STOP"}]}),
            )?);
            continue;
        }
        for part in content["parts"].as_array().into_iter().flatten() {
            let Some(response) = part.get("functionResponse") else {
                told.items.push(Item::User(text_of(&json!([part]))?.into()));
                continue;
            };
            let members = response["response"]
                .as_object()
                .ok_or("content of an unknown form")?;
            let (key, value) = members.iter().next().ok_or("a result that is no text")?;
            match (members.len(), key.as_str(), value.as_str()) {
                (1, "output" | "error", Some(text)) => {
                    // The decoder made up an identifier where there is none.
                    let made_up = told.items.iter().rev().find_map(|item| match item {
                        Item::Model(turn) => turn.calls().next().map(|call| call.id().to_owned()),
                        _ => None,
                    });
                    let id = response.get("id").cloned().unwrap_or(json!(made_up));
                    push_result(
                        &mut told.items,
                        result(&id, &response["name"], text.to_owned(), key == "error"),
                    );
                }
                _ => return Err("a result that is no text"),
            }
        }
    }
    Ok(told)
}

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

/// Spellings that mean the same. Every rule is applied to both sides alike.
fn settle(value: &mut Value) {
    match value {
        Value::Array(entries) => {
            entries.iter_mut().for_each(settle);
        }
        Value::Object(members) => {
            members.values_mut().for_each(settle);
            // Absent, false and null are one.
            let nothing = |key: &str, value: &Value| {
                value.is_null()
                    || matches!((key, value), ("strict" | "is_error" | "stream" | "thought" | "store", Value::Bool(false)))
                    || (matches!(key, "tools" | "stream_options" | "include") && value.as_array().is_some_and(Vec::is_empty))
                    // What we always say: usage in streams, and signed reasoning back.
                    || (key == "stream_options" && *value == json!({"include_usage": true}))
                    || (key == "include" && *value == json!(["reasoning.encrypted_content"]))
                    || (key == "status" && value == "completed")
                    || (key == "type" && (value == "message" || value == "custom"))
                    || (key == "content" && value == "")
                    || (matches!(key, "description" | "instructions") && value == "")
                    || (key == "ttl" && value == "5m")
                    || (key == "tool_choice" && (value == "auto" || *value == json!({"type": "auto"})))
                    || (key == "toolConfig" && *value == json!({"functionCallingConfig": {"mode": "AUTO"}}))
            };
            members.retain(|key, value| !nothing(key, value));
            // The order of required members means nothing.
            if let Some(Value::Array(names)) = members.get_mut("required") {
                names.sort_by_key(Value::to_string);
            }
            // Text, and a list of one text.
            for key in ["content", "system", "output"] {
                if let Some(Value::Array(parts)) = members.get(key)
                    && let [part] = parts.as_slice()
                    && let Some(text) = part["text"].as_str()
                    && part.as_object().is_some_and(|part| {
                        part.keys()
                            .all(|key| matches!(key.as_str(), "type" | "text"))
                    })
                {
                    let text = json!(text);
                    members.insert(key.to_owned(), text);
                }
            }
            for (old, new) in [
                ("parameters_json_schema", "parametersJsonSchema"),
                ("function_declarations", "functionDeclarations"),
            ] {
                if let Some(value) = members.remove(old) {
                    members.insert(new.to_owned(), value);
                }
            }
        }
        _ => {}
    }
}

/// What only the top of a request has.
fn settle_request(api: Api, body: &Value) -> Value {
    let mut body = body.clone();
    if api == Api::Responses
        && let Value::String(text) = &body["input"]
    {
        body["input"] = json!([{"role": "user", "content": text}]);
    }
    if api == Api::Gemini {
        for content in body["contents"].as_array_mut().into_iter().flatten() {
            content
                .as_object_mut()
                .map(|content| content.entry("role").or_insert(json!("user")));
        }
        if let Some(system) = body["systemInstruction"].as_object_mut() {
            system.remove("role");
        }
    }
    settle(&mut body);
    // With deferred tools our order is: shown, search, deferred. The order means nothing.
    if let Some(tools) = body["tools"].as_array_mut()
        && tools.iter().any(|tool| tool["defer_loading"] == true)
    {
        tools.sort_by_key(|tool| string(&tool["name"]));
    }
    body
}

fn differences(ours: &Value, theirs: &Value, at: &str, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let side =
                    |members: &Map<String, Value>| members.get(key).cloned().unwrap_or(Value::Null);
                differences(&side(a), &side(b), &format!("{at}/{key}"), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                differences(a, b, &format!("{at}/*"), found);
            }
        }
        (a, b) if a == b => {}
        _ => found.push(at.to_owned()),
    }
}

fn told(api: Api, protocol: &dyn Protocol, exchange: &Exchange) -> Result<Told, Why> {
    let body = &exchange.request;
    if !body.is_object() {
        return Err("the request was not recorded");
    }
    if body
        .get("previous_response_id")
        .is_some_and(|id| !id.is_null())
    {
        return Err("state kept by the provider");
    }
    match api {
        Api::Responses => responses(protocol, body),
        Api::Chat(_) => chat(protocol, body),
        Api::Anthropic => anthropic(protocol, body),
        Api::Gemini => gemini(protocol, body),
        Api::Ollama => ollama(protocol, body),
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
    let mut different: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    let mut unequal: BTreeMap<&str, usize> = BTreeMap::new();
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
                let error = error.to_string();
                let error = error.split(": ").last().unwrap_or_default();
                different
                    .entry((api.name(), format!("refused: {error}")))
                    .or_default()
                    .push(exchange.file.clone());
                *unequal.entry(api.name()).or_default() += 1;
                continue;
            }
        };
        let ours = settle_request(api, &serde_json::from_str(body.json()).unwrap());
        let theirs = settle_request(api, &exchange.request);
        let mut found = Vec::new();
        differences(&ours, &theirs, "", &mut found);
        if found.is_empty() {
            *equal.entry(api.name()).or_default() += 1;
        } else {
            *unequal.entry(api.name()).or_default() += 1;
            found.dedup();
            for place in found {
                different
                    .entry((api.name(), place))
                    .or_default()
                    .push(exchange.file.clone());
            }
        }
    }
    println!("equal: {equal:?}\nunequal: {unequal:?}");
    for ((api, why), count) in &untold {
        println!("not told in our types: {api:<10} {count:>4} {why}");
    }
    for ((api, place), files) in &different {
        println!(
            "differs: {api:<10} {:>4} {place}   {}",
            files.len(),
            files[0]
        );
    }
    let total: usize = equal.values().sum();
    assert!(total >= EQUAL, "{total} equal, {EQUAL} expected");
}

/// How many are equal; it may only grow. What differs, and why:
/// - `cache_control` within messages and on Chat tools, `eager_input_streaming`: not in our types.
/// - `strict` asked for on schemas with `allOf`: we send such tools without it.
/// - Gemini and Ollama schemas: references written out, unknown words moved to descriptions.
/// - DeepSeek's Responses: we put each output right behind its call.
const EQUAL: usize = 662;

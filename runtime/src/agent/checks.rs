//! What is looked at before a model is asked: all problems at once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Limits, Shown};
use crate::{
    protocol::{Definition, RequestOptions, ToolChoice},
    tool::States,
    toolset::{Entry, is_portable_name, same_name},
};

/// What is wrong with the tools by themselves and with each other.
pub(super) fn check_entries(entries: &[Entry], states: &States, problems: &mut Vec<String>) {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in entries {
        places.entry(&entry.name).or_default().push(&entry.place);
        problems.extend(entry.problems());
        for state in entry.missing_states(|id| states.contains(id)) {
            problems.push(format!(
                "tool `{}` ({}) takes `#[state]` of type `{}`, and the agent has no such value; \
                 add `.state(...)`",
                entry.name, entry.place, state.name
            ));
        }
    }
    for (name, places) in places {
        if places.len() > 1 {
            problems.push(same_name(name, &places));
        }
    }
}

/// Whether the secrets of a tool stay so where its calls go.
fn secrets_stay_secret<'a>(
    entry: &Entry,
    find: impl Fn(&str) -> Option<&'a Entry>,
    problems: &mut Vec<String>,
) {
    let (name, place) = (&entry.name, &entry.place);
    let Some(fallback) = entry.fallback.as_deref().and_then(find) else {
        return;
    };
    for secret in &entry.secrets {
        if !fallback.secrets.contains(secret) {
            problems.push(format!(
                "tool `{name}` ({place}) falls back to `{}`, where `{secret}` is no secret; mark it \
                 there too",
                fallback.name
            ));
        }
    }
}

/// Whether a tool that happens once has the arguments that tell its calls apart.
fn once_keys_exist(entry: &Entry, problems: &mut Vec<String>) {
    let (name, place) = (&entry.name, &entry.place);
    let keys = entry.policy.once.map_or(&[][..], |once| once.key);
    if keys.is_empty() {
        return;
    }
    let schema: Value = serde_json::from_str(&entry.schema).unwrap_or_default();
    for key in keys
        .iter()
        .filter(|key| schema["properties"].get(**key).is_none())
    {
        problems.push(format!(
            "tool `{name}` ({place}) happens once for each `{key}`, which is none of its parameters; \
             name one of them"
        ));
    }
}

/// Whether limits can be held to.
pub(super) fn check_limits(limits: &Limits, has_clock: bool, problems: &mut Vec<String>) {
    if limits.time.is_some() && !has_clock {
        problems.push(
            "`Limits::time` needs a clock; give the agent one with `.clock(...)`, or take the limit off"
                .to_owned(),
        );
    }
}

/// Whether policies can be carried out.
pub(super) fn check_policies(entries: &[Entry], has_clock: bool, problems: &mut Vec<String>) {
    let find = |name: &str| entries.iter().find(|entry| entry.name == name);
    for entry in entries {
        let (name, place) = (&entry.name, &entry.place);
        if entry.policy.needs_clock() && !has_clock {
            problems.push(format!(
                "tool `{name}` ({place}) has a policy that needs a clock; give the agent one with \
                 `.clock(...)`"
            ));
        }
        secrets_stay_secret(entry, find, problems);
        once_keys_exist(entry, problems);
        let mut chain = vec![name.as_ref()];
        let mut next = entry.fallback.as_deref();
        while let Some(fallback) = next {
            let Some(found) = find(fallback) else {
                problems.push(format!(
                    "tool `{name}` ({place}) falls back to `{fallback}`, which this agent does not \
                     have"
                ));
                break;
            };
            if chain.contains(&fallback) {
                problems.push(format!(
                    "tool `{name}` ({place}) falls back in a circle: {} -> {fallback}",
                    chain.join(" -> ")
                ));
                break;
            }
            chain.push(fallback);
            next = found.fallback.as_deref();
        }
    }
}

/// A user's tool must not stand in for one of the SDK's.
pub(super) fn check_reserved(entries: &[Entry], reserved: &[String], problems: &mut Vec<String>) {
    for entry in entries {
        if reserved.iter().any(|name| *name == entry.name) {
            problems.push(format!(
                "tool `{}` ({}) has the name of a tool that the SDK adds; rename it, or give the \
                 SDK's tool another name with `texts`",
                entry.name, entry.place
            ));
        }
    }
}

/// The SDK's own tools: named with `texts`, added by extensions.
pub(super) fn check_shown(shown: &Shown, entries: &[Entry], problems: &mut Vec<String>) {
    let own: Vec<&str> = shown
        .tools
        .iter()
        .chain(&shown.search)
        .map(Definition::name)
        .filter(|name| !entries.iter().any(|entry| entry.name == *name))
        .collect();
    for (index, name) in own.iter().enumerate() {
        if own[..index].contains(name) {
            problems.push(format!(
                "the SDK adds two tools named `{name}`; list each extension once, and give each \
                 tool a name of its own with `texts`"
            ));
        } else if !is_portable_name(name) {
            problems.push(format!(
                "the SDK's tool is named `{name}` by `texts`; a name is 1 to 64 of `a-z A-Z 0-9 _ -` \
                 and starts with a letter or `_`"
            ));
        }
    }
    let mut parts: Vec<&str> = shown.sections.iter().map(|section| section.part).collect();
    parts.sort_unstable();
    for pair in parts.windows(2).filter(|pair| pair[0] == pair[1]) {
        problems.push(format!(
            "the system prompt has two parts `{}`; list each extension once",
            pair[0]
        ));
    }
}

/// What cannot be asked of a model.
pub(super) fn check_options(options: &RequestOptions, shown: &Shown, problems: &mut Vec<String>) {
    if options
        .temperature
        .is_some_and(|temperature| !temperature.is_finite())
    {
        problems.push(
            "the temperature is not a finite number; give one such as 0.2, or leave it out"
                .to_owned(),
        );
    }
    if let ToolChoice::Tool(name) = &options.tool_choice {
        let visible = shown.tools.iter().any(|tool| tool.name() == name);
        if !visible {
            problems.push(format!(
                "the model is to call the tool `{name}`, which is not among the tools that are \
                 always shown"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Limits, check_limits};

    #[test]
    fn a_limit_of_time_without_a_clock_is_told() {
        let found = |limits: Limits, has_clock| {
            let mut problems = Vec::new();
            check_limits(&limits, has_clock, &mut problems);
            problems.len()
        };
        let timed = Limits::new().time(Duration::from_secs(1));
        assert_eq!(found(timed, false), 1);
        assert_eq!(found(timed, true), 0);
        assert_eq!(found(Limits::new().calls(3), false), 0);
    }
}

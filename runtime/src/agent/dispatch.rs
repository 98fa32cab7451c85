//! Which tool a call means, and whether it may run.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Inner, View};
use crate::{
    conversation::ToolCall,
    texts::fill,
    tool::{ErrorKind, ToolError, code},
    toolset::{Entry, members},
};

/// What a call comes to.
pub(super) enum Target<'a> {
    /// A tool of the SDK, which answers at once.
    Builtin(&'a str),
    /// A tool that runs a user's code, with its arguments.
    Tool(&'a Entry, String),
    /// Nothing runs; the model is told why.
    Refused(ToolError),
}

impl Inner {
    /// Finds what a call means. Nothing that is deferred and not loaded ever gets through.
    pub(super) fn target<'a>(&'a self, call: &'a ToolCall, view: &View<'_>) -> Target<'a> {
        let name = call.name();
        if self.dispatches && name == self.texts.call_tool {
            let expected = r#"{"name": "tool", "arguments": {…}}"#;
            return match super::arguments::<Dispatched<'_>>(call.arguments(), expected) {
                Ok(inner) if self.is_own(&inner.name, view) => {
                    let values = [("tool", inner.name.as_str()), ("call_tool", name)];
                    let message = fill(&self.texts.call_directly, &values);
                    Target::Refused(
                        ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS),
                    )
                }
                Ok(inner) => self.user_tool(
                    &inner.name,
                    inner.arguments.map_or("{}", RawValue::get),
                    |tool| view.loaded_before(tool),
                ),
                Err(error) => Target::Refused(error),
            };
        }
        if self.shown(view.conversation).builtin(name).is_some() {
            return Target::Builtin(name);
        }
        self.user_tool(name, call.arguments(), |tool| view.loaded_before(tool))
    }

    /// Whether a tool is one of the SDK's that the conversation is shown.
    fn is_own(&self, name: &str, view: &View<'_>) -> bool {
        let shown = self.shown(view.conversation);
        shown.builtin(name).is_some() || (name == self.texts.call_tool && self.dispatches)
    }

    /// Whether a name is that of a tool of the SDK, which no other tool can call.
    pub(super) fn is_for_the_model(&self, name: &str) -> bool {
        let own = self.offers.first().builtin(name).is_some();
        own || (name == self.texts.call_tool && self.dispatches)
    }

    /// The names of the arguments of a call that are not shown.
    pub(super) fn secrets(&self, call: &ToolCall) -> Vec<String> {
        let inner = if self.dispatches && call.name() == self.texts.call_tool {
            serde_json::from_str::<Dispatched<'_>>(call.arguments()).ok()
        } else {
            None
        };
        let name = inner.as_ref().map_or(call.name(), |inner| &inner.name);
        let arguments = match &inner {
            Some(inner) => inner.arguments.map_or("{}", RawValue::get),
            None => call.arguments(),
        };
        match self.entry(name) {
            Some(entry) => entry.hidden(arguments),
            None if self.offers.first().builtin(name).is_some() => Vec::new(),
            // The name of a tool that takes secrets may be misspelt.
            None => {
                let secrets = self.entries.iter().flat_map(|entry| &entry.secrets);
                let mut hidden: Vec<String> = secrets.map(ToString::to_string).collect();
                if !hidden.is_empty() {
                    hidden.extend(members(arguments));
                }
                hidden
            }
        }
    }

    /// The same for a call that cannot mean a tool of the SDK.
    pub(super) fn user_tool<'a>(
        &'a self,
        name: &str,
        arguments: &str,
        loaded: impl Fn(&str) -> bool,
    ) -> Target<'a> {
        match self.entry(name) {
            Some(entry) if self.is_off(name) => Target::Refused(self.switched_off(&entry.name)),
            Some(entry) if self.is_deferred(entry) && !loaded(name) => {
                Target::Refused(self.not_loaded(&entry.name))
            }
            Some(entry) => Target::Tool(entry, arguments.to_owned()),
            None => Target::Refused(self.unknown(name)),
        }
    }

    fn switched_off(&self, tool: &str) -> ToolError {
        let message = fill(&self.texts.switched_off, &[("tool", tool)]);
        ToolError::new(ErrorKind::Denied, message).with_code(code::SWITCHED_OFF)
    }

    fn not_loaded(&self, tool: &str) -> ToolError {
        let search = self.search_name().unwrap_or_default();
        let values = [("tool", tool), ("search", search)];
        ToolError::new(ErrorKind::Denied, fill(&self.texts.not_loaded, &values))
            .with_code(code::NOT_LOADED)
    }

    /// Says that there is no such tool, and never which hidden ones there are.
    fn unknown(&self, name: &str) -> ToolError {
        let name: String = name.chars().take(64).collect();
        let reads = self.offers.first().builtin(&self.texts.read_skill);
        let skill = self.skills.meant(&name).filter(|_| reads.is_some());
        if let Some(skill) = skill {
            let values = [
                ("skill", skill.name()),
                ("read_skill", &self.texts.read_skill),
            ];
            return ToolError::new(
                ErrorKind::NotFound,
                fill(&self.texts.skill_is_no_tool, &values),
            )
            .with_code(code::NO_SUCH_TOOL);
        }
        let mut message = fill(&self.texts.unknown_tool, &[("tool", &name)]);
        if let Some(search) = self.search_name() {
            message.push(' ');
            message.push_str(&fill(
                &self.texts.unknown_tool_search,
                &[("search", search)],
            ));
        }
        ToolError::new(ErrorKind::NotFound, message).with_code(code::NO_SUCH_TOOL)
    }
}

/// The arguments of `call_tool`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dispatched<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

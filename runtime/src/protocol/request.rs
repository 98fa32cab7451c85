//! A request to a model, before any provider's JSON.

use std::{borrow::Cow, collections::HashSet};

use super::{Definition, ProtocolError, RequestOptions, Reveal, ToolChoice, ids::portable_name};
use crate::{
    Texts,
    conversation::{Item, ToolCall, ToolResult},
    texts::fill,
};

/// Everything a model is told for one step. Protocols turn it into their JSON.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    system: &'a str,
    tools: &'a [Definition],
    search: Option<&'a Definition>,
    deferred: &'a [Definition],
    items: &'a [Item],
    options: Option<&'a RequestOptions>,
    reveal: Reveal,
    texts: Option<&'a Texts>,
    stream: bool,
}

impl<'a> Request<'a> {
    /// A request that continues this history and offers no tools.
    #[must_use]
    pub fn new(items: &'a [Item]) -> Self {
        Self {
            system: "",
            tools: &[],
            search: None,
            deferred: &[],
            items,
            options: None,
            reveal: Reveal::Append,
            texts: None,
            stream: false,
        }
    }

    /// The same request with instructions.
    #[must_use]
    pub fn with_system(mut self, system: &'a str) -> Self {
        self.system = system;
        self
    }

    /// The same request with tools that are shown from the start.
    #[must_use]
    pub fn with_tools(mut self, tools: &'a [Definition]) -> Self {
        self.tools = tools;
        self
    }

    /// The same request with the tool that finds deferred tools, and those tools.
    #[must_use]
    pub fn with_deferred(mut self, search: &'a Definition, deferred: &'a [Definition]) -> Self {
        self.search = Some(search);
        self.deferred = deferred;
        self
    }

    /// The same request with options.
    #[must_use]
    pub fn with_options(mut self, options: &'a RequestOptions) -> Self {
        self.options = Some(options);
        self
    }

    /// The same request with another way to show found tools where the provider has none.
    #[must_use]
    pub fn with_reveal(mut self, reveal: Reveal) -> Self {
        self.reveal = reveal;
        self
    }

    /// The same request with other sentences where the SDK itself says something.
    #[must_use]
    pub fn with_texts(mut self, texts: &'a Texts) -> Self {
        self.texts = Some(texts);
        self
    }

    /// The same request, whose answer shall arrive piece by piece.
    #[must_use]
    pub fn with_stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// Whether the answer shall arrive piece by piece.
    #[must_use]
    pub fn stream(&self) -> bool {
        self.stream
    }

    /// The instructions; empty for none.
    #[must_use]
    pub fn system(&self) -> &'a str {
        self.system
    }

    /// The tools that are shown from the start.
    #[must_use]
    pub fn tools(&self) -> &'a [Definition] {
        self.tools
    }

    /// The tool that finds deferred tools.
    #[must_use]
    pub fn search(&self) -> Option<&'a Definition> {
        self.search
    }

    /// The tools that are found by search.
    #[must_use]
    pub fn deferred(&self) -> &'a [Definition] {
        self.deferred
    }

    /// The history.
    #[must_use]
    pub fn items(&self) -> &'a [Item] {
        self.items
    }

    /// Token limit, sampling and tool choice.
    #[must_use]
    pub fn options(&self) -> Option<&'a RequestOptions> {
        self.options
    }

    /// How found tools are shown where the provider has no way of its own.
    #[must_use]
    pub fn reveal(&self) -> Reveal {
        self.reveal
    }

    /// The same request with another history.
    pub(super) fn with_items(mut self, items: &'a [Item]) -> Self {
        self.items = items;
        self
    }

    /// Refuses options that no provider takes.
    pub(super) fn check_options(&self, protocol: &'static str) -> Result<(), ProtocolError> {
        self.check_names(protocol)?;
        let problem = match self.options {
            Some(options) if options.max_output_tokens == Some(0) => {
                "`max_output_tokens` is 0; set at least 1, or leave it out"
            }
            Some(options)
                if options
                    .temperature
                    .is_some_and(|heat| !(0.0..=2.0).contains(&heat)) =>
            {
                "`temperature` is not a number from 0 to 2; change it, or leave it out"
            }
            _ => return Ok(()),
        };
        Err(ProtocolError::Unsupported {
            protocol,
            problem: problem.to_owned(),
        })
    }

    /// Refuses two tools of one name, and the wish for a call of a tool that is not offered.
    fn check_names(&self, protocol: &'static str) -> Result<(), ProtocolError> {
        let mut all = HashSet::new();
        let known = self.tools.iter().chain(self.search).chain(self.deferred);
        let names: HashSet<&str> = self.offered().map(Definition::name).collect();
        if let Some(tool) = known.into_iter().find(|tool| !all.insert(tool.name())) {
            return Err(ProtocolError::Tool {
                protocol,
                tool: tool.name().to_owned(),
                problem: "the request has two tools of this name; rename one".to_owned(),
            });
        }
        let problem = match self.options.map(|options| &options.tool_choice) {
            Some(ToolChoice::Tool(name)) if !names.contains(name.as_str()) => {
                format!(
                    "`tool_choice` demands a call of `{name}`, which is not among the tools of \
                     the request; name one of them, or leave it at `Auto`"
                )
            }
            Some(ToolChoice::Required) if names.is_empty() => {
                "`tool_choice` demands a call, and the request has no tools; leave it at `Auto`"
                    .to_owned()
            }
            _ => return Ok(()),
        };
        Err(ProtocolError::Unsupported { protocol, problem })
    }

    /// The definition of a deferred tool.
    #[must_use]
    pub fn find_deferred(&self, name: &str) -> Option<&'a Definition> {
        self.deferred.iter().find(|tool| tool.name() == name)
    }

    /// The definitions that a result hands over. Tools that no longer exist are left out.
    pub fn loaded_by(&self, result: &'a ToolResult) -> impl Iterator<Item = &'a Definition> + '_ {
        result
            .loads()
            .iter()
            .filter_map(|name| self.find_deferred(name))
    }

    /// All definitions that the history has handed over, each once, in that order.
    #[must_use]
    pub fn loaded(&self) -> Vec<&'a Definition> {
        let mut loaded: Vec<&Definition> = Vec::new();
        for item in self.items {
            if let Item::Results(results) = item {
                for tool in results.iter().flat_map(|result| self.loaded_by(result)) {
                    if !loaded.iter().any(|known| known.name() == tool.name()) {
                        loaded.push(tool);
                    }
                }
            }
        }
        loaded
    }

    /// The definitions that stand behind the other tools, for a provider that cannot defer: the
    /// loaded ones, unless they are called through `call_tool`.
    #[must_use]
    pub fn appended(&self) -> Vec<&'a Definition> {
        match self.reveal {
            Reveal::Append => self.loaded(),
            Reveal::Dispatch => Vec::new(),
        }
    }

    /// All definitions of the request, in order, for a provider that cannot defer.
    pub fn offered(&self) -> impl Iterator<Item = &'a Definition> + use<'a> {
        let shown = self.tools.iter().chain(self.search);
        shown.chain(self.appended())
    }

    /// The name and the arguments of a call that another provider's model made. A call through
    /// `call_tool` becomes a call of the tool itself where tools are called by name.
    pub(super) fn called(&self, call: &'a ToolCall) -> (Cow<'a, str>, Cow<'a, str>) {
        match self.dispatched(call.name(), call.arguments()) {
            Some((name, arguments)) => (name.into(), arguments.into()),
            None => (portable_name(call.name().into()), call.arguments().into()),
        }
    }

    /// The name of the tool that a result answers for: as the provider wrote it in a turn of its
    /// `own`, which goes back as it came, or as [`called`](Self::called) has it.
    pub(super) fn answered(&self, result: &'a ToolResult, own: bool) -> Cow<'a, str> {
        if own {
            return result.name().into();
        }
        let call = self.call_of(result);
        call.map_or_else(
            || portable_name(result.name().into()),
            |call| self.called(call).0,
        )
    }

    /// The call that a result of `call_tool` belongs to.
    fn call_of(&self, result: &ToolResult) -> Option<&'a ToolCall> {
        if self.reveal == Reveal::Dispatch || result.name() != self.call_tool() {
            return None;
        }
        let turns = self.items.iter().rev().filter_map(|item| match item {
            Item::Model(turn) => Some(turn),
            _ => None,
        });
        let mut calls = turns.flat_map(|turn| turn.calls());
        calls.find(|call| call.id() == result.call_id())
    }

    fn call_tool(&self) -> Cow<'a, str> {
        match self.texts {
            Some(texts) => Cow::Borrowed(texts.call_tool.as_ref()),
            None => Texts::default().call_tool,
        }
    }

    fn dispatched(&self, name: &str, arguments: &str) -> Option<(String, String)> {
        #[derive(serde::Deserialize)]
        struct Inner<'a> {
            name: String,
            #[serde(borrow, default)]
            arguments: Option<&'a serde_json::value::RawValue>,
        }
        if self.reveal == Reveal::Dispatch || name != self.call_tool() {
            return None;
        }
        let inner: Inner<'_> = serde_json::from_str(arguments).ok()?;
        let arguments = inner.arguments.map_or("{}", |arguments| arguments.get());
        self.find_deferred(&inner.name)?;
        Some((inner.name, arguments.to_owned()))
    }

    /// The text of a result for a provider that has no other form for loaded tools.
    #[must_use]
    pub fn result_text(&self, result: &ToolResult) -> String {
        let mut text = result.output().to_text();
        let loaded: Vec<&Definition> = self.loaded_by(result).collect();
        let texts = self.texts.map_or_else(Cow::default, Cow::Borrowed);
        if loaded.is_empty() {
            if text.is_empty() && !result.loads().is_empty() {
                return fill(&texts.gone, &[("tools", &result.loads().join(", "))]);
            }
            return text;
        }
        let found = match self.reveal {
            Reveal::Append => {
                let names: Vec<&str> = loaded.iter().map(|tool| tool.name()).collect();
                fill(&texts.found, &[("tools", &names.join(", "))])
            }
            Reveal::Dispatch => {
                let tools: Vec<String> = loaded.iter().map(|tool| in_words(tool)).collect();
                let values = [
                    ("tools", tools.join("\n")),
                    ("call_tool", texts.call_tool.to_string()),
                ];
                let values = values.each_ref().map(|(key, value)| (*key, value.as_str()));
                fill(&texts.found_for_dispatch, &values)
            }
        };
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&found);
        text
    }
}

/// A definition as text, and all of it: the description holds the rules of use.
fn in_words(tool: &Definition) -> String {
    format!(
        "- {}: {}\n  arguments: {}",
        tool.name(),
        tool.description().trim().replace('\n', "\n  "),
        tool.schema().get()
    )
}

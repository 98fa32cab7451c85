//! What a request shows to a model, read from its JSON.

use serde_json::Value;

use crate::estimate_tokens;

/// What a request shows to a model, read from the JSON that is really sent and from nothing else.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub(super) body: Value,
    pub(super) system: String,
    pub(super) user: String,
    pub(super) search: Option<String>,
    pub(super) tools: Vec<SeenTool>,
    pub(super) loaded: Vec<String>,
    pub(super) calls: Vec<SeenCall>,
    pub(super) results: Vec<SeenResult>,
}

/// A tool whose definition a request holds.
#[derive(Clone, Debug, Default)]
pub struct SeenTool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Value,
    /// The namespace it stands in; empty for none.
    pub(super) namespace: String,
    /// Whether the provider keeps it from the model until it is referred to.
    pub(super) deferred: bool,
}

/// A call in the history of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
}

/// A result in the history of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenResult {
    pub(super) call_id: String,
    pub(super) text: String,
    pub(super) loads: Vec<String>,
}

impl Seen {
    /// The whole request.
    #[must_use]
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// The system prompt.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.system
    }

    /// What the user said last.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The name of the tool that finds other tools, if the request has one.
    #[must_use]
    pub fn search_tool(&self) -> Option<&str> {
        self.search.as_deref()
    }

    /// Whether the system prompt lists a skill.
    #[must_use]
    pub fn lists_skill(&self, name: &str) -> bool {
        lists(&self.system, name)
    }

    /// Whether the catalog lists a deferred tool, in the system prompt or in the description of
    /// the search tool.
    #[must_use]
    pub fn lists_tool(&self, name: &str) -> bool {
        let search = self
            .search
            .as_deref()
            .and_then(|search| self.definition(search));
        lists(&self.system, name) || search.is_some_and(|tool| lists(&tool.description, name))
    }

    /// The tools the model may call now: the ones always shown and the ones that were loaded.
    pub fn callable(&self) -> impl Iterator<Item = &SeenTool> {
        self.tools
            .iter()
            .filter(|tool| !tool.deferred || self.loaded.contains(&tool.name))
    }

    /// The tool of that name if the model may call it now.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&SeenTool> {
        self.callable().find(|tool| tool.name == name)
    }

    /// The calls made so far.
    #[must_use]
    pub fn calls(&self) -> &[SeenCall] {
        &self.calls
    }

    /// The number of the last call, so that the next one gets an identifier of its own also where
    /// the beginning of the history was removed.
    pub(super) fn last_number(&self) -> usize {
        let numbers = self.calls.iter().filter_map(|call| {
            let digits = call.id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
            call.id.get(digits..)?.parse::<u32>().ok()
        });
        let highest = numbers.max().unwrap_or_default() as usize;
        highest.max(self.calls.len())
    }

    /// The text of the last result of a tool.
    #[must_use]
    pub fn result_of(&self, tool: &str) -> Option<&str> {
        let mut results = self.results.iter().rev();
        let result = results.find(|result| {
            self.calls
                .iter()
                .any(|call| call.id == result.call_id && call.name == tool)
        });
        result.map(|result| result.text.as_str())
    }

    /// The results so far.
    #[must_use]
    pub fn results(&self) -> &[SeenResult] {
        &self.results
    }

    pub(super) fn definition(&self, name: &str) -> Option<&SeenTool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// What every provider refuses: a call without a result, a result without a call.
    pub(super) fn pairing_fault(&self) -> Option<String> {
        let open = self.calls.iter().find(|call| {
            let answers = |result: &&SeenResult| result.call_id == call.id;
            self.results.iter().filter(answers).count() != 1
        });
        let orphan = self
            .results
            .iter()
            .find(|result| !self.calls.iter().any(|call| call.id == result.call_id));
        match (open, orphan) {
            (Some(call), _) => Some(format!(
                "call `{}` of `{}` does not have exactly one result",
                call.id, call.name
            )),
            (None, Some(result)) => Some(format!("result `{}` has no call", result.call_id)),
            (None, None) => None,
        }
    }

    /// About how many tokens the request costs.
    pub(super) fn tokens(&self) -> usize {
        estimate_tokens(&self.body.to_string())
    }
}

impl SeenTool {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// What keeps arguments from fitting the schema's own list of properties.
    pub(super) fn misfit(&self, arguments: &Value) -> Option<String> {
        let properties = self.schema["properties"].as_object();
        let required = self.schema["required"].as_array();
        let unknown = arguments
            .as_object()
            .into_iter()
            .flatten()
            .find(|(key, _)| properties.is_none_or(|properties| !properties.contains_key(*key)));
        let missing = required
            .into_iter()
            .flatten()
            .find(|key| key.as_str().is_some_and(|key| arguments.get(key).is_none()));
        match (unknown, missing) {
            (Some((key, _)), _) => Some(format!("its definition has no argument `{key}`")),
            (None, Some(key)) => Some(format!("its definition wants the argument {key}")),
            (None, None) => None,
        }
    }
}

impl SeenCall {
    /// The name that was called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }
}

impl SeenResult {
    /// The text the model reads.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tools whose definitions came with it.
    #[must_use]
    pub fn loads(&self) -> &[String] {
        &self.loads
    }
}

/// Whether a text has a list entry of that name.
fn lists(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        line.strip_prefix("- ")
            .and_then(|line| line.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(':'))
    })
}

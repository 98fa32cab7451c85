//! An answer in a form that the program names.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Answer, Builtin, View, surface::SurfaceTool};
use crate::{
    Texts,
    conversation::{ToolCall, ToolResult},
    protocol::{Effort, RequestOptions, ToolChoice},
    texts::fill,
    tool::{ToolError, ToolSchema, args, schema::whole::Whole},
};

/// How often a model that answers in words is told to use the tool.
pub(super) const NUDGES: usize = 2;

/// The tool through which the model gives its answer.
pub(super) struct FinalAnswer {
    name: String,
    schema: Whole,
    options: RequestOptions,
}

impl FinalAnswer {
    pub(super) fn new<T: ToolSchema + serde::de::DeserializeOwned>() -> Self {
        Self {
            name: String::new(),
            schema: Whole::of::<T>(),
            options: RequestOptions::default(),
        }
    }

    /// The same under the name that the texts give it, in an agent with these options.
    pub(super) fn named(mut self, texts: &Texts, options: &RequestOptions) -> Arc<Self> {
        self.name = texts.final_answer.to_string();
        self.options = options.clone();
        // A model that thinks may not be told what to call.
        self.options.tool_choice = match options.reasoning {
            None | Some(Effort::None) => ToolChoice::Tool(self.name.clone()),
            Some(_) => ToolChoice::Auto,
        };
        Arc::new(self)
    }

    pub(super) fn tool(self: &Arc<Self>, texts: &Texts) -> SurfaceTool {
        SurfaceTool::builtin(
            texts.final_answer.clone(),
            texts.final_answer_description.clone(),
            self.schema.text().to_owned(),
            Arc::clone(self) as Arc<dyn Builtin>,
        )
    }

    /// The options of a request after a reminder.
    pub(super) fn options(&self) -> &RequestOptions {
        &self.options
    }

    /// What a model is told that answered in words.
    pub(super) fn nudge(&self, texts: &Texts) -> String {
        fill(&texts.final_answer_missing, &[("tool", &self.name)])
    }

    /// The answer, if one of these calls gave it.
    pub(super) fn given(&self, calls: &[ToolCall], results: &[ToolResult]) -> Option<Value> {
        let given = calls.iter().zip(results);
        let mut given =
            given.filter(|(call, result)| call.name() == self.name && !result.is_failed());
        let (call, _) = given.next()?;
        self.read(call.arguments()).ok()
    }

    fn read(&self, arguments: &str) -> Result<Value, ToolError> {
        match args::check(arguments, self.schema.text(), false) {
            Ok(value) => self.schema.value(value),
            // A value that is nothing may be left out, as an optional one may.
            Err(_) if is_blank(arguments) && self.takes_nothing() => Ok(Value::Null),
            Err(error) => Err(error),
        }
    }

    /// Whether the answer is a value that `null` stands for.
    fn takes_nothing(&self) -> bool {
        matches!(self.schema.value(json!({})), Ok(Value::Null))
    }
}

/// Whether arguments hold nothing.
fn is_blank(arguments: &str) -> bool {
    let empty = |value: Value| value.as_object().is_some_and(Map::is_empty);
    arguments.trim().is_empty() || serde_json::from_str(arguments).is_ok_and(empty)
}

impl Builtin for FinalAnswer {
    fn answer(&self, arguments: &str, _: &View<'_>) -> Answer {
        match self.read(arguments) {
            Ok(_) => Answer::ok("received"),
            Err(error) => Answer::failed(error),
        }
    }
}

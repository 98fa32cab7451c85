//! A tool as Chat Completions and Ollama write it.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Definition;

#[derive(Serialize)]
pub(super) struct FunctionTool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

impl<'a> FunctionTool<'a> {
    pub(super) fn new(tool: &'a Definition, parameters: &'a RawValue, strict: bool) -> Self {
        Self {
            r#type: "function",
            function: Function {
                name: tool.name(),
                description: tool.description(),
                parameters,
                strict,
            },
        }
    }
}

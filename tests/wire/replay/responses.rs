//! A recorded request to Responses, read into our own types.

use repertoire::{
    ToolOutput,
    conversation::{Item, ModelPart, ModelTurn, StopReason, ToolCall, ToolResult, Usage},
    protocol::{Definition, Protocol},
};
use serde_json::{Value, json};

use super::told::{Told, Why, decoded, definition, push_result, result, said, string, text_of};

pub fn told(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
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
            Some("tool_search") if tool["execution"] == "client" => {
                let name = json!("tool_search");
                told.search = Some(definition(
                    &name,
                    &tool["description"],
                    &tool["parameters"],
                )?);
            }
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
            ("message", Some("user")) => told.items.push(Item::User(said(&item["content"])?)),
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
            ("tool_search_output", _) if item["execution"] == "client" => {
                let names = handed_over(&item, &mut told.deferred)?;
                let call = ToolCall::new(string(&item["call_id"]), "tool_search", "{}").as_search();
                let result = ToolResult::ok(&call, ToolOutput::default()).loading(names);
                push_result(&mut told.items, result);
            }
            ("additional_tools", _) if told.search.is_some() => {
                let names = handed_over(&item, &mut told.deferred)?;
                let Some(Item::Results(results)) = told.items.last_mut() else {
                    return Err("tools that the program adds, and not behind a result");
                };
                let last = results.pop().ok_or("a step without results")?;
                results.push(last.loading(names));
            }
            ("additional_tools", _) => return Err("tools that the program adds, without a search"),
            _ => return Err("a search by the provider"),
        }
    }
    if !turn.is_empty() {
        told.items
            .push(decoded(protocol, &json!({"output": turn}))?);
    }
    Ok(told)
}

/// The tools that an item brings, by name.
fn handed_over(item: &Value, deferred: &mut Vec<Definition>) -> Result<Vec<String>, Why> {
    let mut names = Vec::new();
    for tool in item["tools"].as_array().into_iter().flatten() {
        if tool["type"] != "function" {
            return Err("a tool of the provider's own");
        }
        let known = definition(&tool["name"], &tool["description"], &tool["parameters"])?;
        names.push(string(&tool["name"]));
        deferred.push(known.with_strict(tool["strict"] == true));
    }
    Ok(names)
}

//! Gemini as a script reads and writes it.

use serde_json::{Value, json};

use super::{
    Act, Seen, SeenCall, SeenResult, SeenTool,
    plain::{loaded, text},
    script::Wire,
};
use crate::{Texts, estimate_tokens, protocol::Gemini};

impl Wire for Gemini {
    fn see(body: Value) -> Result<Seen, String> {
        let mut seen = Seen {
            system: text(&body["systemInstruction"]["parts"][0]["text"]),
            ..Seen::default()
        };
        let search = Texts::default().search_tool;
        let tools = body["tools"].as_array().into_iter().flatten();
        for tool in tools
            .flat_map(|tool| tool["functionDeclarations"].as_array())
            .flatten()
        {
            let schema = &tool["parametersJsonSchema"];
            if let Some(key) = ["\"$ref\"", "\"$schema\"", "\"$defs\""]
                .iter()
                .find(|key| schema.to_string().contains(**key))
            {
                return Err(format!("unknown name {key} in a declaration"));
            }
            let tool = SeenTool {
                name: text(&tool["name"]),
                description: text(&tool["description"]),
                schema: schema.clone(),
                ..SeenTool::default()
            };
            if tool.name == search {
                seen.search = Some(tool.name.clone());
            }
            seen.tools.push(tool);
        }
        let mut calls_before = 0;
        for (place, content) in body["contents"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            calls_before = read(content, place, calls_before, &mut seen)?;
        }
        loaded(&mut seen);
        if let Some(fault) = seen.pairing_fault() {
            return Err(fault);
        }
        seen.body = body;
        Ok(seen)
    }

    fn write(act: &Act, seen: &Seen) -> Value {
        let number = seen.last_number();
        let parts: Vec<Value> = match act {
            Act::Raw(body) => return body.clone(),
            Act::Say(text) => vec![json!({"text": text})],
            Act::Call(calls) => calls
                .iter()
                .enumerate()
                .map(|(index, (name, arguments))| {
                    let id = format!("g{}", number + index + 1);
                    let mut part = json!({
                        "functionCall": {"id": id, "name": name, "args": arguments},
                    });
                    if index == 0 {
                        part["thoughtSignature"] = json!(format!("sig{number}"));
                    }
                    part
                })
                .collect(),
        };
        let tokens = estimate_tokens(&json!(parts).to_string());
        json!({
            "candidates": [{
                "content": {"parts": parts, "role": "model"}, "finishReason": "STOP", "index": 0,
            }],
            "usageMetadata": {
                "promptTokenCount": seen.tokens(), "candidatesTokenCount": tokens,
            },
            "responseId": format!("r{}", number + 1),
        })
    }
}

/// Reads one content; returns how many calls it makes, which the next has to answer.
fn read(content: &Value, place: usize, open: usize, seen: &mut Seen) -> Result<usize, String> {
    let (mut calls, mut results) = (0, 0);
    let first_open = seen.calls.len().saturating_sub(open);
    for part in content["parts"].as_array().into_iter().flatten() {
        if let Some(call) = part.get("functionCall") {
            if calls == 0 && part["thoughtSignature"].is_null() {
                return Err("the first call of a step has no thought signature".to_owned());
            }
            let id = call["id"].as_str().map(str::to_owned);
            seen.calls.push(SeenCall {
                id: id.unwrap_or_else(|| format!("{place}.{calls}")),
                name: text(&call["name"]),
                arguments: call.get("args").cloned().unwrap_or_else(|| json!({})),
            });
            calls += 1;
        } else if let Some(response) = part.get("functionResponse") {
            let Some(call) = seen.calls.get(first_open + results) else {
                return Err("more responses than calls".to_owned());
            };
            if call.name != text(&response["name"]) {
                return Err(format!("the response to `{}` has another name", call.name));
            }
            if response["id"].as_str().is_some_and(|id| id != call.id) {
                return Err(format!("the response to `{}` has another id", call.name));
            }
            let Some(outcome) = response["response"].as_object() else {
                return Err("a response is not an object".to_owned());
            };
            let call_id = call.id.clone();
            seen.results.push(SeenResult {
                call_id,
                text: outcome.values().map(text).collect(),
                loads: Vec::new(),
            });
            results += 1;
        } else if content["role"] == "user" && part["text"].is_string() {
            seen.user = text(&part["text"]);
        }
    }
    if results != open {
        return Err(format!("{open} calls are followed by {results} responses"));
    }
    Ok(calls)
}

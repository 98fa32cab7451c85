//! Anthropic Messages as a script reads and writes it.

use serde_json::{Value, json};

use super::{Act, Seen, SeenCall, SeenResult, SeenTool, plain::text, script::Wire};
use crate::{Texts, estimate_tokens, protocol::Anthropic};

impl Wire for Anthropic {
    fn see(body: Value) -> Result<Seen, String> {
        let mut seen = Seen {
            system: text(&body["system"]),
            ..Seen::default()
        };
        let search = Texts::default().search_tool;
        for tool in body["tools"].as_array().into_iter().flatten() {
            let tool = SeenTool {
                name: text(&tool["name"]),
                description: text(&tool["description"]),
                schema: tool["input_schema"].clone(),
                deferred: tool["defer_loading"] == true,
                ..SeenTool::default()
            };
            if tool.name == search {
                seen.search = Some(tool.name.clone());
            }
            seen.tools.push(tool);
        }
        if !seen.tools.is_empty() && seen.tools.iter().all(|tool| tool.deferred) {
            return Err("all tools have defer_loading set".to_owned());
        }
        let none = Vec::new();
        let messages = body["messages"].as_array().unwrap_or(&none);
        for (index, message) in messages.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| messages.get(before));
            check_results(before, message)?;
            for block in blocks(message) {
                read_block(block, message["role"] == "user", &mut seen)?;
            }
        }
        if let Some(fault) = seen.pairing_fault() {
            return Err(fault);
        }
        seen.body = body;
        Ok(seen)
    }

    fn write(act: &Act, seen: &Seen) -> Value {
        let number = seen.last_number();
        let (content, stop): (Vec<Value>, _) = match act {
            Act::Raw(body) => return body.clone(),
            Act::Say(text) => (vec![json!({"type": "text", "text": text})], "end_turn"),
            Act::Call(calls) => {
                let blocks = calls.iter().enumerate().map(|(index, (name, arguments))| {
                    json!({
                        "type": "tool_use", "id": format!("toolu_{}", number + index + 1),
                        "name": name, "input": arguments,
                    })
                });
                (blocks.collect(), "tool_use")
            }
        };
        let tokens = estimate_tokens(&json!(content).to_string());
        json!({
            "id": format!("msg_{}", number + 1), "type": "message", "role": "assistant",
            "content": content, "stop_reason": stop, "stop_sequence": null,
            "usage": {"input_tokens": seen.tokens(), "output_tokens": tokens},
        })
    }
}

/// Results come first in the message after their calls, all of them and no others.
fn check_results(before: Option<&Value>, message: &Value) -> Result<(), String> {
    let ids = |message: &Value, kind: &str, key: &str| -> Vec<String> {
        blocks(message)
            .filter(|block| block["type"] == kind)
            .map(|block| text(&block[key]))
            .collect()
    };
    let mut called = before.map_or_else(Vec::new, |before| ids(before, "tool_use", "id"));
    let mut answered = ids(message, "tool_result", "tool_use_id");
    let leading = blocks(message)
        .take_while(|block| block["type"] == "tool_result")
        .count();
    if leading != answered.len() {
        return Err("tool_result blocks must come first in a message".to_owned());
    }
    called.sort();
    answered.sort();
    if called != answered {
        return Err(format!(
            "calls {called:?} are answered by results {answered:?}"
        ));
    }
    Ok(())
}

fn blocks(message: &Value) -> impl Iterator<Item = &Value> {
    message["content"].as_array().into_iter().flatten()
}

fn read_block(block: &Value, from_user: bool, seen: &mut Seen) -> Result<(), String> {
    match block["type"].as_str() {
        Some("text") if from_user => seen.user = text(&block["text"]),
        Some("tool_use") => seen.calls.push(SeenCall {
            id: text(&block["id"]),
            name: text(&block["name"]),
            arguments: block["input"].clone(),
        }),
        Some("tool_result") => {
            let result = read_result(block, seen)?;
            seen.results.push(result);
        }
        _ => {}
    }
    Ok(())
}

fn read_result(block: &Value, seen: &mut Seen) -> Result<SeenResult, String> {
    let mut result = SeenResult {
        call_id: text(&block["tool_use_id"]),
        text: text(&block["content"]),
        loads: Vec::new(),
    };
    for part in block["content"].as_array().into_iter().flatten() {
        match part["type"].as_str() {
            Some("tool_reference") => {
                let name = text(&part["tool_name"]);
                if seen.definition(&name).is_none() {
                    return Err(format!(
                        "tool reference `{name}` has no corresponding tool definition"
                    ));
                }
                seen.loaded.push(name.clone());
                result.loads.push(name);
            }
            _ => result.text.push_str(&text(&part["text"])),
        }
    }
    Ok(result)
}

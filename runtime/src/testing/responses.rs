//! OpenAI Responses as a script reads and writes it.

use serde_json::{Value, json};

use super::{
    Act, Seen, SeenCall, SeenResult, SeenTool,
    plain::{said, text},
    script::Wire,
};
use crate::{estimate_tokens, protocol::Responses};

/// The name under which a script calls the search, which has none on the wire.
const SEARCH: &str = "tool_search";

impl Wire for Responses {
    fn see(body: Value) -> Result<Seen, String> {
        let mut seen = Seen {
            system: text(&body["instructions"]),
            ..Seen::default()
        };
        for tool in body["tools"].as_array().into_iter().flatten() {
            match tool["type"].as_str() {
                Some("function") => seen.tools.push(function(tool)),
                Some("tool_search") => {
                    seen.search = Some(SEARCH.to_owned());
                    seen.tools.push(SeenTool {
                        name: SEARCH.to_owned(),
                        ..function(tool)
                    });
                }
                other => return Err(format!("unknown tool type {other:?}")),
            }
        }
        for item in body["input"].as_array().into_iter().flatten() {
            read_item(item, &mut seen)?;
        }
        if let Some(fault) = seen.pairing_fault() {
            return Err(fault);
        }
        seen.body = body;
        Ok(seen)
    }

    fn write(act: &Act, seen: &Seen) -> Value {
        let number = seen.last_number();
        let output: Vec<Value> = match act {
            Act::Raw(body) => return body.clone(),
            Act::Say(text) => vec![json!({
                "type": "message", "id": format!("msg_{}", number + 1), "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            })],
            Act::Call(calls) => calls
                .iter()
                .enumerate()
                .map(|(index, (name, arguments))| {
                    write_call(number + index + 1, name, arguments, seen)
                })
                .collect(),
        };
        let tokens = estimate_tokens(&json!(output).to_string());
        json!({
            "id": format!("resp_{}", number + 1), "object": "response", "status": "completed",
            "output": output,
            "usage": {"input_tokens": seen.tokens(), "output_tokens": tokens},
        })
    }
}

fn read_item(item: &Value, seen: &mut Seen) -> Result<(), String> {
    let id = text(&item["call_id"]);
    match item["type"].as_str() {
        Some("function_call") => {
            let name = text(&item["name"]);
            // A tool that was loaded by a search lives in a namespace; without it the provider
            // looks in the default one.
            if seen.loaded.contains(&name) && item["namespace"].is_null() {
                return Err(format!("missing namespace for function_call `{name}`"));
            }
            let arguments = item["arguments"].as_str().unwrap_or_default();
            seen.calls.push(SeenCall {
                id,
                name,
                arguments: serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments)),
            });
        }
        Some("tool_search_call") => {
            if !item["arguments"].is_object() {
                return Err("the arguments of tool_search_call are not an object".to_owned());
            }
            seen.calls.push(SeenCall {
                id,
                name: SEARCH.to_owned(),
                arguments: item["arguments"].clone(),
            });
        }
        Some("function_call_output") => seen.results.push(SeenResult {
            call_id: id,
            text: said(&item["output"]),
            loads: Vec::new(),
        }),
        Some("additional_tools") => {
            if item["role"] != "developer" {
                return Err("additional_tools are the developer's alone".to_owned());
            }
            let loads = handed_over(item, seen)?;
            if let Some(last) = seen.results.last_mut() {
                last.loads.extend(loads);
            }
        }
        Some("tool_search_output") => {
            let loads = handed_over(item, seen)?;
            seen.results.push(SeenResult {
                call_id: id,
                text: String::new(),
                loads,
            });
        }
        Some("message") | None => match item["role"].as_str() {
            Some("user") => seen.user = said(&item["content"]),
            Some("developer") => {
                if let Some(last) = seen.results.last_mut() {
                    last.text.push_str(&text(&item["content"]));
                }
            }
            _ => {}
        },
        Some(_) => {}
    }
    Ok(())
}

/// The definitions that an item brings: all flat, or all in namespaces.
fn handed_over(item: &Value, seen: &mut Seen) -> Result<Vec<String>, String> {
    let Some(tools) = item["tools"].as_array() else {
        return Err(format!("{} has no tools", item["type"]));
    };
    let namespaced = tools
        .iter()
        .filter(|tool| tool["type"] == "namespace")
        .count();
    if namespaced != 0 && namespaced != tools.len() {
        return Err("flat and namespaced tools are mixed".to_owned());
    }
    let mut found: Vec<SeenTool> = Vec::new();
    for tool in tools {
        match tool["tools"].as_array() {
            Some(members) => found.extend(members.iter().map(|member| SeenTool {
                namespace: text(&tool["name"]),
                ..function(member)
            })),
            None => found.push(function(tool)),
        }
    }
    let loads: Vec<String> = found.iter().map(|tool| tool.name.clone()).collect();
    seen.tools.extend(found);
    seen.loaded.extend(loads.iter().cloned());
    Ok(loads)
}

fn write_call(number: usize, name: &str, arguments: &Value, seen: &Seen) -> Value {
    let call_id = format!("call_{number}");
    if seen.search.as_deref() == Some(name) {
        return json!({
            "type": "tool_search_call", "id": format!("tsc_{number}"), "call_id": call_id,
            "execution": "client", "status": "completed", "arguments": arguments,
        });
    }
    let arguments = match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut call = json!({
        "type": "function_call", "id": format!("fc_{number}"), "call_id": call_id,
        "name": name, "arguments": arguments, "status": "completed",
    });
    if seen.loaded.iter().any(|loaded| loaded == name) {
        let namespace = seen.tool(name).map(|tool| tool.namespace.as_str());
        call["namespace"] = json!(namespace.filter(|space| !space.is_empty()).unwrap_or(name));
    }
    call
}

fn function(tool: &Value) -> SeenTool {
    SeenTool {
        name: text(&tool["name"]),
        description: text(&tool["description"]),
        schema: tool["parameters"].clone(),
        ..SeenTool::default()
    }
}

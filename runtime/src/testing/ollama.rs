//! Ollama as a script reads and writes it.

use serde_json::{Value, json};

use super::{
    Act, Seen, SeenCall, SeenResult, SeenTool,
    plain::{loaded, text},
    script::Wire,
};
use crate::{Texts, estimate_tokens, protocol::Ollama};

impl Wire for Ollama {
    fn see(body: Value) -> Result<Seen, String> {
        let mut seen = Seen::default();
        let search = Texts::default().search_tool;
        for tool in body["tools"].as_array().into_iter().flatten() {
            let function = &tool["function"];
            if !function["parameters"]["properties"].is_object() {
                return Err("a tool has no `properties`".to_owned());
            }
            let tool = SeenTool {
                name: text(&function["name"]),
                description: text(&function["description"]),
                schema: function["parameters"].clone(),
                ..SeenTool::default()
            };
            if tool.name == search {
                seen.search = Some(tool.name.clone());
            }
            seen.tools.push(tool);
        }
        // Results follow their calls in order; that is all that ties them together.
        let mut open: std::collections::VecDeque<(String, String)> = Default::default();
        for (place, message) in body["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            if !message["content"].is_string() {
                return Err("the content of a message is no text".to_owned());
            }
            match message["role"].as_str() {
                Some("system") => seen.system = text(&message["content"]),
                Some("user") => seen.user = text(&message["content"]),
                Some("assistant") => {
                    let calls = message["tool_calls"].as_array();
                    for (index, call) in calls.into_iter().flatten().enumerate() {
                        let function = &call["function"];
                        if !function["arguments"].is_object() {
                            return Err("the arguments of a call are no object".to_owned());
                        }
                        let id = call["id"].as_str().map(str::to_owned);
                        let id = id.unwrap_or_else(|| format!("{place}.{index}"));
                        open.push_back((id.clone(), text(&function["name"])));
                        seen.calls.push(SeenCall {
                            id,
                            name: text(&function["name"]),
                            arguments: function["arguments"].clone(),
                        });
                    }
                }
                Some("tool") => {
                    let Some((id, name)) = open.pop_front() else {
                        return Err("a result has no call".to_owned());
                    };
                    if name != text(&message["tool_name"])
                        || message["tool_call_id"]
                            .as_str()
                            .is_some_and(|given| given != id)
                    {
                        return Err(format!("the result of `{name}` is out of order"));
                    }
                    seen.results.push(SeenResult {
                        call_id: id,
                        text: text(&message["content"]),
                        loads: Vec::new(),
                    });
                }
                _ => {}
            }
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
        let message = match act {
            Act::Raw(body) => return body.clone(),
            Act::Say(text) => json!({"role": "assistant", "content": text}),
            Act::Call(calls) => {
                let calls = calls.iter().enumerate().map(|(index, (name, arguments))| {
                    json!({
                        "id": format!("call_o{}", number + index + 1),
                        "function": {"index": index, "name": name, "arguments": arguments},
                    })
                });
                let calls: Vec<Value> = calls.collect();
                json!({"role": "assistant", "content": "", "tool_calls": calls})
            }
        };
        let tokens = estimate_tokens(&message.to_string());
        json!({
            "model": "m", "message": message, "done": true, "done_reason": "stop",
            "prompt_eval_count": seen.tokens(), "eval_count": tokens,
        })
    }
}

//! Chat Completions as a script reads and writes it.

use serde_json::{Value, json};

use super::{
    Act, Seen, SeenCall, SeenResult, SeenTool,
    plain::{arguments_text, loaded, said, text},
    script::Wire,
};
use crate::{
    Texts, estimate_tokens,
    protocol::{Chat, IMAGES_OF_RESULTS},
};

impl Wire for Chat {
    fn see(body: Value) -> Result<Seen, String> {
        let mut seen = Seen::default();
        let search = Texts::default().search_tool;
        for tool in body["tools"].as_array().into_iter().flatten() {
            let function = &tool["function"];
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
        if body.get("tools").is_some() && seen.tools.is_empty() {
            return Err("`tools` is empty".to_owned());
        }
        // Calls of the last assistant message that have no result yet.
        let mut open: Vec<String> = Vec::new();
        for message in body["messages"].as_array().into_iter().flatten() {
            if message["role"] != "tool" && !open.is_empty() {
                return Err(format!("calls {open:?} are not answered right after them"));
            }
            match message["role"].as_str() {
                Some("system") => seen.system = text(&message["content"]),
                // Images of results stand in a message of their own, which no user wrote.
                Some("user") if message["content"][0]["text"] != IMAGES_OF_RESULTS => {
                    seen.user = said(&message["content"]);
                }
                Some("assistant") => {
                    for call in message["tool_calls"].as_array().into_iter().flatten() {
                        let arguments = &call["function"]["arguments"];
                        let Some(arguments) = arguments.as_str() else {
                            return Err("the arguments of a call are no text".to_owned());
                        };
                        let id = text(&call["id"]);
                        open.push(id.clone());
                        seen.calls.push(SeenCall {
                            id,
                            name: text(&call["function"]["name"]),
                            arguments: serde_json::from_str(arguments)
                                .unwrap_or_else(|_| json!(arguments)),
                        });
                    }
                }
                Some("tool") => {
                    let call_id = text(&message["tool_call_id"]);
                    let Some(place) = open.iter().position(|id| *id == call_id) else {
                        return Err(format!("result `{call_id}` does not follow its call"));
                    };
                    open.remove(place);
                    seen.results.push(SeenResult {
                        call_id,
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
        let (message, finish) = match act {
            Act::Raw(body) => return body.clone(),
            Act::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
            Act::Call(calls) => {
                let calls = calls.iter().enumerate().map(|(index, (name, arguments))| {
                    json!({
                        "id": format!("call_c{}", number + index + 1), "type": "function",
                        "function": {"name": name, "arguments": arguments_text(arguments)},
                    })
                });
                let calls: Vec<Value> = calls.collect();
                let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
                (message, "tool_calls")
            }
        };
        let tokens = estimate_tokens(&message.to_string());
        json!({
            "id": format!("chatcmpl-{}", number + 1), "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": seen.tokens(), "completion_tokens": tokens},
        })
    }
}

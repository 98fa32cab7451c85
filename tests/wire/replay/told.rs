//! A recorded request read into our own types.

use repertoire::{
    ToolOutput,
    conversation::{Item, ToolCall, ToolResult, UserMessage},
    protocol::{Definition, Protocol},
};
use serde_json::{Value, json};

use crate::exchange::{Api, Exchange};

/// A request in our own types, or why it has none.
#[derive(Default)]
pub struct Told {
    pub system: String,
    pub tools: Vec<Definition>,
    /// The tool that finds others, where it is no tool like the others.
    pub search: Option<Definition>,
    pub deferred: Vec<Definition>,
    pub items: Vec<Item>,
}

pub type Why = &'static str;

pub fn text_of(content: &Value) -> Result<String, Why> {
    match content {
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => match parts.as_slice() {
            [part] if part["text"].is_string() && part.get("image_url").is_none() => {
                Ok(part["text"].as_str().unwrap_or_default().to_owned())
            }
            _ => Err("content of several parts, images or files"),
        },
        Value::Null => Ok(String::new()),
        _ => Err("content of an unknown form"),
    }
}

/// What a user said, with its images.
pub fn said(content: &Value) -> Result<UserMessage, Why> {
    let Some(parts) = content.as_array().filter(|parts| parts.len() != 1) else {
        return text_of(content)
            .map(UserMessage::from)
            .or_else(|_| said_part(UserMessage::default(), &content[0]));
    };
    parts.iter().try_fold(UserMessage::default(), said_part)
}

fn said_part(message: UserMessage, part: &Value) -> Result<UserMessage, Why> {
    if part.get("cache_control").is_some() {
        return Err("a cache mark within a message");
    }
    if let Some(text) = part["text"].as_str() {
        return Ok(message.with_text(text));
    }
    let url = match &part["image_url"] {
        Value::String(url) => url,
        image => image["url"].as_str().ok_or("a file or a sound")?,
    };
    let data = url
        .strip_prefix("data:")
        .and_then(|data| data.split_once(";base64,"));
    let (media_type, data) = data.ok_or("an image by its address")?;
    Ok(message.with_image(media_type, data))
}

pub fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub fn definition(name: &Value, description: &Value, schema: &Value) -> Result<Definition, Why> {
    let schema = if schema.is_null() {
        json!({"type": "object", "properties": {}})
    } else {
        schema.clone()
    };
    Definition::new(string(name), string(description), schema.to_string())
        .map_err(|_| "a schema that is no JSON")
}

/// Adds a result behind the others of its step.
pub fn push_result(items: &mut Vec<Item>, result: ToolResult) {
    match items.last_mut() {
        Some(Item::Results(results)) => results.push(result),
        _ => items.push(Item::Results(vec![result])),
    }
}

pub fn decoded(protocol: &dyn Protocol, body: &Value) -> Result<Item, Why> {
    let turn = protocol.decode(body.to_string().as_bytes());
    turn.map(Item::Model)
        .map_err(|_| "a turn that does not decode")
}

pub fn result(id: &Value, name: &Value, output: String, failed: bool) -> ToolResult {
    let call = ToolCall::new(string(id), string(name), "{}");
    if failed {
        ToolResult::failed(&call, output)
    } else {
        ToolResult::ok(&call, ToolOutput::text(output))
    }
}

fn chat(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told::default();
    for tool in body["tools"].as_array().into_iter().flatten() {
        if tool["type"] != "function" {
            return Err("a tool of the provider's own");
        }
        let function = &tool["function"];
        let definition = definition(
            &function["name"],
            &function["description"],
            &function["parameters"],
        )?;
        told.tools
            .push(definition.with_strict(function["strict"] == true));
    }
    for (place, message) in body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        match message["role"].as_str() {
            Some("system") if place == 0 => told.system = text_of(&message["content"])?,
            Some("system") => return Err("several system messages"),
            Some("user") => told.items.push(Item::User(said(&message["content"])?)),
            Some("assistant") => told.items.push(decoded(
                protocol,
                &json!({"choices": [{"message": message}]}),
            )?),
            Some("tool") => push_result(
                &mut told.items,
                result(
                    &message["tool_call_id"],
                    &json!(""),
                    text_of(&message["content"])?,
                    false,
                ),
            ),
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn ollama(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told::default();
    for tool in body["tools"].as_array().into_iter().flatten() {
        let function = &tool["function"];
        told.tools.push(definition(
            &function["name"],
            &function["description"],
            &function["parameters"],
        )?);
    }
    for (place, message) in body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        match message["role"].as_str() {
            Some("system") if place == 0 => told.system = text_of(&message["content"])?,
            Some("user") if message.get("images").is_none() => {
                told.items.push(Item::User(said(&message["content"])?))
            }
            Some("assistant") => told.items.push(decoded(
                protocol,
                &json!({"message": message, "done": true}),
            )?),
            Some("tool") => push_result(
                &mut told.items,
                result(
                    &message["tool_call_id"],
                    &message["tool_name"],
                    text_of(&message["content"])?,
                    false,
                ),
            ),
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn anthropic(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told {
        system: text_of(&body["system"])?,
        ..Told::default()
    };
    for tool in body["tools"].as_array().into_iter().flatten() {
        if tool.get("type").is_some_and(|kind| kind != "custom") || tool["input_schema"].is_null() {
            return Err("a tool of the provider's own");
        }
        let definition = definition(&tool["name"], &tool["description"], &tool["input_schema"])?;
        let definition = definition.with_strict(tool["strict"] == true);
        if tool["defer_loading"] == true {
            told.deferred.push(definition)
        } else {
            told.tools.push(definition)
        }
    }
    for message in body["messages"].as_array().into_iter().flatten() {
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            content => content.as_array().cloned().unwrap_or_default(),
        };
        match message["role"].as_str() {
            Some("assistant") => told
                .items
                .push(decoded(protocol, &json!({"content": blocks}))?),
            Some("user") => {
                for block in blocks {
                    match block["type"].as_str() {
                        Some("text") => told.items.push(Item::User(string(&block["text"]).into())),
                        Some("tool_result") => {
                            let references: Vec<String> = block["content"]
                                .as_array()
                                .into_iter()
                                .flatten()
                                .filter(|part| part["type"] == "tool_reference")
                                .map(|part| string(&part["tool_name"]))
                                .collect();
                            let failed = block["is_error"] == true;
                            let done = if references.is_empty() {
                                result(
                                    &block["tool_use_id"],
                                    &json!(""),
                                    text_of(&block["content"])?,
                                    failed,
                                )
                            } else {
                                let call =
                                    ToolCall::new(string(&block["tool_use_id"]), "search", "{}")
                                        .as_search();
                                ToolResult::ok(&call, ToolOutput::default()).loading(references)
                            };
                            push_result(&mut told.items, done);
                        }
                        _ => return Err("content of several parts, images or files"),
                    }
                }
            }
            _ => return Err("a message of another role"),
        }
    }
    Ok(told)
}

fn gemini(protocol: &dyn Protocol, body: &Value) -> Result<Told, Why> {
    let mut told = Told {
        system: text_of(&body["systemInstruction"]["parts"])?,
        ..Told::default()
    };
    let tools = match &body["tools"] {
        Value::Array(tools) => tools.as_slice(),
        Value::Null => &[],
        tool => std::slice::from_ref(tool),
    };
    for tool in tools {
        let declarations = tool
            .get("functionDeclarations")
            .or(tool.get("function_declarations"));
        for tool in declarations
            .and_then(Value::as_array)
            .ok_or("a tool of the provider's own")?
        {
            if tool
                .get("parameters")
                .is_some_and(|schema| !schema.is_null())
            {
                return Err("a schema in the older form");
            }
            let schema = tool
                .get("parametersJsonSchema")
                .or(tool.get("parameters_json_schema"));
            told.tools.push(definition(
                &tool["name"],
                &tool["description"],
                schema.unwrap_or(&Value::Null),
            )?);
        }
        if tool.as_object().is_some_and(|tool| tool.len() > 1) {
            return Err("a tool of the provider's own");
        }
    }
    for content in body["contents"].as_array().into_iter().flatten() {
        if content["role"] == "model" {
            told.items.push(decoded(
                protocol,
                &json!({"candidates": [{"content": content, "finishReason": "STOP"}]}),
            )?);
            continue;
        }
        for part in content["parts"].as_array().into_iter().flatten() {
            let Some(response) = part.get("functionResponse") else {
                let message = match part.get("inlineData") {
                    Some(image) => UserMessage::default()
                        .with_image(string(&image["mimeType"]), string(&image["data"])),
                    None => text_of(&json!([part]))?.into(),
                };
                told.items.push(Item::User(message));
                continue;
            };
            let members = response["response"]
                .as_object()
                .ok_or("content of an unknown form")?;
            let (key, value) = members.iter().next().ok_or("a result that is no text")?;
            match (members.len(), key.as_str(), value.as_str()) {
                (1, "output" | "error", Some(text)) => {
                    // The decoder made up an identifier where there is none.
                    let made_up = told.items.iter().rev().find_map(|item| match item {
                        Item::Model(turn) => turn.calls().next().map(|call| call.id().to_owned()),
                        _ => None,
                    });
                    let id = response.get("id").cloned().unwrap_or(json!(made_up));
                    push_result(
                        &mut told.items,
                        result(&id, &response["name"], text.to_owned(), key == "error"),
                    );
                }
                _ => return Err("a result that is no text"),
            }
        }
    }
    Ok(told)
}

pub fn told(api: Api, protocol: &dyn Protocol, exchange: &Exchange) -> Result<Told, Why> {
    let body = &exchange.request;
    if !body.is_object() {
        return Err("the request was not recorded");
    }
    if body
        .get("previous_response_id")
        .is_some_and(|id| !id.is_null())
    {
        return Err("state kept by the provider");
    }
    match api {
        Api::Responses => super::responses::told(protocol, body),
        Api::Chat(_) => chat(protocol, body),
        Api::Anthropic => anthropic(protocol, body),
        Api::Gemini => gemini(protocol, body),
        Api::Ollama => ollama(protocol, body),
    }
}

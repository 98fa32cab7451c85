//! The error bodies of all providers.

use std::time::Duration;

use serde_json::Value;

use super::ProtocolError;

/// The longest message that is kept.
const LONGEST_MESSAGE: usize = 2000;

/// The provider's error that a body is, if it is one.
pub(crate) fn provider_error(protocol: &'static str, body: &[u8]) -> Option<ProtocolError> {
    let mut body: Value = serde_json::from_slice(body).ok()?;
    // Gemini without `alt=sse` wraps everything into a list.
    if let Value::Array(list) = &mut body {
        body = list.first_mut()?.take();
    }
    // Some gateways write an empty error beside a good answer.
    if matches!(&body["error"], Value::Bool(false))
        || body["error"] == ""
        || body["error"]
            .as_object()
            .is_some_and(serde_json::Map::is_empty)
    {
        body["error"] = Value::Null;
    }
    let error = match (&body["error"], &body["detail"]) {
        (Value::Null, Value::Null) => {
            // vLLM before its errors had an envelope, and Mistral.
            let is_error = body["object"] == "error" || body["type"] == "error";
            // Gateways that have a form of their own.
            let first = &body["errors"][0];
            return match (is_error, first.is_object(), message_of(&body)) {
                (false, true, _) => Some(from_object(protocol, first)),
                (false, false, None) => None,
                _ => Some(from_object(protocol, &body)),
            };
        }
        (Value::Null, detail) => detail,
        (error, _) => error,
    };
    Some(match error {
        Value::Object(_) => from_object(protocol, error),
        Value::String(message) => ProtocolError::provider(protocol, None, clip(message)),
        other => ProtocolError::provider(protocol, None, clip(&other.to_string())),
    })
}

fn from_object(protocol: &'static str, error: &Value) -> ProtocolError {
    let text = |key: &str| error[key].as_str().map(str::to_owned);
    let number = || {
        let code = error["code"].as_i64().or(error["statusCode"].as_i64());
        Some(code?.to_string())
    };
    let code = text("code")
        .or_else(|| text("status"))
        .or_else(|| text("type"))
        .or_else(number);
    let message = match &error["message"] {
        _ if message_of(error).is_some() => clip(message_of(error).unwrap_or_default()),
        Value::Null | Value::String(_) => "the provider gave no message".to_owned(),
        other => clip(&other.to_string()),
    };
    let details = error["details"].as_array().into_iter().flatten();
    let delay = details.filter_map(|detail| seconds(detail["retryDelay"].as_str()?));
    ProtocolError::Provider {
        protocol,
        code,
        message,
        retry_after: delay.max(),
    }
}

/// The words of an error.
fn message_of(error: &Value) -> Option<&str> {
    let message = error["message"].as_str().or(error["Message"].as_str());
    message.filter(|message| !message.is_empty())
}

/// `34.4s`
fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn clip(message: &str) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", message.get(..end).unwrap_or_default()),
        None => message.to_owned(),
    }
}

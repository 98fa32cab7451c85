//! What a user shows, in the form of each provider, in order, and kept when the provider changes.

use repertoire::{
    Anthropic, Chat, Conversation, Gemini, Ollama, Responses,
    conversation::UserMessage,
    protocol::{ChatVendor, Protocol, Request},
};
use serde_json::{Value, json};

const DATA: &str = "iVBORw0KGgo=";

fn message() -> UserMessage {
    UserMessage::text("What is this?")
        .with_image("image/png", DATA)
        .with_text("And where?")
        .with_resource("file:///map.csv", "text/csv", "a,b")
}

fn encode(protocol: &dyn Protocol, conversation: &Conversation) -> Value {
    let body = protocol
        .encode(&Request::new(conversation.items()))
        .unwrap();
    serde_json::from_str(body.json()).unwrap()
}

/// What the last message of a request holds, by protocol.
fn expected() -> Vec<(Box<dyn Protocol>, &'static str, Value)> {
    let url = format!("data:image/png;base64,{DATA}");
    let chat = json!({"role": "user", "content": [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": "And where?"},
        {"type": "text", "text": "a,b"},
    ]});
    vec![
        (
            Box::new(Responses::new("gpt-5.4")),
            "/input",
            json!({"role": "user", "content": [
                {"type": "input_text", "text": "What is this?"},
                {"type": "input_image", "image_url": url, "detail": "auto"},
                {"type": "input_text", "text": "And where?"},
                {"type": "input_text", "text": "a,b"},
            ]}),
        ),
        (Box::new(Chat::new("m")), "/messages", chat.clone()),
        (
            Box::new(Chat::at(ChatVendor::OpenRouter, "m")),
            "/messages",
            chat,
        ),
        (
            Box::new(Anthropic::new("claude-opus-5")),
            "/messages",
            json!({"role": "user", "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}},
                {"type": "text", "text": "And where?"},
                {"type": "text", "text": "a,b"},
            ]}),
        ),
        (
            Box::new(Gemini::new("m")),
            "/contents",
            json!({"role": "user", "parts": [
                {"text": "What is this?"},
                {"inlineData": {"mimeType": "image/png", "data": DATA}},
                {"text": "And where?"},
                {"text": "a,b"},
            ]}),
        ),
        (
            Box::new(Ollama::new("m")),
            "/messages",
            json!({"role": "user", "content": "What is this?\nAnd where?\na,b", "images": [DATA]}),
        ),
    ]
}

#[test]
fn an_image_is_shown_in_the_form_of_each_provider() {
    for (protocol, place, expected) in expected() {
        let mut conversation = Conversation::new();
        conversation.push_user(message());
        // Saved and read again.
        let conversation = Conversation::from_json(&conversation.to_json()).unwrap();
        let body = encode(protocol.as_ref(), &conversation);
        let last = body
            .pointer(place)
            .and_then(Value::as_array)
            .unwrap()
            .last()
            .unwrap();
        assert_eq!(*last, expected, "{}", protocol.id());
    }
}

#[test]
fn a_message_of_texts_alone_stays_a_text_where_hosts_want_one() {
    for vendor in ChatVendor::ALL {
        let mut conversation = Conversation::new();
        conversation.push_user(UserMessage::text("a").with_text("b"));
        let body = encode(&Chat::at(*vendor, "m"), &conversation);
        assert_eq!(
            body["messages"][0],
            json!({"role": "user", "content": "a\nb"})
        );
    }
}

#[test]
fn a_message_of_nothing_is_refused_nowhere() {
    for (protocol, place, _) in expected() {
        for message in [UserMessage::default(), UserMessage::text(" ")] {
            let mut conversation = Conversation::new();
            conversation.push_user(message);
            let body = encode(protocol.as_ref(), &conversation);
            assert_eq!(body.pointer(place).unwrap().as_array().unwrap().len(), 1);
        }
    }
}

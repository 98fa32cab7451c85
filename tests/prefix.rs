//! What a provider can keep in its cache: tools and system prompt over several conversations.

use std::sync::{Arc, atomic::AtomicUsize};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses,
    protocol::Reveal,
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::{Value, json};

/// Searches for three tools one after the other, then calls one of them.
const SEARCHES: [&str; 3] = ["order_cancel", "warehouse_stock", "invoice_send"];

/// The parts of each request of five conversations that stand before the first message.
async fn heads<P: Scriptable>(
    protocol: impl Fn() -> P,
    reveal: Reveal,
) -> Vec<(Vec<Value>, Value)> {
    let mut heads = Vec::new();
    for _ in 0..5 {
        let model = Arc::new(Script::new(protocol()).rule(Rule::new("next", move |seen| {
            let done = seen.calls().len();
            match (SEARCHES.get(done), reveal) {
                (Some(tool), _) => Act::call("tool_search", json!({ "queries": [tool] })),
                (None, Reveal::Dispatch) if done == 3 => Act::call(
                    "call_tool",
                    json!({"name": "warehouse_stock", "arguments": {"sku": "A"}}),
                ),
                (None, _) if done == 3 => Act::call("warehouse_stock", json!({"sku": "A"})),
                (None, _) => Act::Say(seen.results().last().map_or("", |r| r.text()).to_owned()),
            }
        })));
        let agent = Agent::builder(Arc::clone(&model))
            .repertoire(warehouse(&Arc::new(AtomicUsize::new(0))))
            .instructions("Be brief.")
            .reveal(reveal)
            .build()
            .unwrap();
        let reply = agent.run_in(&mut Conversation::new(), "go").await.unwrap();
        assert!(reply.text().contains("ran with"), "{}", reply.text());
        for body in model.bodies() {
            let body: Value = serde_json::from_str(&body).unwrap();
            let tools = match &body["tools"][0]["functionDeclarations"] {
                Value::Array(declarations) => declarations.clone(),
                _ => body["tools"].as_array().unwrap().clone(),
            };
            let system = ["instructions", "system", "systemInstruction"]
                .iter()
                .map(|key| &body[*key])
                .find(|value| !value.is_null())
                .unwrap_or(&body["messages"][0]);
            heads.push((tools, system.clone()));
        }
    }
    assert_eq!(heads.len(), 25);
    heads
}

fn assert_identical(heads: &[(Vec<Value>, Value)]) {
    assert!(heads.iter().all(|head| head == &heads[0]));
}

/// Each later list of tools begins with the earlier one.
fn assert_prefix(heads: &[(Vec<Value>, Value)]) {
    for conversation in heads.chunks(5) {
        assert!(conversation.iter().all(|(_, system)| system == &heads[0].1));
        for pair in conversation.windows(2) {
            assert!(pair[1].0.starts_with(&pair[0].0));
        }
        let lengths: Vec<usize> = conversation.iter().map(|(tools, _)| tools.len()).collect();
        assert_eq!(lengths, [2, 3, 4, 5, 5]);
    }
}

#[tokio::test]
async fn native_deferral_and_dispatch_change_nothing() {
    assert_identical(&heads(|| Responses::new("gpt-5.4"), Reveal::Append).await);
    assert_identical(&heads(|| Anthropic::new("claude-sonnet-4-5"), Reveal::Append).await);
    assert_identical(&heads(|| Chat::new("m"), Reveal::Dispatch).await);
    assert_identical(&heads(|| Gemini::new("m"), Reveal::Dispatch).await);
    assert_identical(&heads(|| Ollama::new("m"), Reveal::Dispatch).await);
}

#[tokio::test]
async fn append_only_ever_adds_at_the_end() {
    assert_prefix(&heads(|| Chat::new("m"), Reveal::Append).await);
    assert_prefix(&heads(|| Gemini::new("m"), Reveal::Append).await);
    assert_prefix(&heads(|| Ollama::new("m"), Reveal::Append).await);
}

//! Conversations that mention tools which are gone.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Toolset, protocol::Reveal,
    testing::Scriptable,
};
use repertoire_tests::warehouse;
use serde_json::json;

use super::support::*;

/// A conversation that called and loaded a tool goes on without it.
async fn removed<P: Scriptable>(protocol: impl Fn() -> P, reveal: Reveal) {
    let count = Arc::default();
    let agent = |tools| {
        let model = obedient(protocol());
        let builder = Agent::builder(Arc::clone(&model))
            .repertoire(tools)
            .reveal(reveal);
        (builder.build().unwrap(), model)
    };
    let (full, _) = agent(warehouse(&count));
    let mut conversation = Conversation::new();
    call(&full, &mut conversation, SHOWN, json!({"sku": "a"})).await;
    let queries = json!({"queries": [HIDDEN, "order_cancel"]});
    call(&full, &mut conversation, "tool_search", queries).await;
    let (tool, arguments) = match reveal {
        Reveal::Dispatch => (
            "call_tool",
            json!({"name": HIDDEN, "arguments": {"sku": "A"}}),
        ),
        _ => (HIDDEN, json!({"sku": "A"})),
    };
    call(&full, &mut conversation, tool, arguments.clone()).await;
    let saved = conversation.to_json();

    let mut some = warehouse(&count);
    assert!(some.remove(HIDDEN) && some.remove(SHOWN));
    for tools in [some, Toolset::new()] {
        let (agent, model) = agent(tools);
        let mut conversation = Conversation::from_json(&saved).unwrap();
        // The script checks what a provider would: pairs, references, definitions.
        let reply = agent.run_in(&mut conversation, "hello").await.unwrap();
        assert!(reply.text().contains("ran with"), "{}", reply.text());
        let body = model.bodies().pop().unwrap();
        let head = head(&body);
        assert!(
            !head.contains("\"clock\"") && !head.contains(HIDDEN),
            "{head}"
        );
        assert!(
            !body.contains(r#""tool_reference","tool_name":"warehouse_stock""#),
            "{body}"
        );
        let text = call(&agent, &mut conversation, SHOWN, json!({"sku": "a"})).await;
        assert!(
            text.starts_with("R0002: there is no tool `clock`"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_conversation_outlives_the_tools_it_mentions() {
    removed(|| Responses::new("m"), Reveal::Append).await;
    removed(|| Anthropic::new("m"), Reveal::Append).await;
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        removed(|| Chat::new("m"), reveal).await;
        removed(|| Gemini::new("m"), reveal).await;
        removed(|| Ollama::new("m"), reveal).await;
    }
}

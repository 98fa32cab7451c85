//! Tools that are switched off and on.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Toolset, protocol::Reveal,
    testing::Scriptable, toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings, warehouse};
use serde_json::{Value, json};

use super::support::*;

async fn switched_off_and_on<P: Scriptable>(protocol: P, reveal: Reveal) {
    let count = Arc::new(AtomicUsize::new(0));
    let ran = || count.load(Ordering::SeqCst);
    let model = obedient(protocol);
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .instructions("Be brief.")
        .reveal(reveal)
        .build()
        .unwrap();
    let through = |tool: &str, arguments: Value| match reveal {
        Reveal::Dispatch => (
            "call_tool".to_owned(),
            json!({"name": tool, "arguments": arguments}),
        ),
        _ => (tool.to_owned(), arguments),
    };
    let (stock, stock_arguments) = through(HIDDEN, json!({"sku": "A"}));
    let mut old = Conversation::new();
    call(&agent, &mut old, SHOWN, json!({"sku": "a"})).await;
    call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    let text = call(&agent, &mut old, &stock, stock_arguments.clone()).await;
    assert!(text.contains("ran with"), "{text}");
    assert_eq!(ran(), 2);
    let before = head(model.bodies().last().unwrap());

    for tool in [SHOWN, HIDDEN, "order_cancel"] {
        agent.clone().tools().disable(tool).unwrap();
    }
    // The old conversation keeps its beginning to the byte, and the calls are refused.
    let text = call(&agent, &mut old, SHOWN, json!({"sku": "a"})).await;
    assert!(text.starts_with("R0011: `clock` is switched off"), "{text}");
    let text = call(&agent, &mut old, &stock, stock_arguments.clone()).await;
    assert!(
        text.starts_with("R0011: `warehouse_stock` is switched off"),
        "{text}"
    );
    let found = call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": ["cancel an order"]}),
    )
    .await;
    assert!(
        found.contains("no tool matches") && !found.contains("order_cancel"),
        "{found}"
    );
    let named = call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": ["order_cancel"]}),
    )
    .await;
    assert!(named.contains("switched off"), "{named}");
    assert!(results(&old)[5].loads().is_empty() && results(&old)[6].loads().is_empty());
    assert_eq!(head(model.bodies().last().unwrap()), before);
    assert_eq!(ran(), 2, "nothing ran");

    // So does the same conversation after it was saved.
    let mut saved = Conversation::from_json(&old.to_json()).unwrap();
    call(&agent, &mut saved, SHOWN, json!({"sku": "a"})).await;
    assert_eq!(head(model.bodies().last().unwrap()), before);

    // A new one is shown neither definition nor catalog entry.
    let mut new = Conversation::new();
    let text = call(&agent, &mut new, SHOWN, json!({"sku": "a"})).await;
    assert!(text.starts_with("R0011"), "{text}");
    let body = model.bodies().last().unwrap().clone();
    let without = head(&body);
    for tool in ["\"clock\"", "warehouse", "order_cancel", "## clock"] {
        assert!(!without.contains(tool), "{tool} in {without}");
    }
    assert!(without.contains("invoice_send"));
    let found = call(
        &agent,
        &mut new,
        "tool_search",
        json!({"queries": [HIDDEN, "stock"]}),
    )
    .await;
    assert!(found.matches("no tool matches").count() == 2, "{found}");

    // Switched on again: the old conversation goes on as before, the new one as it began.
    for tool in [SHOWN, HIDDEN, "order_cancel"] {
        agent.tools().enable(tool).unwrap();
    }
    let text = call(&agent, &mut old, &stock, stock_arguments).await;
    assert!(text.contains("ran with"), "{text}");
    assert_eq!(head(model.bodies().last().unwrap()), before);
    agent.run_in(&mut new, "hello").await.unwrap();
    assert_eq!(head(model.bodies().last().unwrap()), without);
    // Unless it is told to look again.
    new.offer_anew();
    call(
        &agent,
        &mut new,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    assert_eq!(results(&new).last().unwrap().loads(), [HIDDEN]);
    assert!(head(model.bodies().last().unwrap()).contains("clock"));
}

#[tokio::test]
async fn a_tool_is_switched_off_and_on_while_the_agent_runs() {
    switched_off_and_on(Responses::new("m"), Reveal::Append).await;
    switched_off_and_on(Anthropic::new("m"), Reveal::Append).await;
    switched_off_and_on(Chat::new("m"), Reveal::Dispatch).await;
    switched_off_and_on(Gemini::new("m"), Reveal::Dispatch).await;
    switched_off_and_on(Ollama::new("m"), Reveal::Dispatch).await;
}

#[tokio::test]
async fn a_switch_acts_where_definitions_are_appended_too() {
    let (model, count) = (obedient(Chat::new("m")), Arc::default());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    let before = head(model.bodies().last().unwrap());
    agent.tools().disable(HIDDEN).unwrap();
    let text = call(&agent, &mut conversation, HIDDEN, json!({"sku": "A"})).await;
    assert!(text.starts_with("R0011"), "{text}");
    assert_eq!(head(model.bodies().last().unwrap()), before);
}

#[tokio::test]
async fn a_tool_that_begins_switched_off_can_be_switched_on() {
    let model = obedient(Anthropic::new("m"));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(Toolset::new().with::<send_letter>())
        .build()
        .unwrap();
    let text = call(&agent, &mut Conversation::new(), "send_letter", json!({})).await;
    assert!(text.starts_with("R0011"), "{text}");
    assert!(!model.bodies()[0].contains("Send a letter."));
    agent.tools().enable("send_letter").unwrap();
    let text = call(&agent, &mut Conversation::new(), "send_letter", json!({})).await;
    assert_eq!(text, "sent");
    assert!(model.bodies().last().unwrap().contains("Send a letter."));

    // A mistake in a tool is found, whether it is on or not.
    let bad = RuntimeTool::new("bad", "", strings(&[]), |_| async { Ok("".into()) }).disabled();
    let error = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(Toolset::new().with_tool(bad))
        .build();
    assert!(
        error
            .err()
            .unwrap()
            .to_string()
            .contains("the description is empty")
    );
}

#[tokio::test]
async fn many_switches_keep_every_conversation_as_it_began() {
    // More sets of tools than are kept ready: the rest fall back to the first, and nothing runs.
    let mut tools = Toolset::new();
    let count = Arc::new(AtomicUsize::new(0));
    for index in 0..9 {
        tools
            .add_tool(counting(&format!("tool_{index}"), "Works.", &count))
            .unwrap();
    }
    let model = obedient(Anthropic::new("m"));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    for set in 0..512_u32 {
        for index in 0..9 {
            let tool = format!("tool_{index}");
            if set & (1 << index) == 0 {
                agent.tools().enable(&tool).unwrap();
            } else {
                agent.tools().disable(&tool).unwrap();
            }
        }
        let off = set & 1 == 1;
        let before = count.load(Ordering::SeqCst);
        let text = call(
            &agent,
            &mut Conversation::new(),
            "tool_0",
            json!({"sku": "A"}),
        )
        .await;
        assert_eq!(text.starts_with("R0011"), off, "{text}");
        assert_eq!(count.load(Ordering::SeqCst) - before, usize::from(!off));
    }
}

//! A tool that requires approval runs only when someone gave it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Toolset,
    agent::AgentBuilder,
    testing::{Rule, Script},
};
use repertoire_tests::counting;
use serde_json::json;

async fn run(approve: impl FnOnce(AgentBuilder) -> AgentBuilder) -> (usize, String) {
    let count = Arc::new(AtomicUsize::new(0));
    let tools =
        Toolset::new().with_tool(counting("erase", "Erases a disk.", &count).requires_approval());
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("erase", json!({"sku": "sda"})))
        .rule(Rule::answer("erase", str::to_owned));
    let agent = approve(Agent::builder(model).repertoire(tools))
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    (count.load(Ordering::SeqCst), reply.text().to_owned())
}

#[tokio::test]
async fn nobody_to_ask_means_no() {
    let (ran, text) = run(|builder| builder).await;
    assert_eq!(ran, 0);
    assert!(
        text.contains("R0006") && text.contains("needs approval"),
        "{text}"
    );
}

#[tokio::test]
async fn the_answer_decides_and_the_call_is_shown() {
    let (ran, text) =
        run(|builder| builder.approve(|call| async move { !call.arguments().contains("sda") }))
            .await;
    assert_eq!(ran, 0, "{text}");
    let (ran, text) =
        run(|builder| builder.approve(|call| async move { call.name() == "erase" })).await;
    assert_eq!(ran, 1, "{text}");
    assert!(text.contains("ran with"), "{text}");
}

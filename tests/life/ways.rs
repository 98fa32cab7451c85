//! No way leads to a tool that is switched off.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Conversation, Repertoire, Responses, Skills, Toolset,
    protocol::{RequestOptions, ToolChoice},
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings, warehouse};
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn a_switched_off_tool_is_not_demanded() {
    let model = obedient(Anthropic::new("m"));
    let mut options = RequestOptions::default();
    options.tool_choice = ToolChoice::Tool("clock".to_owned());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .options(options)
        .build()
        .unwrap();
    agent.run("hello").await.unwrap();
    assert!(model.bodies()[0].contains(r#""tool_choice":{"#));
    agent.tools().disable("clock").unwrap();
    agent.run("hello").await.unwrap();
    assert!(
        !model.bodies()[1].contains(r#""name":"clock""#),
        "{}",
        model.bodies()[1]
    );
}

#[tokio::test]
async fn no_way_leads_to_a_switched_off_tool() {
    let count = Arc::new(AtomicUsize::new(0));
    let failing = RuntimeTool::new("first", "Fails.", strings(&["sku"]), |_| async {
        Err(repertoire::ToolError::failed("no luck"))
    });
    let nested =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("second", json!({"sku": "A"})).await
        });
    let tools = Toolset::new()
        .with_tool(failing.fallback("second"))
        .with_tool(nested)
        .with_tool(counting("second", "Works.", &count).requires_approval());
    let agent = Agent::builder(obedient(Responses::new("m")))
        .repertoire(tools)
        .approve(|_| async { true })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    for (tool, arguments) in [("first", json!({"sku": "A"})), ("outer", json!({}))] {
        agent.tools().enable("second").unwrap();
        let text = call(&agent, &mut conversation, tool, arguments.clone()).await;
        assert!(text.contains("ran with"), "{text}");
        agent.tools().disable("second").unwrap();
        let text = call(&agent, &mut conversation, tool, arguments).await;
        assert!(text.contains("switched off"), "{text}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_skill_does_not_load_a_tool_that_is_switched_off() {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("life-skills");
    let folder = root.join("stock-check");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: stock-check\ndescription: Use to check the stock.\nallowed-tools: \
                warehouse_stock order_cancel\n---\nCheck it.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    let repertoire =
        Repertoire::from(warehouse(&Arc::default())).merge(Skills::from_roots([&root]).into());
    let agent = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(repertoire)
        .build()
        .unwrap();
    agent.tools().disable("order_cancel").unwrap();
    let mut conversation = Conversation::new();
    call(
        &agent,
        &mut conversation,
        "read_skill",
        json!({"name": "stock-check"}),
    )
    .await;
    assert_eq!(results(&conversation)[0].loads(), [HIDDEN]);
}

//! Tools that should no longer be used.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Event, Responses, Toolset, testing::Scriptable, tool,
    toolset::RuntimeTool,
};
use repertoire_tests::strings;
use serde_json::json;

use super::support::*;

/// Look up the stock.
#[tool(deferred)]
fn stock() -> u32 {
    7
}

/// Look up the stock, slowly.
#[tool(deprecated(note = "slow.", replaced_by = stock))]
fn old_stock() -> u32 {
    7
}

/// Look up the stock by mail.
#[tool(deferred, deprecated(note = "nobody answers"))]
fn mail_stock() -> Result<u32, repertoire::ToolError> {
    Err(repertoire::ToolError::failed("no answer"))
}

async fn deprecated<P: Scriptable>(protocol: P) {
    let model = obedient(protocol);
    let tools = Toolset::new()
        .with::<stock>()
        .with::<old_stock>()
        .with::<mail_stock>();
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let text = call(&agent, &mut conversation, "old_stock", json!({})).await;
    assert_eq!(
        text,
        "7\n[`old_stock`: Deprecated (slow). Use `stock` instead.]"
    );
    let body = &model.bodies()[0];
    assert!(body.contains("Deprecated (slow). Use `stock` instead. Look up the stock, slowly."));
    assert!(body.contains("- mail_stock: Deprecated (nobody answers). Look up the stock by mail."));
    assert!(!body.contains("- stock: Deprecated"));

    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": ["mail_stock"]}),
    )
    .await;
    let reply = agent
        .run_in(&mut conversation, "2 mail_stock {}")
        .await
        .unwrap();
    let text = results(&conversation)[2].output().to_text();
    assert_eq!(
        text,
        "no answer\n[`mail_stock`: Deprecated (nobody answers).]"
    );
    assert!(reply.events().contains(&Event::DeprecatedCalled {
        tool: "mail_stock".to_owned()
    }));

    // What is not there is not recommended, and the report says so.
    assert!(agent.report().notes().is_empty() || !agent.report().to_string().contains("in favour"));
    let mut tools = tools;
    tools.remove("stock");
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    let text = call(&agent, &mut Conversation::new(), "old_stock", json!({})).await;
    assert_eq!(text, "7\n[`old_stock`: Deprecated (slow).]");
    assert!(
        agent
            .report()
            .to_string()
            .contains("deprecated in favour of `stock`")
    );
}

#[tokio::test]
async fn the_model_is_told_that_a_tool_is_deprecated() {
    deprecated(Responses::new("m")).await;
    deprecated(Anthropic::new("m")).await;
    deprecated(Chat::new("m")).await;
}

#[tokio::test]
async fn a_workflow_gets_the_bare_output_of_a_deprecated_tool() {
    let outer =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("old_stock", json!({})).await
        });
    let tools = Toolset::new()
        .with::<stock>()
        .with::<old_stock>()
        .with_tool(outer);
    let agent = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(tools)
        .build()
        .unwrap();
    assert_eq!(
        call(&agent, &mut Conversation::new(), "outer", json!({})).await,
        "7"
    );
}

//! What several integration tests share.

pub mod record;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Anthropic, Conversation, Toolset,
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script},
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

/// The schema of an object with these string properties, all required.
#[must_use]
pub fn strings(names: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    json!({
        "type": "object", "properties": properties, "required": names,
        "additionalProperties": false,
    })
}

/// A tool that counts how often it ran and answers with its own arguments.
#[must_use]
pub fn counting(name: &str, description: &str, count: &Arc<AtomicUsize>) -> RuntimeTool {
    let count = Arc::clone(count);
    RuntimeTool::new(name, description, strings(&["sku"]), move |arguments| {
        count.fetch_add(1, Ordering::SeqCst);
        async move { Ok(format!("ran with {arguments}").into()) }
    })
}

/// One tool that is always shown and three that are deferred.
#[must_use]
pub fn warehouse(count: &Arc<AtomicUsize>) -> Toolset {
    Toolset::new()
        .with_tool(
            counting("clock", "Tells the time of day.", count).guideline("Say the time zone."),
        )
        .with_tool(
            counting(
                "warehouse_stock",
                "Looks up available warehouse stock by product SKU.",
                count,
            )
            .deferred()
            .snippet("warehouse_stock(sku=\"A-1042\")")
            .guideline("Check before promising availability."),
        )
        .with_tool(counting("order_cancel", "Cancels an order.", count).deferred())
        .with_tool(counting("invoice_send", "Sends an invoice by mail.", count).deferred())
}

extern crate repertoire as another_name;

#[path = "tools/hostile.rs"]
pub mod hostile;

/// A model that makes these calls, one response each, then says `done`. Calls that are given in one list
/// are made in one response.
pub fn calling(steps: Vec<Vec<(&str, Value)>>) -> Script<Anthropic> {
    let owned = |step: Vec<(&str, Value)>| -> Vec<(String, Value)> {
        let owned = |(name, arguments): (&str, Value)| (name.to_owned(), arguments);
        step.into_iter().map(owned).collect()
    };
    let steps: Vec<Vec<(String, Value)>> = steps.into_iter().map(owned).collect();
    Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
        let mut made = seen.calls().len();
        for step in &steps {
            if made == 0 {
                return Act::Call(step.clone());
            }
            made -= step.len();
        }
        Act::Say("done".to_owned())
    }))
}

/// The results in a conversation, in order.
pub fn results(conversation: &Conversation) -> Vec<ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results.clone()),
        _ => None,
    });
    results.flatten().collect()
}

/// The texts of the results in a conversation, in order.
pub fn texts(conversation: &Conversation) -> Vec<String> {
    let results = results(conversation).into_iter();
    results.map(|result| result.output().to_text()).collect()
}

//! What several integration tests share.

pub mod record;

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{Toolset, toolset::RuntimeTool};
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

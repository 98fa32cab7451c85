//! What a program tests its tools with: single calls, fakes, what the model is shown.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

mod calls;
mod fakes;
mod setup;
mod surface;

use std::{
    future::pending,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use repertoire::{Context, ToolError, ToolOutput, tool, tool::ErrorKind, toolbox};
use serde_json::json;

struct Inventory(Mutex<u32>);

impl Inventory {
    fn of(pieces: u32) -> Self {
        Self(Mutex::new(pieces))
    }
}

/// Look up available warehouse stock by product SKU.
#[tool(deferred, unlinked)]
async fn warehouse_stock(
    /// Stock keeping unit.
    sku: &str,
    #[state] inventory: &Inventory,
) -> Result<u32, ToolError> {
    match sku {
        "A-1042" => Ok(*inventory.0.lock().unwrap()),
        _ => Err(ToolError::new(ErrorKind::NotFound, "no such sku").with_code("E404")),
    }
}

/// Take pieces out of the warehouse.
#[tool(unlinked, requires_approval, once(key = [order]))]
async fn take_stock(
    /// The order they are for.
    order: &str,
    /// How many.
    pieces: u32,
    #[state] inventory: &Inventory,
) -> String {
    let mut left = inventory.0.lock().unwrap();
    *left -= pieces;
    format!("{left} left after {order}")
}

/// Ask a service that answers at the third try.
#[tool(unlinked, retries = 3, timeout = "5s")]
async fn flaky(#[state] tries: &AtomicUsize) -> Result<&'static str, ToolError> {
    match tries.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::new(ErrorKind::Transient, "service down").with_code("E1001")),
        1 => pending().await,
        _ => Ok("at last"),
    }
}

/// Ask a service that is gone.
#[tool(unlinked, fallback = archive, post_process = shorten, max_output = 12)]
async fn live(
    /// What to look for.
    query: &str,
) -> Result<String, ToolError> {
    if query == "gone" {
        return Err(ToolError::failed("service gone"));
    }
    Ok(query.to_owned())
}

/// Look into the archive.
#[tool(unlinked)]
fn archive(
    /// What to look for.
    query: &str,
) -> String {
    format!("{query} in the archive")
}

fn shorten(output: ToolOutput) -> ToolOutput {
    ToolOutput::text(output.to_text().replace("very ", ""))
}

/// Count the calls of this conversation, and look up the stock.
#[tool(unlinked)]
async fn visit(#[context] cx: &Context) -> Result<String, ToolError> {
    let visits = cx.get::<u32>("visits").map_err(ToolError::failed)?;
    let visits = visits.unwrap_or(0) + 1;
    cx.set("visits", visits).map_err(ToolError::failed)?;
    cx.progress(format!("visit {visits}"));
    cx.progress("asking the warehouse");
    let stock = cx.call("warehouse_stock", json!({"sku": "A-1042"})).await?;
    Ok(format!("{}: {}", cx.conversation(), stock.to_text()))
}

struct Shelf(Vec<&'static str>);

#[toolbox]
impl Shelf {
    /// Count the books.
    #[tool(unlinked)]
    fn count_books(&self) -> usize {
        self.0.len()
    }

    /// Find a book.
    #[tool(unlinked)]
    fn find_book(
        &self,
        /// Its title.
        title: &str,
    ) -> bool {
        self.0.contains(&title)
    }
}

/// What a panic says.
fn message(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().unwrap().to_string(),
    }
}

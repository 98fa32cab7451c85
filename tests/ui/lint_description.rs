#![deny(deprecated)]

use repertoire::tool;

/// Stock.
#[tool]
fn stock(
    /// The stock keeping unit.
    #[arg(undocumented)]
    sku: &str,
) {
    let _ = sku;
}

/// Orders.
#[tool(allow(repeated_name))]
fn orders() {}

fn main() {
    stock("A");
    orders();
}

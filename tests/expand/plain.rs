// tool: deferred, guidelines = ["Check before promising.", "Never guess."]
/// Look up available warehouse stock by product SKU.
///
/// # Snippet
///
/// warehouse_stock("A-1042")
///
/// # Errors
///
/// When the shelf is empty.
async fn warehouse_stock(
    /// Stock keeping unit, for example "A-1042".
    sku: &str,
    /// How many.
    count: Option<u32>,
    #[state] inventory: &Inventory,
) -> Result<Stock, StockError> {
    inventory.look(sku).await
}

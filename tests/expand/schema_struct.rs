// ToolSchema:
/// A line of an order.
struct Line<T> {
    /// What to send.
    sku: String,
    #[serde(default, rename = "n")]
    count: T,
}

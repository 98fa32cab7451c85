// ToolSchema:
/// How a parcel travels.
#[serde(rename_all = "snake_case")]
enum Shipping {
    /// Three to five days.
    Standard,
    #[serde(skip)]
    Hidden,
    NextDay,
}

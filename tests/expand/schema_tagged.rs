// ToolSchema:
#[serde(tag = "kind")]
enum Shape {
    /// Round.
    Circle { #[schema(min = 0)] radius: f64 },
    Square(Point),
    Nothing,
}

use repertoire::tool;

/// Read some JSON.
#[tool]
fn serde_json(
    /// The text.
    text: &str,
) -> bool {
    serde_json::from_str(text).unwrap_or_default()
}

fn main() {
    serde_json("true");
}

use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
#[serde(tag = "kind")]
struct Part {
    a: u8,
}

fn main() {}

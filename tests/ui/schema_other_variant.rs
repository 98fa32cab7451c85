use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
#[serde(tag = "kind")]
enum Kind {
    A,
    #[serde(other)]
    Unknown,
}

fn main() {}

use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
enum Choice {
    A(u8),
}

#[derive(serde::Deserialize, ToolSchema)]
struct Whole {
    #[serde(flatten)]
    choice: Choice,
}

fn main() {}

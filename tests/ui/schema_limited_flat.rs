use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Part {
    a: u8,
}

#[derive(serde::Deserialize, ToolSchema)]
struct Whole {
    #[serde(flatten)]
    #[schema(min = 1)]
    part: Part,
}

fn main() {}

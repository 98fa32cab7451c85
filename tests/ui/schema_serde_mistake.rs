use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Part {
    #[serde(renamed = "b")]
    a: u8,
}

fn main() {}

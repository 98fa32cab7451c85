use repertoire::ToolSchema;

#[derive(ToolSchema)]
struct Part {
    #[serde(renamed = "b")]
    a: u8,
}

fn main() {}

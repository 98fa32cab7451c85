use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Part {
    #[schema(max = 5)]
    a: String,
}

fn main() {}

use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Part {
    #[schema(minn = 1)]
    a: u8,
}

fn main() {}

use repertoire::ToolSchema;

#[derive(serde::Deserialize, ToolSchema)]
struct Part {
    #[schema(recursive)]
    a: Option<Box<u8>>,
}

/// Take it.
#[repertoire::tool(allow(undocumented))]
fn take(part: Part) {
    drop(part);
}

fn main() {}

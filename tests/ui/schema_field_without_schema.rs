use repertoire::ToolSchema;

struct Foreign;

#[derive(ToolSchema)]
struct Part {
    a: Vec<Foreign>,
}

fn main() {}

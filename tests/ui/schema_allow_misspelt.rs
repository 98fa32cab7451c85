use repertoire::ToolSchema;

#[derive(ToolSchema)]
#[schema(allow(repeat_name))]
struct Place {
    far: u8,
}

fn main() {}

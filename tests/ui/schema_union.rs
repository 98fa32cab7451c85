use repertoire::ToolSchema;

#[derive(ToolSchema)]
union Bits {
    a: u8,
    b: i8,
}

fn main() {}

#![deny(deprecated)]

#[derive(repertoire::ToolSchema)]
struct Place {
    /// It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far. It is far.
    far: u8,
}

fn main() {}

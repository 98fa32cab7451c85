use repertoire::tool;

/// Make a small number.
#[tool]
fn u8(
    /// The number.
    number: u8,
) -> u8 {
    number
}

fn main() {
    u8(1);
}

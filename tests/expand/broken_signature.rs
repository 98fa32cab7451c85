// tool:
/// The signature is half written.
fn half(a: u8 b: u8) -> u8 {
    a
}

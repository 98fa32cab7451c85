// tool:
/// Nothing.
pub fn nothing() {}

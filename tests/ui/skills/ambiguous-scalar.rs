repertoire::skills!("skills/ambiguous-scalar", deny(lints), untracked);
fn main() {}

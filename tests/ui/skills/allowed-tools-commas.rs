repertoire::skills!("skills/allowed-tools-commas", deny(lints), untracked);
fn main() {}

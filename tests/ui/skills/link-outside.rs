repertoire::skills!("skills/link-outside", deny(lints), untracked);
fn main() {}

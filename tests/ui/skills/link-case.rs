repertoire::skills!("skills/link-case", deny(lints), untracked);
fn main() {}

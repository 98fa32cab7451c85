repertoire::skills!("skills/link-missing", deny(lints), untracked);
fn main() {}

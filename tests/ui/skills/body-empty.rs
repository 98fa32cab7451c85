repertoire::skills!("skills/body-empty", deny(lints), untracked);
fn main() {}

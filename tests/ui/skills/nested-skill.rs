repertoire::skills!("skills/nested-skill", deny(lints), untracked);
fn main() {}

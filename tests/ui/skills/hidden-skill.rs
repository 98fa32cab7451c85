repertoire::skills!("skills/hidden-skill", deny(lints), untracked);
fn main() {}

repertoire::skills!("skills/flat-skill-file", deny(lints), untracked);
fn main() {}

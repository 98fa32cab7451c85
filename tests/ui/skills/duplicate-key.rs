repertoire::skills!("skills/duplicate-key", untracked);
fn main() {}

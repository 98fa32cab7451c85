repertoire::skills!("skills/duplicate-name", untracked);
fn main() {}

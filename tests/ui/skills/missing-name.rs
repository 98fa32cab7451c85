repertoire::skills!("skills/missing-name", untracked);
fn main() {}

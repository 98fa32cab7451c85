repertoire::skills!("skills/name-case", untracked);
fn main() {}

repertoire::skills!("skills/missing-description", untracked);
fn main() {}

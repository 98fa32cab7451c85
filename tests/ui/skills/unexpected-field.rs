repertoire::skills!("skills/unexpected-field", profile = "strict", untracked);
fn main() {}

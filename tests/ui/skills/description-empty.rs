repertoire::skills!("skills/description-empty", untracked);
fn main() {}

repertoire::skills!("skills/description-not-string", untracked);
fn main() {}

repertoire::skills!("skills/description-too-long", untracked);
fn main() {}

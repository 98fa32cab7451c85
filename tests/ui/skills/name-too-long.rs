repertoire::skills!("skills/name-too-long", untracked);
fn main() {}

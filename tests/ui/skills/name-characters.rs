repertoire::skills!("skills/name-characters", untracked);
fn main() {}

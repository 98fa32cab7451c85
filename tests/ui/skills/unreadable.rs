repertoire::skills!("skills/unreadable", untracked);
fn main() {}

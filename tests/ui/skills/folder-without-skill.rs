repertoire::skills!("skills/folder-without-skill", deny(lints), untracked);
fn main() {}

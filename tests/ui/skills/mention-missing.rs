repertoire::skills!("skills/mention-missing", deny(lints), untracked);
fn main() {}

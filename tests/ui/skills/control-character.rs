repertoire::skills!("skills/control-character", deny(lints), untracked);
fn main() {}

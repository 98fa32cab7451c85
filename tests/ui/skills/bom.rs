repertoire::skills!("skills/bom", deny(lints), untracked);
fn main() {}

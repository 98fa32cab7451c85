repertoire::skills!("skills/description-no-when", deny(lints), untracked);
fn main() {}

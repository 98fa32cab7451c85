repertoire::skills!("skills/body-too-many-lines", deny(lints), untracked);
fn main() {}

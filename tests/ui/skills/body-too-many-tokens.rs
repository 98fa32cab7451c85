repertoire::skills!("skills/body-too-many-tokens", deny(lints), untracked);
fn main() {}

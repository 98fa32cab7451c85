repertoire::skills!("skills/fence-trailing-blanks", deny(lints), untracked);
fn main() {}

repertoire::skills!("skills/name-directory-mismatch", untracked);
fn main() {}

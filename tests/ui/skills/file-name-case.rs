repertoire::skills!("skills/file-name-case", untracked);
fn main() {}

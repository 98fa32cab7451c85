repertoire::skills!("skills/symlink-refused", untracked);
fn main() {}

repertoire::skills!("skills/name-double-hyphen", untracked);
fn main() {}

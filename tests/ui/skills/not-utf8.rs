repertoire::skills!("skills/not-utf8", untracked);
fn main() {}

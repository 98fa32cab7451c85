repertoire::skills!("skills/compatibility-empty", untracked);
fn main() {}

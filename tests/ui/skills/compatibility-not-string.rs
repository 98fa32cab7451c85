repertoire::skills!("skills/compatibility-not-string", untracked);
fn main() {}

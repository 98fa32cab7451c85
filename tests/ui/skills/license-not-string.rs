repertoire::skills!("skills/license-not-string", untracked);
fn main() {}

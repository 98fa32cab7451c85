repertoire::skills!("skills/allowed-tools-not-string", untracked);
fn main() {}

repertoire::skills!("skills/scan-limit", untracked);
fn main() {}

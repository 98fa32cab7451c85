repertoire::skills!("skills/metadata-value-not-string", untracked);
fn main() {}

repertoire::skills!("skills/metadata-not-mapping", untracked);
fn main() {}

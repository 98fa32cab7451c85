repertoire::skills!("skills/not-a-mapping", untracked);
fn main() {}

repertoire::skills!("skills/name-edge-hyphen", untracked);
fn main() {}

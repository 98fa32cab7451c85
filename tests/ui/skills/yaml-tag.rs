repertoire::skills!("skills/yaml-tag", untracked);
fn main() {}

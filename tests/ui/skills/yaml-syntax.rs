repertoire::skills!("skills/yaml-syntax", untracked);
fn main() {}

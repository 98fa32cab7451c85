repertoire::skills!("skills/yaml-complex-key", untracked);
fn main() {}

repertoire::skills!("skills/yaml-alias", untracked);
fn main() {}

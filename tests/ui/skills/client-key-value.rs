repertoire::skills!("skills/client-key-value", profile = "claude", untracked);
fn main() {}

repertoire::skills!("skills/compatibility-too-long", untracked);
fn main() {}

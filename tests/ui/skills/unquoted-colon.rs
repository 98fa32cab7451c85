#![deny(deprecated)]
repertoire::skills!("skills/unquoted-colon", profile = "lenient", untracked);
fn main() {}

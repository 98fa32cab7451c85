repertoire::skills!("skills/comment-cuts-value", deny(lints), untracked);
fn main() {}

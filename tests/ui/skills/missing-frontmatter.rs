repertoire::skills!("skills/missing-frontmatter", untracked);
fn main() {}

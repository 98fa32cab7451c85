repertoire::skills!("skills/unclosed-frontmatter", untracked);
fn main() {}

//! The table of the skills: one constant a skill, its files by `include_bytes!`.
//!
//! Each skill is an item of its own, so that the compiler keeps what it knows of the others when one
//! changes. The items are put together as text: the compiler reads a text faster than it takes tokens
//! one by one from a macro, of which there are many.

use std::{collections::BTreeMap, fmt::Write as _};

use proc_macro2::TokenStream;

use super::scan::Found;

/// Where the skills' constants stand in the generated module.
pub(super) const TABLE: &str = "SKILLS";

/// `static SKILL_0: EmbeddedSkill = …;` for each skill, and the table of them all. The module has to
/// have `private`, the runtime's `__private`, in scope.
pub(super) fn items(skills: &[Found]) -> TokenStream {
    let mut text = String::new();
    let mut count = 0;
    for found in skills {
        if skill(found, count, &mut text) {
            count += 1;
        }
    }
    // Writing to a `String` cannot fail, here and below.
    let _ = write!(
        text,
        "pub(super) static {TABLE}: &[&private::EmbeddedSkill] = &["
    );
    for index in 0..count {
        let _ = write!(text, "&SKILL_{index},");
    }
    text.push_str("];");
    parse(&text)
}

/// Reads what is written above, where every piece is an item or a literal as Rust writes it.
fn parse(text: &str) -> TokenStream {
    // `proc_macro2` would read the text once more by itself.
    if proc_macro::is_available() {
        let tokens: Option<proc_macro::TokenStream> = text.parse().ok();
        tokens.unwrap_or_default().into()
    } else {
        text.parse().unwrap_or_default()
    }
}

/// Writes a skill out; false for one that does not load, which has been reported.
fn skill(found: &Found, index: usize, text: &mut String) -> bool {
    let Some(skill) = found.checked.checked().skill() else {
        return false;
    };
    let mut tree = Tree::default();
    for file in found.checked.folder().files() {
        tree.insert(file.path());
    }
    let folder = join(&found.root, found.checked.folder().path());
    let body = skill.body_span();
    let _ = write!(
        text,
        "static SKILL_{index}: private::EmbeddedSkill = private::EmbeddedSkill::new({:?},{:?},({},{}),Dir::new(\"\",",
        skill.name(),
        skill.description(),
        body.start,
        body.end,
    );
    tree.write("", &folder, text);
    text.push_str("))");
    if let Some(group) = found.checked.group() {
        let _ = write!(text, ".with_group({group:?})");
    }
    let tools = skill.allowed_tools();
    if !tools.is_empty() {
        let _ = write!(text, ".with_allowed_tools(&{tools:?})");
    }
    let by_model = !skill.disable_model_invocation().unwrap_or(false);
    let by_user = skill.user_invocable().unwrap_or(true);
    if !by_model || !by_user {
        let _ = write!(text, ".with_invocation({by_model},{by_user})");
    }
    text.push(';');
    true
}

/// The files of a folder by name.
#[derive(Default)]
struct Tree {
    files: Vec<String>,
    folders: BTreeMap<String, Tree>,
}

impl Tree {
    fn insert(&mut self, path: &str) {
        match path.split_once('/') {
            Some((folder, rest)) => self
                .folders
                .entry(folder.to_owned())
                .or_default()
                .insert(rest),
            None => self.files.push(path.to_owned()),
        }
    }

    /// Writes the entries of the folder at `path` of the skill whose folder is `skill`.
    fn write(&self, path: &str, skill: &str, text: &mut String) {
        text.push_str("&[");
        for name in &self.files {
            let path = join(path, name);
            let on_disk = join(skill, &path);
            let _ = write!(
                text,
                "DirEntry::File(File::new({path:?},include_bytes!({on_disk:?}))),"
            );
        }
        for (name, tree) in &self.folders {
            let path = join(path, name);
            let _ = write!(text, "DirEntry::Dir(Dir::new({path:?},");
            tree.write(&path, skill, text);
            text.push_str(")),");
        }
        text.push(']');
    }
}

fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

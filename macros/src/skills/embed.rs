//! The table of the skills: one constant a skill, its files by `include_bytes!`.
//!
//! Each skill is an item of its own, so that the compiler keeps what it knows of the others when one
//! changes. The items are put together as text: the compiler reads a text faster than it takes tokens
//! one by one from a macro, of which there are many.

use std::fmt::Write as _;

use proc_macro2::TokenStream;

use super::scan::Found;

/// Where the skills' constants stand in the generated module.
pub(super) const TABLE: &str = "SKILLS";

/// `static SKILL_0: EmbeddedSkill = …;` for each skill, and the table of them all.
pub(super) fn items(skills: &[Found]) -> TokenStream {
    let mut text = String::new();
    let mut count = 0;
    for found in skills {
        if skill(found, count, &mut text) {
            count += 1;
        }
    }
    // Writing to a `String` cannot fail, here and below.
    let _ = write!(text, "static {TABLE}: &[&EmbeddedSkill] = &[");
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
    let body = skill.body_span();
    let _ = write!(
        text,
        "static SKILL_{index}: EmbeddedSkill = EmbeddedSkill::new({:?},{:?},({},{}),&[",
        skill.name(),
        skill.description(),
        body.start,
        body.end,
    );
    let folder = found.checked.folder();
    let root = join(&found.root, folder.path());
    // `lenient` takes a `skill.md`; in the binary every skill has its `SKILL.md`.
    let shown = |path| {
        if path == folder.file_name() {
            "SKILL.md"
        } else {
            path
        }
    };
    let mut files: Vec<(&str, String)> = folder
        .files()
        .iter()
        .map(|file| (shown(file.path()), join(&root, file.path())))
        .collect();
    files.sort();
    files.dedup_by(|later, earlier| later.0 == earlier.0);
    for (path, on_disk) in files {
        let _ = write!(text, "({path:?},include_bytes!({on_disk:?})),");
    }
    text.push_str("])");
    if let Some(group) = found.checked.group() {
        let _ = write!(text, ".with_group({group:?})");
    }
    let tools = skill.allowed_tools();
    if !tools.is_empty() {
        let _ = write!(text, ".with_allowed_tools(&{tools:?})");
    }
    if let Some(note) = skill.deprecated() {
        let instead = skill.replaced_by().unwrap_or_default();
        let _ = write!(text, ".with_deprecation({note:?},{instead:?})");
    }
    let by_model = !skill.disable_model_invocation().unwrap_or(false);
    let by_user = skill.user_invocable().unwrap_or(true);
    if !by_model || !by_user {
        let _ = write!(text, ".with_invocation({by_model},{by_user})");
    }
    text.push(';');
    true
}

fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

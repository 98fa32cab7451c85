//! Skills that `skills!` has put into the binary.

use std::sync::OnceLock;

use include_dir::{Dir, DirEntry, File};
use repertoire_skillmd::{CheckOptions, Profile, scan};

/// A folder of skills that [`skills!`](crate::skills) has checked and put into the binary.
///
/// Written by the macro alone. `skills!(pub static MINE = "skills/")` names one, and
/// [`Skills::from(&MINE)`](crate::Skills) uses it without the linker's help.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedSkills {
    // Without `link` there is no `linked!()` that asks whose they are.
    #[cfg_attr(not(feature = "link"), allow(dead_code))]
    pub(crate) package: &'static str,
    #[cfg_attr(not(feature = "link"), allow(dead_code))]
    pub(crate) module: &'static str,
    pub(crate) folder: &'static str,
    pub(crate) skills: &'static [&'static EmbeddedSkill],
}

/// One skill in the binary.
#[derive(Debug)]
pub struct EmbeddedSkill {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) group: Option<&'static str>,
    pub(crate) allowed_tools: &'static [&'static str],
    pub(crate) model_invocable: bool,
    pub(crate) user_invocable: bool,
    /// Why it should not be used, and what to use instead; either may be empty.
    pub(crate) deprecated: Option<(&'static str, &'static str)>,
    /// Where the body lies in `SKILL.md`, in bytes.
    pub(crate) body: (usize, usize),
    /// The files by their paths, sorted.
    pub(crate) files: &'static [EmbeddedFile],
    dir: OnceLock<Dir<'static>>,
}

/// The path of a file below its skill's folder, and its bytes.
pub(crate) type EmbeddedFile = (&'static str, &'static [u8]);

impl EmbeddedSkills {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        package: &'static str,
        module: &'static str,
        folder: &'static str,
        skills: &'static [&'static EmbeddedSkill],
    ) -> Self {
        Self {
            package,
            module,
            folder,
            skills,
        }
    }

    /// The folders of the skills, with everything in them, by name.
    ///
    /// The files are where the compiler put them; the lists of folders are made when they are asked
    /// for first, and kept.
    pub fn dirs(&self) -> impl Iterator<Item = (&'static str, &'static Dir<'static>)> {
        self.skills.iter().map(|skill| (skill.name, skill.dir()))
    }
}

impl EmbeddedSkill {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static str,
        description: &'static str,
        body: (usize, usize),
        files: &'static [EmbeddedFile],
    ) -> Self {
        Self {
            name,
            description,
            group: None,
            allowed_tools: &[],
            model_invocable: true,
            user_invocable: true,
            deprecated: None,
            body,
            files,
            dir: OnceLock::new(),
        }
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_group(mut self, group: &'static str) -> Self {
        self.group = Some(group);
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_invocation(mut self, by_model: bool, by_user: bool) -> Self {
        self.model_invocable = by_model;
        self.user_invocable = by_user;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_deprecation(mut self, note: &'static str, instead: &'static str) -> Self {
        self.deprecated = Some((note, instead));
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_allowed_tools(mut self, tools: &'static [&'static str]) -> Self {
        self.allowed_tools = tools;
        self
    }

    /// The bytes of a file, by its path below the skill's folder.
    pub(crate) fn file(&self, path: &str) -> Option<&'static [u8]> {
        let at = self.files.binary_search_by(|(known, _)| (*known).cmp(path));
        at.ok().and_then(|at| self.files.get(at)).map(|file| file.1)
    }

    fn dir(&'static self) -> &'static Dir<'static> {
        self.dir
            .get_or_init(|| Dir::new("", entries("", self.files)))
    }
}

/// The entries of the folder at `path`, which ends in a slash or is empty. `files` are those below it.
fn entries(path: &str, files: &'static [EmbeddedFile]) -> &'static [DirEntry<'static>] {
    let mut entries = Vec::new();
    let mut rest = files;
    while let Some(((first, bytes), after)) = rest.split_first() {
        let name = first.get(path.len()..).unwrap_or(first);
        let Some(slash) = name.find('/') else {
            entries.push(DirEntry::File(File::new(first, bytes)));
            rest = after;
            continue;
        };
        // Sorted by path, the files of one folder stand together.
        let folder = first.get(..path.len() + slash).unwrap_or(first);
        let inside = |file: &EmbeddedFile| {
            let below = file.0.strip_prefix(folder);
            below.is_some_and(|below| below.starts_with('/'))
        };
        let count = rest.iter().take_while(|file| inside(file)).count().max(1);
        let (below, after) = rest.split_at(count);
        let below = self::entries(&format!("{folder}/"), below);
        entries.push(DirEntry::Dir(Dir::new(folder, below)));
        rest = after;
    }
    // Once for each folder of the binary: `include_dir` lends its entries for good.
    Vec::leak(entries)
}

/// The body of the test that `skills!` writes: looks for skills that appeared since the build.
///
/// Does nothing where the folder does not exist, as in a package that was unpacked elsewhere.
///
/// # Panics
/// A skill on disk is not in the binary.
#[doc(hidden)]
#[track_caller]
pub fn assert_embedded(embedded: &[&str], package: &str, folders: &[&str]) {
    for folder in folders {
        let root = std::path::Path::new(package).join(folder);
        if !root.is_dir() {
            continue;
        }
        // By the names that the skills have: a folder may have another, or the same one in other
        // bytes.
        let options = CheckOptions::new()
            .profile(Profile::Lenient)
            .without_lints();
        let found = scan::folder(&root, &scan::ScanOptions::new()).check(&options);
        let known = embedded.len();
        let missing: Vec<String> = found
            .skills()
            .iter()
            .filter(|found| {
                let skill = found.checked().skill();
                skill.is_some_and(|skill| !embedded.contains(&skill.name()))
            })
            .map(|found| found.folder().skill_path())
            .collect();
        assert!(
            missing.is_empty(),
            "skills on disk that are not among the {known} in the binary: {}; build again, and see \
             the documentation of `skills!` on tracking new files",
            missing.join(", ")
        );
    }
}

#[cfg(feature = "link")]
inventory::collect!(EmbeddedSkills);

#[cfg(test)]
mod tests {
    use include_dir::{Dir, DirEntry};

    use super::{EmbeddedSkill, assert_embedded};

    static SKILL: EmbeddedSkill = EmbeddedSkill::new(
        "a",
        "b",
        (0, 0),
        &[
            ("SKILL.md", b"text"),
            ("a.md", b"1"),
            ("a/b/c.md", b"2"),
            ("a/b/d.md", b"3"),
            ("a/e.md", b"4"),
            ("ab/f.md", b"5"),
        ],
    );

    fn paths(dir: &Dir<'_>, out: &mut Vec<String>) {
        for entry in dir.entries() {
            out.push(entry.path().display().to_string());
            if let DirEntry::Dir(dir) = entry {
                paths(dir, out);
            }
        }
    }

    #[test]
    fn the_folder_of_a_skill_has_its_files_at_their_paths() {
        let mut found = Vec::new();
        paths(SKILL.dir(), &mut found);
        let expected = [
            "SKILL.md", "a.md", "a", "a/b", "a/b/c.md", "a/b/d.md", "a/e.md", "ab", "ab/f.md",
        ];
        assert_eq!(found, expected);
        let deep = SKILL
            .dir()
            .get_file("a/b/d.md")
            .map(include_dir::File::contents);
        assert_eq!(deep, Some(&b"3"[..]));
        assert_eq!(SKILL.file("a/e.md"), Some(&b"4"[..]));
        assert_eq!(SKILL.file("a"), None);
    }

    #[test]
    fn a_skill_that_is_not_in_the_binary_is_found() {
        let skills = concat!(env!("CARGO_MANIFEST_DIR"), "/../skills");
        let names: Vec<String> = crate::Skills::from_roots([skills])
            .iter()
            .map(|skill| skill.name().to_owned())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(!names.is_empty());
        let package = env!("CARGO_MANIFEST_DIR");
        assert_embedded(&names, package, &["../skills", "no/such/folder"]);
        let fewer = names[1..].to_vec();
        let missed = std::panic::catch_unwind(|| assert_embedded(&fewer, package, &["../skills"]));
        assert!(missed.is_err());
    }
}

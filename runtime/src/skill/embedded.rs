//! Skills that `skills!` has put into the binary.

use include_dir::Dir;
use repertoire_skillmd::scan;

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
    /// Where the body lies in `SKILL.md`, in bytes.
    pub(crate) body: (usize, usize),
    pub(crate) dir: Dir<'static>,
}

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
    pub fn dirs(&self) -> impl Iterator<Item = (&'static str, &'static Dir<'static>)> {
        self.skills.iter().map(|skill| (skill.name, &skill.dir))
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
        dir: Dir<'static>,
    ) -> Self {
        Self {
            name,
            description,
            group: None,
            allowed_tools: &[],
            model_invocable: true,
            user_invocable: true,
            body,
            dir,
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
    pub const fn with_allowed_tools(mut self, tools: &'static [&'static str]) -> Self {
        self.allowed_tools = tools;
        self
    }
}

/// The body of the test that `skills!` writes: looks for skills that appeared since the build.
///
/// Does nothing where the folder does not exist, as in a package that was unpacked elsewhere.
///
/// # Panics
/// A skill on disk is not in the binary.
#[doc(hidden)]
#[track_caller]
pub fn assert_embedded(embedded: &EmbeddedSkills, package: &str, folders: &[&str]) {
    for folder in folders {
        let root = std::path::Path::new(package).join(folder);
        if !root.is_dir() {
            continue;
        }
        let scan = scan::folder(&root, &scan::ScanOptions::new());
        let known = embedded.skills.len();
        let missing: Vec<String> = scan
            .skills()
            .iter()
            .filter(|found| {
                let directory = found.directory();
                !embedded.skills.iter().any(|skill| skill.name == directory)
            })
            .map(|found| found.skill_path())
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

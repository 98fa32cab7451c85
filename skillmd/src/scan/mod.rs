//! Finds the skills of a folder. The only part of this crate that does I/O.
//!
//! [`folder`] walks; [`Scan::check`] reads and checks what was found. A skill is
//! a folder with a file named exactly `SKILL.md`; what lies below it belongs to
//! it, so a `SKILL.md` in there is one of its files and no further skill. Hidden
//! entries, `node_modules` and `__pycache__` are passed over; a skill in a hidden
//! folder is reported. The order is that
//! of the paths, on every system.
//!
//! The folder that was asked for may itself hold a `SKILL.md`. Where no other
//! skill lies below it, outside of `scripts`, `references` and `assets`, it is one
//! skill and owns everything in it; else it is a skill beside the others and owns
//! its own files and those three folders.
//!
//! Symbolic links are followed as long as their target lies within the boundary
//! ([`ScanOptions::boundary`]); each folder is visited once.
//!
//! ```no_run
//! use std::path::Path;
//! use repertoire_skillmd::{CheckOptions, scan};
//!
//! let found = scan::folder(Path::new("skills"), &scan::ScanOptions::new());
//! let set = found.check(&CheckOptions::new());
//! for skill in set.skills() {
//!     println!("{} {:?}", skill.folder().path(), skill.checked().skill().map(|skill| skill.name()));
//! }
//! ```

mod files;
mod hidden;
mod link;
mod read;
mod report;
mod set;
mod walk;

use std::path::{Path, PathBuf};

use crate::Finding;

pub use set::{CheckedSet, CheckedSkill, check_together};

/// How far a scan goes.
///
/// ```
/// use repertoire_skillmd::scan::ScanOptions;
///
/// // Links may lead to anything in the repository, and a `SKILL.md` may be long.
/// let options = ScanOptions::new().boundary("..").skill_bytes(4 << 20);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
pub struct ScanOptions {
    depth: usize,
    directories: usize,
    files: usize,
    skill_bytes: u64,
    file_bytes: u64,
    boundary: Option<PathBuf>,
}

impl Default for ScanOptions {
    fn default() -> Self {
        Self {
            depth: 12,
            directories: 5_000,
            files: 50_000,
            skill_bytes: 1 << 20,
            file_bytes: 16 << 20,
            boundary: None,
        }
    }
}

impl ScanOptions {
    /// Twelve levels, 5,000 folders, 50,000 files, `SKILL.md` up to 1 MiB, other
    /// files up to 16 MiB, links only to targets inside the scanned folder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many levels below the scanned folder a skill may lie, and how many
    /// levels below its skill a file may lie.
    #[must_use]
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// How many folders are visited.
    #[must_use]
    pub fn directories(mut self, count: usize) -> Self {
        self.directories = count;
        self
    }

    /// How many files are listed.
    #[must_use]
    pub fn files(mut self, count: usize) -> Self {
        self.files = count;
        self
    }

    /// The greatest size of a `SKILL.md` that is read, in bytes.
    #[must_use]
    pub fn skill_bytes(mut self, bytes: u64) -> Self {
        self.skill_bytes = bytes;
        self
    }

    /// The greatest size of another file that is listed, in bytes.
    #[must_use]
    pub fn file_bytes(mut self, bytes: u64) -> Self {
        self.file_bytes = bytes;
        self
    }

    /// The folder that targets of symbolic links must lie in; the scanned folder
    /// itself unless it is set, as it is for `skills!` and [`track`](crate::build::track).
    #[must_use]
    pub fn boundary(mut self, folder: impl Into<PathBuf>) -> Self {
        self.boundary = Some(folder.into());
        self
    }
}

/// What a scan found.
#[derive(Clone, Debug)]
pub struct Scan {
    pub(crate) root: PathBuf,
    pub(crate) options: ScanOptions,
    pub(crate) skills: Vec<Folder>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) link_targets: Vec<PathBuf>,
}

impl Scan {
    /// Where the symbolic links that were followed lead, as real paths.
    pub(crate) fn link_targets(&self) -> &[PathBuf] {
        &self.link_targets
    }

    /// The folder that was scanned, as it was given.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The skills, in the order of their paths.
    #[must_use]
    pub fn skills(&self) -> &[Folder] {
        &self.skills
    }

    /// What was passed over, and why.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A finding about an entry of the scanned folder rather than the text of a `SKILL.md`.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) path: String,
    pub(crate) finding: Finding,
}

impl Problem {
    /// The entry, relative to the scanned folder, with `/` between the parts; `.`
    /// for the folder itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was found. It has no span.
    ///
    /// In [`Scan::problems`] it is weighed by the profile `spec`; in
    /// [`CheckedSet::problems`] as the check was told to.
    #[must_use]
    pub const fn finding(&self) -> &Finding {
        &self.finding
    }
}

/// The folder of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    pub(crate) path: String,
    pub(crate) directory: String,
    pub(crate) file_name: String,
    pub(crate) files: Vec<File>,
    pub(crate) bytes: u64,
}

impl Folder {
    /// The folder relative to the scanned one, with `/` between the parts; empty
    /// for the scanned folder itself.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The folder's own name, which the skill's `name` has to equal.
    #[must_use]
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// The name of the skill file as it is on disk; `SKILL.md` unless it has to be renamed.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// The skill file relative to the scanned folder, with `/` between the parts.
    #[must_use]
    pub fn skill_path(&self) -> String {
        join(&self.path, &self.file_name)
    }

    /// All files of the skill, the skill file among them, in the order of their paths.
    #[must_use]
    pub fn files(&self) -> &[File] {
        &self.files
    }
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub(crate) path: String,
    pub(crate) bytes: u64,
}

impl File {
    /// The file relative to its skill's folder, with `/` between the parts.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its size in bytes when the folder was scanned.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Finds the skills below `root`, `root` itself included. A folder that cannot be
/// read is a [`Problem`], also when it is `root`.
#[must_use]
pub fn folder(root: &Path, options: &ScanOptions) -> Scan {
    walk::Walk::new(root, options).run()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

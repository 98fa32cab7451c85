//! All skills of a scan, read and checked.

use std::collections::HashMap;

use super::{Folder, Problem, Scan, join};
use crate::draft::{Draft, settle};
use crate::{CheckOptions, Checked, Finding, Kind, check};

/// The skills of a [`Scan`], checked.
#[derive(Clone, Debug)]
pub struct CheckedSet {
    skills: Vec<CheckedSkill>,
    problems: Vec<Problem>,
}

impl CheckedSet {
    /// One item for each skill that could be read, in the order of their paths.
    #[must_use]
    pub fn skills(&self) -> &[CheckedSkill] {
        &self.skills
    }

    /// What was passed over, and why. Findings of skills are not among them.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether anything, of a skill or of the scan, is an error.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.finding.is_error())
            || self
                .skills
                .iter()
                .any(|skill| skill.checked.errors().next().is_some())
    }

    /// The skills and the problems, taken apart.
    #[must_use]
    pub fn into_parts(self) -> (Vec<CheckedSkill>, Vec<Problem>) {
        (self.skills, self.problems)
    }
}

/// One skill of a [`CheckedSet`].
#[derive(Clone, Debug)]
pub struct CheckedSkill {
    folder: Folder,
    source: Vec<u8>,
    checked: Checked,
}

impl CheckedSkill {
    /// Where it lies and which files it has.
    #[must_use]
    pub const fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The bytes of its `SKILL.md`.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// What the check found.
    #[must_use]
    pub const fn checked(&self) -> &Checked {
        &self.checked
    }

    /// The group the skill belongs to: `metadata.group`, else the folders between the scanned one
    /// and the skill's own, if there are any.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        let named = self.checked.skill()?.metadata_text("group").map(str::trim);
        let above = self.folder.path.rsplit_once('/').map(|(above, _)| above);
        named.filter(|group| !group.is_empty()).or(above)
    }

    /// The three, taken apart.
    #[must_use]
    pub fn into_parts(self) -> (Folder, Vec<u8>, Checked) {
        (self.folder, self.source, self.checked)
    }
}

/// Checks the folders of several scans as one set, in which a name stands for one skill.
///
/// With each scan comes what its folder is called where a finding names a file of it. A name that an
/// earlier skill has, in the same folder or in one before, is a finding of the later skill.
///
/// ```no_run
/// use std::path::Path;
/// use repertoire_skillmd::{CheckOptions, scan};
///
/// let names = ["skills", "more-skills"];
/// let scans = names.map(|name| scan::folder(Path::new(name), &scan::ScanOptions::new()));
/// let sets = scan::check_together(names.into_iter().zip(&scans), &CheckOptions::new());
/// assert_eq!(sets.len(), 2);
/// ```
#[must_use]
pub fn check_together<'s>(
    scans: impl IntoIterator<Item = (&'s str, &'s Scan)>,
    options: &CheckOptions<'_>,
) -> Vec<CheckedSet> {
    let mut taken = HashMap::new();
    scans
        .into_iter()
        .map(|(shown, scan)| {
            let mut set = scan.check_each(options);
            duplicates(&mut set.skills, shown, &mut taken, options);
            set
        })
        .collect()
}

impl Scan {
    /// Reads and checks every skill. The name of the folder, the name of the file
    /// and the list of files come from the scan and replace those of `options`.
    ///
    /// A name that two skills share is a finding of the later one, which names the
    /// path of the earlier one.
    #[must_use]
    pub fn check(&self, options: &CheckOptions<'_>) -> CheckedSet {
        let mut set = self.check_each(options);
        duplicates(&mut set.skills, "", &mut HashMap::new(), options);
        set
    }

    /// The skills, each by itself.
    fn check_each(&self, options: &CheckOptions<'_>) -> CheckedSet {
        let mut skills = Vec::new();
        let mut problems: Vec<Problem> = Vec::new();
        for problem in &self.problems {
            problems.extend(again(problem, options));
        }
        for folder in &self.skills {
            match self.read(folder) {
                Ok(source) => {
                    let checked = check(&source, &about(folder, options));
                    skills.push(CheckedSkill {
                        folder: folder.clone(),
                        source,
                        checked,
                    });
                }
                Err(draft) => {
                    let path = folder.skill_path();
                    let findings = settle(vec![*draft], &[], options);
                    problems.extend(findings.into_iter().map(|finding| Problem {
                        path: path.clone(),
                        finding,
                    }));
                }
            }
        }
        problems.sort_by(|a, b| a.path.cmp(&b.path));
        CheckedSet { skills, problems }
    }

    fn read(&self, folder: &Folder) -> Result<Vec<u8>, Box<Draft>> {
        let limit = self.options.skill_bytes;
        if folder.bytes > limit {
            let message = format!(
                "the file has {} bytes, and may have at most {limit}",
                folder.bytes
            );
            let draft = Draft::whole(Kind::ScanLimit, message)
                .help("move parts of it into other files of the skill");
            return Err(Box::new(draft));
        }
        let path = self.root.join(folder.skill_path());
        self.options.read_skill(&self.root, &path).map_err(|error| {
            let message = format!("the file cannot be read: {error}");
            Box::new(Draft::whole(Kind::Unreadable, message).help("check its permissions"))
        })
    }
}

fn about<'a>(folder: &'a Folder, options: &CheckOptions<'a>) -> CheckOptions<'a> {
    options
        .clone()
        .directory(&folder.directory)
        .file_name(&folder.file_name)
        .files(folder.files.iter().map(|file| file.path.as_str()))
}

/// The problem weighed anew.
fn again(problem: &Problem, options: &CheckOptions<'_>) -> Option<Problem> {
    let Finding {
        kind,
        message,
        help,
        ..
    } = &problem.finding;
    let mut draft = Draft::whole(*kind, message.clone());
    if let Some(help) = help {
        draft = draft.help(help.clone());
    }
    let finding = settle(vec![draft], &[], options).pop()?;
    Some(Problem {
        path: problem.path.clone(),
        finding,
    })
}

/// Adds a finding to each skill whose name an earlier one has. `taken` holds the names so far, and
/// who has them.
fn duplicates(
    skills: &mut [CheckedSkill],
    shown: &str,
    taken: &mut HashMap<String, String>,
    options: &CheckOptions<'_>,
) {
    for skill in skills {
        let CheckedSkill {
            folder,
            source,
            checked,
        } = skill;
        let Some((name, range)) = checked.name() else {
            continue;
        };
        let path = match shown.trim_end_matches('/') {
            "." => folder.skill_path(),
            shown => join(shown, &folder.skill_path()),
        };
        match taken.get(name) {
            None => {
                taken.insert(name.to_owned(), path);
            }
            Some(earlier) => {
                let message =
                    format!("the name `{name}` is taken: `{path}` and `{earlier}` both have it");
                let draft = Draft::at(Kind::DuplicateName, range, message)
                    .help("give one of the two another name, and its folder too");
                checked.extend(settle(vec![draft], source, options));
            }
        }
    }
}

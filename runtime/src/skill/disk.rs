//! Skills on disk, found when the program starts.

use std::{
    borrow::Cow,
    io,
    path::{Path, PathBuf},
};

use repertoire_skillmd::{
    CheckOptions, Checked, Finding, Kind, Profile, check,
    scan::{self, CheckedSkill, ScanOptions},
};

use super::{
    Skill, SkillFile, SkillReport, Skills, Skipped,
    library::{Step, StepSource},
    on_disk::OnDisk,
    skill_entry::{Deprecated, Source},
};

/// Folders on disk that are searched for skills.
///
/// Nothing is searched that is not named here: an empty list means no skills.
///
/// ```
/// use repertoire::skill::{Profile, SkillRoots};
///
/// let skills = SkillRoots::new(["no/such/folder"]).profile(Profile::Strict).load();
/// assert!(skills.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct SkillRoots {
    roots: Vec<PathBuf>,
    profile: Profile,
    limits: ScanOptions,
}

impl SkillRoots {
    /// These folders, with all skills at any depth below them. Where two skills have one name, the
    /// earlier folder wins.
    #[must_use]
    pub fn new<P: Into<PathBuf>>(roots: impl IntoIterator<Item = P>) -> Self {
        Self {
            roots: roots.into_iter().map(Into::into).collect(),
            profile: Profile::Lenient,
            limits: ScanOptions::new(),
        }
    }

    /// How far the folders are searched. [`ScanOptions::new`] has the default and its
    /// numbers.
    ///
    /// ```
    /// use repertoire::skill::{ScanOptions, SkillRoots};
    ///
    /// let many = ScanOptions::new().directories(100_000).files(1_000_000);
    /// let roots = SkillRoots::new(["skills"]).limits(many);
    /// # let _ = roots;
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: ScanOptions) -> Self {
        self.limits = limits;
        self
    }

    /// The rules a `SKILL.md` is held to. Default: [`Profile::Lenient`], which loads what can be
    /// understood.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Searches the folders and reads what is known of each skill but its instructions.
    #[must_use]
    pub fn load(&self) -> Skills {
        let mut skills = Skills::new();
        for root in &self.roots {
            self.load_root(root, &mut skills);
        }
        skills.steps.push(Step {
            source: StepSource::Roots(self.clone()),
            quiet: false,
        });
        skills
    }

    fn load_root(&self, root: &Path, skills: &mut Skills) {
        let options = CheckOptions::new().profile(self.profile);
        let set = scan::folder(root, &self.limits).check(&options);
        for problem in set.problems() {
            let path = match problem.path() {
                "." => root.to_path_buf(),
                below => root.join(below),
            };
            if path.ends_with("SKILL.md") {
                let read = |path: &Path| self.limits.read_skill(root, path);
                let report = passed_over(&path, problem.finding(), &options, read);
                skills.reports.push(report);
            }
            skills
                .skipped
                .push(Skipped::new(path.display(), problem.finding()));
        }
        for checked in set.into_parts().0 {
            self.add(root, checked, skills);
        }
    }

    fn add(&self, root: &Path, skill: CheckedSkill, skills: &mut Skills) {
        let group = skill.group().map(str::to_owned);
        let (folder, source, checked) = skill.into_parts();
        let file = root.join(folder.skill_path());
        let report = SkillReport {
            path: file.display().to_string(),
            name: None,
            description: None,
            loaded: false,
            taken: None,
            findings: checked.findings().to_vec(),
        };
        let (Some(found), findings) = checked.into_parts() else {
            let worst = findings_first(&report.findings);
            skills
                .skipped
                .extend(worst.map(|finding| Skipped::new(&report.path, finding)));
            skills.reports.push(report);
            return;
        };
        drop(findings);
        let skill_file = folder.file_name();
        let skill = Skill {
            name: Cow::Owned(found.name().to_owned()),
            description: Cow::Owned(found.description().to_owned()),
            group: group.map(Cow::Owned),
            allowed_tools: found
                .allowed_tools()
                .iter()
                .cloned()
                .map(Cow::Owned)
                .collect(),
            size: source.len() as u64,
            model_invocable: !found.disable_model_invocation().unwrap_or(false),
            user_invocable: found.user_invocable().unwrap_or(true),
            deprecated: found.deprecated().map(|note| Deprecated {
                note: Cow::Owned(note.to_owned()),
                instead: Cow::Owned(found.replaced_by().unwrap_or_default().to_owned()),
            }),
            files: folder
                .files()
                .iter()
                .filter(|file| file.path() != skill_file)
                .map(|file| SkillFile {
                    path: file.path().to_owned(),
                    size: file.bytes(),
                })
                .collect(),
            source: Source::Disk(OnDisk {
                root: root.to_path_buf(),
                folder: root.join(folder.path()),
                directory: folder.directory().to_owned(),
                file,
                profile: self.profile,
                limits: self.limits.clone(),
            }),
        };
        let taken = skills.get(found.name()).map(Skill::place);
        let loaded = skills.insert(skill, false);
        skills.reports.push(SkillReport {
            name: Some(found.name().to_owned()),
            description: Some(found.description().to_owned()),
            loaded,
            taken,
            ..report
        });
    }
}

/// What there is to say of a file that is not looked at as a skill, in case someone wonders.
fn passed_over(
    path: &Path,
    why: &Finding,
    options: &CheckOptions<'_>,
    read: impl Fn(&Path) -> io::Result<Vec<u8>>,
) -> SkillReport {
    // What is in the wrong place may be a good skill. What the scan has refused to read is not read
    // here either: it may be a pipe, lead anywhere, or have no end.
    let in_the_wrong_place = matches!(why.kind(), Kind::NestedSkill | Kind::HiddenSkill);
    let source = in_the_wrong_place.then(|| read(path).ok()).flatten();
    let directory = path.parent().and_then(Path::file_name);
    let directory = directory.unwrap_or_default().to_string_lossy().into_owned();
    let checked = source.map(|source| check(&source, &options.clone().directory(&directory)));
    let (skill, findings) = checked.map(Checked::into_parts).unwrap_or_default();
    SkillReport {
        path: path.display().to_string(),
        name: skill.as_ref().map(|skill| skill.name().to_owned()),
        description: skill.map(|skill| skill.description().to_owned()),
        loaded: false,
        taken: None,
        findings: std::iter::once(why.clone()).chain(findings).collect(),
    }
}

/// The finding that says best why a file is not used: the first error, or the first of all.
pub(super) fn findings_first(findings: &[Finding]) -> Option<&Finding> {
    let error = findings.iter().find(|finding| finding.is_error());
    error.or_else(|| findings.first())
}

impl Skills {
    /// The skills in these folders, by the rules of [`Profile::Lenient`].
    /// [`SkillRoots`] has options.
    #[must_use]
    pub fn from_roots<P: Into<PathBuf>>(roots: impl IntoIterator<Item = P>) -> Self {
        SkillRoots::new(roots).load()
    }

    /// The skills that the user has installed for all programs: `~/.zett/skills`,
    /// `~/.agent/skills`, `~/.claude/skills` and `~/.cursor/skills`, as far as they exist.
    ///
    /// They are someone else's instructions; nothing loads them unless a program calls this.
    #[must_use]
    pub fn user_roots() -> Self {
        let Some(home) = std::env::home_dir() else {
            return Self::new();
        };
        let folders = [".zett", ".agent", ".claude", ".cursor"];
        let roots = folders.map(|folder| home.join(folder).join("skills"));
        Self::from_roots(roots.into_iter().filter(|root| root.is_dir()))
    }
}

//! Skills on disk: found when the program starts, read when they are asked for.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

use repertoire_skillmd::{
    CheckOptions, Checked, Finding, Profile, check,
    scan::{self, CheckedSkill, ScanOptions},
};

use super::{
    ReadError, Skill, SkillFile, Skills, Skipped, file_type,
    library::{Step, StepSource},
    skill_entry::{Deprecated, Source},
};

/// The greatest file that is read again, in bytes.
const MOST_BYTES: u64 = 16 << 20;

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
    pub fn new<P: Into<PathBuf>>(roots: impl IntoIterator<Item = P>) -> Self {
        Self {
            roots: roots.into_iter().map(Into::into).collect(),
            profile: Profile::Lenient,
            limits: ScanOptions::new(),
        }
    }

    /// How far the folders are searched. Default: [`ScanOptions::new`], which see for the numbers.
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
                let report = passed_over(&path, problem.finding(), &options);
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
fn passed_over(path: &Path, why: &Finding, options: &CheckOptions<'_>) -> SkillReport {
    let directory = path.parent().and_then(Path::file_name);
    let directory = directory.unwrap_or_default().to_string_lossy().into_owned();
    let source = fs::read(path).unwrap_or_default();
    let (skill, findings) = check(&source, &options.clone().directory(&directory)).into_parts();
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
fn findings_first(findings: &[Finding]) -> Option<&Finding> {
    let error = findings.iter().find(|finding| finding.is_error());
    error.or_else(|| findings.first())
}

impl Skills {
    /// The skills in these folders, by the rules of [`Profile::Lenient`].
    /// [`SkillRoots`] has options.
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

/// What was found in one `SKILL.md` on disk.
#[derive(Clone, Debug)]
pub struct SkillReport {
    path: String,
    name: Option<String>,
    description: Option<String>,
    loaded: bool,
    taken: Option<String>,
    findings: Vec<Finding>,
}

impl SkillReport {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The skill's name, if the file can be used.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The skill's description, if the file can be used.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Whether the skill is used. A good file is not where its name is taken.
    #[must_use]
    pub fn is_loaded(&self) -> bool {
        self.loaded
    }

    /// Notes that another skill has the name.
    pub(super) fn give_way(&mut self, to: &str) {
        self.loaded = false;
        self.taken = Some(to.to_owned());
    }

    /// Where the skill that has taken the name lies, if an earlier folder holds one.
    #[must_use]
    pub fn taken_by(&self) -> Option<&str> {
        self.taken.as_deref()
    }

    /// Everything there is to say of the file: errors, warnings, advice.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// Where a skill lies on disk.
#[derive(Clone, Debug)]
pub(super) struct OnDisk {
    root: PathBuf,
    folder: PathBuf,
    /// The folder's own name, which some profiles fall back to.
    directory: String,
    file: PathBuf,
    profile: Profile,
}

impl OnDisk {
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The path of the `SKILL.md`, absolute where the system can tell.
    pub(super) fn location(&self) -> String {
        let path = std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone());
        path.display().to_string()
    }

    /// The instructions as they are now.
    pub(super) fn body(&self, name: &str) -> Result<String, ReadError> {
        let source = self.read(&self.file)?;
        let options = CheckOptions::new()
            .profile(self.profile)
            .directory(&self.directory)
            .without_lints();
        let checked: Checked = check(&source, &options);
        match checked.skill() {
            Some(skill) if skill.name() == name => Ok(skill.body(&source).to_owned()),
            Some(skill) => Err(ReadError::Changed(format!(
                "its SKILL.md is that of a skill `{}` now",
                skill.name()
            ))),
            None => {
                let why = findings_first(checked.findings()).map(Finding::message);
                Err(ReadError::Changed(format!(
                    "its SKILL.md is no longer valid: {}",
                    why.unwrap_or("unknown fault")
                )))
            }
        }
    }

    /// A file of the skill's list as it is now.
    pub(super) fn text(&self, file: &SkillFile) -> Result<String, ReadError> {
        let bytes = self.read(&self.folder.join(file.path()))?;
        if file_type::is_binary(&bytes) {
            return Err(ReadError::not_text(file.path(), &bytes));
        }
        String::from_utf8(bytes).map_err(|error| ReadError::not_text(file.path(), error.as_bytes()))
    }

    /// Reads a file unless it has become a link out of the folder that was given.
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let changed = |error: std::io::Error| ReadError::Changed(error.to_string());
        let real = path.canonicalize().map_err(changed)?;
        let root = self.root.canonicalize().map_err(changed)?;
        if !real.starts_with(root) {
            return Err(ReadError::Changed(
                "it is a link out of the skills' folder now".to_owned(),
            ));
        }
        // Reading a pipe or a device could take forever.
        if !real.is_file() {
            return Err(ReadError::Changed("it is no file any more".to_owned()));
        }
        // What has grown beyond every limit since is no text for a model.
        let size = real.metadata().map_err(changed)?.len();
        if size > MOST_BYTES {
            let why = format!("it has {size} bytes now, and may have at most {MOST_BYTES}");
            return Err(ReadError::Changed(why));
        }
        fs::read(real).map_err(changed)
    }
}

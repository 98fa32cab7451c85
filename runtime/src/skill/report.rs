//! What was found in a `SKILL.md`, used or not.

use repertoire_skillmd::Finding;

/// What was found in one `SKILL.md` on disk.
///
/// ```
/// use repertoire::Skills;
///
/// for report in Skills::from_roots(["skills"]).reports() {
///     println!("{}: {}", report.path(), if report.is_loaded() { "used" } else { "not used" });
///     for finding in report.findings() {
///         println!("  {}: {}", finding.kind(), finding.message());
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct SkillReport {
    pub(super) path: String,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) loaded: bool,
    pub(super) taken: Option<String>,
    pub(super) findings: Vec<Finding>,
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

    /// Notes that another skill has the name.
    pub(super) fn give_way(&mut self, to: &str) {
        self.loaded = false;
        self.taken = Some(to.to_owned());
    }
}

//! Skills: instructions that the model reads when a task calls for them.

mod catalog;
mod disk;
mod embedded;
mod file_type;
mod find_skill;
mod library;
mod listing;
mod on_disk;
mod read_error;
mod read_skill;
mod report;
mod skill_entry;

pub use catalog::{SkillCatalog, SkillForm};
pub use disk::SkillRoots;
#[doc(hidden)]
pub use embedded::assert_embedded;
pub use embedded::{EmbeddedSkill, EmbeddedSkills};
pub use library::{Skills, Skipped};
pub use read_error::ReadError;
pub(crate) use read_skill::tool_here;
pub use report::SkillReport;
pub use skill_entry::{Skill, SkillFile};

/// The rules that a `SKILL.md` is held to, and what was found in one.
pub use repertoire_skillmd::{Finding, Profile, Severity, scan::ScanOptions};

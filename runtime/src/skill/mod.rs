//! Skills: instructions that the model reads when a task calls for them.

mod catalog;
mod disk;
mod embedded;
mod library;
mod read_skill;
mod skill_entry;

pub use catalog::SkillCatalog;
#[doc(hidden)]
pub use embedded::assert_embedded;
pub use embedded::{EmbeddedSkill, EmbeddedSkills};
pub use library::{Skills, Skipped};
pub use skill_entry::{ReadError, Skill, SkillFile};

//! What generated code may name. Nothing here is part of the public interface: the macros and this
//! crate are released together and pinned to each other.

#[cfg(feature = "link")]
pub use inventory;
pub use serde;

pub use crate::{
    linked::{Origin, linked},
    skill::{EmbeddedSkill, EmbeddedSkills},
};

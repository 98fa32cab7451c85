//! Reads and checks `SKILL.md` files: the one judge that the macros, the runtime
//! and the command line of `repertoire` share, so their verdicts cannot differ.
//!
//! A skill is a folder with a `SKILL.md`: YAML frontmatter between two `---`
//! lines, then instructions in Markdown. [`check`] reads the bytes of one,
//! applies every rule and reports everything at once, each [`Finding`] with its
//! name, its place, what to change and the profile that would accept the file.
//! [`render`] shows a finding as rustc would.
//!
//! ```
//! use repertoire_skillmd::{check, CheckOptions, Profile};
//!
//! let source = b"---
//! name: invoice-reader
//! description: Reads invoices. Use when a bill or an invoice is to be read.
//! ---
//! 1. Find the total.
//! ";
//! let checked = check(source, &CheckOptions::new().profile(Profile::Strict).directory("invoice-reader"));
//! let skill = checked.skill().expect("nothing is wrong with it");
//! assert_eq!(skill.name(), "invoice-reader");
//! assert_eq!(skill.body(source), "1. Find the total.");
//! assert!(checked.findings().is_empty());
//! ```

pub mod build;
mod bytes;
mod check;
mod draft;
mod finding;
mod frame;
mod kind;
mod lints;
#[doc(hidden)]
pub mod nearest;
mod options;
mod profile;
mod ranges;
mod render;
mod rules;
pub mod scan;
mod skill;
mod value;
mod yaml;

pub use check::{Checked, Document, check, parse};
pub use finding::{Edit, Finding, Fix, Severity, Span};
pub use kind::{Kind, UnknownKind};
pub use options::CheckOptions;
pub use profile::{Profile, UnknownProfile};
pub use render::render;
pub use skill::Skill;
pub use value::{Content, Entry, Value};

/// Has the example of the README compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

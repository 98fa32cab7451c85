//! Why a skill, or a file of it, could not be read.

use std::fmt;

/// How many files of a skill an error lists.
const LISTED: usize = 20;

/// Why a skill or one of its files could not be read.
///
/// ```
/// use repertoire::{Skills, skill::ReadError};
///
/// let skills = Skills::from_roots(["skills"]);
/// if let Some(skill) = skills.get("pdf-forms") {
///     match skill.read_file("references/fields.md") {
///         Ok(text) => println!("{text}"),
///         Err(ReadError::NoSuchFile { known, .. }) => println!("there are {}", known.join(", ")),
///         Err(error) => println!("{error}"),
///     }
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The skill has no such file in its list.
    #[non_exhaustive]
    NoSuchFile {
        /// The name of the skill.
        skill: String,
        /// The path that was asked for.
        file: String,
        /// The paths that there are.
        known: Vec<String>,
    },
    /// The file is not text.
    #[non_exhaustive]
    NotText {
        /// The name of the skill.
        skill: String,
        /// The path of the file within the skill.
        file: String,
        /// Its size in bytes.
        size: u64,
        /// What it seems to be, for example `a PNG image`.
        what: &'static str,
    },
    /// The file has changed or vanished since the skill was found.
    #[non_exhaustive]
    Changed {
        /// The name of the skill.
        skill: String,
        /// The path of the file within the skill.
        file: String,
        /// What is the matter with it now.
        reason: String,
    },
}

impl ReadError {
    /// What a model is told of a file that has changed: it cannot search the folders again.
    pub(super) fn for_model(&self) -> String {
        match self {
            Self::Changed {
                skill,
                file,
                reason,
            } => format!("`{file}` of the skill `{skill}` cannot be read any more: {reason}"),
            error => error.to_string(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFile { skill, file, known } => {
                write!(f, "the skill `{skill}` has no file `{file}`; ")?;
                match known.get(..LISTED).unwrap_or(known) {
                    [] => f.write_str("it has none beside its `SKILL.md`"),
                    listed => {
                        write!(f, "its files are {}", listed.join(", "))?;
                        match known.len() - listed.len() {
                            0 => Ok(()),
                            more => write!(f, ", … ({more} more)"),
                        }
                    }
                }
            }
            Self::NotText {
                skill,
                file,
                size,
                what,
            } => write!(
                f,
                "`{file}` of the skill `{skill}` is {what} of {size} bytes, and only text can be read"
            ),
            Self::Changed { .. } => write!(
                f,
                "{}; `Skills::rescan` finds what is there now",
                self.for_model()
            ),
        }
    }
}

impl std::error::Error for ReadError {}

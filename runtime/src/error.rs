//! Why an agent could not be built or a run not go on.

use std::fmt;

use crate::model::ModelError;

/// A result whose error is this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an agent could not be built or a run not go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Tools, skills or state do not fit together; every problem is listed.
    Build(BuildError),
    /// The model gave no response. The conversation is complete up to that point.
    Model(ModelError),
    /// The conversation could not be saved. In memory it is complete.
    Store(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Store(error) => write!(f, "the conversation cannot be saved: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Build(_) => None,
            Self::Model(error) => error.source(),
            Self::Store(error) => Some(error),
        }
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::Model(error)
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

/// Everything that is wrong with the parts of an agent, all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<String>,
}

impl BuildError {
    pub(crate) fn new(problems: Vec<String>) -> Self {
        Self { problems }
    }

    /// The problems, one sentence each. Never empty.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the agent cannot be built:")?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BuildError {}

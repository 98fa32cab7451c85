//! A toolset and the skills that go with it.

use crate::{Skills, Toolset};

/// Tools and skills together: what an agent, a command line or a server is given.
#[derive(Clone, Debug, Default)]
pub struct Repertoire {
    tools: Toolset,
    skills: Skills,
    problems: Vec<String>,
}

impl Repertoire {
    /// No tools, no skills.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Both together. Where two skills have one name, the one that was added first is kept.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.tools = self.tools.with_toolset(other.tools);
        self.skills = self.skills.with(other.skills);
        self.problems.extend(other.problems);
        self
    }

    /// The tools.
    #[must_use]
    pub fn tools(&self) -> &Toolset {
        &self.tools
    }

    /// The skills.
    #[must_use]
    pub fn skills(&self) -> &Skills {
        &self.skills
    }

    #[cfg(feature = "link")]
    pub(crate) fn with_problems(mut self, problems: impl IntoIterator<Item = String>) -> Self {
        self.problems.extend(problems);
        self
    }

    /// The same for an agent that is there for one tool: what others need is looked at when they are
    /// called.
    pub(crate) fn for_tool(mut self, tool: &str) -> Self {
        self.tools = self.tools.for_tool(tool);
        self
    }

    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }

    pub(crate) fn into_parts(self) -> (Toolset, Skills) {
        (self.tools, self.skills)
    }
}

impl From<Toolset> for Repertoire {
    fn from(tools: Toolset) -> Self {
        Self {
            tools,
            ..Self::default()
        }
    }
}

impl From<Skills> for Repertoire {
    fn from(skills: Skills) -> Self {
        Self {
            skills,
            ..Self::default()
        }
    }
}

//! Tools switched on and off while an agent runs.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{Agent, Inner};
use crate::{
    tool::{ErrorKind, ToolError},
    toolset::{Entry, ToolInfo},
};

/// Whether each tool is on, in the order of an agent's tools.
pub(crate) struct Switches {
    on: Vec<AtomicBool>,
}

impl Switches {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let on = entries.iter().map(|entry| AtomicBool::new(entry.enabled));
        Self { on: on.collect() }
    }

    fn is_on(&self, index: usize) -> bool {
        self.on
            .get(index)
            .is_some_and(|on| on.load(Ordering::Acquire))
    }
}

impl Inner {
    /// Whether a tool exists and is switched off.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        self.index(name)
            .is_some_and(|index| !self.switches.is_on(index))
    }

    /// The tools that are switched off, sorted by name.
    pub(super) fn off(&self) -> Vec<String> {
        let off = self.entries.iter().enumerate();
        off.filter(|(index, _)| !self.switches.is_on(*index))
            .map(|(_, entry)| entry.name.to_string())
            .collect()
    }
}

impl Agent {
    /// The tools of this agent, to look at and to switch on and off while it runs.
    ///
    /// A switch acts at once, in all clones of the agent: a tool that is off is found by no search and
    /// loaded by no skill, and a call of it is answered with a refusal; what has begun is ended. What a
    /// conversation is shown does not change, since providers keep its beginning in their caches: a
    /// conversation that begins while a tool is off neither lists nor defines it, and one that had
    /// begun before keeps the definition. A tool that is switched on again can be called there as
    /// before; one that is switched on for the first time is shown to conversations that begin then,
    /// and to others after [`Conversation::offer_anew`](crate::Conversation::offer_anew).
    ///
    /// ```
    /// use repertoire::{Agent, Responses, Toolset, testing::Script, tool};
    ///
    /// /// Send a letter.
    /// #[tool(tags("mail"))]
    /// fn send_letter() {}
    ///
    /// # fn main() -> repertoire::Result<()> {
    /// let agent = Agent::builder(Script::new(Responses::new("gpt-5.4")))
    ///     .repertoire(Toolset::new().with::<send_letter>())
    ///     .build()?;
    /// agent.tools().disable("send_letter").unwrap();
    /// assert!(!agent.tools().get("send_letter").unwrap().is_enabled());
    /// assert_eq!(agent.tools().tagged("mail").count(), 1);
    /// assert!(agent.tools().enable("send_leter").is_err());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn tools(&self) -> AgentTools<'_> {
        AgentTools { agent: self }
    }
}

/// The tools of an agent; see [`Agent::tools`].
#[derive(Clone, Copy)]
pub struct AgentTools<'a> {
    agent: &'a Agent,
}

impl<'a> AgentTools<'a> {
    /// Switches a tool on.
    ///
    /// # Errors
    /// The agent has no tool of that name.
    pub fn enable(&self, tool: &str) -> Result<(), ToolError> {
        self.switch(tool, true)
    }

    /// Switches a tool off.
    ///
    /// # Errors
    /// The agent has no tool of that name.
    pub fn disable(&self, tool: &str) -> Result<(), ToolError> {
        self.switch(tool, false)
    }

    /// The tool of a name.
    #[must_use]
    pub fn get(&self, tool: &str) -> Option<ToolInfo<'a>> {
        let index = self.agent.inner.index(tool)?;
        self.info(index)
    }

    /// All tools but those that the SDK itself brings, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = ToolInfo<'a>> + use<'a> {
        let this = *self;
        (0..this.agent.inner.entries.len()).filter_map(move |index| this.info(index))
    }

    /// The tools with a tag.
    pub fn tagged(&self, tag: &'a str) -> impl Iterator<Item = ToolInfo<'a>> + use<'a> {
        self.iter().filter(move |tool| tool.has_tag(tag))
    }

    /// The tools of a group.
    pub fn in_group(&self, group: &'a str) -> impl Iterator<Item = ToolInfo<'a>> + use<'a> {
        self.iter().filter(move |tool| tool.group() == Some(group))
    }

    fn info(&self, index: usize) -> Option<ToolInfo<'a>> {
        let inner = &self.agent.inner;
        let entry = inner.entries.get(index)?;
        Some(ToolInfo::new(entry, inner.switches.is_on(index)))
    }

    fn switch(&self, tool: &str, on: bool) -> Result<(), ToolError> {
        let inner = &self.agent.inner;
        let switch = inner
            .index(tool)
            .and_then(|index| inner.switches.on.get(index));
        match switch {
            Some(switch) => {
                switch.store(on, Ordering::Release);
                Ok(())
            }
            None => Err(ToolError::new(
                ErrorKind::NotFound,
                format!("the agent has no tool `{tool}` to switch"),
            )),
        }
    }
}

impl fmt::Debug for AgentTools<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

//! The tools of one agent.

mod entry;
mod info;
mod runtime_tool;

pub(crate) use entry::{Deprecated, Entry, is_portable_name, members};
pub use info::ToolInfo;
pub use runtime_tool::RuntimeTool;

use std::fmt;

use crate::tool::{ErrorKind, Policy, Registration, Tool, ToolError};

/// The tools of one agent: annotated functions and tools made at run time.
///
/// [`add`](Self::add) and [`add_tool`](Self::add_tool) refuse a second tool of one name at once.
/// `with…` and [`linked!`](crate::linked) take all, and the clashes are reported together when the
/// agent is built.
///
/// ```
/// use repertoire::{Toolset, toolset::RuntimeTool};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let tool = RuntimeTool::new("shout", "Says it louder.", schema, |arguments| async move {
///     Ok(arguments["text"].as_str().unwrap_or_default().to_uppercase().into())
/// })
/// .tag("text");
/// let mut tools = Toolset::new();
/// tools.add_tool(tool.clone())?;
/// assert_eq!(tools.names().collect::<Vec<_>>(), ["shout"]);
/// assert_eq!(tools.tagged("text").count(), 1);
///
/// let error = tools.add_tool(tool).unwrap_err();
/// assert!(error.to_string().starts_with("2 tools are named `shout`"));
/// # Ok::<(), repertoire::toolset::DuplicateTool>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Toolset {
    entries: Vec<Entry>,
}

impl Toolset {
    /// No tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same toolset and an annotated function, named by the type beside it:
    /// `Toolset::new().with::<warehouse_stock>()`.
    #[must_use]
    pub fn with<T: Tool>(mut self) -> Self {
        self.push(T::REGISTRATION);
        self
    }

    /// The same toolset and a tool made at run time.
    #[must_use]
    pub fn with_tool(mut self, tool: RuntimeTool) -> Self {
        self.entries.push(tool.into_entry());
        self
    }

    /// The same toolset and all tools of another.
    #[must_use]
    pub fn with_toolset(mut self, other: Self) -> Self {
        self.entries.extend(other.entries);
        self
    }

    /// Adds an annotated function, named by the type beside it.
    ///
    /// # Errors
    /// There is a tool of that name; the toolset stays as it was.
    pub fn add<T: Tool>(&mut self) -> Result<(), DuplicateTool> {
        self.add_entry(Entry::from_registration(T::REGISTRATION))
    }

    /// Adds a tool made at run time.
    ///
    /// # Errors
    /// There is a tool of that name; the toolset stays as it was.
    pub fn add_tool(&mut self, tool: RuntimeTool) -> Result<(), DuplicateTool> {
        self.add_entry(tool.into_entry())
    }

    /// Takes a tool out, and says whether it was there. A conversation that mentions it still runs: its
    /// calls and results are history, and what it had loaded of the tool is left out.
    pub fn remove(&mut self, tool: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.name != tool);
        self.entries.len() < before
    }

    /// Switches a tool on, for the agents that are built from now on. A running agent has
    /// [switches of its own](crate::Agent::tools).
    ///
    /// # Errors
    /// There is no tool of that name.
    pub fn enable(&mut self, tool: &str) -> Result<(), ToolError> {
        self.switch(tool, true)
    }

    /// Switches a tool off, for the agents that are built from now on. It stays in the toolset, and a
    /// running agent can switch it on.
    ///
    /// # Errors
    /// There is no tool of that name.
    pub fn disable(&mut self, tool: &str) -> Result<(), ToolError> {
        self.switch(tool, false)
    }

    /// The same toolset, where one tool is run in another way than it says itself.
    ///
    /// # Errors
    /// There is no tool of that name.
    pub fn policy(
        mut self,
        tool: &str,
        change: impl FnOnce(Policy) -> Policy,
    ) -> Result<Self, ToolError> {
        let entry = self.find(tool, "to set a policy for")?;
        entry.policy = change(entry.policy);
        Ok(self)
    }

    /// The tool of a name.
    #[must_use]
    pub fn get(&self, tool: &str) -> Option<ToolInfo<'_>> {
        self.iter().find(|info| info.name() == tool)
    }

    /// All tools, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = ToolInfo<'_>> {
        self.entries
            .iter()
            .map(|entry| ToolInfo::new(entry, entry.enabled))
    }

    /// The tools with a tag.
    pub fn tagged<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = ToolInfo<'a>> {
        self.iter().filter(move |tool| tool.has_tag(tag))
    }

    /// The tools of a group.
    pub fn in_group<'a>(&'a self, group: &'a str) -> impl Iterator<Item = ToolInfo<'a>> {
        self.iter().filter(move |tool| tool.group() == Some(group))
    }

    /// The names of the tools, in the order they were added.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_ref())
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a function, whatever its name.
    pub(crate) fn push(&mut self, registration: &'static Registration) {
        self.entries.push(Entry::from_registration(registration));
    }

    /// The same toolset, where no tool but one demands its state when the agent is built.
    pub(crate) fn for_tool(mut self, tool: &str) -> Self {
        let others = self.entries.iter_mut().filter(|entry| entry.name != tool);
        others.for_each(|entry| entry.states = &[]);
        self
    }

    /// The tools sorted by name, since the order in which a linker lists them is not stable.
    pub(crate) fn into_sorted(self) -> Vec<Entry> {
        let mut entries = self.entries;
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        entries
    }

    fn add_entry(&mut self, entry: Entry) -> Result<(), DuplicateTool> {
        if let Some(known) = self.entries.iter().find(|known| known.name == entry.name) {
            return Err(DuplicateTool {
                name: entry.name.into_owned(),
                places: [known.place.clone(), entry.place],
            });
        }
        self.entries.push(entry);
        Ok(())
    }

    fn switch(&mut self, tool: &str, on: bool) -> Result<(), ToolError> {
        self.find(tool, "to switch")?.enabled = on;
        Ok(())
    }

    fn find(&mut self, tool: &str, what_for: &str) -> Result<&mut Entry, ToolError> {
        let mut entries = self.entries.iter_mut();
        let found = entries.find(|entry| entry.name == tool);
        found.ok_or_else(|| {
            let message = format!("the toolset has no tool `{tool}` {what_for}");
            ToolError::new(ErrorKind::NotFound, message)
        })
    }
}

/// Two tools of one name, which a toolset does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateTool {
    name: String,
    places: [String; 2],
}

impl DuplicateTool {
    /// The name of both.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where they are defined, `file:line`: the one that is there, and the one that was refused.
    #[must_use]
    pub fn places(&self) -> [&str; 2] {
        self.places.each_ref().map(String::as_str)
    }
}

impl fmt::Display for DuplicateTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&same_name(&self.name, &self.places()))
    }
}

impl std::error::Error for DuplicateTool {}

/// Says that tools have one name, and where they are.
pub(crate) fn same_name(name: &str, places: &[&str]) -> String {
    let same_place = places.windows(2).all(|two| two.first() == two.last());
    let advice = if same_place {
        "one tool that is listed again is listed once; of several, rename all but one"
    } else {
        "rename all but one, or give each agent its own toolset"
    };
    let places_named = places.join(", ");
    format!(
        "{} tools are named `{name}`: {places_named}; {advice}",
        places.len()
    )
}

//! What a program may know of a tool in a toolset.

use std::fmt;

use super::Entry;

/// A tool of a [`Toolset`](crate::Toolset) or of an [`Agent`](crate::Agent), to look at.
///
/// ```
/// use repertoire::{Toolset, tool};
///
/// /// Look up the stock of a product.
/// #[tool(group = "warehouse", tags("read"), version = "1.2.0")]
/// fn stock() -> u32 {
///     7
/// }
///
/// let tools = Toolset::new().with::<stock>();
/// let info = tools.get("stock").unwrap();
/// assert_eq!((info.group(), info.version()), (Some("warehouse"), Some("1.2.0")));
/// assert!(info.has_tag("read") && info.is_enabled());
/// ```
#[derive(Clone, Copy)]
pub struct ToolInfo<'a> {
    entry: &'a Entry,
    enabled: bool,
}

impl<'a> ToolInfo<'a> {
    pub(crate) fn new(entry: &'a Entry, enabled: bool) -> Self {
        Self { entry, enabled }
    }

    /// The name the model calls.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// What the tool does, as its author says it.
    #[must_use]
    pub fn description(&self) -> &'a str {
        &self.entry.description
    }

    /// The JSON schema of the arguments.
    #[must_use]
    pub fn schema(&self) -> &'a str {
        &self.entry.schema
    }

    /// The group that the tool is listed in.
    #[must_use]
    pub fn group(&self) -> Option<&'a str> {
        self.entry.group.as_deref()
    }

    /// Free words to select tools by.
    pub fn tags(&self) -> impl Iterator<Item = &'a str> {
        self.entry.tags.iter().map(AsRef::as_ref)
    }

    /// Whether the tool has a tag.
    #[must_use]
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags().any(|known| known == tag)
    }

    /// The tool's own version. It is for the program, the trace and the
    /// [metrics](crate::Agent::metrics); the model does not read it.
    #[must_use]
    pub fn version(&self) -> Option<&'a str> {
        self.entry.version.as_deref()
    }

    /// Who wrote the tool.
    #[must_use]
    pub fn author(&self) -> Option<&'a str> {
        self.entry.author.as_deref()
    }

    /// Why the tool should no longer be used.
    #[must_use]
    pub fn deprecated(&self) -> Option<&'a str> {
        let deprecated = self.entry.deprecated.as_ref();
        deprecated.map(|deprecated| deprecated.note.as_ref())
    }

    /// The name of the tool that took its place.
    #[must_use]
    pub fn replaced_by(&self) -> Option<&'a str> {
        self.entry.deprecated.as_ref()?.replaced_by.as_deref()
    }

    /// Whether the definition stays out of sight until the model searches for it.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.entry.deferred
    }

    /// Whether each call has to be approved.
    #[must_use]
    pub fn requires_approval(&self) -> bool {
        self.entry.needs_approval
    }

    /// Whether the tool is switched on.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Where the tool is defined, `file:line`.
    #[must_use]
    pub fn place(&self) -> &'a str {
        &self.entry.place
    }
}

impl fmt::Debug for ToolInfo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolInfo")
            .field("name", &self.name())
            .field("enabled", &self.enabled)
            .field("place", &self.place())
            .finish_non_exhaustive()
    }
}

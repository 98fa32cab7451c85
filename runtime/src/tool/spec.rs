//! What is known of a tool when the program is compiled.

use std::any::TypeId;

/// Everything about a tool that is known when the program is compiled.
///
/// Built by `#[tool]` in a constant; the fields are public so that they can be read in constants:
/// `const _: &str = my_tool::SPEC.schema;`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name the model calls, `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`.
    pub name: &'static str,
    /// What the tool does, for the model. Never empty.
    pub description: &'static str,
    /// The JSON schema of the arguments: a plain object in the canonical form.
    pub schema: &'static str,
    /// One line that shows how the tool is used.
    pub snippet: Option<&'static str>,
    /// Rules of use, one sentence each.
    pub guidelines: &'static [&'static str],
    /// Whether the definition stays out of sight until the model searches for it.
    pub deferred: bool,
    /// The named toolset the tool belongs to, or `None` for the package's own.
    pub toolset: Option<&'static str>,
    /// Types that must be given to the agent with `.state(...)`.
    pub states: &'static [StateType],
    /// The package that holds the function (`CARGO_PKG_NAME`).
    pub package: &'static str,
    /// The module that holds the function (`module_path!()`).
    pub module: &'static str,
    /// The source file of the function.
    pub file: &'static str,
    /// The line of the function in `file`, from 1.
    pub line: u32,
}

/// A type that a tool takes by `#[state]`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StateType {
    /// The type's identity.
    pub id: fn() -> TypeId,
    /// The type's name as written.
    pub name: &'static str,
}

impl ToolSpec {
    /// A spec with a name, a description and a schema; everything else is empty.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str, schema: &'static str) -> Self {
        Self {
            name,
            description,
            schema,
            snippet: None,
            guidelines: &[],
            deferred: false,
            toolset: None,
            states: &[],
            package: "",
            module: "",
            file: "",
            line: 0,
        }
    }
}

impl StateType {
    /// A type and its name as written.
    #[doc(hidden)]
    #[must_use]
    pub const fn of<T: std::any::Any>(name: &'static str) -> Self {
        Self {
            id: TypeId::of::<T>,
            name,
        }
    }
}

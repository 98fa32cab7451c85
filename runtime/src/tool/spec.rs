//! What is known of a tool when the program is compiled.

use std::any::TypeId;

use super::Policy;

/// Everything about a tool that is known when the program is compiled.
///
/// Built by `#[tool]` in a constant; the fields are public so that they can be read in constants:
///
/// ```
/// use repertoire::tool;
///
/// /// Look up the stock of a product.
/// #[tool(deferred)]
/// fn stock(
///     /// Stock keeping unit.
///     sku: &str,
/// ) -> u32 {
///     7
/// }
///
/// const SCHEMA: &str = stock::SPEC.schema;
/// assert_eq!(
///     SCHEMA,
///     r#"{"type":"object","properties":{"sku":{"description":"Stock keeping unit.","type":"string"}},"required":["sku"],"additionalProperties":false}"#
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name the model calls, `^[A-Za-z_][A-Za-z0-9_-]{0,63}$`.
    pub name: &'static str,
    /// What the tool does, for the model. Never empty.
    pub description: &'static str,
    /// The JSON schema of the arguments: a plain object in the canonical form. An argument with
    /// `#[arg(schemars)]` is any value here; a toolset puts its schema in when it takes the tool.
    pub schema: &'static str,
    /// Arguments whose schema is not a constant: `#[arg(schemars)]`.
    pub foreign: &'static [ForeignSchema],
    /// The JSON schema of what the tool returns, where its type derives
    /// [`ToolSchema`](super::ToolSchema) and it is not text.
    pub output_schema: Option<&'static str>,
    /// One line that shows how the tool is used.
    pub snippet: Option<&'static str>,
    /// Rules of use, one sentence each.
    pub guidelines: &'static [&'static str],
    /// Whether the definition stays out of sight until the model searches for it.
    pub deferred: bool,
    /// The named toolset the tool belongs to, or `None` for the package's own.
    pub toolset: Option<&'static str>,
    /// Names of parameters that hold secrets, which no log and no trace may show.
    pub secrets: &'static [&'static str],
    /// The group that the tool is listed in, or a namespace where the protocol has them.
    pub group: Option<&'static str>,
    /// Free words to select tools by.
    pub tags: &'static [&'static str],
    /// The tool's own version.
    pub version: Option<&'static str>,
    /// Who wrote the tool.
    pub author: Option<&'static str>,
    /// Whether the tool is offered at all, unless the program says otherwise.
    pub enabled: bool,
    /// Why the tool should no longer be used.
    pub deprecated: Option<Deprecation>,
    /// Whether the function blocks its thread, and so runs on one of its own.
    pub blocking: bool,
    /// Whether the provider is asked to hold the model to the schema, and arguments are taken only
    /// exactly as the schema says.
    pub strict: bool,
    /// Whether keys that no parameter has are let through: `#[tool(unknown = "keep")]`.
    pub keeps_unknown: bool,
    /// Whether the tool changes nothing.
    pub read_only: bool,
    /// Whether the tool may destroy something. Such a tool requires approval.
    pub destructive: bool,
    /// Whether each call has to be approved.
    pub requires_approval: bool,
    /// Whether the tool reaches things outside the program's own domain, such as the web.
    pub open_world: bool,
    /// Whether only one call of the tool runs at a time.
    pub serial: bool,
    /// How the tool is run.
    pub policy: Policy,
    /// The name of the tool that takes a call when this one fails.
    pub fallback: Option<&'static str>,
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

/// Why a tool should no longer be used, and what to use instead.
///
/// ```
/// use repertoire::tool;
///
/// /// Look up the stock.
/// #[tool]
/// fn stock() {}
///
/// /// Look up the stock, slowly.
/// #[tool(deprecated(note = "slow", replaced_by = stock))]
/// fn old_stock() {}
///
/// assert_eq!(old_stock::SPEC.deprecated.and_then(|d| d.replaced_by), Some("stock"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation {
    /// The reason, for the model.
    pub note: &'static str,
    /// The name of the tool that took its place.
    pub replaced_by: Option<&'static str>,
}

impl Deprecation {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(note: &'static str, replaced_by: Option<&'static str>) -> Self {
        Self { note, replaced_by }
    }
}

/// A type that a tool takes by `#[state]`.
///
/// ```
/// use repertoire::tool;
///
/// /// Count what is there.
/// #[tool]
/// fn count(#[state] things: &Vec<String>) -> usize {
///     things.len()
/// }
///
/// assert_eq!(count::SPEC.states[0].name, "Vec<String>");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StateType {
    /// The type's identity.
    pub id: fn() -> TypeId,
    /// The type's name as written.
    pub name: &'static str,
}

/// An argument whose schema comes from another crate and is made when a toolset takes the tool.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ForeignSchema {
    /// The name of the argument.
    pub name: &'static str,
    /// Makes the schema.
    pub make: fn() -> serde_json::Value,
}

impl ForeignSchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, make: fn() -> serde_json::Value) -> Self {
        Self { name, make }
    }
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
            foreign: &[],
            output_schema: None,
            snippet: None,
            guidelines: &[],
            deferred: false,
            toolset: None,
            secrets: &[],
            group: None,
            tags: &[],
            version: None,
            author: None,
            enabled: true,
            deprecated: None,
            blocking: false,
            strict: false,
            keeps_unknown: false,
            read_only: false,
            destructive: false,
            requires_approval: false,
            open_world: false,
            serial: false,
            policy: Policy::new(),
            fallback: None,
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

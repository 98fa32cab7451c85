//! One call of one tool, through all that a call passes in a run.

mod answers;
mod prepared;

use serde_json::Value;

pub use prepared::Call;

use super::fakes::known;
use crate::{
    Repertoire, Toolset,
    tool::{Tool, Toolbox},
    toolset::RuntimeTool,
};

/// Calls an annotated function as an agent would: its arguments are checked, the call is approved, the
/// tool's policy holds, the result is what the model would read.
///
/// The call is awaited, and needs no model. What it comes to is a [`Called`](super::Called), also when it fails.
/// `arguments` are JSON; a JSON string is taken as the very text that a model wrote, so that
/// `call::<stock>("{not json")` tests what the model is told then.
///
/// ```
/// use repertoire::{testing, tool, tool::{ErrorKind, code}};
/// use serde_json::json;
///
/// struct Inventory(u32);
///
/// /// Look up available warehouse stock by product SKU.
/// #[tool]
/// async fn warehouse_stock(
///     /// Stock keeping unit, for example "A-1042".
///     sku: &str,
///     #[state] inventory: &Inventory,
/// ) -> u32 {
///     if sku == "A-1042" { inventory.0 } else { 0 }
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let called = testing::call::<warehouse_stock>(json!({"sku": "A-1042"}))
///     .state(Inventory(215))
///     .await;
/// assert_eq!(called.text(), "215");
///
/// let called = testing::call::<warehouse_stock>(json!({"code": "A-1042"}))
///     .state(Inventory(215))
///     .await;
/// let error = called.error().unwrap();
/// assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, Some(code::ARGUMENTS)));
/// # });
/// ```
///
/// Hours pass in no time on a [`TestClock`](super::TestClock):
///
/// ```
/// use std::time::Duration;
/// use repertoire::{Clock, ToolError, testing, tool, tool::ErrorKind};
/// use serde_json::json;
///
/// /// Ask a service that is down.
/// #[tool(retries = 3)]
/// async fn ask() -> Result<String, ToolError> {
///     Err(ToolError::new(ErrorKind::Transient, "service down").with_code("E1001"))
/// }
///
/// # let test = testing::TestClock::new();
/// # test.block_on(async {
/// let clock = testing::TestClock::new();
/// let called = testing::call::<ask>(json!({})).clock(clock.clone()).await;
/// assert_eq!(called.text(), "E1001: service down");
/// assert_eq!(clock.now(), Duration::from_secs(1 + 2 + 4));
/// # });
/// ```
///
/// # Panics
/// When it is awaited and cannot be made: a `#[state]` or a tool that stands in is missing, a fake has
/// the name of no tool. All problems are named.
#[track_caller]
pub fn call<'a, T: Tool>(arguments: impl Into<Value>) -> Call<'a> {
    let tools = Toolset::new().with::<T>();
    let mut call = Call::new(T::SPEC.name, arguments.into()).repertoire(tools);
    if !T::SPEC.enabled {
        let name = T::SPEC.name;
        call.problem(format!(
            "tool `{name}` says `enabled = false`, so no agent offers it"
        ));
    }
    call
}

/// The same for a method of a toolbox, by the name of its tool. The value is given with
/// [`state`](Call::state).
///
/// ```
/// use repertoire::{testing, toolbox};
/// use serde_json::json;
///
/// struct Shelf(Vec<&'static str>);
///
/// #[toolbox]
/// impl Shelf {
///     /// Count the books.
///     #[tool]
///     fn count_books(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let called = testing::call_method::<Shelf>("count_books", json!({}))
///     .state(Shelf(vec!["Emma"]))
///     .await;
/// assert_eq!(called.text(), "1");
/// # });
/// ```
///
/// # Panics
/// As [`call`](fn@call), and when the toolbox has no such tool.
#[track_caller]
pub fn call_method<'a, T: Toolbox>(tool: &str, arguments: impl Into<Value>) -> Call<'a> {
    let mut tools = Toolset::new();
    for registration in T::TOOLS {
        // The others are there for calls within the call.
        tools.push(registration);
    }
    call_in(tools, tool, arguments)
}

/// The same for a tool that is made at run time.
///
/// ```
/// use repertoire::{testing, toolset::RuntimeTool};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
/// let tool = RuntimeTool::new("shout", "Says it louder.", schema, |arguments| async move {
///     Ok(arguments["text"].as_str().unwrap_or_default().to_uppercase().into())
/// });
/// # testing::TestClock::new().block_on(async {
/// assert_eq!(testing::call_tool(tool, json!({"text": "hear"})).await.text(), "HEAR");
/// # });
/// ```
///
/// # Panics
/// As [`call`](fn@call), and when name, description or schema are wrong.
#[track_caller]
pub fn call_tool<'a>(tool: RuntimeTool, arguments: impl Into<Value>) -> Call<'a> {
    let name = tool.name().to_owned();
    Call::new(&name, arguments.into()).repertoire(Toolset::new().with_tool(tool))
}

/// The same for any tool of a [`Toolset`] or of [`linked!()`](crate::linked), with what the toolset
/// says of its policy.
///
/// ```
/// use repertoire::{Toolset, testing, tool, tool::code};
/// use serde_json::json;
///
/// /// Describe a product.
/// #[tool]
/// fn describe() -> String {
///     "blue".repeat(100)
/// }
///
/// # testing::TestClock::new().block_on(async {
/// let tools = Toolset::new().with::<describe>();
/// let tools = tools.policy("describe", |policy| policy.max_output(8)).unwrap();
/// let called = testing::call_in(tools, "describe", json!({})).await;
/// assert!(called.text().starts_with("blueblue\n[cut"));
/// # });
/// ```
///
/// # Panics
/// As [`call`](fn@call), and when there is no tool of that name.
#[track_caller]
pub fn call_in<'a>(
    repertoire: impl Into<Repertoire>,
    tool: &str,
    arguments: impl Into<Value>,
) -> Call<'a> {
    let repertoire = repertoire.into();
    let mut call = Call::new(tool, arguments.into());
    if !repertoire.tools().names().any(|name| name == tool) {
        let known = known(tool, repertoire.tools().names());
        call.problem(format!("there is no tool `{tool}`{known}"));
    }
    call.repertoire(repertoire)
}

//! One type of the zoo, with its type taken away.

use repertoire::{
    ToolError, ToolOutput,
    tool::{Invocation, Registration, States},
};
use serde_json::Value;

/// A type: its two schemas, and the tool that takes a list of one such value.
pub struct Animal {
    pub name: &'static str,
    pub ours: fn() -> Value,
    pub theirs: fn() -> Value,
    pub tool: &'static Registration,
}

impl Animal {
    /// Calls the tool.
    pub fn call(&self, value: &Value, exact: bool) -> Result<ToolOutput, ToolError> {
        let arguments = serde_json::json!({"value": [value]}).to_string();
        let states = States::new();
        let mut invocation = Invocation::new(&arguments, &states);
        invocation.exact = exact;
        // The function is not async: its future is ready when it is first asked.
        let future = (self.tool.call())(invocation);
        futures(future)
    }
}

fn futures<T>(mut future: repertoire::BoxFuture<'_, T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.as_mut().poll(&mut context) {
        std::task::Poll::Ready(result) => result,
        std::task::Poll::Pending => unreachable!("a function that is not async waits for nothing"),
    }
}

/// The schema of the only item of the only parameter, with the definitions beside it.
pub fn only_item(text: &str) -> Value {
    let mut root: Value = serde_json::from_str(text).unwrap();
    let mut schema = root["properties"]["value"]["prefixItems"][0].take();
    if let (Some(defs), Some(schema)) = (root.get_mut("$defs"), schema.as_object_mut()) {
        schema.insert("$defs".to_owned(), defs.take());
    }
    schema
}

/// The same of schemars.
pub fn item_of<T: schemars::JsonSchema>() -> Value {
    let mut root = schemars::schema_for!((T,)).to_value();
    let defs = root.get_mut("$defs").map(Value::take);
    let mut schema = root["prefixItems"][0].take();
    if schema == Value::Bool(true) {
        schema = serde_json::json!({});
    }
    if let (Some(defs), Some(schema)) = (defs, schema.as_object_mut()) {
        schema.insert("$defs".to_owned(), defs);
    }
    schema
}

/// Makes a tool of each type, and a list of all of them.
#[macro_export]
macro_rules! zoo {
    ($($name:ident: $type:ty;)*) => {
        mod tools {
            use super::*;
            $(
                /// Takes one value. It stands in a list, where an `Option` is nullable.
                #[repertoire::tool(unlinked, allow(undocumented))]
                pub(crate) fn $name(value: ($type,)) {
                    let _ = value;
                }
            )*
        }

        const ZOO: &[Animal] = &[$(
            Animal {
                name: stringify!($name),
                ours: || animal::only_item(tools::$name::SPEC.schema),
                theirs: animal::item_of::<$type>,
                tool: <tools::$name as repertoire::Tool>::REGISTRATION,
            },
        )*];
    };
}

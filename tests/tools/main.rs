//! Tools and schemas, used as a program uses them.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

mod arguments;
mod basics;
mod coercions;
mod conditional;
mod crates;
mod foreign;
mod forms;
mod keys;
mod limits;
mod other_schemas;
mod outputs;
mod policies;
mod schemas;
mod strange;
mod strict;
mod toolboxes;

use repertoire::{
    Tool,
    tool::{Invocation, States},
};

/// Calls a tool that takes no state; a failure is its text after `! `.
async fn call<T: Tool>(arguments: &str) -> String {
    let states = States::new();
    let result = (T::REGISTRATION.call())(Invocation::new(arguments, &states)).await;
    match result {
        Ok(output) => output.to_text(),
        Err(error) => format!("! {error}"),
    }
}

/// The schema of a tool, read.
fn schema<T: Tool>() -> serde_json::Value {
    serde_json::from_str(T::SPEC.schema).unwrap()
}

//! The same in a package of the edition before.

#[path = "strange.rs"]
mod strange;

use repertoire::{
    tool::{Invocation, States},
    Tool,
};

async fn call<T: Tool>(arguments: &str) -> String {
    let states = States::new();
    let result = (T::REGISTRATION.call())(Invocation::new(arguments, &states)).await;
    match result {
        Ok(output) => output.to_text(),
        Err(error) => format!("! {error}"),
    }
}

fn schema<T: Tool>() -> serde_json::Value {
    serde_json::from_str(T::SPEC.schema).unwrap_or_default()
}

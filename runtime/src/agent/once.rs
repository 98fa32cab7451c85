//! A call that must not run twice.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use futures_util::lock::{Mutex as AsyncMutex, OwnedMutexGuard};
use serde_json::Value;

use super::{Inner, pipeline::Call};
use crate::{
    context::lock,
    once::Begun,
    tool::{ErrorKind, ToolError, ToolOutput, code},
};

/// Which calls run now: a second one waits for the first.
pub(super) type Running = Arc<Mutex<HashMap<String, Arc<AsyncMutex<()>>>>>;

/// A call's turn to run. Given back when it is dropped, also in the middle of the call.
pub(super) struct Turn {
    running: Running,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turn {
    async fn take(running: &Running, key: String) -> Self {
        let mutex = Arc::clone(lock(running).entry(key.clone()).or_default());
        let mut turn = Self {
            running: Arc::clone(running),
            key,
            guard: None,
        };
        turn.guard = Some(mutex.lock_owned().await);
        turn
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.guard = None;
        let mut running = lock(&self.running);
        // Only the map itself still knows of it: nobody waits.
        if running
            .get(&self.key)
            .is_some_and(|entry| Arc::strong_count(entry) == 1)
        {
            running.remove(&self.key);
        }
    }
}

/// How a call stands with the memory of calls.
pub(super) enum Once {
    /// The tool does not ask for it.
    Free,
    /// It ran, and this came of it.
    Known(ToolOutput),
    /// The intent is written down. Whoever makes the same call waits until this is dropped.
    Begun(Turn),
}

impl Once {
    pub(super) async fn begin(agent: &Inner, call: &Call<'_>) -> Result<Self, ToolError> {
        let Some((once, clock)) = call.entry.policy.once.zip(agent.clock.as_ref()) else {
            return Ok(Self::Free);
        };
        let turn = Turn::take(&agent.running, key(call, once.key)).await;
        let now = clock.unix_millis();
        let within = u64::try_from(once.within.as_millis()).unwrap_or(u64::MAX);
        let begun = agent
            .once
            .begin(&turn.key, now, now.saturating_add(within))
            .await;
        match begun.map_err(ToolError::failed)? {
            Begun::New => Ok(Self::Begun(turn)),
            Begun::Done(output) => Ok(Self::Known(output)),
            Begun::Unfinished => Err(ToolError::new(
                ErrorKind::Unknown,
                format!(
                    "`{}` was called so before and may have run; verify what it did before calling \
                     it otherwise",
                    call.entry.name
                ),
            )
            .with_code(code::UNKNOWN)),
        }
    }

    /// Writes down what came of it. A failure that may have had an effect stays an intent, and so
    /// does one whose stand-in failed without.
    pub(super) async fn end(
        self,
        agent: &Inner,
        outcome: &Result<ToolOutput, ToolError>,
        has_perhaps_run: bool,
    ) {
        let Self::Begun(turn) = self else {
            return;
        };
        // A store that fails now leaves the intent, and the next call is told that it may have run.
        let _ = match outcome {
            Ok(output) => agent.once.finish(&turn.key, output).await,
            Err(error) if has_perhaps_run || may_have_run(error) => Ok(()),
            Err(_) => agent.once.forget(&turn.key).await,
        };
    }
}

/// Whether a failed call may have changed something all the same.
pub(super) fn may_have_run(error: &ToolError) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::Invalid | ErrorKind::Denied | ErrorKind::NotFound | ErrorKind::Transient
    )
}

/// What makes two calls the same.
fn key(call: &Call<'_>, names: &[&str]) -> String {
    let arguments: Value = serde_json::from_str(call.arguments).unwrap_or_default();
    let mut key = format!("{}\n", call.entry.name);
    if names.is_empty() {
        key.push_str(call.context.conversation());
        key.push('\n');
        canonical(&arguments, &mut key);
    } else {
        for name in names {
            canonical(&arguments[*name], &mut key);
            key.push('\n');
        }
    }
    key
}

/// JSON with sorted keys, whatever order they came in.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in entries {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for value in list {
                canonical(value, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn the_order_of_keys_makes_no_other_call() {
        let text = |json: &str| {
            let mut text = String::new();
            canonical(&serde_json::from_str(json).unwrap(), &mut text);
            text
        };
        assert_eq!(
            text(r#"{"b":[1,{"d":1,"c":2}],"a":"x"}"#),
            text(r#"{"a":"x","b":[1,{"c":2,"d":1}]}"#)
        );
        assert_ne!(text(r#"{"a":"1"}"#), text(r#"{"a":1}"#));
        assert_ne!(text(r#"[["a"],"b"]"#), text(r#"["a",["b"]]"#));
    }
}

//! How a call is carried out, from the model's wish to the one result.

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

use super::{Approval, Event, Inner, nested, once::Once};
use crate::{
    context::Context,
    secrets::blot_out,
    texts::fill,
    tool::{ErrorKind, Invocation, ToolError, ToolOutput, code},
    toolset::Entry,
};

/// One call on its way.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) entry: &'a Entry,
    pub(super) arguments: &'a str,
    pub(super) context: &'a Context,
}

type Outcome = Result<ToolOutput, ToolError>;

/// check -> approval -> once -> deadline { retries { timeout { run } } } -> fallback -> post-process
/// -> cap. Looking the tool up and the gate come before, in `dispatch.rs`.
pub(super) async fn run(agent: &Arc<Inner>, call: Call<'_>) -> Outcome {
    let policy = &call.entry.policy;
    // A person is not asked, and nothing is written down, for arguments that cannot run anyway.
    if call.entry.needs_approval || policy.once.is_some() {
        call.entry.check(call.arguments)?;
    }
    approval(agent, &call).await?;
    let once = match Once::begin(agent, &call).await? {
        Once::Known(output) => return Ok(output),
        once => once,
    };
    let outcome = within(agent, policy.deadline, "in all", &call, tries(agent, &call)).await;
    let outcome = match outcome {
        Err(error) if falls_back(&error) => fallback(agent, &call, error).await,
        outcome => outcome,
    };
    let outcome = outcome.map(|output| shaped(agent, call.entry, output));
    once.end(agent, &outcome).await;
    outcome
}

/// Asks whether a call may run, where its tool demands it.
async fn approval(agent: &Inner, call: &Call<'_>) -> Result<(), ToolError> {
    if !call.entry.needs_approval {
        return Ok(());
    }
    let decided = call.context.decision();
    let approved = match (decided, &agent.approver) {
        (Some(approved), _) => approved,
        // A call within a call: the run cannot pause in the middle of a tool, so "later" is no.
        (None, Some(ask)) => {
            let asked = call.context.tool_call(&call.entry.name, call.arguments);
            ask(asked).await == Approval::Granted
        }
        (None, None) => false,
    };
    if approved {
        return Ok(());
    }
    let message = fill(&agent.texts.not_approved, &[("tool", &call.entry.name)]);
    Err(ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED))
}

/// Runs the tool, again after passing faults where the policy says so.
async fn tries(agent: &Inner, call: &Call<'_>) -> Outcome {
    let policy = &call.entry.policy;
    let limited = policy.deadline.map(|limit| call.context.within(limit));
    let context = limited.as_ref().unwrap_or(call.context);
    let mut failed = 0;
    loop {
        let limited = policy.timeout.map(|limit| context.within(limit));
        let context = limited.as_ref().unwrap_or(context);
        let once = Call { context, ..*call };
        let outcome = within(agent, policy.timeout, "", call, one_try(agent, &once)).await;
        let error = match outcome {
            Err(error) if failed < policy.retries && policy.repeatable && passes(&error) => error,
            outcome => return outcome,
        };
        failed += 1;
        call.context.event(Event::Retried {
            tool: call.entry.name.to_string(),
            attempt: failed,
            error: error.to_string(),
        });
        match &agent.clock {
            Some(clock) => clock.sleep(policy.backoff.pause(failed)).await,
            None => return Err(error),
        }
    }
}

/// Runs the tool once. A panic in it is a failed result.
async fn one_try(agent: &Inner, call: &Call<'_>) -> Outcome {
    let mut invocation = Invocation::new(call.arguments, &agent.states);
    invocation.exact = call.entry.exact;
    invocation.context = Some(call.context);
    // The future is made inside the guarded block: a function that is not async runs then.
    let guarded = async { call.entry.call(invocation).await };
    match AssertUnwindSafe(guarded).catch_unwind().await {
        Ok(outcome) => outcome.map_err(|error| without_secrets(call, error)),
        Err(panic) => {
            let message = format!("the tool panicked: {}", panic_message(panic.as_ref()));
            let error = ToolError::failed(message).with_code(code::PANICKED);
            Err(without_secrets(call, error))
        }
    }
}

/// The same error without the values of secret parameters, should the tool have repeated one.
fn without_secrets(call: &Call<'_>, error: ToolError) -> ToolError {
    let secrets = &call.entry.secrets;
    if secrets.is_empty() {
        return error;
    }
    error.map_message(|message| blot_out(message, call.arguments, secrets))
}

/// Ends a future when its time is over.
async fn within(
    agent: &Inner,
    limit: Option<Duration>,
    of_what: &str,
    call: &Call<'_>,
    run: impl Future<Output = Outcome>,
) -> Outcome {
    let Some((limit, clock)) = limit.zip(agent.clock.as_ref()) else {
        return run.await;
    };
    let run = std::pin::pin!(run);
    match select(run, clock.sleep(limit)).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right(((), _)) => Err(timed_out(call.entry, limit, of_what)),
    }
}

/// A function that blocks cannot be stopped, so what it does after its time is not known.
fn timed_out(entry: &Entry, limit: Duration, of_what: &str) -> ToolError {
    let time = format!(
        "{}{}",
        spoken(limit),
        if of_what.is_empty() { "" } else { " " }
    ) + of_what;
    if entry.blocking && !entry.read_only {
        let message = format!("no result within {time}; it may still run, verify before repeating");
        return ToolError::new(ErrorKind::Unknown, message).with_code(code::UNKNOWN);
    }
    let message = format!("no result within {time}");
    ToolError::new(ErrorKind::Timeout, message).with_code(code::TIMEOUT)
}

fn spoken(time: Duration) -> String {
    if time.subsec_nanos() == 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{} ms", time.as_millis())
    }
}

/// Whether the same call may succeed later.
fn passes(error: &ToolError) -> bool {
    matches!(error.kind(), ErrorKind::Transient | ErrorKind::Timeout)
}

/// Whether another tool may stand in: not for a call that was wrong, refused or perhaps carried out.
fn falls_back(error: &ToolError) -> bool {
    passes(error) || error.kind() == ErrorKind::Failed
}

/// Lets the tool that stands in take the call. It has its own gate, approval and policy.
async fn fallback(agent: &Arc<Inner>, call: &Call<'_>, error: ToolError) -> Outcome {
    let Some(name) = call.entry.fallback.as_deref() else {
        return Err(error);
    };
    call.context.event(Event::FellBack {
        tool: call.entry.name.to_string(),
        to: name.to_owned(),
        error: error.to_string(),
    });
    match nested(agent, call.context, name, call.arguments).await {
        Ok(output) => Ok(output),
        // Both failures, since either may be the one to mend.
        Err(second) => {
            let both = format!("{error}; in its place `{name}`: {second}");
            Err(without_secrets(call, ToolError::new(second.kind(), both)))
        }
    }
}

/// The output as the model gets it.
fn shaped(agent: &Inner, entry: &Entry, output: ToolOutput) -> ToolOutput {
    let output = match entry.policy.post_process {
        Some(change) => change(output),
        None => output,
    };
    output.capped(entry.policy.max_output, &agent.texts.output_cut)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

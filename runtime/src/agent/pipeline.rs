//! How a call is carried out, from the model's wish to the one result.

use std::{
    future::Future,
    panic::AssertUnwindSafe,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

use serde_json::Value;

use super::{
    Approval, Event, Inner,
    approval::asks,
    nested,
    once::{Once, circle},
    panics::{Careful, caught, panic_message},
    turns::{Circle, Turn},
};
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

/// The most bytes of an error, which is meant to be one short line.
const LONGEST_ERROR: usize = 8_192;

type Outcome = Result<ToolOutput, ToolError>;

/// check -> approval -> turn and once -> deadline { retries { timeout { run } } } -> fallback ->
/// post-process -> cap. Looking the tool up and the gate come before, in `dispatch.rs`. A tool that
/// calls another one gets the output as it is: the last two are for the model.
pub(super) async fn run(agent: &Arc<Inner>, call: Call<'_>) -> Outcome {
    let (entry, policy) = (call.entry, &call.entry.policy);
    // A person is not asked, and nothing is written down, for arguments that cannot run anyway.
    let arguments = match entry.needs_approval || policy.once.is_some() {
        true => Some(entry.check(call.arguments)?),
        false => None,
    };
    approval(agent, &call).await?;
    let started = policy
        .deadline
        .zip(agent.clock())
        .map(|(_, clock)| clock.now());
    let begin = pin!(begin(agent, &call, arguments));
    let late = |limit| timed_out(entry, limit, "in all", false);
    let (_turn, once) = match within(agent, policy.deadline, late, begin).await? {
        (_, Once::Known(output)) => return shaped(agent, &call, output),
        begun => begun,
    };
    // Waiting for a turn is a part of the time.
    let passed = started
        .zip(agent.clock())
        .map(|(start, clock)| clock.now().saturating_sub(start));
    let left = policy
        .deadline
        .map(|limit| limit.saturating_sub(passed.unwrap_or_default()));
    let late = |_| timed_out(entry, policy.deadline.unwrap_or_default(), "in all", true);
    let tried = pin!(tries(agent, &call, left));
    let outcome = within(agent, left, late, tried).await;
    call.context.note_effect(&outcome);
    let outcome = match outcome {
        Err(error) if falls_back(&error) => fallback(agent, &call, error).await,
        outcome => outcome,
    };
    let outcome = outcome.map_err(|error| error.capped(policy.max_output.min(LONGEST_ERROR)));
    once.end(agent, call.context.had_effect(), &outcome).await;
    outcome.and_then(|output| shaped(agent, &call, output))
}

/// Waits for the tool's turn, and writes down that the call is about to run, where that is asked for.
async fn begin(
    agent: &Inner,
    call: &Call<'_>,
    arguments: Option<Value>,
) -> Result<(Option<Turn>, Once), ToolError> {
    let turn = match call.entry.serial {
        true => {
            let place = format!("serial {:p} {}", agent, call.entry.name);
            let turn = Turn::take(place, call.context.chain()).await;
            Some(turn.map_err(|Circle| circle(call.entry))?)
        }
        false => None,
    };
    Ok((turn, Once::begin(agent, call, arguments).await?))
}

/// Asks whether a call may run, where its tool demands it. A "no" holds for every tool.
async fn approval(agent: &Inner, call: &Call<'_>) -> Result<(), ToolError> {
    let decided = call.context.decision();
    if !call.entry.needs_approval && decided != Some(false) {
        return Ok(());
    }
    let approved = match (decided, &agent.approver) {
        (Some(approved), _) => approved,
        // A call within a call: the run cannot pause in the middle of a tool, so "later" is no.
        (None, Some(ask)) => {
            let asked = call.context.tool_call(call.entry, call.arguments);
            asks(ask.as_ref(), asked).await == Approval::Granted
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
async fn tries(agent: &Inner, call: &Call<'_>, left: Option<Duration>) -> Outcome {
    let policy = &call.entry.policy;
    let limited = left.map(|limit| call.context.within(limit));
    let all = limited.as_ref().unwrap_or(call.context);
    let mut failed = 0;
    loop {
        let renewed = (failed > 0).then(|| all.renewed());
        let context = renewed.as_ref().unwrap_or(all);
        let limited = policy.timeout.map(|limit| context.within(limit));
        let context = limited.as_ref().unwrap_or(context);
        let this_try = context.begin_try();
        let once = Call { context, ..*call };
        let late = |limit| timed_out(call.entry, limit, "", true);
        let tried = pin!(one_try(agent, &once));
        let outcome = within(agent, policy.timeout, late, tried).await;
        drop(this_try);
        // A later try that changes nothing does not undo what this one may have done.
        call.context.note_effect(&outcome);
        let error = match outcome {
            Err(error) if failed < policy.retries && policy.repeatable && passes(&error) => error,
            outcome => return outcome,
        };
        failed += 1;
        let pause = policy.backoff.pause(failed);
        let Some(clock) = agent.clock() else {
            return Err(error);
        };
        let is_late = all.remaining().is_some_and(|left| left <= pause);
        if is_late && error.kind() != ErrorKind::Timeout {
            // What was wrong says more than that the time is over.
            let late = |message: &str| format!("{message}; no time is left to try again");
            return Err(error.map_message(late));
        }
        call.context.event(Event::Retried {
            tool: call.entry.name.to_string(),
            attempt: failed,
            error: error.to_string(),
        });
        clock.sleep(pause).await;
    }
}

/// Runs the tool once. A panic in it is a failed result.
async fn one_try(agent: &Inner, call: &Call<'_>) -> Outcome {
    let mut invocation = Invocation::new(call.arguments, &agent.states);
    invocation.exact = call.entry.exact;
    invocation.context = Some(call.context);
    // The future is made inside the guarded block: a function that is not async runs then. It is given
    // up with care, since what it holds may panic when it is dropped.
    let guarded = async { Careful::new(call.entry.call(invocation)).await };
    match AssertUnwindSafe(guarded).catch_unwind().await {
        Ok(outcome) => outcome.map_err(|error| without_secrets(call, error)),
        Err(panic) => {
            let message = format!("the tool panicked: {}", panic_message(panic));
            let error = ToolError::failed(message).with_code(code::PANICKED);
            Err(without_secrets(call, error))
        }
    }
}

/// The same error without the values of secret parameters, should the tool have repeated one.
fn without_secrets(call: &Call<'_>, error: ToolError) -> ToolError {
    let secrets = &call.entry.secrets;
    if secrets.is_empty() && !call.context.is_within_secrets() {
        return error;
    }
    error.map_message(|message| {
        let message = blot_out(message, call.arguments, secrets);
        call.context.without_secrets_around(&message)
    })
}

/// Ends a future when its time is over; `late` says what comes of it then. It is pinned where it was
/// made: moving it would cost more than all the rest of a call without a policy.
async fn within<T>(
    agent: &Inner,
    limit: Option<Duration>,
    late: impl FnOnce(Duration) -> ToolError,
    run: Pin<&mut impl Future<Output = Result<T, ToolError>>>,
) -> Result<T, ToolError> {
    let Some((limit, clock)) = limit.zip(agent.clock.as_ref()) else {
        return run.await;
    };
    match select(run, clock.sleep(limit)).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right(((), _)) => Err(late(limit)),
    }
}

/// A function that blocks cannot be stopped, so what it does after its time is not known.
fn timed_out(entry: &Entry, limit: Duration, of_what: &str, began: bool) -> ToolError {
    let space = if of_what.is_empty() { "" } else { " " };
    let time = format!("{}{space}{of_what}", spoken(limit));
    if began && entry.may_go_on() {
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
    match nested(agent, &call.context.renewed(), name, call.arguments).await {
        Ok(output) => Ok(output),
        // Both failures, since either may be the one to mend. Each is without secrets by itself: the
        // tool that stands in has at least those of this one.
        Err(second) => Err(second.behind(&error, name)),
    }
}

/// The output as the model gets it.
fn shaped(agent: &Inner, call: &Call<'_>, output: ToolOutput) -> Outcome {
    if call.context.depth() > 0 {
        return Ok(output);
    }
    let policy = &call.entry.policy;
    let output = match policy.post_process {
        Some(change) => caught(|| change(output)).map_err(|why| {
            let message = format!("what the tool returned could not be shown: {why}");
            ToolError::failed(message).with_code(code::PANICKED)
        })?,
        None => output,
    };
    Ok(output.capped(policy.max_output, &agent.texts.output_cut))
}

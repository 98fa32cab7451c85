//! One step: every call of a response, carried out.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream,
};

use super::{
    Answer, Event, Inner, RunEvent, View, dispatch::Target, hook, observe, open::whole,
    pipeline::Call, run::Shared, watch::Watcher,
};
use crate::{
    cancel::Cancel,
    context::{Context, Step, lock},
    conversation::{Conversation, StopReason, ToolCall, ToolResult},
    tool::{ErrorKind, ToolError, code},
    toolset::Entry,
};

/// One result for every call, in call order, and what happened on the way.
pub(super) async fn step(
    agent: &Arc<Inner>,
    conversation: &mut Conversation,
    calls: &[ToolCall],
    stop: StopReason,
    run: Shared<'_>,
) -> Vec<(ToolResult, Vec<Event>)> {
    let watcher = run.watcher;
    let shared = Arc::new(Step {
        agent: Arc::clone(agent),
        conversation: conversation.id().to_owned(),
        loaded: conversation
            .results()
            .flat_map(|result| result.loads().iter().cloned())
            .collect(),
        session: Mutex::new(conversation.session().clone()),
        changing: Mutex::default(),
        cancel: run.cancel.clone(),
        spent: Arc::clone(run.spent),
        watcher: watcher.clone(),
        decisions: run.decisions,
        ended: AtomicBool::new(false),
    });
    // Also when the run is dropped in the middle: what the tools have kept is kept, and a context that
    // outlives the step does nothing any more.
    let kept = Kept {
        conversation,
        shared: Arc::clone(&shared),
    };
    let conversation = &mut *kept.conversation;
    let mut results: Vec<Option<ToolResult>> = vec![None; calls.len()];
    let mut events: Vec<Vec<Event>> = vec![Vec::new(); calls.len()];
    let (mut together, mut one_by_one) = (Vec::new(), Vec::new());
    for (index, call) in calls.iter().enumerate() {
        let view = View {
            conversation,
            step: &results,
            agent,
        };
        let cut = index >= whole(calls, stop).len();
        let target = if cut {
            let message = agent.texts.cut_off.as_ref();
            Target::Refused(ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS))
        } else {
            agent.target(call, &view)
        };
        match target {
            Target::Builtin(name) => {
                let (result, happened) = builtin(agent, name, call, &view, &shared.cancel).await;
                happened.iter().for_each(|event| watcher.happened(event));
                note(conversation, watcher, &result);
                results[index] = Some(result);
                events[index] = happened;
            }
            Target::Tool(entry, arguments) => {
                let list = if entry.serial {
                    &mut one_by_one
                } else {
                    &mut together
                };
                list.push(tool(agent, &shared, index, call, entry, arguments));
            }
            Target::Refused(error) => {
                let event = Event::CallRefused {
                    tool: call.name().to_owned(),
                    reason: error.to_string(),
                };
                agent.refused(&shared.conversation, &event, call.name());
                watcher.happened(&event);
                events[index].push(event);
                let result = agent.result(call, Err(error));
                note(conversation, watcher, &result);
                results[index] = Some(result);
            }
        }
    }
    let mut done = stream::iter(together).buffer_unordered(agent.concurrency);
    while let Some((index, result, happened)) = done.next().await {
        note(conversation, watcher, &result);
        results[index] = Some(result);
        events[index] = happened;
    }
    drop(done);
    for call in one_by_one {
        let (index, result, happened) = call.await;
        note(conversation, watcher, &result);
        results[index] = Some(result);
        events[index] = happened;
    }
    conversation.forget_noted_results();
    drop(kept);
    let cancelled = &agent.texts.cancelled;
    calls
        .iter()
        .zip(results)
        .zip(events)
        .map(|((call, result), events)| {
            let none = || ToolResult::failed(call, cancelled.as_ref());
            (result.unwrap_or_else(none), events)
        })
        .collect()
}

/// A conversation whose tools run.
struct Kept<'a> {
    conversation: &'a mut Conversation,
    shared: Arc<Step>,
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        let session = lock(&self.shared.session);
        self.shared.ended.store(true, Ordering::Release);
        *self.conversation.session_mut() = session.clone();
    }
}

/// Carries out one call, until it ends or the run is cancelled.
async fn tool(
    agent: &Arc<Inner>,
    shared: &Arc<Step>,
    index: usize,
    call: &ToolCall,
    entry: &Entry,
    arguments: String,
) -> (usize, ToolResult, Vec<Event>) {
    let context = Context::new(shared, call.id());
    let call_of_tool = Call {
        entry,
        arguments: &arguments,
        context: &context,
    };
    let run = hook::call(agent, call_of_tool);
    let called = match () {
        // What ends at the moment of cancelling has ended; what has not begun does not begin.
        () if shared.cancel.is_cancelled() => cancelled(agent).into(),
        () => match select(std::pin::pin!(run), shared.cancel.cancelled()).await {
            Either::Left((called, _)) => called,
            Either::Right(((), _)) => interrupted(agent, entry).into(),
        },
    };
    called.tell(&call_of_tool);
    let mut result = agent.result(call, called.outcome);
    if let Some(note) = agent.deprecation_note(entry) {
        result = result.with_note(note);
        context.event(Event::DeprecatedCalled {
            tool: entry.name.to_string(),
        });
    }
    if !agent.hooks.is_empty() {
        let seen = hook::seen(&call_of_tool);
        hook::each(agent, |hook| hook.after_tool(&seen, &result));
    }
    (index, result, context.take_events())
}

/// Writes a result down as soon as it is there: if the run is dropped in the middle, the model is not
/// made to believe that the call never ran.
fn note(conversation: &mut Conversation, watcher: &Watcher, result: &ToolResult) {
    conversation.note_result(result.clone());
    if watcher.listens() {
        watcher.tell(RunEvent::Result(result.clone()));
    }
}

pub(crate) fn cancelled(agent: &Inner) -> ToolError {
    ToolError::new(ErrorKind::Cancelled, agent.texts.cancelled.as_ref()).with_code(code::CANCELLED)
}

/// A call that was cancelled while it ran. A function that blocks goes on.
fn interrupted(agent: &Inner, entry: &Entry) -> ToolError {
    if entry.may_go_on() {
        let message = "the run was stopped; the tool may still run, verify before repeating";
        return ToolError::new(ErrorKind::Unknown, message).with_code(code::UNKNOWN);
    }
    cancelled(agent)
}

async fn builtin(
    agent: &Inner,
    name: &str,
    call: &ToolCall,
    view: &View<'_>,
    cancel: &Cancel,
) -> (ToolResult, Vec<Event>) {
    let answer = answer(agent, name, call, view, cancel);
    let answer = observe::builtin(agent, view.conversation.id(), call, answer).await;
    let result = ToolResult::from_outcome(call, answer.outcome)
        .loading(answer.loads)
        .with_skill(answer.skill);
    (result, answer.events)
}

/// What a builtin tool answers, unless the run is cancelled first.
async fn answer(
    agent: &Inner,
    name: &str,
    call: &ToolCall,
    view: &View<'_>,
    cancel: &Cancel,
) -> Answer {
    let shown = agent.shown(view.conversation);
    let Some(builtin) = shown.builtin(name) else {
        return Answer::failed(ToolError::failed("no such tool"));
    };
    let answer = builtin.answer_in_time(call.arguments(), view);
    match select(answer, std::pin::pin!(cancel.cancelled())).await {
        Either::Left((answer, _)) => answer,
        Either::Right(((), _)) => Answer::failed(cancelled(agent)),
    }
}

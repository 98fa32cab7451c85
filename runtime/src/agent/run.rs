//! The loop between a model and its tools.

use std::sync::{Arc, Mutex};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream,
};

use super::{
    Agent, Answer, Event, Inner, Reply, Stop, View,
    dispatch::Target,
    pipeline::{self, Call},
};
use crate::{
    cancel::Cancel,
    context::{Context, Step, lock},
    conversation::{Conversation, Item, StopReason, ToolCall, ToolResult, Usage},
    error::Result,
    tool::{ErrorKind, ToolError, code},
    toolset::Entry,
};

impl Agent {
    /// Answers a prompt in a conversation of its own.
    ///
    /// # Errors
    /// The model gave no response. What a tool does wrong is never an error here: the model reads
    /// it and goes on.
    pub async fn run(&self, prompt: impl Into<String>) -> Result<Reply> {
        self.run_in(&mut Conversation::new(), prompt).await
    }

    /// Answers a prompt at the end of a conversation.
    ///
    /// The conversation is complete after every step. If the future is dropped in the middle of
    /// one, the next run closes the calls that were open.
    ///
    /// # Errors
    /// As [`run`](Self::run). The conversation then ends with what the user said or with the last
    /// results, and [`resume`](Self::resume) continues it.
    pub async fn run_in(
        &self,
        conversation: &mut Conversation,
        prompt: impl Into<String>,
    ) -> Result<Reply> {
        self.run_until(conversation, prompt, &Cancel::new()).await
    }

    /// Answers a prompt at the end of a conversation, unless it is cancelled.
    ///
    /// Then every call that has not ended gets a result that says so, and the reply has
    /// [`Stop::Cancelled`] and what the model had said until then.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_until(
        &self,
        conversation: &mut Conversation,
        prompt: impl Into<String>,
        cancel: &Cancel,
    ) -> Result<Reply> {
        conversation.close_open_calls(&self.inner.texts.cancelled);
        conversation.push_user(prompt);
        self.resume_until(conversation, cancel).await
    }

    /// Continues a conversation that ended before the model had given its answer.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn resume(&self, conversation: &mut Conversation) -> Result<Reply> {
        self.resume_until(conversation, &Cancel::new()).await
    }

    /// Continues a conversation, unless it is cancelled.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn resume_until(
        &self,
        conversation: &mut Conversation,
        cancel: &Cancel,
    ) -> Result<Reply> {
        conversation.close_open_calls(&self.inner.texts.cancelled);
        let mut reply = Reply {
            text: String::new(),
            stop: Stop::MaxSteps,
            steps: 0,
            usage: Usage::default(),
            events: Vec::new(),
        };
        while reply.steps < self.inner.max_steps {
            let request = self.request(conversation);
            let response = self.inner.model.respond(request);
            let mut turn = match select(response, cancel.cancelled()).await {
                Either::Left((turn, _)) => turn?,
                Either::Right(((), _)) => {
                    reply.stop = Stop::Cancelled;
                    break;
                }
            };
            if let Some(search) = self.inner.search_name() {
                turn.mark_searches(search);
            }
            reply.steps += 1;
            reply.usage += turn.usage();
            reply.text = turn.text();
            let calls: Vec<ToolCall> = turn.calls().cloned().collect();
            let stop = turn.stop();
            conversation.push(Item::Model(turn));
            if calls.is_empty() {
                reply.stop = match stop {
                    StopReason::MaxTokens => Stop::MaxTokens,
                    StopReason::Refused => Stop::Refused,
                    _ => Stop::Done,
                };
                break;
            }
            let step = step(&self.inner, conversation, &calls, stop, cancel).await;
            let (results, events): (Vec<_>, Vec<_>) = step.into_iter().unzip();
            reply.events.extend(events.into_iter().flatten());
            conversation.push(Item::Results(results));
            if cancel.is_cancelled() {
                reply.stop = Stop::Cancelled;
                break;
            }
        }
        Ok(reply)
    }
}

/// One result for every call, in call order, and what happened on the way.
async fn step(
    agent: &Arc<Inner>,
    conversation: &mut Conversation,
    calls: &[ToolCall],
    stop: StopReason,
    cancel: &Cancel,
) -> Vec<(ToolResult, Vec<Event>)> {
    let shared = Arc::new(Step {
        agent: Arc::clone(agent),
        conversation: conversation.id().to_owned(),
        loaded: conversation
            .results()
            .flat_map(|result| result.loads().iter().cloned())
            .collect(),
        session: Mutex::new(conversation.session().clone()),
        cancel: cancel.clone(),
    });
    let mut results: Vec<Option<ToolResult>> = vec![None; calls.len()];
    let mut events: Vec<Vec<Event>> = vec![Vec::new(); calls.len()];
    let (mut together, mut one_by_one) = (Vec::new(), Vec::new());
    for (index, call) in calls.iter().enumerate() {
        let view = View {
            conversation,
            step: &results,
        };
        let cut = stop == StopReason::MaxTokens && index + 1 == calls.len();
        let target = if cut {
            let message = agent.texts.cut_off.as_ref();
            Target::Refused(ToolError::new(ErrorKind::Invalid, message).with_code(code::ARGUMENTS))
        } else {
            agent.target(call, &view)
        };
        match target {
            Target::Builtin(name) => {
                let (result, event) = builtin(agent, name, call, &view);
                results[index] = Some(result);
                events[index].extend(event);
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
                events[index].push(Event::CallRefused {
                    tool: call.name().to_owned(),
                    reason: error.to_string(),
                });
                results[index] = Some(ToolResult::from_outcome(call, Err(error)));
            }
        }
    }
    let mut done = stream::iter(together).buffer_unordered(agent.concurrency);
    while let Some((index, result, happened)) = done.next().await {
        results[index] = Some(result);
        events[index] = happened;
    }
    drop(done);
    for call in one_by_one {
        let (index, result, happened) = call.await;
        results[index] = Some(result);
        events[index] = happened;
    }
    *conversation.session_mut() = lock(&shared.session).clone();
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
    let run = pipeline::run(
        agent,
        Call {
            entry,
            arguments: &arguments,
            context: &context,
        },
    );
    let outcome = match select(std::pin::pin!(run), shared.cancel.cancelled()).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right(((), _)) => Err(cancelled(agent)),
    };
    let mut events = context.take_events();
    events.push(Event::ToolCalled {
        tool: entry.name.to_string(),
        failed: outcome.is_err(),
    });
    (index, ToolResult::from_outcome(call, outcome), events)
}

fn cancelled(agent: &Inner) -> ToolError {
    ToolError::new(ErrorKind::Cancelled, agent.texts.cancelled.as_ref()).with_code(code::CANCELLED)
}

fn builtin(
    agent: &Inner,
    name: &str,
    call: &ToolCall,
    view: &View<'_>,
) -> (ToolResult, Option<Event>) {
    let answer = match agent.shown.builtin(name) {
        Some(builtin) => builtin.answer(call.arguments(), view),
        None => Answer::failed(ToolError::failed("no such tool")),
    };
    let result = ToolResult::from_outcome(call, answer.outcome).loading(answer.loads);
    (result, answer.event)
}

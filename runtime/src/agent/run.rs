//! The loop between a model and its tools.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream,
};

use super::{
    Agent, Answer, Decision, Event, Inner, Reply, Stop, View,
    approval::must_pause,
    dispatch::Target,
    pipeline::{self, Call},
};
use crate::{
    cancel::Cancel,
    context::{Context, Step, lock},
    conversation::{Conversation, Item, ModelTurn, StopReason, ToolCall, ToolResult},
    error::{Error, Result},
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
        let agent = &self.inner;
        if !conversation.is_waiting() {
            conversation.close_open_calls(&agent.texts.cancelled);
        }
        let started = agent.clock.as_ref().map(|clock| clock.now());
        let mut reply = Reply::new();
        let mut called = 0;
        loop {
            let (calls, stop) = match self.open_calls(conversation) {
                Some(open) => open,
                None => {
                    if let Some(stop) = self.limit(&reply, called, started) {
                        reply.stop = stop;
                        break;
                    }
                    let Some(turn) = self.turn(conversation, cancel).await? else {
                        reply.stop = Stop::Cancelled;
                        break;
                    };
                    reply.add(&turn);
                    let calls: Vec<ToolCall> = turn.calls().cloned().collect();
                    let stop = turn.stop();
                    conversation.push(Item::Model(turn));
                    (calls, stop)
                }
            };
            if calls.is_empty() {
                reply.stop = match stop {
                    StopReason::Paused => continue,
                    StopReason::MaxTokens => Stop::MaxTokens,
                    StopReason::Refused => Stop::Refused,
                    StopReason::Other => Stop::Other,
                    StopReason::End | StopReason::ToolCalls => Stop::Done,
                };
                break;
            }
            if must_pause(agent, conversation, &calls).await {
                conversation.wait();
                reply.stop = Stop::AwaitingApproval;
                break;
            }
            called += calls.len();
            let step = step(agent, conversation, &calls, stop, cancel).await;
            let (results, events): (Vec<_>, Vec<_>) = step.into_iter().unzip();
            reply.events.extend(events.into_iter().flatten());
            conversation.push(Item::Results(results));
            self.save(conversation).await?;
            if cancel.is_cancelled() {
                reply.stop = Stop::Cancelled;
                break;
            }
        }
        self.save(conversation).await?;
        Ok(reply)
    }

    /// The calls of a response that waited for approval.
    fn open_calls(&self, conversation: &Conversation) -> Option<(Vec<ToolCall>, StopReason)> {
        match conversation.items().last() {
            Some(Item::Model(turn)) if conversation.is_waiting() => {
                Some((turn.calls().cloned().collect(), turn.stop()))
            }
            _ => None,
        }
    }

    /// One response, or nothing if the run was cancelled.
    async fn turn(
        &self,
        conversation: &Conversation,
        cancel: &Cancel,
    ) -> Result<Option<ModelTurn>> {
        let agent = &self.inner;
        for hook in &agent.hooks {
            hook.before_request(conversation);
        }
        let response = agent.model.respond(self.request(conversation));
        let mut turn = match select(response, cancel.cancelled()).await {
            Either::Left((turn, _)) => turn?,
            Either::Right(((), _)) => return Ok(None),
        };
        turn.separate_ids();
        if let Some(search) = agent.search_name() {
            turn.mark_searches(search);
        }
        for hook in &agent.hooks {
            hook.after_response(&turn);
        }
        Ok(Some(turn))
    }

    /// The limit that was reached, if any.
    fn limit(&self, reply: &Reply, called: usize, started: Option<Duration>) -> Option<Stop> {
        let agent = &self.inner;
        let limits = &agent.limits;
        let used = reply
            .usage
            .input_tokens
            .saturating_add(reply.usage.output_tokens);
        let passed = || {
            let now = agent.clock.as_ref()?.now();
            Some(now.saturating_sub(started?))
        };
        if reply.steps >= agent.max_steps {
            Some(Stop::MaxSteps)
        } else if limits.tokens.is_some_and(|most| used >= most) {
            Some(Stop::TokenLimit)
        } else if limits.calls.is_some_and(|most| called >= most) {
            Some(Stop::CallLimit)
        } else if limits
            .time
            .is_some_and(|most| passed().is_some_and(|passed| passed >= most))
        {
            Some(Stop::TimeLimit)
        } else {
            None
        }
    }

    async fn save(&self, conversation: &Conversation) -> Result<()> {
        match &self.inner.store {
            Some(store) => store.save(conversation).await.map_err(Error::Store),
            None => Ok(()),
        }
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
        decisions: conversation.take_decisions().into_iter().collect(),
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
    // Whatever has ended is written down at once: if the run is dropped in the middle, the model is
    // not made to believe that it never ran.
    for result in results.iter().flatten() {
        conversation.note_result(result.clone());
    }
    let mut done = stream::iter(together).buffer_unordered(agent.concurrency);
    while let Some((index, result, happened)) = done.next().await {
        conversation.note_result(result.clone());
        results[index] = Some(result);
        events[index] = happened;
    }
    drop(done);
    for call in one_by_one {
        let (index, result, happened) = call.await;
        conversation.note_result(result.clone());
        results[index] = Some(result);
        events[index] = happened;
    }
    conversation.forget_noted_results();
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
    let refused = agent
        .hooks
        .iter()
        .find_map(|hook| match hook.before_tool(call) {
            Decision::Run => None,
            Decision::Refuse(why) => Some(why),
        });
    let outcome = match refused {
        Some(why) => Err(ToolError::new(ErrorKind::Denied, why).with_code(code::DENIED)),
        None => match select(std::pin::pin!(run), shared.cancel.cancelled()).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right(((), _)) => Err(cancelled(agent)),
        },
    };
    let mut events = context.take_events();
    events.push(Event::ToolCalled {
        tool: entry.name.to_string(),
        failed: outcome.is_err(),
    });
    let result = ToolResult::from_outcome(call, outcome);
    for hook in &agent.hooks {
        hook.after_tool(call, &result);
    }
    (index, result, events)
}

pub(super) fn cancelled(agent: &Inner) -> ToolError {
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
    let result = ToolResult::from_outcome(call, answer.outcome)
        .loading(answer.loads)
        .with_skill(answer.skill);
    (result, answer.event)
}

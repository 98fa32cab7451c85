//! The loop between a model and its tools.

use std::panic::AssertUnwindSafe;

use futures_util::{FutureExt, future::join_all};

use super::{Agent, Answer, Event, Inner, Reply, Stop, View, dispatch::Target};
use crate::{
    conversation::{Conversation, Item, StopReason, ToolCall, ToolResult, Usage},
    error::Result,
    texts::fill,
    tool::{ErrorKind, Invocation, ToolError, ToolOutput, code},
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
        conversation.close_open_calls(&self.inner.texts.cancelled);
        conversation.push_user(prompt);
        self.resume(conversation).await
    }

    /// Continues a conversation that ended before the model had given its answer.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn resume(&self, conversation: &mut Conversation) -> Result<Reply> {
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
            let mut turn = self.inner.model.respond(request).await?;
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
            let step = self.inner.step(conversation, &calls, stop).await;
            let (results, events): (Vec<_>, Vec<_>) = step.into_iter().unzip();
            reply.events.extend(events.into_iter().flatten());
            conversation.push(Item::Results(results));
        }
        Ok(reply)
    }
}

impl Inner {
    /// One result for every call, in call order.
    async fn step(
        &self,
        conversation: &Conversation,
        calls: &[ToolCall],
        stop: StopReason,
    ) -> Vec<(ToolResult, Option<Event>)> {
        let mut results: Vec<Option<ToolResult>> = vec![None; calls.len()];
        let mut events: Vec<Option<Event>> = vec![None; calls.len()];
        let mut running = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let view = View {
                conversation,
                step: &results,
            };
            let cut = stop == StopReason::MaxTokens && index + 1 == calls.len();
            let target = if cut {
                Target::Refused(
                    ToolError::new(ErrorKind::Invalid, self.texts.cut_off.as_ref())
                        .with_code(code::ARGUMENTS),
                )
            } else {
                self.target(call, &view)
            };
            match target {
                Target::Builtin(name) => {
                    let (result, event) = self.builtin(name, call, &view);
                    results[index] = Some(result);
                    events[index] = event;
                }
                Target::Tool(entry, arguments) => running.push(async move {
                    let outcome = match self.approval(entry, call).await {
                        Ok(()) => self.call(entry, &arguments).await,
                        Err(denied) => Err(denied),
                    };
                    (index, entry, outcome)
                }),
                Target::Refused(error) => {
                    events[index] = Some(Event::CallRefused {
                        tool: call.name().to_owned(),
                        reason: error.to_string(),
                    });
                    results[index] = Some(ToolResult::from_outcome(call, Err(error)));
                }
            }
        }
        for (index, entry, outcome) in join_all(running).await {
            events[index] = Some(Event::ToolCalled {
                tool: entry.name.to_string(),
                failed: outcome.is_err(),
            });
            results[index] = Some(ToolResult::from_outcome(&calls[index], outcome));
        }
        calls
            .iter()
            .zip(results)
            .zip(events)
            .map(|((call, result), event)| {
                let result = result
                    .unwrap_or_else(|| ToolResult::failed(call, self.texts.cancelled.as_ref()));
                (result, event)
            })
            .collect()
    }

    fn builtin(&self, name: &str, call: &ToolCall, view: &View<'_>) -> (ToolResult, Option<Event>) {
        let answer = match self.shown.builtin(name) {
            Some(builtin) => builtin.answer(call.arguments(), view),
            None => Answer::failed(ToolError::failed("no such tool")),
        };
        let result = ToolResult::from_outcome(call, answer.outcome).loading(answer.loads);
        (result, answer.event)
    }

    /// Asks whether a call may run, where its tool demands it.
    async fn approval(&self, entry: &Entry, call: &ToolCall) -> Result<(), ToolError> {
        if !entry.needs_approval {
            return Ok(());
        }
        let approved = match &self.approver {
            Some(ask) => ask(call.clone()).await,
            None => false,
        };
        if approved {
            Ok(())
        } else {
            let message = fill(&self.texts.not_approved, &[("tool", &entry.name)]);
            Err(ToolError::new(ErrorKind::Denied, message).with_code(code::DENIED))
        }
    }

    /// Runs a tool. A panic in it is a failed result.
    async fn call(&self, entry: &Entry, arguments: &str) -> Result<ToolOutput, ToolError> {
        let invocation = Invocation::new(arguments, &self.states);
        // The future is made inside the guarded block: a function that is not async runs then.
        let guarded = async { entry.call(invocation).await };
        match AssertUnwindSafe(guarded).catch_unwind().await {
            Ok(outcome) => outcome,
            Err(panic) => Err(ToolError::failed(format!(
                "the tool panicked: {}",
                panic_message(panic.as_ref())
            ))
            .with_code(code::PANICKED)),
        }
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

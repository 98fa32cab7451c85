//! Where runs, responses and calls are measured and traced.

use std::{future::Future, sync::Arc, time::Duration};

use tracing::{Instrument, Span};

use super::{
    Answer, Event, Inner, Reply, Stop, hook,
    metrics::Ended,
    pipeline::{self, Call},
    trace,
};
use crate::{
    conversation::{ModelTurn, ToolCall},
    error::Result,
    model::ModelError,
    tool::{ErrorKind, ToolError, ToolOutput},
};

impl Inner {
    fn now(&self) -> Option<Duration> {
        self.clock.as_ref().map(|clock| clock.now())
    }

    fn since(&self, start: Option<Duration>) -> Option<Duration> {
        Some(self.now()?.saturating_sub(start?))
    }

    /// Measures, traces and tells of something that happened.
    pub(crate) fn happened(&self, conversation: &str, event: &Event) {
        let index = match event {
            Event::Retried { tool, .. } | Event::FellBack { tool, .. } => self.index(tool),
            _ => None,
        };
        self.recorder.event(event, index);
        trace::event(self, event);
        hook::each(self, |hook| hook.on_event(conversation, event));
    }

    /// Counts a call that a hook refused.
    pub(super) fn refused_by_hook(&self, tool: &str) {
        self.recorder.refused(self.index(tool));
    }

    /// The same for a call that was refused before anything ran.
    pub(super) fn refused(&self, conversation: &str, event: &Event, name: &str) {
        self.recorder.refused(self.index(name));
        self.happened(conversation, event);
    }
}

/// A run, from its first step to its end.
pub(super) struct Observed {
    agent: Arc<Inner>,
    span: Span,
    start: Option<Duration>,
    open: bool,
    /// A step has failed, after that time. It counts when nothing follows: the step may be tried
    /// again.
    failed: Option<Option<Duration>>,
}

impl Observed {
    pub(super) fn new(agent: &Arc<Inner>, conversation: &str) -> Self {
        Self {
            agent: Arc::clone(agent),
            span: trace::run(agent, conversation),
            start: agent.now(),
            open: false,
            failed: None,
        }
    }

    /// A step begins, within this span.
    pub(super) fn begin(&mut self) -> Span {
        self.open = true;
        self.failed = None;
        self.span.clone()
    }

    /// A step has ended, perhaps the run with it.
    pub(super) fn end(&mut self, ended: &Result<Option<Stop>>, reply: &Reply) {
        let stop = match ended {
            Ok(Some(stop)) => Some(*stop),
            Ok(None) => return,
            Err(_) => None,
        };
        let time = self.agent.since(self.start);
        match stop {
            Some(_) => {
                trace::run_ended(&self.span, Some(reply));
                self.agent.recorder.run(stop, time);
            }
            None => self.failed = Some(time),
        }
        self.open = false;
    }
}

impl Drop for Observed {
    /// A run that began and was given up, in the middle of a step or after one that failed.
    fn drop(&mut self) {
        match self.failed {
            Some(time) => {
                trace::run_ended(&self.span, None);
                self.agent.recorder.run(None, time);
            }
            None if self.open => self.agent.recorder.abandoned(),
            None => {}
        }
    }
}

/// One response of the model.
pub(super) async fn response(
    agent: &Inner,
    response: impl Future<Output = Result<ModelTurn, ModelError>>,
) -> Result<ModelTurn, ModelError> {
    let start = agent.now();
    let span = trace::chat(agent);
    let mut given_up = OnDrop(Some(|| {
        trace::cancelled(&span);
        agent.recorder.model(|model| {
            model.calls += 1;
            model.cancelled += 1;
        });
    }));
    let turn = response.instrument(span.clone()).await;
    given_up.0 = None;
    trace::chat_ended(agent, &span, turn.as_ref().ok());
    let time = agent.since(start);
    agent.recorder.model(|model| {
        model.calls += 1;
        match &turn {
            Ok(turn) => {
                model.usage += turn.usage();
                if let Some(time) = time {
                    model.latency.add(time);
                }
            }
            Err(_) => model.failed += 1,
        }
    });
    turn
}

/// One call of a user's tool.
pub(super) async fn call(agent: &Arc<Inner>, call: Call<'_>) -> Result<ToolOutput, ToolError> {
    let start = agent.now();
    let (entry, nested) = (call.entry, call.context.depth() > 0);
    let index = agent.index(&entry.name);
    let span = trace::tool(
        &entry.name,
        entry.version.as_deref(),
        call.context.call_id(),
    );
    let arguments = || call.context.shown(entry, call.arguments);
    trace::tool_arguments(agent, &span, arguments);
    let record = |failure| {
        let time = agent.since(start);
        let ended = Ended {
            failure,
            nested,
            time,
        };
        agent.recorder.tool(index, |tool| tool.ended(ended));
    };
    let mut given_up = OnDrop(Some(|| {
        trace::cancelled(&span);
        record(Some(ErrorKind::Cancelled));
    }));
    let outcome = pipeline::run(agent, call).instrument(span.clone()).await;
    given_up.0 = None;
    record(outcome.as_ref().err().map(ToolError::kind));
    trace::tool_ended(agent, &span, &outcome);
    outcome
}

/// One call of a tool of the SDK.
pub(super) async fn builtin(
    agent: &Inner,
    conversation: &str,
    call: &ToolCall,
    answer: impl Future<Output = Answer>,
) -> Answer {
    let start = agent.now();
    let span = trace::tool(call.name(), None, call.id());
    trace::tool_arguments(agent, &span, || call.shown_arguments().into_owned());
    let answer = answer.instrument(span.clone()).await;
    let failure = answer.outcome.as_ref().err().map(ToolError::kind);
    let time = agent.since(start);
    let nested = false;
    agent.recorder.builtin(
        call.name(),
        Ended {
            failure,
            nested,
            time,
        },
    );
    let happened = |event| agent.happened(conversation, event);
    span.in_scope(|| answer.events.iter().for_each(happened));
    skill(agent, call, failure.is_some(), answer.events.first());
    trace::tool_ended(agent, &span, &answer.outcome);
    answer
}

/// Counts what a call had to do with a skill that exists.
fn skill(agent: &Inner, call: &ToolCall, failed: bool, event: Option<&Event>) {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    if call.name() != agent.texts.read_skill {
        return;
    }
    let named = serde_json::from_str::<Named>(call.arguments());
    if let Ok(Named { name }) = named
        && agent.skills.get(&name).is_some()
    {
        let read = matches!(event, Some(Event::SkillRead { .. }));
        agent.recorder.skill(&name, read, failed);
    }
}

/// Does something if it is dropped before it was told not to: a future that is given up.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(act) = self.0.take() {
            act();
        }
    }
}

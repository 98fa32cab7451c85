//! One call by itself, without a model that makes it.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use futures_util::future::{Either, select};

use super::{Agent, Event, Watcher, dispatch::Target, hook, pipeline::Call, step::cancelled};
use crate::{
    cancel::Cancel,
    context::{Context, Step, lock},
    conversation::Conversation,
    protocol::Definition,
    tool::{ToolError, ToolOutput},
};

/// A call that no model made.
pub(crate) struct Alone<'a> {
    pub(crate) tool: &'a str,
    pub(crate) arguments: &'a str,
    /// The deferred tools that count as loaded. None: all.
    pub(crate) loaded: Option<&'a [String]>,
    pub(crate) cancel: &'a Cancel,
}

impl Agent {
    /// Carries out one call as a step of a run would: gate, pipeline, events, shared values.
    pub(crate) async fn call_alone(
        &self,
        conversation: &mut Conversation,
        call: Alone<'_>,
    ) -> (Result<ToolOutput, ToolError>, Vec<Event>) {
        let agent = &self.inner;
        let loaded: HashSet<String> = match call.loaded {
            Some(names) => names.iter().cloned().collect(),
            None => {
                let names = agent.offers.first().deferred.iter().map(Definition::name);
                names.map(str::to_owned).collect()
            }
        };
        let step = Arc::new(Step {
            agent: Arc::clone(agent),
            conversation: conversation.id().to_owned(),
            loaded,
            session: Mutex::new(conversation.session().clone()),
            changing: Mutex::default(),
            cancel: call.cancel.clone(),
            spent: Arc::default(),
            watcher: Watcher::default(),
            decisions: Default::default(),
            ended: Default::default(),
        });
        let target = agent.user_tool(call.tool, call.arguments, |tool| step.loaded.contains(tool));
        let tool = call.tool.to_owned();
        let (entry, arguments) = match target {
            Target::Tool(entry, arguments) => (entry, arguments),
            Target::Refused(error) => {
                let reason = error.to_string();
                return (Err(error), vec![Event::CallRefused { tool, reason }]);
            }
            // `user_tool` never comes to one of the SDK's.
            Target::Builtin(_) => return (Err(ToolError::failed("no such tool")), Vec::new()),
        };
        let context = Context::new(&step, "call_1");
        let made = Call {
            entry,
            arguments: &arguments,
            context: &context,
        };
        let run = hook::call(agent, made);
        let called = match select(std::pin::pin!(run), step.cancel.cancelled()).await {
            Either::Left((called, _)) => called,
            Either::Right(((), _)) => cancelled(agent).into(),
        };
        called.tell(&made);
        let events = context.take_events();
        let outcome = called.outcome;
        *conversation.session_mut() = lock(&step.session).clone();
        (outcome, events)
    }
}

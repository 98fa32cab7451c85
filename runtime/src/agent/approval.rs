//! Whether a call may run, and who decides.

use std::sync::Arc;

use super::{Inner, dispatch::Target, panics::caught_async};
use crate::{
    conversation::{Conversation, ToolCall},
    maybe_send::BoxFuture,
};

/// The answer to the question whether a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// It may.
    Granted,
    /// It may not; the model is told so.
    Denied,
    /// Nobody can say now. The run pauses before anything of the step has run, and can go on in
    /// another process: see [`Conversation::decide`].
    Later,
}

impl From<bool> for Approval {
    fn from(yes: bool) -> Self {
        if yes { Self::Granted } else { Self::Denied }
    }
}

/// Says whether a call may run.
#[cfg(not(target_arch = "wasm32"))]
pub(super) type Approver = dyn Fn(ToolCall) -> BoxFuture<'static, Approval> + Send + Sync;
/// Says whether a call may run.
#[cfg(target_arch = "wasm32")]
pub(super) type Approver = dyn Fn(ToolCall) -> BoxFuture<'static, Approval>;

/// Asks for every call of a step that needs it and has no decision yet, and says whether the run
/// has to pause.
pub(super) async fn must_pause(
    agent: &Arc<Inner>,
    conversation: &mut Conversation,
    calls: &[ToolCall],
) -> bool {
    let Some(ask) = &agent.approver else {
        return false;
    };
    let mut pause = false;
    for call in calls {
        if conversation.decision(call.id()).is_some() {
            continue;
        }
        let Some(asked) = needs_approval(agent, conversation, call) else {
            continue;
        };
        match asks(ask.as_ref(), asked).await {
            Approval::Granted => conversation.note_decision(call.id(), Some(true)),
            Approval::Denied => conversation.note_decision(call.id(), Some(false)),
            Approval::Later => {
                conversation.note_decision(call.id(), None);
                pause = true;
            }
        }
    }
    pause
}

/// The call to ask for, if its tool demands it: under the name of the tool that would run, and without
/// secrets.
fn needs_approval(agent: &Inner, conversation: &Conversation, call: &ToolCall) -> Option<ToolCall> {
    let view = super::View {
        conversation,
        step: &[],
        agent,
    };
    match agent.target(call, &view) {
        // For arguments that cannot run, nobody is asked.
        Target::Tool(entry, arguments)
            if entry.needs_approval && entry.check(&arguments).is_ok() =>
        {
            let arguments = entry.shown(&arguments);
            Some(ToolCall::new(call.id(), entry.name.as_ref(), arguments))
        }
        _ => None,
    }
}

/// Asks whoever decides. Where that panics, nobody has said yes.
pub(super) async fn asks(approver: &Approver, call: ToolCall) -> Approval {
    caught_async(|| approver(call))
        .await
        .unwrap_or(Approval::Denied)
}

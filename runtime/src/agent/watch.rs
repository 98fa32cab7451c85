//! Whoever looks on while a run goes on.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};

use std::sync::Arc;

use super::{Event, RunEvent};
use crate::context::Context;

/// Hears what happens, if anyone listens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watcher {
    sender: Option<UnboundedSender<RunEvent>>,
    /// The call of another run that this one stands in, and the name of its tool.
    outer: Option<Arc<(Context, String)>>,
}

impl Watcher {
    /// A watcher and where its events arrive.
    pub(super) fn new() -> (Self, UnboundedReceiver<RunEvent>) {
        let (sender, receiver) = unbounded();
        let watcher = Self {
            sender: Some(sender),
            outer: None,
        };
        (watcher, receiver)
    }

    /// A watcher that passes events on to the run around this one.
    pub(super) fn within(context: &Context, tool: &str) -> Self {
        Self {
            sender: None,
            outer: Some(Arc::new((context.clone(), tool.to_owned()))),
        }
    }

    pub(super) fn listens(&self) -> bool {
        self.sender.is_some()
    }

    pub(super) fn tell(&self, event: RunEvent) {
        if let Some(sender) = &self.sender {
            // Nobody hears it any more: that is no fault of the run.
            let _ = sender.unbounded_send(event);
        }
    }

    /// Tells of an event that is also kept for the reply.
    pub(crate) fn happened(&self, event: &Event) {
        if let Some((context, tool)) = self.outer.as_deref() {
            context.event(Event::Within {
                tool: tool.clone(),
                event: Box::new(event.clone()),
            });
        }
        if self.listens() {
            self.tell(RunEvent::Happened(event.clone()));
        }
    }
}

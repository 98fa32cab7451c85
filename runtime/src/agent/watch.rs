//! Whoever looks on while a run goes on.

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};

use super::{Event, RunEvent};

/// Hears what happens, if anyone listens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watcher {
    sender: Option<UnboundedSender<RunEvent>>,
}

impl Watcher {
    /// A watcher and where its events arrive.
    pub(super) fn new() -> (Self, UnboundedReceiver<RunEvent>) {
        let (sender, receiver) = unbounded();
        let sender = Some(sender);
        (Self { sender }, receiver)
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
        if self.listens() {
            self.tell(RunEvent::Happened(event.clone()));
        }
    }
}

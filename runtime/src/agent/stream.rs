//! A run whose events arrive while it goes on.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures_channel::mpsc::UnboundedReceiver;
use futures_util::{Stream, StreamExt};

use super::{Event, Reply};
use crate::{
    conversation::ToolResult, error::Result, maybe_send::BoxFuture, protocol::StreamEvent,
};

/// Something that happens in a run, told when it happens.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RunEvent {
    /// A piece of the model's response.
    Model(StreamEvent),
    /// A tool was called, tells of its progress, is tried again, and the like.
    Happened(Event),
    /// A call has its result. Calls of one step end in any order.
    Result(ToolResult),
    /// The run has ended. Nothing follows.
    Reply(Reply),
}

/// A run whose events arrive while it goes on, from [`Agent::run_stream`](super::Agent::run_stream)
/// or [`Run::stream`](super::Run::stream).
///
/// It is a [`Stream`], and has [`next`](Self::next) for programs that use no other streams. The last
/// event is [`RunEvent::Reply`], or an error. Nothing goes on unless it is asked for the next event;
/// dropping it ends the run as dropping its future would.
///
/// ```
/// use repertoire::{Agent, Responses, agent::RunEvent, protocol::StreamEvent, testing::{Rule, Script}};
///
/// # async fn run() -> repertoire::Result<()> {
/// let agent = Agent::builder(Script::new(Responses::new("m")).rule(Rule::say("Hello."))).build()?;
/// let mut events = agent.run_stream("Hi");
/// while let Some(event) = events.next().await {
///     match event? {
///         RunEvent::Model(StreamEvent::Text(text)) => print!("{text}"),
///         RunEvent::Reply(reply) => assert_eq!(reply.text(), "Hello."),
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a run goes on only while its events are asked for"]
pub struct RunStream<'a> {
    /// Gone when the run has ended.
    run: Option<BoxFuture<'a, Result<Reply>>>,
    events: UnboundedReceiver<RunEvent>,
    /// What the run came to, told after all events.
    end: Option<Result<Reply>>,
}

impl<'a> RunStream<'a> {
    pub(super) fn new(
        run: BoxFuture<'a, Result<Reply>>,
        events: UnboundedReceiver<RunEvent>,
    ) -> Self {
        Self {
            run: Some(run),
            events,
            end: None,
        }
    }

    /// The next event, or nothing when the run has ended.
    ///
    /// # Errors
    /// As [`Agent::run`](super::Agent::run); nothing follows.
    pub async fn next(&mut self) -> Option<Result<RunEvent>> {
        StreamExt::next(self).await
    }
}

impl Stream for RunStream<'_> {
    type Item = Result<RunEvent>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            // What has happened comes before what happens next.
            if let Poll::Ready(Some(event)) = this.events.poll_next_unpin(context) {
                return Poll::Ready(Some(Ok(event)));
            }
            let Some(run) = &mut this.run else {
                let end = this.end.take();
                return Poll::Ready(end.map(|end| end.map(RunEvent::Reply)));
            };
            match run.as_mut().poll(context) {
                Poll::Ready(end) => {
                    this.run = None;
                    this.end = Some(end);
                }
                // The run may have told something just now.
                Poll::Pending => match this.events.poll_next_unpin(context) {
                    Poll::Ready(Some(event)) => return Poll::Ready(Some(Ok(event))),
                    _ => return Poll::Pending,
                },
            }
        }
    }
}

impl fmt::Debug for RunStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunStream")
            .field("ended", &self.run.is_none())
            .finish_non_exhaustive()
    }
}

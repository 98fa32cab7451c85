//! The ways to begin a run.

use super::{Agent, Reply, Run, RunStream, cancelled, held::Held};
use crate::{
    cancel::Cancel,
    conversation::{Conversation, UserMessage},
    error::Result,
};

impl Agent {
    /// Answers a prompt in a conversation of its own.
    ///
    /// # Errors
    /// The model gave no response. What a tool does wrong is never an error here: the model reads
    /// it and goes on.
    pub async fn run(&self, prompt: impl Into<UserMessage>) -> Result<Reply> {
        self.run_in(&mut Conversation::new(), prompt).await
    }

    /// Answers a prompt at the end of a conversation.
    ///
    /// The conversation is complete after every step. If the future is dropped in the middle of
    /// one, the next run closes the calls that were open.
    ///
    /// # Errors
    /// As [`run`](Self::run). The conversation then ends with what the user said, with the last
    /// results, or, where it could not be saved, with calls that were not run;
    /// [`resume`](Self::resume) continues it.
    pub async fn run_in(
        &self,
        conversation: &mut Conversation,
        prompt: impl Into<UserMessage>,
    ) -> Result<Reply> {
        self.start(conversation, prompt).finish().await
    }

    /// Answers a prompt at the end of a conversation, unless it is cancelled.
    ///
    /// Then every call that has not ended gets a result that says so, and the reply has
    /// [`Stop::Cancelled`](crate::Stop::Cancelled) and what the model had said until then.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn run_until(
        &self,
        conversation: &mut Conversation,
        prompt: impl Into<UserMessage>,
        cancel: &Cancel,
    ) -> Result<Reply> {
        let run = self.start(conversation, prompt);
        run.cancelled_by(cancel).finish().await
    }

    /// Answers a prompt in a conversation of its own, and tells what happens while it happens.
    pub fn run_stream(&self, prompt: impl Into<UserMessage>) -> RunStream<'static> {
        let mut conversation = Conversation::new();
        conversation.push_user(prompt);
        Run::new(self, Held::Owned(Box::new(conversation))).stream()
    }

    /// Continues a conversation that ended before the model had given its answer.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub async fn resume(&self, conversation: &mut Conversation) -> Result<Reply> {
        self.start_again(conversation).finish().await
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
        let run = self.start_again(conversation);
        run.cancelled_by(cancel).finish().await
    }

    /// Begins a run that the program itself drives: [step](Run::step) by step, as a
    /// [stream](Run::stream) of events, or [to its end](Run::finish).
    pub fn start<'a>(
        &self,
        conversation: &'a mut Conversation,
        prompt: impl Into<UserMessage>,
    ) -> Run<'a> {
        conversation.close_open_calls(&cancelled(&self.inner).to_string());
        conversation.push_user(prompt);
        Run::new(self, Held::Borrowed(conversation))
    }

    /// The same for a conversation that ended before the model had given its answer.
    pub fn start_again<'a>(&self, conversation: &'a mut Conversation) -> Run<'a> {
        conversation.close_calls(&cancelled(&self.inner).to_string());
        Run::new(self, Held::Borrowed(conversation))
    }
}

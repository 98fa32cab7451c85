//! When and how a long conversation is made short.

use std::{fmt, future::Future, sync::Arc};

use super::{Inner, nested::aside, observe, panics::caught_async};
use crate::{
    conversation::{Conversation, Item, Usage},
    maybe_send::{BoxFuture, MaybeSend, MaybeSync},
    protocol::{Request, RequestOptions},
    tokens::estimate_tokens,
};

/// The items that stay unless the program says otherwise.
const DEFAULT_KEEP: usize = 12;
/// The most tokens of a summary that the agent's own model writes; thinking counts.
const SUMMARY_TOKENS: u32 = 8_192;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Writes a summary of what it is given.
#[cfg(not(target_arch = "wasm32"))]
type Summarize = dyn Fn(String) -> BoxFuture<'static, Result<String, Failure>> + Send + Sync;
/// Writes a summary of what it is given.
#[cfg(target_arch = "wasm32")]
type Summarize = dyn Fn(String) -> BoxFuture<'static, Result<String, Failure>>;

/// When and how an agent makes a long conversation short:
/// [`AgentBuilder::compaction`](super::AgentBuilder::compaction).
///
/// The oldest items are replaced by a summary. What the model needs word for word stays: the steps
/// that loaded a tool or read a skill, and the request that is being worked on. Calls and results
/// stay paired. The provider's cache of the conversation is lost at that point, so it should not
/// happen often: leave some room between `tokens` and what the last items take.
///
/// If the summary cannot be had, the run goes on with the whole conversation, and
/// [`Event::NotShortened`](crate::Event::NotShortened) says why.
///
/// ```
/// use repertoire::agent::Compaction;
///
/// let by_model = Compaction::at(120_000).keep(20);
/// let by_hand = Compaction::at(120_000).summarize(|transcript: String| async move {
///     Ok::<_, std::io::Error>(format!("{} lines were said.", transcript.lines().count()))
/// });
/// ```
#[derive(Clone)]
pub struct Compaction {
    tokens: u64,
    keep: usize,
    summary: Summary,
}

#[derive(Clone)]
enum Summary {
    ByModel,
    ByProgram(Arc<Summarize>),
    None,
}

impl Compaction {
    /// Makes a conversation short when a response and what it answered took so many tokens. The
    /// agent's own model writes the summary.
    #[must_use]
    pub fn at(tokens: u64) -> Self {
        Self {
            tokens,
            keep: DEFAULT_KEEP,
            summary: Summary::ByModel,
        }
    }

    /// How many items stay as they are, at least. Default: 12.
    #[must_use]
    pub fn keep(mut self, items: usize) -> Self {
        self.keep = items;
        self
    }

    /// Who writes the summary. It is given what was said and done, in words.
    #[must_use]
    pub fn summarize<F, Fut, E>(mut self, write: F) -> Self
    where
        F: Fn(String) -> Fut + MaybeSend + MaybeSync + 'static,
        Fut: Future<Output = Result<String, E>> + MaybeSend + 'static,
        E: Into<Failure>,
    {
        self.summary = Summary::ByProgram(Arc::new(move |transcript| {
            let summary = write(transcript);
            Box::pin(async move { summary.await.map_err(Into::into) })
        }));
        self
    }

    /// Nobody writes a summary: the model is told that something is missing.
    #[must_use]
    pub fn without_summary(mut self) -> Self {
        self.summary = Summary::None;
        self
    }

    /// Whether the last response was given to too long a conversation.
    pub(super) fn is_due(&self, conversation: &Conversation) -> bool {
        let items = conversation.items();
        let usage = items.iter().rev().find_map(|item| match item {
            Item::Model(turn) => Some(turn.usage()),
            _ => None,
        });
        let used = match usage {
            Some(usage) if usage.input_tokens > 0 => usage.total(),
            // A server that does not count.
            _ => estimate(conversation),
        };
        used >= self.tokens
    }

    /// Makes the conversation short. Says how many items went, and what writing cost.
    pub(super) async fn shorten(
        &self,
        agent: &Inner,
        conversation: &mut Conversation,
    ) -> (Result<usize, String>, Usage) {
        let mut usage = Usage::default();
        let Some(transcript) = conversation.transcript(self.keep) else {
            return (Ok(0), usage);
        };
        let summary = match &self.summary {
            Summary::None => Ok(agent.texts.forgotten.to_string()),
            Summary::ByProgram(write) => match caught_async(|| write(transcript)).await {
                Ok(summary) => summary.map_err(|error| error.to_string()),
                Err(panic) => Err(format!("whoever writes the summary panicked: {panic}")),
            },
            Summary::ByModel => {
                let items = [Item::User(transcript.into())];
                let request = Request::new(&items)
                    .with_system(&agent.texts.summarize)
                    .with_options(&agent.summary_options);
                let turn = observe::response(agent, agent.model.respond(request)).await;
                turn.map_err(|error| error.to_string()).map(|turn| {
                    usage = turn.usage();
                    turn.text()
                })
            }
        };
        let shortened = match summary {
            Ok(summary) if summary.trim().is_empty() => Err("the summary is empty".to_owned()),
            Ok(summary) => Ok(conversation.shorten(self.keep, summary)),
            Err(error) => Err(error),
        };
        (shortened, usage)
    }
}

impl fmt::Debug for Compaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compaction")
            .field("tokens", &self.tokens)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

/// About how many tokens a conversation takes.
fn estimate(conversation: &Conversation) -> u64 {
    let tokens = conversation.items().iter().map(|item| match item {
        Item::User(message) => estimate_tokens(&message.to_text()),
        Item::Model(turn) => {
            let calls = turn
                .calls()
                .map(|call| estimate_tokens(call.arguments()) + 8);
            estimate_tokens(&turn.text()) + calls.sum::<usize>()
        }
        Item::Results(results) => results
            .iter()
            .map(|result| estimate_tokens(&result.output().to_text()))
            .sum(),
    });
    tokens.sum::<usize>() as u64
}

/// The options of a request for a summary.
pub(super) fn summary_options(options: &RequestOptions) -> RequestOptions {
    aside(options, SUMMARY_TOKENS)
}

//! A store in one file that outlives the process: calls that must not run twice, and conversations.

mod batch;
mod calls;
mod error;
mod file;
mod worker;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

pub use error::DurableError;

use crate::{
    conversation::{Conversation, ConversationStore},
    maybe_send::BoxFuture,
    once::{Begun, OnceError, OnceStore},
    tool::ToolOutput,
};
use batch::{Answer, Job};
use worker::Worker;

/// How many finished calls are remembered unless the program says otherwise.
const DEFAULT_LIMIT: u64 = 100_000;

/// A store in one file: the memory of `once` calls, and conversations.
///
/// Everything is written through to the disk before it counts as written. An intent is on the disk
/// before the effect happens, so a process that is killed at any moment leaves either a known result
/// or a call that may have run; the next process tells the model so and does not run it again.
///
/// When more finished calls are known than the limit, the ones that would be forgotten first anyway
/// are forgotten; a call without a result never is, until its time is over.
///
/// Clones are one store. The file is let go when the last clone is dropped. One process at a time has
/// it: another gets [`DurableError::InUse`], and should have a file of its own. A file that is damaged
/// or that something else wrote is an error of [`open`](Self::open) or of the operation that finds it,
/// and is not written to any more.
///
/// Work is done in a thread of the store, many waiting writes at once. A
/// [`TestClock`](crate::testing::TestClock) cannot wait for other threads: with it, use
/// [`MemoryOnce`](crate::once::MemoryOnce).
///
/// ```no_run
/// use repertoire::{Agent, Responses, durable::DurableStore, testing::{Rule, Script}};
///
/// # fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let store = DurableStore::open("agent.store")?;
/// let agent = Agent::builder(Script::new(Responses::new("gpt-5.4")).rule(Rule::say("hello")))
///     .once_store(store.clone())
///     .store(store.clone())
///     .build()?;
/// let conversation = store.load("42")?.unwrap_or_default();
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DurableStore {
    worker: Arc<Worker>,
}

impl DurableStore {
    /// Opens the store in that file, or makes one where there is none. It remembers 100,000 finished
    /// calls.
    ///
    /// After a crash the file is checked first, which takes time in proportion to its size.
    ///
    /// # Errors
    /// Another process has the file, something else wrote it, a later version of this crate did, it
    /// is damaged, or the disk fails.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DurableError> {
        Self::open_with_limit(path, DEFAULT_LIMIT)
    }

    /// The same with another number of finished calls to remember, at least 1.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with_limit(path: impl AsRef<Path>, calls: u64) -> Result<Self, DurableError> {
        let path: PathBuf = path.as_ref().to_owned();
        let worker = Worker::start(path, calls.max(1))?;
        Ok(Self {
            worker: Arc::new(worker),
        })
    }

    /// The conversation of that identifier, if there is one. Calls that never got a result are
    /// closed, as [`Conversation::from_json`] says.
    ///
    /// # Errors
    /// The file is damaged, or a later version of this crate wrote the conversation.
    pub fn load(&self, id: &str) -> Result<Option<Conversation>, DurableError> {
        let Some(json) = self.worker.read(|read| batch::conversation(read, id))? else {
            return Ok(None);
        };
        let loaded = match std::str::from_utf8(&json) {
            Ok(json) => Conversation::from_json(json),
            Err(_) => return Err(self.worker.broken(format!("`{id}` is not text"))),
        };
        loaded.map(Some).map_err(DurableError::Load)
    }

    /// The identifiers of all conversations, sorted.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn ids(&self) -> Result<Vec<String>, DurableError> {
        self.worker.read(batch::ids)
    }

    /// Forgets a conversation, and says whether there was one.
    ///
    /// # Errors
    /// The file is damaged, or the disk fails.
    pub async fn remove(&self, id: &str) -> Result<bool, DurableError> {
        let answer = self.worker.ask(Job::Remove { id: id.to_owned() }).await?;
        Ok(answer == Answer::Removed)
    }
}

impl OnceStore for DurableStore {
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.worker).cast::<()>() as usize
    }

    fn begin<'a>(
        &'a self,
        key: &'a str,
        now_millis: u64,
        keep_until_millis: u64,
    ) -> BoxFuture<'a, Result<Begun, OnceError>> {
        Box::pin(async move {
            let job = Job::Begin {
                key: key.to_owned(),
                now_millis,
                keep_until_millis,
            };
            match self.worker.ask(job).await.map_err(OnceError::new)? {
                Answer::Known(output) => match serde_json::from_slice(&output) {
                    Ok(output) => Ok(Begun::Done(output)),
                    Err(error) => Err(OnceError::new(self.worker.broken(error.to_string()))),
                },
                Answer::New => Ok(Begun::New),
                // Whatever else is said, the call does not run.
                _ => Ok(Begun::Unfinished),
            }
        })
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a ToolOutput,
    ) -> BoxFuture<'a, Result<(), OnceError>> {
        Box::pin(async move {
            let job = Job::Finish {
                key: key.to_owned(),
                output: serde_json::to_vec(output).map_err(OnceError::new)?,
            };
            self.worker.ask(job).await.map_err(OnceError::new)?;
            Ok(())
        })
    }

    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), OnceError>> {
        Box::pin(async move {
            let job = Job::Forget {
                key: key.to_owned(),
            };
            self.worker.ask(job).await.map_err(OnceError::new)?;
            Ok(())
        })
    }
}

impl ConversationStore for DurableStore {
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move {
            let job = Job::Save {
                id: conversation.id().to_owned(),
                json: serde_json::to_string(conversation)?,
            };
            self.worker.ask(job).await.map_err(io::Error::other)?;
            Ok(())
        })
    }
}

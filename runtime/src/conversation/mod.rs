//! One history between a user, a model and its tools.

mod item;
mod session;
mod shorten;
mod store;
mod turn;
mod user;

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    fmt,
    hash::{BuildHasher, Hasher},
};

use serde::{Deserialize, Serialize};

pub use item::{CallKind, Item, ResultStatus, ToolCall, ToolResult};
pub use session::{Session, SessionError};
pub use store::{ConversationStore, FileError, FileStore};
#[cfg(all(feature = "durable", not(target_arch = "wasm32")))]
pub(crate) use store::{private, sync_folder};
pub use turn::{ModelPart, ModelTurn, StopReason, Usage, Verbatim};
pub use user::UserMessage;

/// The version that [`Conversation`] writes. Older versions stay readable.
const VERSION: u64 = 1;
/// The result of a call that had none when the conversation was saved.
const INTERRUPTED: &str = "R0009: the program ended before this call had a result; it may have run, verify before repeating";

/// What was decided of calls, by their identifiers.
pub(crate) type Decisions = BTreeMap<String, Option<bool>>;

/// One history: what the user said, what the model answered, what the tools returned.
///
/// It is the only state of a run. Which tools are loaded and which skills have been read is read off
/// the items, so a conversation that was saved, cut short or shortened continues anywhere.
///
/// ```
/// use repertoire::Conversation;
///
/// let mut conversation = Conversation::new();
/// conversation.push_user("Is A-1042 in stock?");
/// let saved = conversation.to_json();
/// let resumed = Conversation::from_json(&saved)?;
/// assert_eq!(resumed.items().len(), 1);
/// # Ok::<(), repertoire::conversation::LoadError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Conversation {
    version: u64,
    id: String,
    #[serde(skip_serializing_if = "Session::is_empty")]
    session: Session,
    /// The tools that were switched off when the conversation began, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    without: Option<Vec<String>>,
    /// Where calls of the last response wait for approval, what was decided so far; nothing for those
    /// that somebody was asked about in vain.
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<Decisions>,
    /// Results of the last response's calls, while others of them still run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    noted: Vec<ToolResult>,
    items: Vec<Item>,
}

impl Conversation {
    /// An empty history.
    #[must_use]
    pub fn new() -> Self {
        Self {
            version: VERSION,
            id: random_id(),
            session: Session::default(),
            without: None,
            decisions: None,
            noted: Vec::new(),
            items: Vec::new(),
        }
    }

    /// The same history under an identifier of the program's own.
    ///
    /// The identifier tells conversations apart where that matters: a tool that runs `once` may run
    /// once in each. Default: 128 random bits. On `wasm32`, which has no randomness of its own, name
    /// one.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// The identifier. It is saved with the history.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The values that the tools of this conversation share. They are saved with the history.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The values that the tools share, to be set from outside.
    #[must_use]
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Everything said so far, oldest first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Adds what the user says: a text, or a [`UserMessage`] with images.
    pub fn push_user(&mut self, message: impl Into<UserMessage>) {
        self.items.push(Item::User(message.into()));
    }

    /// The history as one JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and JSON that was parsed before: there is nothing here that JSON lacks.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a history that [`to_json`](Self::to_json) wrote.
    ///
    /// Calls that never got a result, because the program ended between the two, are closed with a
    /// failed result: providers refuse a history with open calls.
    ///
    /// # Errors
    /// The text is not a conversation, or it was written by a later version of this crate.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        Self::read(json, None)
    }

    /// The same for a text that may name no identifier.
    pub(crate) fn read(json: &str, id: Option<&str>) -> Result<Self, LoadError> {
        // Some editors put it there.
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let head: Head = serde_json::from_str(json).map_err(LoadError::Json)?;
        match head.version.as_u64() {
            Some(1..=VERSION) => {}
            Some(version) => return Err(LoadError::Version(version)),
            None => return Err(LoadError::NoVersion(head.version.to_string())),
        }
        let mut conversation: Self = serde_json::from_str(json).map_err(LoadError::Json)?;
        if let (None, Some(id)) = (head.id, id) {
            id.clone_into(&mut conversation.id);
        }
        Ok(conversation)
    }

    /// The calls that wait for approval, if a run has paused for them: those that need it and of which
    /// nothing was decided yet, not the others of the same response.
    pub fn waiting(&self) -> impl Iterator<Item = &ToolCall> {
        let calls = match self.items.last() {
            Some(Item::Model(turn)) if self.is_waiting() => Some(turn.calls()),
            _ => None,
        };
        calls
            .into_iter()
            .flatten()
            .filter(|call| self.asked(call.id()) == Some(None))
    }

    /// Decides on a call that waits for approval, and says whether there is one of that identifier.
    /// [`Agent::resume`](crate::Agent::resume) then goes on. A call without a decision is asked for
    /// again.
    ///
    /// A saved conversation is trusted: whoever can change its calls can change what was approved.
    pub fn decide(&mut self, call_id: &str, approved: bool) -> bool {
        let waits = self.waiting().any(|call| call.id() == call_id);
        if waits {
            self.note_decision(call_id, Some(approved));
        }
        waits
    }

    /// Removes the items before `index`, for instance after writing a summary of them.
    ///
    /// Calls and results stay paired: a result whose call is removed goes with it. Tools that were
    /// loaded and skills that were read only in the removed items are no longer loaded or read.
    pub fn forget_before(&mut self, index: usize) {
        let index = index.min(self.items.len());
        self.items.drain(..index);
        while matches!(self.items.first(), Some(Item::Results(_))) {
            self.items.remove(0);
        }
    }

    /// Shows the model what is switched on now, from the next step on. Without it a conversation is
    /// shown the tools that were on when it began, so that the provider's cache stays good.
    ///
    /// See [`Agent::tools`](crate::Agent::tools).
    pub fn offer_anew(&mut self) {
        self.without = None;
    }

    /// The tools that were switched off when the conversation began.
    pub(crate) fn without(&self) -> Option<&[String]> {
        self.without.as_deref()
    }

    /// Remembers, at the start, which tools are switched off.
    pub(crate) fn begin_without(&mut self, off: impl FnOnce() -> Vec<String>) {
        self.without.get_or_insert_with(off);
    }

    /// Whether there are calls without results.
    pub(crate) fn has_open_calls(&self) -> bool {
        let mut items = self.items.iter().peekable();
        while let Some(item) = items.next() {
            if matches!(item, Item::Model(turn) if turn.calls().next().is_some())
                && !matches!(items.peek(), Some(Item::Results(_)))
            {
                return true;
            }
        }
        false
    }

    /// Where the last response is that has calls and no results.
    fn last_open(&self) -> Option<usize> {
        let is_open = |index: &usize| {
            let has_calls = matches!(self.items.get(*index), Some(Item::Model(turn)) if turn.calls().next().is_some());
            has_calls && !matches!(self.items.get(index + 1), Some(Item::Results(_)))
        };
        (0..self.items.len()).rev().find(is_open)
    }

    /// Whether the run has paused with open calls.
    pub(crate) fn is_waiting(&self) -> bool {
        self.decisions.is_some() && matches!(self.items.last(), Some(Item::Model(_)))
    }

    /// Keeps the open calls of the last response open until they are decided.
    pub(crate) fn wait(&mut self) {
        self.decisions.get_or_insert_default();
    }

    /// Writes down what was decided of a call, or that nobody could say.
    pub(crate) fn note_decision(&mut self, call_id: &str, approved: Option<bool>) {
        let decisions = self.decisions.get_or_insert_default();
        decisions.insert(call_id.to_owned(), approved);
    }

    pub(crate) fn decision(&self, call_id: &str) -> Option<bool> {
        self.asked(call_id).flatten()
    }

    /// What came of asking for a call, if somebody was asked.
    fn asked(&self, call_id: &str) -> Option<Option<bool>> {
        self.decisions.as_ref()?.get(call_id).copied()
    }

    pub(crate) fn take_decisions(&mut self) -> Option<Decisions> {
        self.decisions.take()
    }

    pub(crate) fn put_decisions(&mut self, decisions: Decisions) {
        self.decisions = Some(decisions);
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Writes down a result while other calls of the step still run.
    pub(crate) fn note_result(&mut self, result: ToolResult) {
        self.noted.push(result);
    }

    pub(crate) fn forget_noted_results(&mut self) {
        self.noted.clear();
    }

    /// The same, but for the calls that wait for approval.
    pub(crate) fn close_calls(&mut self, why: &str) {
        if !self.is_waiting() {
            return self.close_open_calls(why);
        }
        let (decisions, waiting) = (self.decisions.take(), self.items.pop());
        self.close_open_calls(why);
        self.items.extend(waiting);
        self.decisions = decisions;
    }

    /// Gives every call exactly one result, a failed one where there is none, and removes results
    /// without a call.
    pub(crate) fn close_open_calls(&mut self, why: &str) {
        self.decisions = None;
        let noted = std::mem::take(&mut self.noted);
        let last_open = self.last_open();
        let items = std::mem::take(&mut self.items);
        let mut items = items.into_iter().enumerate().peekable();
        while let Some((index, item)) = items.next() {
            let Item::Model(turn) = &item else {
                // Results stand behind a response alone, where they are taken along below.
                if !matches!(item, Item::Results(_)) {
                    self.items.push(item);
                }
                continue;
            };
            let given = match items.next_if(|(_, next)| matches!(next, Item::Results(_))) {
                Some((_, Item::Results(results))) => results,
                // A step that was given up has written down what had ended by then.
                _ if last_open == Some(index) => noted.clone(),
                _ => Vec::new(),
            };
            let mut given: Vec<Option<ToolResult>> = given.into_iter().map(Some).collect();
            let complete: Vec<ToolResult> = turn
                .calls()
                .map(|call| {
                    let answers = |result: &&mut Option<ToolResult>| {
                        result
                            .as_ref()
                            .is_some_and(|result| result.call_id() == call.id())
                    };
                    let found = given.iter_mut().find(answers).and_then(Option::take);
                    found.unwrap_or_else(|| ToolResult::failed(call, why))
                })
                .collect();
            self.items.push(item);
            if !complete.is_empty() {
                self.items.push(Item::Results(complete));
            }
        }
    }

    pub(crate) fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Results(results) => Some(results),
                _ => None,
            })
            .flatten()
    }
}

/// 128 bits that no other conversation has, as far as the standard library can see to it.
fn random_id() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

impl Default for Conversation {
    fn default() -> Self {
        Self::new()
    }
}

/// A conversation as it is read, before its calls are closed.
#[derive(Deserialize)]
struct Saved {
    version: u64,
    #[serde(default = "random_id")]
    id: String,
    #[serde(default)]
    session: Session,
    #[serde(default)]
    without: Option<Vec<String>>,
    #[serde(default)]
    decisions: Option<Decisions>,
    #[serde(default)]
    noted: Vec<ToolResult>,
    items: Vec<Item>,
}

impl TryFrom<Saved> for Conversation {
    type Error = LoadError;

    /// Whichever way a conversation is read, it is one that this version knows, and no call is open.
    fn try_from(saved: Saved) -> Result<Self, LoadError> {
        if !(1..=VERSION).contains(&saved.version) {
            return Err(LoadError::Version(saved.version));
        }
        let mut conversation = Conversation {
            version: saved.version,
            id: saved.id,
            session: saved.session,
            without: saved.without,
            decisions: saved.decisions,
            noted: saved.noted,
            items: saved.items,
        };
        conversation.close_calls(INTERRUPTED);
        Ok(conversation)
    }
}

#[derive(Deserialize)]
struct Head {
    version: serde_json::Value,
    id: Option<serde::de::IgnoredAny>,
}

/// Why a saved conversation could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not JSON, or not the JSON of a conversation.
    Json(serde_json::Error),
    /// The text was written in a format that this version does not know.
    Version(u64),
    /// This stands where the version of the format should.
    NoVersion(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "not a saved conversation: {error}"),
            Self::NoVersion(found) => write!(
                f,
                "not a saved conversation: its `version` is {found} and should be a number from 1 to \
                 {VERSION}"
            ),
            Self::Version(found) => write!(
                f,
                "the conversation has format version {found}, this version reads 1 to {VERSION}; \
                 update repertoire"
            ),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Version(_) | Self::NoVersion(_) => None,
        }
    }
}

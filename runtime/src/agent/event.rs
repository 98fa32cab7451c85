//! What happened in a run.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::conversation::{ModelTurn, Usage};

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(crate) text: String,
    pub(crate) stop: Stop,
    pub(crate) steps: usize,
    pub(crate) usage: Usage,
    pub(crate) events: Vec<Event>,
    pub(crate) output: Option<Value>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The model gave its answer.
    Done,
    /// The limit on steps was reached; the text is what the model had said until then.
    MaxSteps,
    /// The limit on output tokens cut the answer off.
    MaxTokens,
    /// The model or the provider declined to answer.
    Refused,
    /// The provider ended the response for a reason that this crate does not know.
    Other,
    /// The run was stopped from outside.
    Cancelled,
    /// Calls wait for approval; nothing of the step has run. See
    /// [`Conversation::waiting`](crate::Conversation::waiting).
    AwaitingApproval,
    /// The run used up the tokens it was given.
    TokenLimit,
    /// The run used up the time it was given.
    TimeLimit,
    /// The run made as many calls as it was given.
    CallLimit,
    /// The model did not give its answer in the form that was
    /// [asked for](crate::agent::AgentBuilder::output), though it was told to.
    NoOutput,
}

/// Something that happened in a run, in the order of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// The model read a skill's instructions.
    SkillRead {
        /// The name of the skill.
        skill: String,
    },
    /// The model searched for tools.
    ToolsSearched {
        /// What it asked for.
        queries: Vec<String>,
        /// The tools whose definitions it got.
        loaded: Vec<String>,
    },
    /// The ranker that the program gave to the search for tools did not answer, and the index that is
    /// built in took its place.
    RankerFailed {
        /// Why there is no answer.
        error: String,
    },
    /// A tool ran.
    ToolCalled {
        /// The name of the tool.
        tool: String,
        /// Whether it failed.
        failed: bool,
    },
    /// The model called a tool that is deprecated. It ran, and the model was told what to use.
    DeprecatedCalled {
        /// The name of the tool.
        tool: String,
    },
    /// A tool failed in passing and is tried again.
    Retried {
        /// The name of the tool.
        tool: String,
        /// How many tries have failed.
        attempt: u32,
        /// How the last one failed.
        error: String,
    },
    /// A tool failed and another one takes the call.
    FellBack {
        /// The name of the tool that failed.
        tool: String,
        /// The name of the tool that stands in.
        to: String,
        /// How the first one failed.
        error: String,
    },
    /// The conversation had become long, and its oldest items were replaced by a summary.
    Shortened {
        /// How many items went.
        items: usize,
    },
    /// The conversation had become long and stayed so.
    NotShortened {
        /// Why there is no summary.
        error: String,
    },
    /// A tool tells what it is doing.
    Progress {
        /// The identifier of the call.
        call_id: String,
        /// What it says.
        message: String,
    },
    /// Something happened in the run of an agent that is a tool of this one.
    Within {
        /// The name of the tool.
        tool: String,
        /// What happened there.
        event: Box<Event>,
    },
    /// A call was answered without running anything: no such tool, not loaded, cut off.
    CallRefused {
        /// The name that was called.
        tool: String,
        /// What the model was told.
        reason: String,
    },
}

impl Event {
    /// Whether one call may lead to any number of them.
    pub(crate) fn may_be_many(&self) -> bool {
        matches!(
            self,
            Self::Progress { .. } | Self::Retried { .. } | Self::Within { .. }
        )
    }
}

impl Reply {
    pub(super) fn new() -> Self {
        Self {
            text: String::new(),
            stop: Stop::MaxSteps,
            steps: 0,
            usage: Usage::default(),
            events: Vec::new(),
            output: None,
        }
    }

    /// Counts one more response.
    pub(super) fn add(&mut self, turn: &ModelTurn) {
        self.steps += 1;
        self.usage += turn.usage();
        // Beside a call there is often no text; what was said before is then what there is.
        let text = turn.text();
        if !text.is_empty() {
            self.text = text;
        }
    }

    /// What the model said last. A response that says nothing beside its calls leaves what was said
    /// before.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Why the run ended.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How many responses the model gave.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The tokens of all responses together.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// What happened, in order. Of the tries and messages of progress of one call about a thousand are
    /// kept; a [hook](crate::agent::Hook) and a [stream](crate::Agent::run_stream) are told of all.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The answer in the form that was [asked for](crate::agent::AgentBuilder::output).
    ///
    /// # Errors
    /// The run ended without it, or `T` is not the type that was asked for.
    pub fn output<T: DeserializeOwned>(&self) -> Result<T, OutputError> {
        match &self.output {
            Some(output) => T::deserialize(output).map_err(OutputError::Type),
            None => Err(OutputError::None(self.stop)),
        }
    }
}

/// Why a reply has no answer in the form that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// The run ended for this reason before there was one, or none was asked for.
    None(Stop),
    /// The answer is of another type.
    Type(serde_json::Error),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None(Stop::Done) => f.write_str(
                "the reply is text; name the type of the answer with `output` when the agent is \
                 built",
            ),
            Self::None(stop) => write!(f, "the run ended without an answer: {stop:?}"),
            Self::Type(error) => write!(f, "the answer is of another type: {error}"),
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::None(_) => None,
            Self::Type(error) => Some(error),
        }
    }
}

//! Responses that arrive piece by piece.

mod frames;

use std::fmt;

pub(crate) use frames::{Framed, Frames, Framing};

use crate::{
    conversation::{ModelPart, ModelTurn, StopReason, Usage},
    maybe_send::MaybeSend,
    protocol::ProtocolError,
};

/// A piece of a response while it arrives. `Debug` leaves out the arguments of calls, among which
/// secrets may be.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamEvent {
    /// More text for the user.
    Text(String),
    /// More of what the model thinks.
    Reasoning(String),
    /// A call begins. It must not run before the whole turn is there.
    CallStart {
        /// Which call of the response it is, from 0.
        index: usize,
        /// The identifier of the call.
        id: String,
        /// The name of the tool.
        name: String,
    },
    /// More of the arguments of a call.
    CallArguments {
        /// Which call of the response it is, from 0.
        index: usize,
        /// The next piece of the arguments' JSON text.
        delta: String,
    },
    /// The arguments of a call are complete.
    CallEnd {
        /// Which call of the response it is, from 0.
        index: usize,
    },
    /// What the response cost.
    Usage(Usage),
    /// The response is complete.
    Stop(StopReason),
}

impl StreamEvent {
    /// The events of a turn that came in one piece.
    #[must_use]
    pub fn of_turn(turn: &ModelTurn) -> Vec<Self> {
        let mut events = Vec::new();
        let mut index = 0;
        for part in turn.parts() {
            match part {
                ModelPart::Text(text) => events.push(Self::Text(text.clone())),
                ModelPart::Reasoning(text) => events.push(Self::Reasoning(text.clone())),
                ModelPart::Call(call) => {
                    whole_call(&mut events, index, call.id(), call.name(), call.arguments());
                    index += 1;
                }
            }
        }
        ended(&mut events, turn);
        events
    }
}

impl fmt::Debug for StreamEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.debug_tuple("Text").field(text).finish(),
            Self::Reasoning(text) => f.debug_tuple("Reasoning").field(text).finish(),
            Self::CallStart { index, id, name } => f
                .debug_struct("CallStart")
                .field("index", index)
                .field("id", id)
                .field("name", name)
                .finish(),
            Self::CallArguments { index, delta } => f
                .debug_struct("CallArguments")
                .field("index", index)
                .field("bytes", &delta.len())
                .finish(),
            Self::CallEnd { index } => f.debug_struct("CallEnd").field("index", index).finish(),
            Self::Usage(usage) => f.debug_tuple("Usage").field(usage).finish(),
            Self::Stop(stop) => f.debug_tuple("Stop").field(stop).finish(),
        }
    }
}

/// Reads a response from bytes as they arrive, in pieces of any size.
///
/// ```
/// use repertoire::protocol::{Chat, Protocol, StreamEvent};
///
/// let mut decoder = Chat::new("gpt-5.4").decoder().unwrap();
/// let mut events = Vec::new();
/// decoder.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"He", &mut events)?;
/// decoder.push(b"llo\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", &mut events)?;
/// assert_eq!(events, [StreamEvent::Text("Hello".into())]);
/// let turn = decoder.finish(&mut events)?;
/// assert_eq!(turn.text(), "Hello");
/// # Ok::<(), repertoire::protocol::ProtocolError>(())
/// ```
pub trait StreamDecoder: MaybeSend {
    /// Takes the next bytes and adds the events they complete.
    ///
    /// # Errors
    /// The bytes are not a stream of the protocol, or the provider reports an error in it. The
    /// response is lost; what is pushed later is refused too.
    fn push(&mut self, bytes: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError>;

    /// Whether the response is complete, so that nothing more needs to be read.
    fn is_complete(&self) -> bool;

    /// The whole response, the same as if it had come in one piece, when there are no more bytes.
    ///
    /// # Errors
    /// The response is not complete.
    fn finish(&mut self, events: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError>;
}

/// Whether an event that could not be read is of a type that says nothing to this crate.
pub(crate) fn is_unknown(json: &[u8], known: &[&str]) -> bool {
    #[derive(serde::Deserialize)]
    struct Event {
        r#type: String,
    }
    let event = serde_json::from_slice::<Event>(json);
    event.is_ok_and(|event| !known.contains(&event.r#type.as_str()))
}

/// A call that arrives in one piece.
pub(crate) fn whole_call(
    events: &mut Vec<StreamEvent>,
    index: usize,
    id: &str,
    name: &str,
    arguments: &str,
) {
    events.push(StreamEvent::CallStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
    });
    events.push(StreamEvent::CallArguments {
        index,
        delta: arguments.to_owned(),
    });
    events.push(StreamEvent::CallEnd { index });
}

/// What is known when a response is complete.
pub(crate) fn ended(events: &mut Vec<StreamEvent>, turn: &ModelTurn) {
    events.push(StreamEvent::Usage(turn.usage()));
    events.push(StreamEvent::Stop(turn.stop()));
}

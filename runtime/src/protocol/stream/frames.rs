//! From bytes to the JSON texts of a stream: server-sent events, or one text a line.

use super::{StreamDecoder, StreamEvent, ended};
use crate::{
    conversation::ModelTurn,
    maybe_send::MaybeSend,
    protocol::{ProtocolError, failure::provider_error},
};

/// The longest event, so that a server cannot fill the memory.
const LONGEST_EVENT: usize = 32 << 20;

/// The most that is kept of what is no stream.
const LONGEST_STRAY: usize = 64 << 10;

/// How the JSON texts of a stream are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Lines of `data:` up to an empty line.
    Events,
    /// One text a line.
    Lines,
}

/// What a protocol does with the JSON texts of its streams.
pub(crate) trait Frames: MaybeSend {
    /// The name of the protocol.
    fn protocol(&self) -> &'static str;
    /// Takes one text.
    fn frame(&mut self, json: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError>;
    /// Whether the response is complete.
    fn is_complete(&self) -> bool;
    /// The whole response.
    fn turn(&mut self, events: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError>;
}

/// A decoder made of a framing and what a protocol does with the texts.
pub(crate) struct Framed<F> {
    framing: Framing,
    frames: F,
    /// A line whose end has not arrived.
    line: Vec<u8>,
    /// The data of the event whose end has not arrived.
    data: Vec<u8>,
    /// The last byte was a carriage return, so that a line feed belongs to it.
    after_return: bool,
    at_start: bool,
    /// What stands there in place of a stream: an error of the provider, a page of a proxy.
    stray: Vec<u8>,
    failed: bool,
}

impl<F: Frames> Framed<F> {
    pub(crate) fn new(framing: Framing, frames: F) -> Self {
        Self {
            framing,
            frames,
            line: Vec::new(),
            data: Vec::new(),
            after_return: false,
            at_start: true,
            stray: Vec::new(),
            failed: false,
        }
    }

    fn read(
        &mut self,
        mut bytes: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProtocolError> {
        if self.after_return
            && let [first, rest @ ..] = bytes
        {
            self.after_return = false;
            if *first == b'\n' {
                bytes = rest;
            }
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) {
            let (line, rest) = bytes.split_at(end);
            let (ending, mut rest) = rest.split_at(1);
            if ending == b"\r" {
                match rest {
                    [] => self.after_return = true,
                    [b'\n', after @ ..] => rest = after,
                    _ => {}
                }
            }
            if self.line.is_empty() {
                self.end_line(line, events)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                let done = self.end_line(&whole, events);
                whole.clear();
                self.line = whole;
                done?;
            }
            bytes = rest;
        }
        self.line.extend_from_slice(bytes);
        self.check_size(self.line.len())
    }

    fn check_size(&self, size: usize) -> Result<(), ProtocolError> {
        if size > LONGEST_EVENT {
            return Err(ProtocolError::TooLarge {
                protocol: self.frames.protocol(),
                limit: LONGEST_EVENT,
            });
        }
        Ok(())
    }

    fn end_line(
        &mut self,
        line: &[u8],
        events: &mut Vec<StreamEvent>,
    ) -> Result<(), ProtocolError> {
        let mut line = line;
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        match self.framing {
            Framing::Lines => {
                if line.trim_ascii().is_empty() {
                    return Ok(());
                }
                self.frames.frame(line, events)
            }
            Framing::Events if line.is_empty() => self.end_event(events),
            Framing::Events => {
                // Other fields and comments say nothing that the data does not.
                if let Some(data) = line.strip_prefix(b"data:") {
                    let data = data.strip_prefix(b" ").unwrap_or(data);
                    if !self.data.is_empty() {
                        self.data.push(b'\n');
                    }
                    self.check_size(self.data.len() + data.len())?;
                    self.data.extend_from_slice(data);
                } else if let Some(error) = line.strip_prefix(b"error:") {
                    // llama.cpp's own field.
                    let error = [b"{\"error\":", error, b"}"].concat();
                    match provider_error(self.frames.protocol(), &error) {
                        Some(error) => return Err(error),
                        None => self.stray.extend_from_slice(line),
                    }
                } else if self.stray.len() + line.len() < LONGEST_STRAY && !is_field(line) {
                    self.stray.extend_from_slice(line);
                    self.stray.push(b'\n');
                }
                Ok(())
            }
        }
    }

    fn end_event(&mut self, events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        if self.data.is_empty() {
            return Ok(());
        }
        let mut data = std::mem::take(&mut self.data);
        let done = self.frames.frame(&data, events);
        data.clear();
        self.data = data;
        done
    }

    fn guard<T>(&mut self, done: Result<T, ProtocolError>) -> Result<T, ProtocolError> {
        self.failed |= done.is_err();
        done
    }

    fn refuse_after_failure(&self) -> Result<(), ProtocolError> {
        if self.failed {
            let problem = "an earlier piece of it could not be read";
            return Err(ProtocolError::stream(self.frames.protocol(), problem));
        }
        Ok(())
    }
}

/// Whether a line is a comment or a field of server-sent events that says nothing here.
fn is_field(line: &[u8]) -> bool {
    let mut parts = line.splitn(2, |byte| *byte == b':');
    let field = parts.next().unwrap_or_default();
    // A field without a value has no colon.
    matches!(field, b"event" | b"id" | b"retry") || (field.is_empty() && parts.next().is_some())
}

impl<F: Frames> StreamDecoder for Framed<F> {
    fn push(&mut self, bytes: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), ProtocolError> {
        self.refuse_after_failure()?;
        let done = self.read(bytes, events);
        self.guard(done)
    }

    fn is_complete(&self) -> bool {
        !self.failed && self.frames.is_complete()
    }

    fn finish(&mut self, events: &mut Vec<StreamEvent>) -> Result<ModelTurn, ProtocolError> {
        self.refuse_after_failure()?;
        // Some servers close the connection without the last line break.
        if !self.frames.is_complete() {
            let line = std::mem::take(&mut self.line);
            let mut last = Ok(());
            if !line.is_empty() {
                last = self.end_line(&line, events);
            }
            if self.framing == Framing::Events && last.is_ok() {
                last = self.end_event(events);
            }
            // Half a text at the end is what a broken connection leaves.
            if let Err(ProtocolError::Decode { .. }) = last {
                let problem = "it ends in the middle of an event";
                last = Err(ProtocolError::stream(self.frames.protocol(), problem));
            }
            self.guard(last)?;
        }
        let turn = self.frames.turn(events).map_err(|error| {
            let protocol = self.frames.protocol();
            match error {
                ProtocolError::Stream { .. } => {
                    provider_error(protocol, &self.stray).unwrap_or(error)
                }
                error => error,
            }
        });
        let turn = self.guard(turn)?;
        ended(events, &turn);
        Ok(turn)
    }
}

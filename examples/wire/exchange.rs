//! Recorded exchanges with providers: which protocol each belongs to, and what it decodes to.

use std::{fs, io, path::Path};

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    conversation::ModelTurn,
    protocol::{ChatVendor, Protocol, ProtocolError, StreamEvent},
};
use serde::Deserialize;
use serde_json::Value;

/// One recorded exchange.
pub struct Exchange {
    /// The folder and file it stands in.
    pub file: String,
    /// Its place in the file, from 0.
    pub number: usize,
    pub uri: String,
    pub status: u16,
    /// What was sent; not all programs that use this file look at it.
    #[allow(dead_code)]
    pub request: Value,
    pub response: Recorded,
}

/// What the provider sent back.
pub enum Recorded {
    /// A body in one piece.
    Body(Value),
    /// A stream as it came.
    Stream(String),
}

/// The protocols, by the names that the table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Api {
    Responses,
    Chat(&'static str),
    Anthropic,
    Gemini,
    Ollama,
}

impl Api {
    pub fn name(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::Chat(_) => "chat",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    pub fn protocol(self) -> Box<dyn Protocol> {
        match self {
            Self::Responses => Box::new(Responses::new("m")),
            Self::Chat(vendor) => {
                let vendor = ChatVendor::ALL.iter().find(|known| known.name() == vendor);
                Box::new(Chat::at(*vendor.unwrap_or(&ChatVendor::OpenAi), "m"))
            }
            Self::Anthropic => Box::new(Anthropic::new("m")),
            Self::Gemini => Box::new(Gemini::new("m")),
            Self::Ollama => Box::new(Ollama::new("m")),
        }
    }
}

impl Exchange {
    /// The protocol it belongs to; none for what is no request to a model.
    pub fn api(&self) -> Option<Api> {
        let path = self.uri.split('?').next().unwrap_or_default();
        if path.ends_with("/responses") {
            Some(Api::Responses)
        } else if path.ends_with("/chat/completions") {
            Some(Api::Chat(self.vendor()))
        } else if path.ends_with("/messages") {
            Some(Api::Anthropic)
        } else if path.ends_with("enerateContent") {
            Some(Api::Gemini)
        } else if path.ends_with("/api/chat") {
            Some(Api::Ollama)
        } else {
            None
        }
    }

    /// Which host it was, from its address or, where that is gone, from the file's name.
    fn vendor(&self) -> &'static str {
        let vendors = [
            ("deepseek", "deepseek"),
            ("groq", "groq"),
            ("openrouter", "openrouter"),
            ("api/v1/chat", "openrouter"),
            ("llamacpp", "llama.cpp"),
            ("mistral", "mistral"),
            ("ollama.com", "ollama-v1"),
        ];
        let found = vendors
            .iter()
            .find(|(part, _)| self.uri.contains(part) || self.file.to_lowercase().contains(part));
        found.map_or("openai-chat", |(_, vendor)| vendor)
    }

    /// The turn it holds, by the plain decoder or the stream decoder.
    pub fn decode(&self, protocol: &dyn Protocol) -> Result<ModelTurn, ProtocolError> {
        match &self.response {
            Recorded::Body(body) => protocol.decode(body.to_string().as_bytes()),
            Recorded::Stream(text) => stream(protocol, text.as_bytes(), usize::MAX).1,
        }
    }
}

/// Decodes a stream in pieces of `size` bytes.
pub fn stream(
    protocol: &dyn Protocol,
    bytes: &[u8],
    size: usize,
) -> (Vec<StreamEvent>, Result<ModelTurn, ProtocolError>) {
    let mut events = Vec::new();
    let mut decoder = protocol.decoder().expect("all five stream");
    for piece in bytes.chunks(size.min(bytes.len()).max(1)) {
        if let Err(error) = decoder.push(piece, &mut events) {
            return (events, Err(error));
        }
    }
    let turn = decoder.finish(&mut events);
    (events, turn)
}

#[derive(Deserialize)]
struct File {
    exchanges: Vec<Wire>,
}

#[derive(Deserialize)]
struct Wire {
    uri: String,
    status: u16,
    #[serde(default)]
    request: Value,
    #[serde(default)]
    response: Value,
}

/// All exchanges of a folder of folders, sorted by file.
pub fn read(folder: &Path) -> io::Result<Vec<Exchange>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                paths.push(entry?.path());
            }
        } else {
            paths.push(path);
        }
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "json"));
    paths.sort();
    let mut exchanges = Vec::new();
    for path in paths {
        let file: File = serde_json::from_slice(&fs::read(&path)?)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        let name = path.strip_prefix(folder).unwrap_or(&path);
        for (number, wire) in file.exchanges.into_iter().enumerate() {
            exchanges.push(Exchange {
                file: name.display().to_string(),
                number,
                uri: wire.uri,
                status: wire.status,
                request: wire.request,
                response: match wire.response {
                    Value::String(text) => Recorded::Stream(text),
                    body => Recorded::Body(body),
                },
            });
        }
    }
    Ok(exchanges)
}

//! A request in a provider's JSON.

use std::fmt;

/// A request in a provider's JSON.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    path: String,
    headers: Vec<(&'static str, &'static str)>,
    json: String,
}

impl Body {
    /// A request body for a path below the provider's base URL.
    #[must_use]
    pub fn new(path: impl Into<String>, json: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            headers: Vec::new(),
            json: json.into(),
        }
    }

    /// The same body with a header that the protocol demands.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The path below the provider's base URL, with a leading slash.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Headers that the protocol demands. Keys are the transport's business and never here.
    #[must_use]
    pub fn headers(&self) -> &[(&'static str, &'static str)] {
        &self.headers
    }

    /// The JSON text.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl fmt::Debug for Body {
    /// Says how long the JSON is and not what it holds: secret arguments may stand there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Body")
            .field("path", &self.path)
            .field("headers", &self.headers)
            .field("json_bytes", &self.json.len())
            .finish()
    }
}

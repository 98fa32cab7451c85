//! Where a provider's service is.

/// Where a provider's service is and how a key is shown there. The key itself is never here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    base_url: &'static str,
    key_variable: &'static str,
    other_key_variable: Option<&'static str>,
    key_header: &'static str,
    key_prefix: &'static str,
}

impl Endpoint {
    /// A service at a base URL, whose key stands in an environment variable and goes into
    /// `authorization: Bearer …`.
    #[must_use]
    pub const fn new(base_url: &'static str, key_variable: &'static str) -> Self {
        Self {
            base_url,
            key_variable,
            other_key_variable: None,
            key_header: "authorization",
            key_prefix: "Bearer ",
        }
    }

    /// The same service, whose key is looked for in another variable too, where the first is not
    /// set.
    #[must_use]
    pub const fn with_other_key_variable(mut self, variable: &'static str) -> Self {
        self.other_key_variable = Some(variable);
        self
    }

    /// The same service, whose key goes into another header, behind a prefix.
    #[must_use]
    pub const fn with_key_header(mut self, header: &'static str, prefix: &'static str) -> Self {
        self.key_header = header;
        self.key_prefix = prefix;
        self
    }

    /// The URL before the path of a [`Body`](super::Body), without a slash at its end.
    #[must_use]
    pub const fn base_url(&self) -> &'static str {
        self.base_url
    }

    /// The environment variables that usually hold the key. The first that is set wins.
    pub fn key_variables(&self) -> impl Iterator<Item = &'static str> + use<> {
        [Some(self.key_variable), self.other_key_variable]
            .into_iter()
            .flatten()
    }

    /// The header that carries the key.
    #[must_use]
    pub const fn key_header(&self) -> &'static str {
        self.key_header
    }

    /// What stands before the key in that header.
    #[must_use]
    pub const fn key_prefix(&self) -> &'static str {
        self.key_prefix
    }
}

//! Secrets, which nothing prints.

use std::fmt;

/// What stands where a secret was.
const BLOT: &str = "[secret]";
/// Shorter texts are not looked for: they would be found everywhere.
const SHORTEST: usize = 6;

/// A secret, which nothing prints.
#[derive(Clone)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) fn new(secret: impl Into<String>) -> Self {
        Self(secret.into().trim().to_owned())
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the secret, however often it stands there.
    pub(super) fn blot_out(&self, text: String) -> String {
        if self.0.len() >= SHORTEST && text.contains(&self.0) {
            text.replace(&self.0, BLOT)
        } else {
            text
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BLOT)
    }
}

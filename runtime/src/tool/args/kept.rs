//! Texts that are decoded in place of the one that was sent.

use std::sync::OnceLock;

/// The most texts that are tried for one call.
const MOST: usize = 24;

/// Texts that live as long as what was decoded from them.
#[derive(Debug, Default)]
pub struct Kept(OnceLock<Vec<OnceLock<String>>>);

impl Kept {
    /// Keeps a text, unless there are too many.
    pub(super) fn keep(&self, text: String) -> Option<&str> {
        let places = self
            .0
            .get_or_init(|| (0..MOST).map(|_| OnceLock::new()).collect());
        let free = places.iter().find(|place| place.get().is_none())?;
        Some(free.get_or_init(|| text))
    }
}

//! Parts that shape what a model is shown.

use super::Surface;
use crate::maybe_send::{MaybeSend, MaybeSync};

/// A part of an agent that shapes what the model is shown: the skill catalog, the tool search, the
/// rules of use.
///
/// The three are there by default where they have something to do;
/// [`AgentBuilder::extensions`](super::AgentBuilder::extensions) replaces them. They act in the order
/// in which they are listed, and any order works.
pub trait Extension: Shape {}

impl<T: Shape> Extension for T {}

impl<T: Extension> From<T> for Box<dyn Extension> {
    fn from(extension: T) -> Self {
        Box::new(extension)
    }
}

/// What the agent asks of an extension. Sealed: the trait cannot be named outside this crate.
pub trait Shape: MaybeSend + MaybeSync + 'static {
    /// Adds the extension's own tools. All extensions have done so before any describes.
    fn declare(&self, surface: &mut Surface);

    /// Adds texts to the system prompt and to the descriptions of tools.
    fn describe(&self, surface: &mut Surface);
}

//! The conversation of a run.

use std::ops::{Deref, DerefMut};

use crate::conversation::Conversation;

/// A conversation of the program's or of the run's own.
pub(super) enum Held<'a> {
    Borrowed(&'a mut Conversation),
    Owned(Box<Conversation>),
}

impl Deref for Held<'_> {
    type Target = Conversation;

    fn deref(&self) -> &Conversation {
        match self {
            Self::Borrowed(conversation) => conversation,
            Self::Owned(conversation) => conversation,
        }
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Conversation {
        match self {
            Self::Borrowed(conversation) => conversation,
            Self::Owned(conversation) => conversation,
        }
    }
}

//! Texts and images, in what a user says and in the output of tools.

use crate::tool::{Part, ToolOutput};

/// A part as providers are shown it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shown<'a> {
    Text(&'a str),
    Image(Image<'a>),
}

/// An image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image<'a> {
    pub(super) media_type: &'a str,
    /// In base64.
    pub(super) data: &'a str,
}

impl<'a> Shown<'a> {
    pub(super) fn of(parts: &'a [Part]) -> impl Iterator<Item = Self> + 'a {
        parts.iter().map(|part| match part {
            Part::Text(text) | Part::Resource { text, .. } => Self::Text(text),
            Part::Image { media_type, data } => Self::Image(Image { media_type, data }),
        })
    }
}

impl<'a> Image<'a> {
    pub(super) fn of(output: &'a ToolOutput) -> impl Iterator<Item = Self> + 'a {
        Self::among(output.parts())
    }

    pub(super) fn among(parts: &'a [Part]) -> impl Iterator<Item = Self> + 'a {
        Shown::of(parts).filter_map(|part| match part {
            Shown::Image(image) => Some(image),
            Shown::Text(_) => None,
        })
    }

    pub(super) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}

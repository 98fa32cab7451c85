//! Images in the output of tools.

use crate::tool::{Part, ToolOutput};

/// An image in the output of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image<'a> {
    pub(super) media_type: &'a str,
    /// In base64.
    pub(super) data: &'a str,
}

impl<'a> Image<'a> {
    pub(super) fn of(output: &'a ToolOutput) -> impl Iterator<Item = Self> + 'a {
        output.parts().iter().filter_map(|part| match part {
            Part::Image { media_type, data } => Some(Self { media_type, data }),
            _ => None,
        })
    }

    pub(super) fn data_url(&self) -> String {
        format!("data:{};base64,{}", self.media_type, self.data)
    }
}

//! The extension that tells the model how tools are to be used.

use super::{
    Section, Shape, Surface,
    surface::{SurfaceTool, labels},
};
use crate::catalog::{one_line, push_line, usage};

/// Puts the lines of usage and the rules of tools where the model reads them.
///
/// Tools that are always shown have them in the system prompt, or in their descriptions. A deferred
/// tool has them in its description, which the model sees when it needs them. Without this extension
/// deferred tools carry their rules only, and the others nothing.
///
/// ```
/// use repertoire::agent::{GuidelinePlacement, Guidelines};
///
/// let guidelines = Guidelines::new()
///     .placement(GuidelinePlacement::Description)
///     .snippets(false);
/// ```
#[derive(Clone, Debug)]
pub struct Guidelines {
    placement: GuidelinePlacement,
    snippets: bool,
    guidelines: bool,
}

/// Where the rules of tools that are always shown are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GuidelinePlacement {
    /// In one section of the system prompt.
    #[default]
    SystemPrompt,
    /// In the description of each tool.
    Description,
}

impl Guidelines {
    /// Usage and rules in the system prompt.
    #[must_use]
    pub fn new() -> Self {
        Self {
            placement: GuidelinePlacement::default(),
            snippets: true,
            guidelines: true,
        }
    }

    /// Where the rules are written. Default: the system prompt.
    #[must_use]
    pub fn placement(mut self, placement: GuidelinePlacement) -> Self {
        self.placement = placement;
        self
    }

    /// Whether lines of usage are written. Default: yes.
    #[must_use]
    pub fn snippets(mut self, on: bool) -> Self {
        self.snippets = on;
        self
    }

    /// Whether rules are written. Default: yes.
    #[must_use]
    pub fn guidelines(mut self, on: bool) -> Self {
        self.guidelines = on;
        self
    }

    fn snippet<'a>(&self, tool: &'a SurfaceTool) -> Option<&'a str> {
        tool.snippet.as_deref().filter(|_| self.snippets)
    }

    fn rules<'a>(&self, tool: &'a SurfaceTool) -> &'a [std::borrow::Cow<'static, str>] {
        if self.guidelines {
            &tool.guidelines
        } else {
            &[]
        }
    }

    fn section(&self, surface: &Surface) -> Section {
        let mut text = String::new();
        let mut count = 0;
        for tool in surface.visible() {
            let (snippet, rules) = (self.snippet(tool), self.rules(tool));
            if snippet.is_none() && rules.is_empty() {
                continue;
            }
            count += 1;
            if text.is_empty() {
                text = format!("# {}", one_line(&surface.texts.guidelines_heading));
            }
            text.push_str("\n\n## ");
            text.push_str(&tool.name);
            if let Some(snippet) = snippet {
                let label = &surface.texts.usage_label;
                push_line(&mut text, &format!("{label}: {}", one_line(snippet)));
            }
            for rule in rules {
                push_line(&mut text, &format!("- {}", one_line(rule)));
            }
        }
        Section {
            part: "tool guidelines",
            count,
            text,
        }
    }
}

impl Default for Guidelines {
    fn default() -> Self {
        Self::new()
    }
}

impl Shape for Guidelines {
    fn declare(&self, _surface: &mut Surface) {}

    fn describe(&self, surface: &mut Surface) {
        if surface.deferred_described {
            let problem = "the extension `Guidelines` is there twice; list each extension once";
            surface.problems.push(problem.to_owned());
            return;
        }
        if self.placement == GuidelinePlacement::SystemPrompt {
            let section = self.section(surface);
            if section.count > 0 {
                surface.sections.push(section);
            }
        }
        let texts = std::sync::Arc::clone(&surface.texts);
        let in_description = self.placement == GuidelinePlacement::Description;
        for tool in &mut surface.tools {
            if tool.deferred || in_description {
                let text = usage(self.snippet(tool), self.rules(tool), labels(&texts));
                if !text.is_empty() {
                    tool.added.push(text);
                }
            }
        }
        surface.deferred_described = true;
    }
}

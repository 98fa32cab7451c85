//! What a request may say beside its content.

/// What a request may say beside its content. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RequestOptions {
    /// The most tokens the model may write, reasoning included. Default: the provider's, or 8,192
    /// where the provider demands a number.
    pub max_output_tokens: Option<u32>,
    /// How freely the model picks its words. Default: the provider's. Some models refuse it.
    pub temperature: Option<f32>,
    /// Whether the model may or must call tools. Default: it may.
    pub tool_choice: ToolChoice,
    /// How hard the model thinks before it answers. Default: the provider's.
    pub reasoning: Option<Effort>,
}

/// How hard a model thinks before it answers. Providers that count in tokens get a number that
/// stands for the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// Not at all, or as little as the model can.
    None,
    /// A little.
    Low,
    /// As most tasks need.
    Medium,
    /// As long as it takes.
    High,
}

impl Effort {
    /// The word that most providers use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Whether the model may or must call tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No calls.
    None,
    /// At least one call of any tool.
    Required,
    /// A call of this tool.
    Tool(String),
}

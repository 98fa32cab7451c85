//! The hosts that speak Chat Completions, and where they differ.

/// A host that speaks Chat Completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChatVendor {
    /// `api.openai.com`
    OpenAi,
    /// `api.deepseek.com`
    DeepSeek,
    /// Qwen on Alibaba Cloud (DashScope).
    Qwen,
    /// `api.groq.com`
    Groq,
    /// `openrouter.ai`
    OpenRouter,
    /// `api.mistral.ai`
    Mistral,
    /// A vLLM or SGLang server; it needs `--enable-auto-tool-choice` and a tool call parser.
    Vllm,
    /// A llama.cpp server; it needs `--jinja`.
    LlamaCpp,
    /// Ollama's `/v1`. [`Ollama`](crate::protocol::Ollama) speaks its own protocol.
    Ollama,
}

/// How a host wants to be told how hard the model shall think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReasoningKey {
    /// `reasoning_effort`
    Effort,
    /// `thinking: {type}` and `reasoning_effort`
    Thinking,
    /// `enable_thinking`
    Enable,
    /// `reasoning: {effort}`
    Object,
    /// Not at all.
    None,
}

/// Where a host differs from the others.
#[derive(Debug)]
pub(super) struct Profile {
    pub(super) id: &'static str,
    pub(super) base_url: &'static str,
    pub(super) key_variable: &'static str,
    /// `max_completion_tokens`, or the older `max_tokens`.
    pub(super) new_token_limit: bool,
    /// Members of a model's message that go back; others are refused or mean nothing.
    pub(super) replayed: &'static [&'static str],
    pub(super) reasoning: ReasoningKey,
    /// Whether `strict` on tools is known.
    pub(super) strict: bool,
    /// Whether `tool_choice` is known.
    pub(super) tool_choice: bool,
    /// The word for "call some tool".
    pub(super) required: &'static str,
    /// Whether a turn without text has `null` or an empty text.
    pub(super) null_content: bool,
    /// Whether `stream_options` is known.
    pub(super) stream_options: bool,
    /// Whether calls in parallel have to be asked for.
    pub(super) ask_parallel: bool,
    /// Whether identifiers are nine letters and digits.
    pub(super) nine_letter_ids: bool,
    /// Whether every turn must carry its reasoning when the request has tools.
    pub(super) reasoning_required: bool,
}

const COMMON: &[&str] = &["role", "content", "tool_calls"];
const WITH_REASONING: &[&str] = &[
    "role",
    "content",
    "tool_calls",
    "reasoning",
    "reasoning_content",
];

const BASE: Profile = Profile {
    id: "openai-chat",
    base_url: "https://api.openai.com/v1",
    key_variable: "OPENAI_API_KEY",
    new_token_limit: false,
    replayed: COMMON,
    reasoning: ReasoningKey::Effort,
    strict: false,
    tool_choice: true,
    required: "required",
    null_content: false,
    stream_options: true,
    ask_parallel: false,
    nine_letter_ids: false,
    reasoning_required: false,
};

static OPENAI: Profile = Profile {
    new_token_limit: true,
    replayed: &["role", "content", "tool_calls", "refusal"],
    strict: true,
    null_content: true,
    ..BASE
};
static DEEPSEEK: Profile = Profile {
    id: "deepseek",
    base_url: "https://api.deepseek.com",
    key_variable: "DEEPSEEK_API_KEY",
    replayed: &["role", "content", "tool_calls", "reasoning_content"],
    reasoning: ReasoningKey::Thinking,
    reasoning_required: true,
    ..BASE
};
static QWEN: Profile = Profile {
    id: "qwen",
    base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    key_variable: "DASHSCOPE_API_KEY",
    replayed: &["role", "content", "tool_calls", "reasoning_content"],
    reasoning: ReasoningKey::Enable,
    ask_parallel: true,
    ..BASE
};
static GROQ: Profile = Profile {
    id: "groq",
    base_url: "https://api.groq.com/openai/v1",
    key_variable: "GROQ_API_KEY",
    new_token_limit: true,
    replayed: &["role", "content", "tool_calls", "reasoning"],
    null_content: true,
    ..BASE
};
static OPENROUTER: Profile = Profile {
    id: "openrouter",
    base_url: "https://openrouter.ai/api/v1",
    key_variable: "OPENROUTER_API_KEY",
    replayed: &[
        "role",
        "content",
        "tool_calls",
        "reasoning",
        "reasoning_details",
    ],
    reasoning: ReasoningKey::Object,
    strict: true,
    null_content: true,
    ..BASE
};
static MISTRAL: Profile = Profile {
    id: "mistral",
    base_url: "https://api.mistral.ai/v1",
    key_variable: "MISTRAL_API_KEY",
    reasoning: ReasoningKey::None,
    strict: true,
    required: "any",
    stream_options: false,
    nine_letter_ids: true,
    ..BASE
};
static VLLM: Profile = Profile {
    id: "vllm",
    base_url: "http://localhost:8000/v1",
    key_variable: "VLLM_API_KEY",
    replayed: WITH_REASONING,
    ..BASE
};
static LLAMA_CPP: Profile = Profile {
    id: "llama.cpp",
    base_url: "http://localhost:8080/v1",
    key_variable: "LLAMA_API_KEY",
    replayed: WITH_REASONING,
    ..BASE
};
static OLLAMA: Profile = Profile {
    id: "ollama-v1",
    base_url: "http://localhost:11434/v1",
    key_variable: "OLLAMA_API_KEY",
    replayed: &["role", "content", "tool_calls", "reasoning"],
    tool_choice: false,
    ..BASE
};

impl ChatVendor {
    /// All vendors.
    pub const ALL: &[Self] = &[
        Self::OpenAi,
        Self::DeepSeek,
        Self::Qwen,
        Self::Groq,
        Self::OpenRouter,
        Self::Mistral,
        Self::Vllm,
        Self::LlamaCpp,
        Self::Ollama,
    ];

    pub(super) fn profile(self) -> &'static Profile {
        match self {
            Self::OpenAi => &OPENAI,
            Self::DeepSeek => &DEEPSEEK,
            Self::Qwen => &QWEN,
            Self::Groq => &GROQ,
            Self::OpenRouter => &OPENROUTER,
            Self::Mistral => &MISTRAL,
            Self::Vllm => &VLLM,
            Self::LlamaCpp => &LLAMA_CPP,
            Self::Ollama => &OLLAMA,
        }
    }

    /// The vendor's name in OpenTelemetry, where it has one.
    pub(super) fn provider(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Mistral => "mistral_ai",
            other => other.name(),
        }
    }

    /// The name of the vendor, which marks its turns in saved conversations: `deepseek`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.profile().id
    }
}

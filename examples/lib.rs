//! What several examples share; run one with `cargo run --example NAME`.

use std::sync::Arc;

use repertoire::{
    Anthropic, Chat, Gemini, Ollama, Responses,
    model::{Http, Model},
    protocol::{ChatVendor, Protocol},
};

/// The model that `provider:name` means, at the provider's own service or at another one that
/// speaks the same protocol. The key is in the provider's usual variable.
///
/// # Errors
/// There is no such provider, or no provider is named.
pub fn model(name: &str, base_url: Option<&str>) -> Result<Arc<dyn Model>, String> {
    let (provider, model) = name
        .split_once(':')
        .ok_or("a model is `provider:name`, for example `openai:gpt-5.4`")?;
    Ok(match provider {
        "openai" => at(Responses::new(model), base_url),
        "anthropic" => at(Anthropic::new(model), base_url),
        "gemini" => at(Gemini::new(model), base_url),
        "ollama" => at(Ollama::new(model), base_url),
        vendor => {
            let known = ChatVendor::ALL.iter().find(|known| known.name() == vendor);
            let vendor = known.ok_or_else(|| {
                let vendors: Vec<&str> = ChatVendor::ALL.iter().map(|known| known.name()).collect();
                format!(
                    "no provider is named `{vendor}`; take `openai`, `anthropic`, `gemini`, `ollama`, `{}`",
                    vendors.join("`, `")
                )
            })?;
            at(Chat::at(*vendor, model), base_url)
        }
    })
}

fn at(protocol: impl Protocol, base_url: Option<&str>) -> Arc<dyn Model> {
    let http = Http::from_env(protocol);
    match base_url {
        Some(url) => Arc::new(http.base_url(url)),
        None => Arc::new(http),
    }
}

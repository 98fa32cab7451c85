//! Talks with a real model, line by line, and lets it use tools.
//!
//! ```text
//! cargo run --example chat -- --model anthropic:claude-sonnet-4-5
//! cargo run --example chat -- --model ollama:qwen3:4b
//! cargo run --example chat -- --model llama.cpp:any --base-url http://localhost:9000/v1
//! ```
//!
//! Providers: `openai` (Responses), `openai-chat`, `anthropic`, `gemini`, `ollama`, `deepseek`,
//! `qwen`, `groq`, `openrouter`, `mistral`, `vllm`, `llama.cpp`, `ollama-v1`. Keys come from the
//! usual variables (`ANTHROPIC_API_KEY` and so on). A line is a question; an empty line ends.

use std::{
    io::{BufRead, Write},
    process::ExitCode,
};

use repertoire::{Agent, Conversation, agent::RunEvent, protocol::StreamEvent, tool};

/// Tell how many of a product are in stock.
#[tool(deferred)]
fn warehouse_stock(
    /// Stock keeping unit, for example "A-1042".
    sku: &str,
) -> String {
    format!("17 of {sku}")
}

/// Tell today's date.
#[tool]
fn today() -> &'static str {
    "2026-01-15"
}

const USAGE: &str = "usage: chat --model provider:name [--base-url URL]

providers: openai (Responses), openai-chat, anthropic, gemini, ollama, deepseek, qwen, groq,
openrouter, mistral, vllm, llama.cpp, ollama-v1; keys come from the usual variables";

/// Shows a piece at once. A terminal that cannot be written to shows nothing more anyway.
fn show(text: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_fmt(text).and_then(|()| out.flush());
}

/// Answers a line and prints what the model says while it says it.
async fn answer(
    agent: &Agent,
    conversation: &mut Conversation,
    line: String,
) -> repertoire::Result<()> {
    let mut events = agent.start(conversation, line).stream();
    while let Some(event) = events.next().await {
        match event? {
            RunEvent::Model(StreamEvent::Text(text)) => {
                show(format_args!("{text}"));
            }
            RunEvent::Model(StreamEvent::CallStart { name, .. }) => {
                show(format_args!("[{name}]\n"));
            }
            RunEvent::Reply(reply) => {
                show(format_args!("\n({} tokens)\n", reply.usage().output_tokens));
            }
            _ => {}
        }
    }
    Ok(())
}

async fn talk(name: &str, base_url: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder(repertoire_examples::model(name, base_url)?)
        .repertoire(repertoire::linked!())
        .instructions("You help the team of a small warehouse. Be brief.")
        .build()?;
    let mut conversation = Conversation::new();
    let mut last = Ok(());
    for line in std::io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        if line.trim().is_empty() {
            break;
        }
        last = answer(&agent, &mut conversation, line).await;
        if let Err(error) = &last {
            eprintln!("error: {error}");
        }
    }
    // Who runs it from a script learns whether the last question was answered.
    last.map_err(|_| "the last question has no answer".into())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["--model", name] => talk(name, None).await,
        ["--model", name, "--base-url", url] | ["--base-url", url, "--model", name] => {
            talk(name, Some(url)).await
        }
        ["--help" | "-h"] => {
            show(format_args!("{USAGE}\n"));
            Ok(())
        }
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

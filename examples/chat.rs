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
                print!("{text}");
                // A terminal that cannot be written to shows nothing more anyway.
                let _ = std::io::stdout().flush();
            }
            RunEvent::Model(StreamEvent::CallStart { name, .. }) => println!("[{name}]"),
            RunEvent::Reply(reply) => println!("\n({} tokens)", reply.usage().output_tokens),
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
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            break;
        }
        if let Err(error) = answer(&agent, &mut conversation, line).await {
            eprintln!("error: {error}");
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["--model", name] => talk(name, None).await,
        ["--model", name, "--base-url", url] => talk(name, Some(url)).await,
        _ => Err("usage: chat --model provider:name [--base-url URL]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

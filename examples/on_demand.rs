//! An agent reads a skill, finds a deferred tool by search, calls it and answers.
//!
//! ```text
//! cargo run --example on_demand -- --protocol responses|anthropic
//! cargo run --example on_demand -- --model anthropic:claude-sonnet-4-5
//! cargo run --example on_demand -- --model llama.cpp:any --base-url http://localhost:9000/v1
//! ```
//!
//! With `--protocol` no model is asked: a script plays its part. It sees the request exactly as a
//! provider would, so what it can do shows what the request holds. With `--model` a real one is
//! asked, with the key in the provider's usual variable; `chat.rs` lists the providers.

use std::process::ExitCode;

use repertoire::{
    Agent, Anthropic, Event, Responses,
    model::Model,
    skills,
    testing::{Rule, Script, Scriptable},
    tool,
};
use serde::Serialize;
use serde_json::json;

// Every skill in the folder is checked by the compiler and put into this binary.
skills!("../skills/");

/// Look up available warehouse stock by product SKU.
#[tool(
    deferred,
    snippet = "warehouse_stock(sku=\"A-1042\")",
    guidelines = "Use to check current stock before promising availability."
)]
fn warehouse_stock(
    /// Stock keeping unit, for example "A-1042".
    sku: &str,
    #[state] inventory: &Inventory,
) -> Result<Stock, StockError> {
    let in_warehouses: Vec<Row> = inventory
        .rows
        .iter()
        .filter(|row| row.sku == sku)
        .cloned()
        .collect();
    match in_warehouses.first() {
        None => Err(StockError::Unknown(sku.to_owned())),
        Some(first) => Ok(Stock {
            sku: sku.to_owned(),
            name: first.name.clone(),
            available: in_warehouses.iter().map(|row| row.available).sum(),
        }),
    }
}

/// Order more of a product from its supplier.
#[tool(
    deferred,
    guidelines = "Use only when the user has agreed to the quantity."
)]
fn reorder(
    /// Stock keeping unit.
    sku: &str,
    /// How many pieces to order.
    quantity: u32,
) -> String {
    format!("ordered {quantity} of {sku}")
}

/// Tell today's date.
#[tool(guidelines = "Use instead of guessing the date.")]
fn today() -> &'static str {
    "2026-01-15"
}

#[derive(Serialize)]
struct Stock {
    sku: String,
    name: String,
    available: u32,
}

#[derive(Debug, thiserror::Error)]
enum StockError {
    #[error("no product has the SKU `{0}`")]
    Unknown(String),
}

struct Inventory {
    rows: Vec<Row>,
}

#[derive(Clone)]
struct Row {
    sku: String,
    name: String,
    available: u32,
}

impl Inventory {
    /// Reads lines of `sku,name,warehouse,available` below a heading.
    fn parse(csv: &str) -> Result<Self, String> {
        let row = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let [sku, name, _, available] = fields.as_slice() else {
                return Err(format!("expected four fields: {line}"));
            };
            Ok(Row {
                sku: (*sku).to_owned(),
                name: (*name).to_owned(),
                available: available
                    .trim()
                    .parse()
                    .map_err(|error| format!("{error}: {line}"))?,
            })
        };
        let rows = csv.lines().skip(1).filter(|line| !line.is_empty()).map(row);
        Ok(Self {
            rows: rows.collect::<Result<_, String>>()?,
        })
    }
}

/// What a model would do here, as far as the request lets it.
fn script<P: Scriptable>(protocol: P) -> Script<P> {
    Script::new(protocol)
        .rule(Rule::read_skill("code-review"))
        .rule(Rule::search(
            "available stock of a product",
            "warehouse_stock",
        ))
        .rule(Rule::call("warehouse_stock", json!({"sku": "A-1042"})))
        .rule(Rule::answer("warehouse_stock", |stock| {
            let stock: serde_json::Value = serde_json::from_str(stock).unwrap_or_default();
            format!(
                "The change is ready. {} of {} are in stock.",
                stock["available"], stock["sku"]
            )
        }))
}

async fn run(model: impl Model) -> Result<(), Box<dyn std::error::Error>> {
    let csv = concat!(env!("CARGO_MANIFEST_DIR"), "/stock.csv");
    let agent = Agent::builder(model)
        .repertoire(repertoire::linked!())
        .state(Inventory::parse(&std::fs::read_to_string(csv)?)?)
        .instructions("You help the team of a small warehouse.")
        .build()?;
    println!("{}", agent.report());

    let reply = agent
        .run("Review the change to the stock page. Is A-1042 in stock?")
        .await?;
    for event in reply.events() {
        match event {
            Event::SkillRead { skill } => println!("Skill loaded: {skill}"),
            Event::ToolsSearched { queries, loaded } => {
                println!("Searched: {}", queries.join(" | "));
                println!("Tools loaded: {}", loaded.join(", "));
            }
            Event::ToolCalled {
                tool,
                failed: false,
            } => println!("Tool called: {tool}"),
            other => println!("{other:?}"),
        }
    }
    println!("\n{}", reply.text());
    Ok(())
}

const USAGE: &str =
    "usage: on_demand [--protocol responses|anthropic | --model provider:name [--base-url URL]]";

async fn run_real(name: &str, base_url: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    run(repertoire_examples::model(name, base_url)?).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [] | ["--protocol", "responses"] => run(script(Responses::new("gpt-5.4"))).await,
        ["--protocol", "anthropic"] => run(script(Anthropic::new("claude-sonnet-4-5"))).await,
        ["--model", name] => run_real(name, None).await,
        ["--model", name, "--base-url", url] | ["--base-url", url, "--model", name] => {
            run_real(name, Some(url)).await
        }
        ["--help" | "-h"] => {
            println!("{USAGE}");
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

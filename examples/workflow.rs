//! The same three tools in three flows: steps that are fixed, steps that the model chooses, and a
//! mixture: fixed steps with one decision of the model in the middle.
//!
//! ```text
//! cargo run --example workflow
//! ```
//!
//! No model is asked: a script plays its part and sees the request as a provider would.

use std::process::ExitCode;

use repertoire::{
    Agent, Context, Event, Responses, ToolError, ToolSchema,
    testing::{Act, Rule, Script},
    tool,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A rocket launch in the news.
#[derive(Clone, Debug, Deserialize, Serialize, ToolSchema)]
struct Launch {
    /// The name of the rocket.
    rocket: String,
    /// The day of the launch, as `2026-03-01`.
    day: String,
}

/// Search the news and return the matching articles.
#[tool(read_only)]
fn search_news(
    /// What the articles are about.
    topic: &str,
) -> Vec<String> {
    let articles = [
        "2026-03-01 Aster lifts off with twelve satellites",
        "2026-03-02 Shares fall",
        "2026-03-04 Borealis lifts off to the Moon",
    ];
    let wanted = |article: &&str| article.contains("lifts off") && topic.contains("launch");
    articles
        .into_iter()
        .filter(wanted)
        .map(str::to_owned)
        .collect()
}

/// Extract the rocket launches from articles.
#[tool(read_only)]
fn extract_launches(
    /// The articles, each one text.
    articles: Vec<String>,
) -> Vec<Launch> {
    let launch = |article: &String| {
        let (day, rest) = article.split_once(' ')?;
        let (rocket, _) = rest.split_once(" lifts off")?;
        Some(Launch {
            rocket: rocket.to_owned(),
            day: day.to_owned(),
        })
    };
    articles.iter().filter_map(launch).collect()
}

/// Write a report on rocket launches.
#[tool(read_only)]
fn write_report(
    /// The launches, the most important one first.
    launches: Vec<Launch>,
) -> String {
    let lines: Vec<String> = launches
        .iter()
        .map(|launch| format!("{} on {}", launch.rocket, launch.day))
        .collect();
    format!("Launches: {}.", lines.join(", "))
}

/// Report on the launches in the news. All steps are fixed.
#[tool]
async fn launch_report(#[context] cx: &Context) -> Result<String, ToolError> {
    let launches = launches_in_the_news(cx).await?;
    let report = cx
        .call_tool::<write_report>(json!({ "launches": launches }))
        .await?;
    report.decode()
}

/// Report on the launches in the news, the most important one first. The model says which that is.
#[tool]
async fn ranked_launch_report(#[context] cx: &Context) -> Result<String, ToolError> {
    let mut launches = launches_in_the_news(cx).await?;
    let names: Vec<&str> = launches
        .iter()
        .map(|launch| launch.rocket.as_str())
        .collect();
    let first = cx.choose("Which launch matters most?", &names).await?;
    if let Some(most) = launches.get_mut(..=first) {
        most.rotate_right(1);
    }
    cx.set("first", launches.first())
        .map_err(ToolError::failed)?;
    let report = cx
        .call_tool::<write_report>(json!({ "launches": launches }))
        .await?;
    report.decode()
}

/// The steps that both flows begin with.
async fn launches_in_the_news(cx: &Context) -> Result<Vec<Launch>, ToolError> {
    let articles = cx
        .call_tool::<search_news>(json!({"topic": "rocket launches"}))
        .await?;
    let articles: Vec<String> = articles.decode()?;
    cx.progress(format!("{} articles", articles.len()));
    let launches = cx
        .call_tool::<extract_launches>(json!({ "articles": articles }))
        .await?;
    launches.decode()
}

/// A model that calls one workflow and repeats what it returns. A question it answers with `2`.
fn calls(workflow: &str) -> Script<Responses> {
    Script::new(Responses::new("gpt-5.4"))
        .rule(
            Rule::say("2").when(|seen| match seen.user().contains("Which launch") {
                true => Ok(()),
                false => Err("nothing is asked".to_owned()),
            }),
        )
        .rule(Rule::call(workflow, json!({})))
        .rule(Rule::answer(workflow, str::to_owned))
}

/// A model that finds the way by itself, from the result of one tool to the arguments of the next.
fn free() -> Script<Responses> {
    Script::new(Responses::new("gpt-5.4"))
        .rule(Rule::call(
            "search_news",
            json!({"topic": "rocket launches"}),
        ))
        .rule(Rule::new("go on", |seen| {
            let value = |tool: &str| {
                let result = seen.result_of(tool).unwrap_or("null");
                serde_json::from_str::<serde_json::Value>(result).unwrap_or_default()
            };
            if let Some(report) = seen.result_of("write_report") {
                return Act::Say(report.to_owned());
            }
            match seen.result_of("extract_launches") {
                None => Act::call(
                    "extract_launches",
                    json!({"articles": value("search_news")}),
                ),
                Some(_) => Act::call(
                    "write_report",
                    json!({"launches": value("extract_launches")}),
                ),
            }
        }))
}

async fn show(flow: &str, model: Script<Responses>) -> repertoire::Result<()> {
    let agent = Agent::builder(model)
        .repertoire(repertoire::linked!())
        .build()?;
    let reply = agent.run("What was launched?").await?;
    println!(
        "{flow}: {} ({} responses of the model)",
        reply.text(),
        reply.steps()
    );
    for event in reply.events() {
        if let Event::ToolCalled { tool, .. } = event {
            println!("  {tool}");
        }
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    for (flow, model) in [
        ("fixed", calls("launch_report")),
        ("free", free()),
        ("mixed", calls("ranked_launch_report")),
    ] {
        if let Err(error) = show(flow, model).await {
            eprintln!("{flow}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

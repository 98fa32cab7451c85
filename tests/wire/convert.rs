//! A conversation moves from any provider to any other, with its tools loaded and its skills read.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Skills,
    conversation::Item,
    protocol::Reveal,
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::{Value, json};

use crate::acts::acting;

const NAMES: [&str; 5] = ["responses", "chat", "anthropic", "gemini", "ollama"];

/// Runs a macro's body with each protocol by name.
macro_rules! with_protocol {
    ($name:expr, $protocol:ident => $body:expr) => {
        match $name {
            "responses" => {
                let $protocol = Responses::new("m");
                $body
            }
            "chat" => {
                let $protocol = Chat::new("m");
                $body
            }
            "anthropic" => {
                let $protocol = Anthropic::new("m");
                $body
            }
            "gemini" => {
                let $protocol = Gemini::new("m");
                $body
            }
            _ => {
                let $protocol = Ollama::new("m");
                $body
            }
        }
    };
}

/// A skill folder whose skill loads a deferred tool.
fn skills(folder: &std::path::Path) -> Skills {
    let skill = folder.join("invoices");
    std::fs::create_dir_all(&skill).unwrap();
    std::fs::write(
        skill.join("SKILL.md"),
        "---\nname: invoices\ndescription: How invoices are sent. Use for invoices.\nallowed-tools: invoice_send\n---\nSend it at once.\n",
    )
    .unwrap();
    Skills::from_roots([folder])
}

fn agent<P: Scriptable>(script: Arc<Script<P>>, reveal: Reveal, skills: Skills) -> Agent {
    Agent::builder(script)
        .repertoire(warehouse(&Arc::default()))
        .repertoire(skills)
        .reveal(reveal)
        .build()
        .unwrap()
}

/// How the model calls a loaded tool.
fn call(native: bool, reveal: Reveal, tool: &str, sku: &str) -> Act {
    if native || reveal == Reveal::Append {
        Act::call(tool, json!({"sku": sku}))
    } else {
        Act::call(
            "call_tool",
            json!({"name": tool, "arguments": {"sku": sku}}),
        )
    }
}

/// The first half: read a skill, search, call, fail, answer.
async fn first_half<P: Scriptable>(
    protocol: P,
    native: bool,
    reveal: Reveal,
    skills: Skills,
) -> Conversation {
    let steps = vec![
        Act::call("read_skill", json!({"name": "invoices"})),
        Act::Call(vec![
            (
                "tool_search".to_owned(),
                json!({"queries": ["warehouse_stock"]}),
            ),
            ("clock".to_owned(), json!({"sku": "x"})),
        ]),
        call(native, reveal, "warehouse_stock", "A"),
        Act::call("no_such_tool", json!({})),
        Act::Say("half way".to_owned()),
    ];
    run(protocol, reveal, skills, Conversation::new(), steps).await
}

async fn run<P: Scriptable>(
    protocol: P,
    reveal: Reveal,
    skills: Skills,
    mut conversation: Conversation,
    steps: Vec<Act>,
) -> Conversation {
    let before = turns(&conversation);
    let script = acting(protocol, steps);
    agent(Arc::clone(&script), reveal, skills)
        .run_in(&mut conversation, "go on")
        .await
        .unwrap();
    assert!(turns(&conversation) > before);
    conversation
}

fn turns(conversation: &Conversation) -> usize {
    let turns = conversation
        .items()
        .iter()
        .filter(|item| matches!(item, Item::Model(_)));
    turns.count()
}

fn results(conversation: &Conversation) -> Vec<(String, bool)> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results
        .flatten()
        .map(|result| (result.name().to_owned(), result.is_failed()))
        .collect()
}

#[tokio::test]
async fn a_conversation_moves_between_all_pairs_of_providers() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wire-skills");
    let mut pairs = 0;
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        for from in NAMES {
            let native = |name: &str| matches!(name, "responses" | "anthropic");
            let half = with_protocol!(from, protocol => {
                first_half(protocol, native(from), reveal, skills(&folder)).await
            });
            let done = results(&half);
            assert_eq!(
                done[..4],
                [
                    ("read_skill".to_owned(), false),
                    ("tool_search".to_owned(), false),
                    ("clock".to_owned(), false),
                    (done[3].0.clone(), false),
                ],
                "{from} {reveal:?}: {half:#?}"
            );
            for to in NAMES.into_iter().filter(|to| *to != from) {
                pairs += 1;
                // Saved and read again, as in another process.
                let moved = Conversation::from_json(&half.to_json()).unwrap();
                // The other model calls what the first had loaded by search, without a search, and
                // what the skill had loaded, where skills load by themselves.
                let mut steps = vec![call(native(to), reveal, "warehouse_stock", "B")];
                let skill_loads = true;
                if skill_loads {
                    steps.push(call(native(to), reveal, "invoice_send", "C"));
                }
                steps.push(Act::Say("done".to_owned()));
                let moved = with_protocol!(to, protocol => {
                    run(protocol, reveal, skills(&folder), moved, steps).await
                });
                let all = results(&moved);
                let new = &all[done.len()..];
                assert_eq!(new.len(), 1 + usize::from(skill_loads), "{from} to {to}");
                assert!(
                    new.iter().all(|(_, failed)| !failed),
                    "{from} to {to} {reveal:?}: {moved:#?}"
                );
                // And back again: its own turns go back byte for byte.
                let back = with_protocol!(from, protocol => {
                    let steps = vec![
                        call(native(from), reveal, "warehouse_stock", "D"),
                        Act::Say("back".to_owned()),
                    ];
                    run(protocol, reveal, skills(&folder), moved, steps).await
                });
                assert!(
                    !results(&back).last().unwrap().1,
                    "{from} to {to} and back {reveal:?}"
                );
            }
        }
    }
    assert_eq!(pairs, 40);
}

#[tokio::test]
async fn with_append_the_earlier_tools_begin_the_later_ones_and_with_dispatch_nothing_changes() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wire-skills-2");
    for name in ["chat", "gemini", "ollama"] {
        for reveal in [Reveal::Append, Reveal::Dispatch] {
            let bodies = with_protocol!(name, protocol => {
                let script = Arc::new(
                    Script::new(protocol)
                        .rule(Rule::search("warehouse_stock", "warehouse_stock"))
                        .rule(Rule::new("search again", |_| {
                            Act::call("tool_search", json!({"queries": ["order_cancel"]}))
                        }).when(|seen| match seen.results().len() {
                            1 => Ok(()),
                            _ => Err("not now".to_owned()),
                        }))
                        .rule(Rule::say("done")),
                );
                agent(Arc::clone(&script), reveal, skills(&folder)).run("go").await.unwrap();
                script.bodies()
            });
            let tools = |body: &String| -> Vec<Value> {
                let body: Value = serde_json::from_str(body).unwrap();
                let tools = match body["tools"][0].get("functionDeclarations") {
                    Some(declarations) => declarations.clone(),
                    None => body["tools"].clone(),
                };
                tools.as_array().unwrap().clone()
            };
            let tools: Vec<Vec<Value>> = bodies.iter().map(tools).collect();
            assert_eq!(tools.len(), 3, "{name}");
            let grows = usize::from(reveal == Reveal::Append);
            for pair in tools.windows(2) {
                assert_eq!(pair[1].len(), pair[0].len() + grows, "{name}");
                assert_eq!(pair[1][..pair[0].len()], pair[0][..], "{name}");
            }
        }
    }
}

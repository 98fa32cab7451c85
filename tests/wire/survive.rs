//! Conversations that must not die: what changed between two processes, and what models write that
//! they should not.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Toolset,
    agent::{CatalogPlacement, ToolSearch},
    conversation::Item,
    protocol::{Protocol, Reveal},
    testing::{Act, Rule, Script, Scriptable},
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

use crate::acts::acting;

fn tool(name: &str) -> RuntimeTool {
    let schema = json!({"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"], "additionalProperties": false});
    RuntimeTool::new(name, "Looks up the stock.", schema, |_| async {
        Ok("seven".into())
    })
}

fn deferred() -> Toolset {
    Toolset::new()
        .with_tool(tool("warehouse_stock").deferred())
        .with_tool(tool("other").deferred())
}

/// Goes through these acts, one a request, at the end of a conversation. Returns the bodies.
async fn run<P: Scriptable>(
    protocol: P,
    tools: Toolset,
    reveal: Reveal,
    conversation: &mut Conversation,
    acts: Vec<Act>,
) -> Vec<String> {
    let script = acting(protocol, acts);
    let agent = Agent::builder(Arc::clone(&script))
        .repertoire(tools)
        .reveal(reveal);
    let agent = agent.build().unwrap();
    // Saved and read again, as in another process.
    *conversation = Conversation::from_json(&conversation.to_json()).unwrap();
    agent.run_in(conversation, "go").await.unwrap();
    script.bodies()
}

fn search() -> Act {
    Act::call("tool_search", json!({"queries": ["warehouse_stock"]}))
}

fn stock() -> Act {
    Act::call("warehouse_stock", json!({"sku": "A"}))
}

fn through() -> Act {
    let inner = json!({"name": "warehouse_stock", "arguments": {"sku": "A"}});
    Act::call("call_tool", inner)
}

fn done() -> Act {
    Act::Say("done".to_owned())
}

/// Runs a macro's body with each of the five protocols.
macro_rules! for_all {
    ($protocol:ident => $body:expr) => {{
        {
            let $protocol = Responses::new("gpt-5.4");
            $body
        }
        {
            let $protocol = Responses::new("gpt-4o");
            $body
        }
        {
            let $protocol = Chat::new("m");
            $body
        }
        {
            let $protocol = Anthropic::new("claude-opus-5");
            $body
        }
        {
            let $protocol = Anthropic::new("claude-3-5-haiku");
            $body
        }
        {
            let $protocol = Gemini::new("m");
            $body
        }
        {
            let $protocol = Ollama::new("m");
            $body
        }
    }};
}

/// The results that say `seven`.
fn ran(conversation: &Conversation) -> usize {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results
        .flatten()
        .filter(|result| result.output().to_text() == "seven")
        .count()
}

#[tokio::test]
async fn a_tool_that_was_away_comes_back() {
    for_all!(protocol => {
        let mut conversation = Conversation::new();
        let append = Reveal::Append;
        run(protocol.clone(), deferred(), append, &mut conversation, vec![search(), done()]).await;
        let without = Toolset::new().with_tool(tool("other").deferred());
        run(protocol.clone(), without, append, &mut conversation, vec![stock(), done()]).await;
        assert_eq!(ran(&conversation), 0);
        run(protocol.clone(), deferred(), append, &mut conversation, vec![stock(), done()]).await;
        assert_eq!(ran(&conversation), 1, "{}", protocol.id());
    });
}

#[tokio::test]
async fn a_tool_moves_between_groups_and_into_sight_and_out_of_it() {
    let grouped = |group: &str| {
        Toolset::new()
            .with_tool(tool("warehouse_stock").deferred().group(group))
            .with_tool(tool("other").deferred())
    };
    let visible = || {
        Toolset::new()
            .with_tool(tool("warehouse_stock"))
            .with_tool(tool("other").deferred())
    };
    let states: [&dyn Fn() -> Toolset; 4] =
        [&deferred, &|| grouped("wh"), &|| grouped("store"), &visible];
    for from in states {
        for to in states {
            for_all!(protocol => {
                let mut conversation = Conversation::new();
                let append = Reveal::Append;
                let acts = vec![search(), stock(), done()];
                run(protocol.clone(), from(), append, &mut conversation, acts).await;
                let acts = vec![search(), stock(), done()];
                let bodies = run(protocol.clone(), to(), append, &mut conversation, acts).await;
                assert_eq!(ran(&conversation), 2, "{}", protocol.id());
                for body in bodies {
                    named_where_declared(&body);
                }
            });
        }
    }
}

/// A call of a tool that the request holds names the place where it holds it: the namespace that
/// brings it, its own name where it was brought flat, none where it is always shown. Of a tool that
/// it does not hold there is nothing to say.
fn named_where_declared(body: &str) {
    let body: Value = serde_json::from_str(body).unwrap();
    let items = body["input"].as_array().cloned().unwrap_or_default();
    let mut homes: Vec<(Value, Value)> = Vec::new();
    let brought = items.iter().filter_map(|item| item["tools"].as_array());
    for tool in brought.flatten() {
        match tool["tools"].as_array() {
            Some(members) => homes.extend(
                members
                    .iter()
                    .map(|member| (member["name"].clone(), tool["name"].clone())),
            ),
            None => homes.push((tool["name"].clone(), tool["name"].clone())),
        }
    }
    for tool in body["tools"].as_array().into_iter().flatten() {
        homes.push((tool["name"].clone(), Value::Null));
    }
    for call in items.iter().filter(|item| item["type"] == "function_call") {
        let home = homes.iter().find(|(name, _)| *name == call["name"]);
        if let Some((_, home)) = home {
            assert_eq!(call["namespace"], *home, "{call} in {body}");
        }
    }
}

#[tokio::test]
async fn a_conversation_goes_on_under_the_other_way_to_reveal_tools() {
    for_all!(protocol => {
        let native = protocol.capabilities().deferral != repertoire::protocol::Deferral::None;
        for (first, then) in [(Reveal::Dispatch, Reveal::Append), (Reveal::Append, Reveal::Dispatch)] {
            let call = |reveal| match reveal {
                Reveal::Dispatch if !native => through(),
                _ => stock(),
            };
            let mut conversation = Conversation::new();
            let acts = vec![search(), call(first), done()];
            run(protocol.clone(), deferred(), first, &mut conversation, acts).await;
            let acts = vec![call(then), done()];
            run(protocol.clone(), deferred(), then, &mut conversation, acts).await;
            assert_eq!(ran(&conversation), 2, "{} {then:?}", protocol.id());
        }
    });
}

#[tokio::test]
async fn a_model_that_calls_through_a_tool_that_is_not_there_is_told_so() {
    for_all!(protocol => {
        let mut conversation = Conversation::new();
        let step = [search(), stock(), through(), search()].into_iter().flat_map(|act| match act {
            Act::Call(calls) => calls,
            _ => Vec::new(),
        });
        let acts = vec![Act::Call(step.collect()), stock(), done()];
        run(protocol.clone(), deferred(), Reveal::Append, &mut conversation, acts).await;
        assert_eq!(ran(&conversation), 1, "{}", protocol.id());
    });
}

#[tokio::test]
async fn arguments_of_any_kind_come_back_as_the_provider_takes_them() {
    let kinds = [
        json!("nonsense"),
        json!(""),
        json!("[1]"),
        json!([1]),
        json!(7),
        json!(true),
        json!(null),
        json!({}),
        json!({"queries": 7}),
    ];
    for arguments in kinds {
        for name in ["tool_search", "other"] {
            for_all!(protocol => {
                let mut conversation = Conversation::new();
                let acts = vec![Act::call(name, arguments.clone()), search(), stock(), done()];
                run(protocol.clone(), deferred(), Reveal::Append, &mut conversation, acts).await;
                assert_eq!(ran(&conversation), 1, "{} {arguments}", protocol.id());
            });
        }
    }
}

#[tokio::test]
async fn a_search_whose_arguments_stand_in_a_text_is_a_search() {
    let text = json!({"queries": ["warehouse_stock"]}).to_string();
    for_all!(protocol => {
        let mut conversation = Conversation::new();
        let acts = vec![Act::call("tool_search", json!(text)), stock(), done()];
        let bodies = run(protocol.clone(), deferred(), Reveal::Append, &mut conversation, acts).await;
        assert_eq!(ran(&conversation), 1, "{} {:?}", protocol.id(), bodies.last());
    });
}

#[tokio::test]
async fn a_found_tool_is_told_whole_where_it_is_called_through_another() {
    let long = format!("{} the very end", "All about it. ".repeat(200));
    let tool = || {
        let schema = json!({"type": "object", "properties": {}});
        let tool = RuntimeTool::new("warehouse_stock", long.clone(), schema, |_| async {
            Ok("".into())
        });
        Toolset::new().with_tool(tool.deferred().guideline("Only on Mondays."))
    };
    for_all!(protocol => {
        let script = Arc::new(Script::new(protocol.clone()).rule(Rule::new("search", |_| search()).when(|seen| {
            if seen.results().is_empty() { Ok(()) } else { Err("done".to_owned()) }
        })).rule(Rule::say("done")));
        let search = ToolSearch::new().placement(CatalogPlacement::None);
        let agent = Agent::builder(Arc::clone(&script)).repertoire(tool()).reveal(Reveal::Dispatch);
        let agent = agent.extensions([search.into()]).build().unwrap();
        agent.run("go").await.unwrap();
        let body = script.bodies().pop().unwrap();
        assert!(body.contains("the very end") && body.contains("Only on Mondays."), "{}: {body}", protocol.id());
    });
}

#[tokio::test]
async fn a_found_tool_that_is_gone_is_said_to_be_gone() {
    for_all!(protocol => {
        let mut conversation = Conversation::new();
        let append = Reveal::Append;
        run(protocol.clone(), deferred(), append, &mut conversation, vec![search(), done()]).await;
        let without = Toolset::new().with_tool(tool("other").deferred());
        let bodies = run(protocol.clone(), without, append, &mut conversation, vec![done()]).await;
        assert!(bodies[0].contains("no longer available: warehouse_stock"), "{}: {}", protocol.id(), bodies[0]);
    });
}

//! Whatever a model writes, every call gets one clear result and the run goes on.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Conversation, Error, Event, Gemini, Ollama, Responses, Stop, Toolset,
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script, Scriptable},
    tool::ErrorKind,
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings, warehouse};
use serde_json::{Value, json};

/// Lets a model make these calls in one step, then end; returns the results.
async fn results<P: Scriptable>(
    protocol: P,
    tools: Toolset,
    calls: Vec<(&str, Value)>,
) -> Vec<ToolResult> {
    let calls: Vec<(String, Value)> = calls
        .into_iter()
        .map(|(name, arguments)| (name.to_owned(), arguments))
        .collect();
    let model = Script::new(protocol)
        .rule(
            Rule::new("call", move |_| Act::Call(calls.clone())).when(|seen| {
                if seen.calls().is_empty() {
                    Ok(())
                } else {
                    Err("called".to_owned())
                }
            }),
        )
        .rule(Rule::say("done"));
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!((reply.stop(), reply.text()), (Stop::Done, "done"));
    match &conversation.items()[2] {
        Item::Results(results) => results.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_unloaded_tool_is_never_run() {
    for calls in [
        vec![("warehouse_stock", json!({"sku": "A"}))],
        // Searched for in the same step: the model has not seen the definition yet.
        vec![
            ("tool_search", json!({"queries": ["warehouse_stock"]})),
            ("warehouse_stock", json!({"sku": "A"})),
        ],
        // The tool for indirect calls is not there on this protocol.
        vec![(
            "call_tool",
            json!({"name": "warehouse_stock", "arguments": {"sku": "A"}}),
        )],
    ] {
        let count = Arc::new(AtomicUsize::new(0));
        let results = results(Anthropic::new("m"), warehouse(&count), calls).await;
        let last = results.last().unwrap();
        assert!(last.is_failed(), "{last:?}");
        assert_eq!(count.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn a_refusal_says_what_to_do_and_names_no_hidden_tool() {
    let tools = warehouse(&Arc::default());
    let calls = vec![
        ("warehouse_stock", json!({})),
        ("stock_of_warehouse", json!({})),
    ];
    let results = results(Responses::new("m"), tools, calls).await;
    let direct = results[0].output().to_text();
    assert!(
        direct.contains("`tool_search`") && direct.contains("not run"),
        "{direct}"
    );
    let unknown = results[1].output().to_text();
    assert!(
        unknown.contains("no tool `stock_of_warehouse`"),
        "{unknown}"
    );
    assert!(
        !unknown.contains("warehouse_stock") && !unknown.contains("order_cancel"),
        "{unknown}"
    );
}

#[tokio::test]
async fn malformed_search_arguments_are_an_ordinary_failed_result() {
    for arguments in [
        json!({"queries": "x"}),
        json!({"queries": []}),
        json!({"queries": [1]}),
        json!({"queries": [""]}),
        json!({"query": "x"}),
        json!({"queries": ["x"], "score": 1}),
        json!({"queries": vec!["x"; 1000]}),
        json!([["x"]]),
        json!("x"),
        json!(null),
        json!({}),
    ] {
        let count = Arc::default();
        let call = || vec![("tool_search", arguments.clone())];
        let mut all = results(Anthropic::new("m"), warehouse(&count), call()).await;
        all.extend(results(Responses::new("m"), warehouse(&count), call()).await);
        all.extend(results(Gemini::new("m"), warehouse(&count), call()).await);
        all.extend(results(Ollama::new("m"), warehouse(&count), call()).await);
        for result in &all {
            assert!(result.is_failed(), "{arguments}");
            assert!(result.output().to_text().contains("queries"), "{result:?}");
        }
    }
}

#[tokio::test]
async fn arguments_of_a_tool_that_are_no_object_are_refused() {
    for arguments in [
        json!("{\"sku\": "),
        json!("[1]"),
        json!("3"),
        json!("null"),
        json!("sku=A"),
    ] {
        let count = Arc::new(AtomicUsize::new(0));
        let tools = Toolset::new().with_tool(counting("stock", "Looks up stock.", &count));
        let calls = vec![("stock", arguments.clone())];
        let results = results(Responses::new("m"), tools, calls).await;
        assert!(results[0].is_failed());
        let text = results[0].output().to_text();
        assert!(text.contains("R0001") && text.contains("object"), "{text}");
        assert_eq!(count.load(Ordering::SeqCst), 0, "{arguments}");
    }
}

#[tokio::test]
async fn a_search_says_what_it_found_already_there_and_not_at_all() {
    let calls = vec![
        ("tool_search", json!({"queries": ["clock"]})),
        ("tool_search", json!({"queries": ["order_cancel"]})),
        ("tool_search", json!({"queries": ["order_cancel"]})),
        (
            "tool_search",
            json!({"queries": ["zzzzqqq", "invoice_send"]}),
        ),
    ];
    let results = results(Anthropic::new("m"), warehouse(&Arc::default()), calls).await;
    let texts: Vec<String> = results
        .iter()
        .map(|result| result.output().to_text())
        .collect();
    let loads: Vec<&[String]> = results.iter().map(ToolResult::loads).collect();
    assert!(
        texts[0].contains("always available") && texts[0].contains("clock"),
        "{texts:?}"
    );
    assert_eq!(loads[1], ["order_cancel"]);
    assert_eq!(texts[1], "");
    assert!(loads[2].is_empty());
    assert!(texts[2].contains("already loaded"), "{texts:?}");
    assert_eq!(loads[3], ["invoice_send"]);
    assert!(texts[3].contains("no tool matches"), "{texts:?}");
}

#[tokio::test]
async fn a_tool_that_fails_or_panics_ends_in_a_result() {
    let tools = Toolset::new()
        .with_tool(RuntimeTool::new(
            "fails",
            "Fails.",
            strings(&[]),
            |_| async {
                Err(
                    repertoire::ToolError::new(ErrorKind::Transient, "down\nfor now")
                        .with_code("E1001"),
                )
            },
        ))
        .with_tool(RuntimeTool::new("panics", "Panics.", strings(&[]), |_| {
            panic!("oh {}", "no");
            #[allow(unreachable_code)]
            async {
                Ok("".into())
            }
        }))
        .with_tool(RuntimeTool::new(
            "late",
            "Panics later.",
            strings(&[]),
            |_| async {
                panic!("late");
            },
        ));
    let calls = vec![
        ("fails", json!({})),
        ("panics", json!({})),
        ("late", json!({})),
    ];
    let results = results(Responses::new("m"), tools, calls).await;
    let texts: Vec<String> = results
        .iter()
        .map(|result| result.output().to_text())
        .collect();
    assert_eq!(texts[0], "E1001: down for now");
    assert!(texts[1].contains("oh no"), "{texts:?}");
    assert!(texts[2].contains("late"), "{texts:?}");
    assert!(results.iter().all(ToolResult::is_failed));
}

#[tokio::test]
async fn the_limit_on_steps_ends_the_run_with_every_call_answered() {
    let model = Script::new(Responses::new("m")).rule(Rule::new("again", |seen| {
        Act::call("clock", json!({"sku": seen.calls().len().to_string()}))
    }));
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .max_steps(3)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!((reply.stop(), reply.steps()), (Stop::MaxSteps, 3));
    assert_eq!(count.load(Ordering::SeqCst), 3);
    assert!(matches!(
        conversation.items().last(),
        Some(Item::Results(_))
    ));
    assert_eq!(reply.events().len(), 3);
    assert!(matches!(&reply.events()[0], Event::ToolCalled { .. }));
}

#[tokio::test]
async fn a_call_that_the_token_limit_cut_off_is_not_run() {
    let cut = json!({
        "content": [{"type": "tool_use", "id": "t1", "name": "clock", "input": {"sku": "A"}}],
        "stop_reason": "max_tokens",
    });
    let model = Script::new(Anthropic::new("m"))
        .rule(
            Rule::new("cut", move |_| Act::Raw(cut.clone())).when(|seen| {
                if seen.calls().is_empty() {
                    Ok(())
                } else {
                    Err("called".to_owned())
                }
            }),
        )
        .rule(Rule::answer("clock", str::to_owned));
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    assert!(reply.text().contains("cut"), "{}", reply.text());
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[test]
fn build_lists_every_problem_at_once() {
    let named =
        |name: &str| RuntimeTool::new(name, "Does it.", strings(&[]), |_| async { Ok("".into()) });
    let tools = Toolset::new()
        .with_tool(named("twice"))
        .with_tool(named("twice"))
        .with_tool(named("bad name!"))
        .with_tool(named(""))
        .with_tool(RuntimeTool::new("empty", " ", strings(&[]), |_| async {
            Ok("".into())
        }))
        .with_tool(RuntimeTool::new(
            "list",
            "Lists.",
            json!({"type": "array"}),
            |_| async { Ok("".into()) },
        ))
        .with_tool(named("tool_search"))
        .with_tool(named("hidden").deferred());
    let model = Script::new(Responses::new("m"));
    let Err(Error::Build(error)) = Agent::builder(model).repertoire(tools).build() else {
        panic!("the agent was built");
    };
    let text = error.to_string();
    for says in [
        "2 tools are named `twice`",
        "tool `bad name!`",
        "tool ``",
        "the description is empty",
        "\"type\": \"object\"",
        "tool `tool_search`",
    ] {
        assert!(text.contains(says), "{says}\n{text}");
    }
    assert!(text.matches("bad_input.rs:").count() >= 7, "{text}");
    assert_eq!(error.problems().len(), 6, "{text}");
}

//! What users of other libraries ran into with deferred tools and with skills. Each test is named
//! after a public report (project and number) and shows that it cannot happen here.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Responses, Stop, Toolset,
    conversation::Item,
    protocol::{CacheTime, Reveal},
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::{counting, warehouse};
use serde_json::{Value, json};

/// A script that makes these calls, one a step, whatever the request holds.
fn calling(calls: Vec<(&'static str, Value)>) -> Script<Anthropic> {
    Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
        match calls.get(seen.calls().len()) {
            Some((name, arguments)) => Act::call(*name, arguments.clone()),
            None => Act::Say("done".to_owned()),
        }
    }))
}

/// The last results of a conversation, as texts.
fn results(conversation: &Conversation) -> Vec<String> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results
        .flatten()
        .map(|result| result.output().to_text())
        .collect()
}

async fn run(tools: Toolset, calls: Vec<(&'static str, Value)>) -> (Conversation, Vec<String>) {
    let model = Arc::new(calling(calls));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    (conversation, model.bodies())
}

/// pydantic-ai#7552
#[tokio::test]
async fn an_unknown_tool_is_not_answered_with_the_hidden_ones() {
    let (conversation, _) = run(warehouse(&Arc::default()), vec![("nope", json!({}))]).await;
    let text = &results(&conversation)[0];
    for hidden in ["warehouse_stock", "order_cancel", "invoice_send"] {
        assert!(!text.contains(hidden), "{text}");
    }
}

/// pydantic-ai#6997
#[tokio::test]
async fn no_search_tool_where_nothing_can_be_found() {
    let tools = Toolset::new().with_tool(counting("clock", "Tells the time.", &Arc::default()));
    let (_, bodies) = run(tools, Vec::new()).await;
    assert!(!bodies[0].contains("tool_search"));
}

/// pydantic-ai#7271, macro#4606: refused with the way to go on, and then it works.
#[tokio::test]
async fn a_model_that_skips_the_search_is_steered_and_recovers() {
    let count = Arc::new(AtomicUsize::new(0));
    let stock = json!({"sku": "A"});
    let calls = vec![
        ("warehouse_stock", stock.clone()),
        ("tool_search", json!({"queries": ["warehouse_stock"]})),
        ("warehouse_stock", stock),
    ];
    let (conversation, _) = run(warehouse(&count), calls).await;
    let texts = results(&conversation);
    assert!(
        texts[0].contains("R0003") && texts[0].contains("`tool_search`"),
        "{texts:?}"
    );
    assert!(texts[2].contains("ran with"), "{texts:?}");
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

/// pydantic-ai-harness#232: signatures of deferred tools stand nowhere before they are loaded.
#[tokio::test]
async fn no_other_tool_discloses_deferred_signatures() {
    let model = Arc::new(Script::new(Responses::new("m")).rule(Rule::say("hi")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run("hi").await.unwrap();
    // In quotation marks of JSON, and of JSON within a text.
    let body = model.bodies()[0].replace('\\', "");
    assert_eq!(
        body.matches("\"sku\"").count(),
        2,
        "a property and a requirement of the visible tool: {body}"
    );
}

/// claude-code#87047: a reference to a tool that is gone is dropped, and the history stays valid.
#[tokio::test]
async fn a_reference_to_a_tool_that_is_gone_is_dropped() {
    let calls = vec![("tool_search", json!({"queries": ["warehouse_stock"]}))];
    let (mut conversation, _) = run(warehouse(&Arc::default()), calls).await;
    let model = Arc::new(calling(Vec::new()));
    // Another tool is deferred, so that references are written at all.
    let tools = Toolset::new()
        .with_tool(counting("clock", "Tells the time.", &Arc::default()))
        .with_tool(counting("other", "Does more.", &Arc::default()).deferred());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    agent.run_in(&mut conversation, "more").await.unwrap();
    assert!(!model.bodies()[0].contains("tool_reference"));
}

/// codex#34719, spring-ai#7034: after the history was cut, a search loads the tool again.
#[tokio::test]
async fn a_tool_whose_search_was_forgotten_can_be_loaded_again() {
    let calls = vec![("tool_search", json!({"queries": ["warehouse_stock"]}))];
    let (mut conversation, _) = run(warehouse(&Arc::default()), calls).await;
    conversation.forget_before(conversation.items().len());
    let model = Arc::new(calling(vec![
        ("tool_search", json!({"queries": ["warehouse_stock"]})),
        ("warehouse_stock", json!({"sku": "A"})),
    ]));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run_in(&mut conversation, "more").await.unwrap();
    assert!(model.bodies()[1].contains("tool_reference"), "loaded again");
    assert!(results(&conversation)[1].contains("ran with"));
    // And the catalog never went away.
    assert!(model.bodies()[0].contains("- warehouse_stock: "));
}

/// spring-ai#7034: a loaded tool stays callable after it ran.
#[tokio::test]
async fn a_loaded_tool_does_not_vanish_after_its_first_run() {
    let calls = vec![
        ("tool_search", json!({"queries": ["warehouse_stock"]})),
        ("warehouse_stock", json!({"sku": "A"})),
        ("warehouse_stock", json!({"sku": "B"})),
    ];
    let count = Arc::new(AtomicUsize::new(0));
    run(warehouse(&count), calls).await;
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

/// zero#259, hermes-agent#73490: a search for a visible tool names it as visible.
#[tokio::test]
async fn a_search_for_a_visible_tool_says_that_it_is_there() {
    let calls = vec![("tool_search", json!({"queries": ["clock"]}))];
    let (conversation, _) = run(warehouse(&Arc::default()), calls).await;
    let text = &results(&conversation)[0];
    assert!(
        text.contains("always available") && text.contains("clock"),
        "{text}"
    );
}

/// zero#148: deferred tools are shown where no search could find them.
#[tokio::test]
async fn deferral_without_a_search_falls_back_to_showing_all() {
    let model = Arc::new(calling(vec![("warehouse_stock", json!({"sku": "A"}))]));
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .extensions([])
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1);
    assert!(!model.bodies()[0].contains("defer_loading"));
}

/// codex#21503: nothing outranks a tool that is asked for by its exact name.
#[tokio::test]
async fn the_exact_name_is_always_found_first() {
    let mut tools =
        Toolset::new().with_tool(counting("get", "Fetches.", &Arc::default()).deferred());
    for number in 0..50 {
        let text = "Get get get: gets what is to be got, with get.";
        tools =
            tools.with_tool(counting(&format!("get_{number}"), text, &Arc::default()).deferred());
    }
    let (conversation, _) = run(tools, vec![("tool_search", json!({"queries": ["get"]}))]).await;
    let Item::Results(results) = &conversation.items()[2] else {
        panic!()
    };
    assert_eq!(results[0].loads(), ["get"]);
}

/// qwen-code#6338, gaia#4036, claude-code#92033: the order in which tools are added is of no
/// consequence to the bytes.
#[tokio::test]
async fn the_order_of_tools_is_stable() {
    let body = |reversed: bool| async move {
        let count = Arc::default();
        let mut names = ["alpha", "beta", "gamma", "delta"];
        if reversed {
            names.reverse();
        }
        let tools = names.iter().fold(Toolset::new(), |tools, name| {
            let tool = counting(name, "Does it.", &count);
            tools.with_tool(if *name > "c" { tool.deferred() } else { tool })
        });
        run(tools, Vec::new()).await.1[0].clone()
    };
    assert_eq!(body(false).await, body(true).await);
}

/// openai-agents-python#2204, openai-agents-js#1518: a wrong name ends in a result, not in the run.
#[tokio::test]
async fn an_invented_tool_does_not_end_the_run() {
    let calls = vec![("invented", json!({})), ("clock", json!({"sku": "x"}))];
    let (conversation, _) = run(warehouse(&Arc::default()), calls).await;
    let texts = results(&conversation);
    assert!(
        texts[0].contains("no tool `invented`") && texts[1].contains("ran with"),
        "{texts:?}"
    );
}

/// Two parallel searches for one tool load it once.
#[tokio::test]
async fn parallel_searches_hand_out_one_definition() {
    let search = || {
        (
            "tool_search".to_owned(),
            json!({"queries": ["warehouse_stock"]}),
        )
    };
    let model = Arc::new(
        Script::new(Anthropic::new("m")).rule(Rule::new("two", move |seen| {
            if seen.calls().is_empty() {
                Act::Call(vec![search(), search()])
            } else {
                Act::Say("done".to_owned())
            }
        })),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(model.bodies()[1].matches("tool_reference").count(), 1);
    assert!(model.bodies()[1].contains("already loaded"));
}

/// Each query's best tool is loaded, however many queries one search holds.
#[tokio::test]
async fn no_query_of_a_search_goes_away_empty() {
    let mut tools = Toolset::new();
    let names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"];
    for name in names {
        for number in 0..3 {
            let tool = counting(&format!("{name}_{number}"), "Does it.", &Arc::default());
            tools = tools.with_tool(tool.deferred());
        }
    }
    let calls = vec![("tool_search", json!({"queries": names}))];
    let (conversation, _) = run(tools, calls).await;
    let Item::Results(results) = &conversation.items()[2] else {
        panic!()
    };
    let loads = results[0].loads();
    assert_eq!(loads.len(), names.len());
    for name in names {
        assert!(
            loads.iter().any(|tool| tool.starts_with(name)),
            "{name}: {loads:?}"
        );
    }
}

/// The first request of an agent with the warehouse's tools.
async fn first<P: Scriptable>(protocol: P) -> Value {
    let model = Arc::new(Script::new(protocol).rule(Rule::say("hi")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run("hi").await.unwrap();
    serde_json::from_str(&model.bodies()[0]).unwrap()
}

/// pydantic-ai#5938: no tool is marked as deferred where the search tool is not sent along.
#[tokio::test]
async fn deferral_and_the_search_tool_go_together() {
    for body in [
        first(Responses::new("m")).await,
        first(Responses::new("m").without_tool_search()).await,
        first(Anthropic::new("m")).await,
        first(Chat::new("m")).await,
    ] {
        let text = body.to_string();
        let tools = body["tools"].as_array().unwrap();
        let searches = tools.iter().any(|tool| {
            let names = [&tool["type"], &tool["name"], &tool["function"]["name"]];
            names.contains(&&json!("tool_search"))
        });
        assert!(searches || !text.contains("defer_loading"), "{text}");
        assert!(searches, "the tools could never be found: {text}");
    }
}

/// CLIProxyAPI#4561, sub2api#4990, 9router#3567: the mark of the cache is never on a deferred tool.
#[tokio::test]
async fn the_cache_mark_is_not_on_a_deferred_tool() {
    let body = first(Anthropic::new("m").prompt_cache(CacheTime::FiveMinutes)).await;
    let tools = body["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["defer_loading"] == true));
    assert!(tools.iter().any(|tool| tool.get("cache_control").is_some()));
    for tool in tools {
        assert!(
            tool.get("cache_control").is_none() || tool.get("defer_loading").is_none(),
            "{tool}"
        );
    }
}

/// copilot-cli#4519, langchain#38540, langchain#38544: what a search found on Responses stands in its
/// output alone, and a call goes back with the namespace it came with.
#[tokio::test]
async fn a_replayed_call_keeps_its_namespace() {
    let model = Arc::new(
        Script::new(Responses::new("m"))
            .rule(Rule::search("stock of a product", "warehouse_stock"))
            .rule(Rule::call("warehouse_stock", json!({"sku": "A"})))
            .rule(Rule::say("done")),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run("stock?").await.unwrap();
    let body: Value = serde_json::from_str(model.bodies().last().unwrap()).unwrap();
    let input = body["input"].as_array().unwrap();
    let output = input
        .iter()
        .find(|item| item["type"] == "tool_search_output")
        .unwrap();
    let call = input
        .iter()
        .find(|item| item["type"] == "function_call")
        .unwrap();
    assert_eq!(output["tools"][0]["name"], call["namespace"]);
}

/// hermes-agent#84772: the search, the gate and the tool for indirect calls say the same, and a
/// refusal gives the true reason.
#[tokio::test]
async fn a_refusal_gives_the_true_reason() {
    let calls = [
        (
            "call_tool",
            json!({"name": "tool_search", "arguments": {"queries": ["x"]}}),
        ),
        ("call_tool", json!({"name": "call_tool", "arguments": {}})),
        (
            "call_tool",
            json!({"name": "warehouse_stock", "arguments": {"sku": "A"}}),
        ),
        ("tool_search", json!({"queries": ["warehouse_stock"]})),
        (
            "call_tool",
            json!({"name": "warehouse_stock", "arguments": {"sku": "A"}}),
        ),
        ("tool_search", json!({"queries": ["call_tool"]})),
        (
            "tool_search",
            json!({"queries": ["Call Tool", "tool_search"]}),
        ),
    ];
    let script = calls.clone();
    let model = Script::new(Chat::new("m")).rule(Rule::new("next", move |seen| {
        match script.get(seen.calls().len()) {
            Some((name, arguments)) => Act::call(*name, arguments.clone()),
            None => Act::Say("done".to_owned()),
        }
    }));
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .reveal(Reveal::Dispatch)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let texts = results(&conversation);
    for own in ["tool_search", "call_tool"] {
        let at = usize::from(own == "call_tool");
        assert!(
            texts[at].contains(&format!("`{own}` is always available")),
            "{texts:?}"
        );
    }
    assert!(texts[2].contains("not loaded yet"), "{texts:?}");
    assert!(texts[4].contains("ran with"), "{texts:?}");
    assert!(
        texts[5].contains("always available, call it without searching: call_tool"),
        "{texts:?}"
    );
    assert!(
        texts[6].contains("call it without searching: call_tool"),
        "{texts:?}"
    );
    // The search tool never names itself.
    assert!(
        texts[6].contains("`tool_search`: no tool matches"),
        "{texts:?}"
    );
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

/// macro#4606: a model that never loads what it calls is stopped by the limit of steps, and nothing
/// has run.
#[tokio::test]
async fn a_model_that_never_searches_is_stopped() {
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("again", |_| {
        Act::call("warehouse_stock", json!({"sku": "A"}))
    }));
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .max_steps(5)
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    assert_eq!(reply.stop(), Stop::MaxSteps);
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

/// A tool that is switched off is in no answer of a search, not by its name and not by its group.
#[tokio::test]
async fn a_tool_that_is_switched_off_is_in_no_answer() {
    let tools = || {
        let tool = |name: &str| {
            counting(name, "Looks at the stock.", &Arc::default())
                .deferred()
                .group("stock")
        };
        Toolset::new()
            .with_tool(tool("stock_get"))
            .with_tool(tool("stock_list"))
    };
    let steps = [
        ("tool_search", json!({"queries": ["poetry"]})),
        ("tool_search", json!({"queries": ["stock"]})),
        ("tool_search", json!({"queries": ["looks at"]})),
        ("tool_search", json!({"queries": ["stock_get"]})),
        ("stock_get", json!({"sku": "A"})),
    ];
    let agent = |steps: &[(&'static str, Value)]| {
        let agent = Agent::builder(calling(steps.to_vec()));
        agent.repertoire(tools()).build().unwrap()
    };
    // A conversation that began before still shows the tool, and one that begins now does not.
    for (began, answer) in [(false, "no tool matches"), (true, "switched off")] {
        let mut conversation = Conversation::new();
        if began {
            let all_on = agent(&steps[..1]);
            all_on.run_in(&mut conversation, "go").await.unwrap();
        }
        let agent = agent(&steps);
        agent.tools().disable("stock_get").unwrap();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let loads: Vec<&str> = conversation
            .items()
            .iter()
            .filter_map(|item| match item {
                Item::Results(results) => Some(results),
                _ => None,
            })
            .flatten()
            .flat_map(|result| result.loads().iter().map(String::as_str))
            .collect();
        assert_eq!(loads, ["stock_list"]);
        let texts = results(&conversation);
        let other = "`looks at`: already loaded, call it: stock_list.";
        assert!(texts[2].contains(other), "{texts:?}");
        assert!(
            texts[3].contains("`stock_get`") && texts[3].contains(answer),
            "{texts:?}"
        );
        assert!(!texts[4].contains("ran with"), "{texts:?}");
    }
}

//! What models, hosts and programs do at the edges of what is allowed.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, Conversation, Responses, Stop, Texts, ToolError, Toolset,
    agent::{Guidelines, ToolSearch},
    conversation::{Item, ToolResult},
    protocol::{Protocol, Request, RequestOptions, ToolChoice},
    skill::SkillCatalog,
    testing::{Act, Rule, Script, Scriptable},
    tool::ErrorKind,
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings, warehouse};
use serde_json::{Value, json};

/// A model whose first answer is exactly this body, and which then says `done`.
fn answering<P: Scriptable>(protocol: P, body: Value) -> Arc<Script<P>> {
    Arc::new(Script::new(protocol).rule(Rule::new("first", move |seen| {
        if seen.results().is_empty() {
            Act::Raw(body.clone())
        } else {
            Act::Say("done".to_owned())
        }
    })))
}

fn results(conversation: &Conversation) -> Vec<ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results.clone()),
        _ => None,
    });
    results.flatten().collect()
}

#[tokio::test]
async fn a_call_goes_back_under_the_identifier_it_came_with() {
    let count = Arc::new(AtomicUsize::new(0));
    for id in ["functions.clock:0", "toolu_01", &"x".repeat(90)] {
        let body = json!({"output": [{"type": "function_call", "call_id": id, "name": "clock",
            "arguments": "{\"sku\":\"A\"}"}], "status": "completed"});
        let model = answering(Responses::new("m"), body);
        let agent = Agent::builder(Arc::clone(&model))
            .repertoire(warehouse(&count))
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let second: Value = serde_json::from_str(&model.bodies()[1]).unwrap();
        assert_eq!(second["input"][1]["call_id"], id);
        assert_eq!(second["input"][2]["call_id"], id);

        // Another provider gets one that it takes, the same for both.
        let moved = Anthropic::new("m")
            .encode(&Request::new(conversation.items()))
            .unwrap();
        let moved: Value = serde_json::from_str(moved.json()).unwrap();
        let call = moved["messages"][1]["content"][0]["id"].as_str().unwrap();
        assert_eq!(moved["messages"][2]["content"][0]["tool_use_id"], call);
        assert!(call.len() <= 64 && !call.contains(['.', ':']), "{call}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn calls_with_one_or_no_identifier_keep_their_own_results() {
    for id in ["d", ""] {
        let call = |sku: &str| json!({"type": "tool_use", "id": id, "name": "clock", "input": {"sku": sku}});
        let body = json!({"content": [call("A"), call("B")], "stop_reason": "tool_use"});
        let model = answering(Anthropic::new("m"), body);
        let agent = Agent::builder(model)
            .repertoire(warehouse(&Arc::default()))
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        let reply = agent.run_in(&mut conversation, "go").await.unwrap();
        assert_eq!(reply.text(), "done");
        let again = Conversation::from_json(&conversation.to_json()).unwrap();
        let texts: Vec<String> = results(&again)
            .iter()
            .map(|r| r.output().to_text())
            .collect();
        assert_eq!(
            texts,
            ["ran with {\"sku\":\"A\"}", "ran with {\"sku\":\"B\"}"]
        );
    }
}

#[tokio::test]
async fn the_search_tool_works_under_another_name() {
    let mut texts = Texts::default();
    texts.search_tool = "find_tools".into();
    let body = json!({"output": [{"type": "tool_search_call", "call_id": "c", "execution": "client",
        "arguments": {"queries": ["warehouse_stock"]}}], "status": "completed"});
    let model = answering(Responses::new("m"), body);
    let agent = Agent::builder(model)
        .repertoire(warehouse(&Arc::default()))
        .texts(texts)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(results(&conversation)[0].loads(), ["warehouse_stock"]);
}

#[tokio::test]
async fn what_is_no_response_is_no_success() {
    for body in [
        json!({"message": "Unauthorized"}),
        json!({}),
        json!([]),
        json!("no"),
        json!({"content": [], "stop_reason": "end_turn"}),
        json!({"status": "failed", "output": []}),
        json!({"error": {"code": "rate_limit_exceeded", "message": "slow down"}}),
    ] {
        let model = answering(Responses::new("m"), body.clone());
        let agent = Agent::builder(model).build().unwrap();
        assert!(agent.run("go").await.is_err(), "{body}");
    }
    for (stop, expected) in [
        ("end_turn", Stop::Done),
        ("refusal", Stop::Refused),
        ("max_tokens", Stop::MaxTokens),
        ("a_new_reason", Stop::Other),
        // The provider wants to go on by itself; it is asked again, up to the limit.
        ("pause_turn", Stop::MaxSteps),
    ] {
        let body = json!({"content": [{"type": "text", "text": "hm"}], "stop_reason": stop});
        let model = answering(Anthropic::new("m"), body);
        let agent = Agent::builder(model).max_steps(3).build().unwrap();
        assert_eq!(agent.run("go").await.unwrap().stop(), expected, "{stop}");
    }
}

#[test]
fn what_the_sdk_adds_must_fit_too() {
    let agent = |texts: Texts, extensions: Vec<_>| {
        let builder = Agent::builder(Script::new(Anthropic::new("m")))
            .repertoire(warehouse(&Arc::default()))
            .texts(texts);
        let builder = match extensions.len() {
            0 => builder,
            _ => builder.extensions(extensions),
        };
        builder
            .build()
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let twice = agent(
        Texts::default(),
        vec![
            ToolSearch::new().into(),
            ToolSearch::new().into(),
            Guidelines::new().into(),
            Guidelines::new().into(),
            SkillCatalog::new().into(),
        ],
    );
    assert!(twice.contains("two tools named `tool_search`"), "{twice}");
    assert!(twice.contains("`Guidelines` is there twice"), "{twice}");
    for name in ["", "find tools!"] {
        let mut texts = Texts::default();
        texts.search_tool = name.to_owned().into();
        let said = agent(texts, Vec::new());
        assert!(
            said.contains(&format!("named `{name}` by `texts`")),
            "{said}"
        );
    }
    let mut texts = Texts::default();
    texts.search_tool = "clock".into();
    assert!(agent(texts, Vec::new()).contains("has the name of a tool that the SDK adds"));
}

#[tokio::test]
async fn dropping_a_run_keeps_what_had_ended() {
    let count = Arc::new(AtomicUsize::new(0));
    let hang = RuntimeTool::new("hang", "Hangs.", strings(&[]), |_| pending());
    let tools = Toolset::new()
        .with_tool(counting("side", "Acts.", &count))
        .with_tool(hang);
    let body = json!({"content": [
        {"type": "tool_use", "id": "1", "name": "hang", "input": {}},
        {"type": "tool_use", "id": "2", "name": "side", "input": {"sku": "A"}},
    ], "stop_reason": "tool_use"});
    let model = answering(Anthropic::new("m"), body);
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let mut conversation = Conversation::new();
    let run = agent.run_in(&mut conversation, "go");
    tokio::time::timeout(Duration::from_millis(50), run)
        .await
        .unwrap_err();
    // Also through a saved file.
    let mut conversation = Conversation::from_json(&conversation.to_json()).unwrap();
    agent.run_in(&mut conversation, "and?").await.unwrap();
    let results = results(&conversation);
    assert!(results[0].is_failed());
    assert_eq!(results[1].output().to_text(), "ran with {\"sku\":\"A\"}");
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_error_without_words_is_still_a_result_with_some() {
    let tool = RuntimeTool::new("mute", "Fails.", strings(&[]), |_| async {
        Err(ToolError::new(ErrorKind::Failed, " \n"))
    });
    let body = json!({"content": [{"type": "tool_use", "id": "1", "name": "mute", "input": {}}],
        "stop_reason": "tool_use"});
    let agent = Agent::builder(answering(Anthropic::new("m"), body))
        .repertoire(Toolset::new().with_tool(tool))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(
        results(&conversation)[0].output().to_text(),
        "the call failed without a reason"
    );
}

#[tokio::test]
async fn a_demanded_tool_is_demanded_once() {
    let mut options = RequestOptions::default();
    options.tool_choice = ToolChoice::Tool("clock".to_owned());
    let model = Arc::new(
        Script::new(Anthropic::new("m"))
            .rule(Rule::call("clock", json!({"sku": "A"})))
            .rule(Rule::say("done")),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .options(options.clone())
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let choices: Vec<Value> = model
        .bodies()
        .iter()
        .map(|body| serde_json::from_str::<Value>(body).unwrap()["tool_choice"].clone())
        .collect();
    assert_eq!(
        choices,
        [json!({"type": "tool", "name": "clock"}), Value::Null]
    );

    for (choice, says) in [("nope", "`nope`"), ("warehouse_stock", "`warehouse_stock`")] {
        options.tool_choice = ToolChoice::Tool(choice.to_owned());
        options.temperature = Some(f32::NAN);
        let error = Agent::builder(Script::new(Anthropic::new("m")))
            .repertoire(warehouse(&Arc::default()))
            .options(options.clone())
            .build()
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains(says) && error.contains("temperature"),
            "{error}"
        );
    }
}

#[test]
fn a_history_edited_by_hand_is_put_in_order() {
    let result =
        |id: &str| json!({"call_id": id, "name": "clock", "status": "ok", "output": {"parts": []}});
    let turn = |ids: &[&str]| {
        let parts: Vec<Value> = ids
            .iter()
            .map(|id| json!({"call": {"id": id, "name": "no such name!", "arguments": "{}"}}))
            .collect();
        json!({"model": {"parts": parts, "stop": "tool_calls"}})
    };
    let saved = json!({"version": 1, "id": "x", "items": [
        {"results": [result("0")]},
        {"user": ""},
        turn(&["1", "2"]),
        {"results": [result("2"), result("9")]},
        {"results": [result("1")]},
        turn(&["3"]),
    ]});
    let conversation = Conversation::from_json(&saved.to_string()).unwrap();
    let ids: Vec<(String, bool)> = results(&conversation)
        .iter()
        .map(|result| (result.call_id().to_owned(), result.is_failed()))
        .collect();
    let expected = [("1", true), ("2", false), ("3", true)];
    assert_eq!(ids, expected.map(|(id, failed)| (id.to_owned(), failed)));
    let request = Request::new(conversation.items());
    let anthropic = Anthropic::new("m").encode(&request).unwrap();
    assert!(anthropic.json().contains("(empty)"), "{}", anthropic.json());
    for json in [
        anthropic.json(),
        Responses::new("m").encode(&request).unwrap().json(),
    ] {
        assert!(!json.contains("no such name!"), "{json}");
    }
}

#[test]
fn a_schema_made_at_run_time_is_checked_when_the_agent_is_built() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "nonsense"}}});
    let tool = RuntimeTool::new("odd", "Is odd.", schema, |_| async { Ok("".into()) });
    let error = Agent::builder(Script::new(Anthropic::new("m")))
        .repertoire(Toolset::new().with_tool(tool))
        .build()
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("`type` at `/properties/x`"), "{error}");
}

//! A conversation is the only state: it can be saved, moved, cut and continued.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Conversation, Responses,
    conversation::{Item, LoadError, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    protocol::{Protocol, Request},
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::{results, warehouse};
use serde_json::{Value, json};

fn searching<P: Scriptable>(protocol: P) -> Script<P> {
    Script::new(protocol)
        .rule(Rule::search("stock of a product", "warehouse_stock"))
        .rule(Rule::call("warehouse_stock", json!({"sku": "A"})))
        .rule(Rule::answer("warehouse_stock", str::to_owned))
}

async fn conversation<P: Scriptable>(protocol: P) -> Conversation {
    let agent = Agent::builder(searching(protocol))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "stock?").await.unwrap();
    conversation
}

#[tokio::test]
async fn a_saved_conversation_continues_in_another_process_with_its_tools_loaded() {
    let saved = conversation(Responses::new("m")).await.to_json();
    let mut resumed = Conversation::from_json(&saved).unwrap();
    assert_eq!(resumed.to_json(), saved);

    // A second agent, which shares nothing with the first, calls the tool without a search.
    let model = Arc::new(
        Script::new(Responses::new("m"))
            .rule(Rule::call("warehouse_stock", json!({"sku": "B"})))
            .rule(Rule::say("done")),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run_in(&mut resumed, "and B?").await.unwrap();
    let results: Vec<&Item> = resumed
        .items()
        .iter()
        .filter(|item| matches!(item, Item::Results(_)))
        .collect();
    assert_eq!(results.len(), 3);
    let Some(Item::Results(last)) = results.last() else {
        panic!()
    };
    assert!(!last[0].is_failed(), "{last:?}");
}

#[tokio::test]
async fn turns_go_back_to_their_provider_byte_for_byte() {
    // Key order, spacing inside strings, numbers and unknown keys survive.
    let block =
        r#"{"type":"thinking","signature":"s==","thinking":"ü \u00fc 1.0","z":1.50,"a":[ ]}"#;
    let body = format!(
        r#"{{"content":[{block},{{"type":"text","text":"hi"}}],"stop_reason":"end_turn"}}"#
    );
    let turn = Anthropic::new("m").decode(body.as_bytes()).unwrap();
    let saved = serde_json::to_string(&turn).unwrap();
    let turn = serde_json::from_str(&saved).unwrap();
    let items = [
        Item::User("a".into()),
        Item::Model(turn),
        Item::User("b".into()),
    ];
    let again = Anthropic::new("m").encode(&Request::new(&items)).unwrap();
    assert!(again.json().contains(block), "{}", again.json());
    // Another provider gets what it can understand and nothing signed by the first.
    let foreign = Responses::new("m").encode(&Request::new(&items)).unwrap();
    assert!(!foreign.json().contains("s=="), "{}", foreign.json());
    assert!(foreign.json().contains("\"hi\""));
}

#[tokio::test]
async fn a_conversation_moves_to_another_provider_with_its_tools_loaded() {
    let to_anthropic = conversation(Responses::new("m")).await;
    let to_responses = conversation(Anthropic::new("m")).await;

    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("warehouse_stock", json!({"sku": "B"})))
        .rule(Rule::say("done"));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    let mut moved = to_anthropic;
    agent.run_in(&mut moved, "and B?").await.unwrap();

    let model = Arc::new(
        Script::new(Responses::new("m"))
            .rule(Rule::call("warehouse_stock", json!({"sku": "B"})))
            .rule(Rule::say("done")),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    let mut moved = to_responses;
    agent.run_in(&mut moved, "and B?").await.unwrap();
    let body: Value = serde_json::from_str(&model.bodies()[0]).unwrap();
    let kinds: Vec<&str> = body["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["type"].as_str().unwrap_or("message"))
        .collect();
    assert_eq!(
        kinds,
        [
            "message",
            "tool_search_call",
            "tool_search_output",
            "function_call",
            "function_call_output",
            "message",
            "message",
        ]
    );
}

#[tokio::test]
async fn open_calls_are_closed_when_a_conversation_is_loaded_or_continued() {
    let whole = conversation(Anthropic::new("m")).await;
    let mut json: Value = serde_json::from_str(&whole.to_json()).unwrap();
    // The program ended between the first response and its results.
    json["items"].as_array_mut().unwrap().truncate(2);
    let cut = Conversation::from_json(&json.to_string()).unwrap();
    let Some(Item::Results(results)) = cut.items().last() else {
        panic!("{cut:?}")
    };
    assert_eq!(results.len(), 1);
    assert!(results[0].is_failed());
    let request = Request::new(cut.items());
    Anthropic::new("m").encode(&request).unwrap();
}

#[tokio::test]
async fn what_a_shortened_conversation_forgot_is_no_longer_loaded() {
    let mut short = conversation(Anthropic::new("m")).await;
    let before = short.items().len();
    short.forget_before(3);
    assert!(short.items().len() < before);
    assert!(!matches!(short.items().first(), Some(Item::Results(_))));
    let model = Arc::new(searching(Anthropic::new("m")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    short.forget_before(usize::MAX);
    agent.run_in(&mut short, "stock?").await.unwrap();
    assert_eq!(model.bodies().len(), 3, "it searches again");
}

#[tokio::test]
async fn a_tool_that_no_longer_exists_is_dropped_on_replay() {
    let mut old = conversation(Anthropic::new("m")).await;
    let model = Arc::new(
        Script::new(Anthropic::new("m")).rule(Rule::new("say", |_| Act::Say("fine".to_owned()))),
    );
    let tools = repertoire::Toolset::new().with_tool(
        repertoire_tests::counting("order_cancel", "Cancels an order.", &Arc::default()).deferred(),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    agent.run_in(&mut old, "and now?").await.unwrap();
    let body = &model.bodies()[0];
    assert!(!body.contains("tool_reference"), "{body}");
    assert!(
        body.contains("no longer available: warehouse_stock"),
        "{body}"
    );
}

#[test]
fn a_conversation_within_something_else_is_read_like_any_other() {
    let mut saved = serde_json::to_value(Conversation::new()).unwrap();
    saved["items"] = json!([{"Nonsense": {}}]);
    assert!(serde_json::from_value::<Vec<Conversation>>(json!([saved])).is_err());
    let mut saved = serde_json::to_value(Conversation::new()).unwrap();
    saved["version"] = json!(99);
    let error = serde_json::from_value::<Vec<Conversation>>(json!([saved])).unwrap_err();
    assert!(error.to_string().contains("format version 99"), "{error}");
}

#[test]
fn what_is_not_a_conversation_is_said_so() {
    assert!(matches!(
        Conversation::from_json("{"),
        Err(LoadError::Json(_))
    ));
    assert!(matches!(
        Conversation::from_json("{}"),
        Err(LoadError::Json(_))
    ));
    for later in [99, 99_999_999_999_u64] {
        let text = format!(r#"{{"version": {later}, "items": [], "more": {{}}}}"#);
        let error = Conversation::from_json(&text).unwrap_err();
        assert!(matches!(error, LoadError::Version(found) if found == later));
        assert!(error.to_string().contains("update repertoire"), "{error}");
    }
    for odd in ["-1", "\"1\"", "1.0", "null"] {
        let text = format!(r#"{{"version": {odd}, "items": []}}"#);
        let error = Conversation::from_json(&text).unwrap_err().to_string();
        assert!(error.contains(&format!("`version` is {odd} ")), "{error}");
    }
    let marked = format!("\u{feff}{}", Conversation::new().to_json());
    assert!(Conversation::from_json(&marked).is_ok());
}

#[test]
fn calls_further_up_are_closed_while_later_ones_wait_for_approval() {
    let turn = |id: &str| {
        let call = ToolCall::new(id, "erase", "{}");
        json!({"model": ModelTurn::new(vec![ModelPart::Call(call)], StopReason::ToolCalls, Usage::default())})
    };
    let saved = json!({
        "version": 1, "id": "x", "decisions": {"2": null},
        "items": [{"user": "go"}, turn("1"), {"user": "on"}, turn("2")],
    });
    let conversation = Conversation::from_json(&saved.to_string()).unwrap();
    let waiting: Vec<&str> = conversation.waiting().map(ToolCall::id).collect();
    assert_eq!(waiting, ["2"]);
    let closed = results(&conversation);
    assert_eq!(closed.len(), 1);
    assert!(closed[0].is_failed() && closed[0].call_id() == "1");
    assert_eq!(conversation.items().len(), 5);
}

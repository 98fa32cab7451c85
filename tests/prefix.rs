//! What a provider can keep in its cache: tools and system prompt over several conversations.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::AtomicUsize},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses,
    protocol::Reveal,
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::{json, value::RawValue};

/// The members of an object, each as it is written.
type Members = BTreeMap<String, Box<RawValue>>;

/// What stands before the first message: each tool and the system prompt, byte for byte.
type Head = (Vec<String>, String);

/// Searches for three tools one after the other, then calls one of them.
const SEARCHES: [&str; 3] = ["order_cancel", "warehouse_stock", "invoice_send"];

/// The parts of each request of five conversations that stand before the first message.
async fn heads<P: Scriptable>(protocol: impl Fn() -> P, reveal: Reveal) -> Vec<Head> {
    let mut heads = Vec::new();
    for _ in 0..5 {
        let model = Arc::new(Script::new(protocol()).rule(Rule::new("next", move |seen| {
            let done = seen.calls().len();
            match (SEARCHES.get(done), reveal) {
                (Some(tool), _) => Act::call("tool_search", json!({ "queries": [tool] })),
                (None, Reveal::Dispatch) if done == 3 => Act::call(
                    "call_tool",
                    json!({"name": "warehouse_stock", "arguments": {"sku": "A"}}),
                ),
                (None, _) if done == 3 => Act::call("warehouse_stock", json!({"sku": "A"})),
                (None, _) => Act::Say(seen.results().last().map_or("", |r| r.text()).to_owned()),
            }
        })));
        let agent = Agent::builder(Arc::clone(&model))
            .repertoire(warehouse(&Arc::new(AtomicUsize::new(0))))
            .instructions("Be brief.")
            .reveal(reveal)
            .build()
            .unwrap();
        let reply = agent.run_in(&mut Conversation::new(), "go").await.unwrap();
        assert!(reply.text().contains("ran with"), "{}", reply.text());
        heads.extend(model.bodies().iter().map(|body| head(body)));
    }
    assert_eq!(heads.len(), 25);
    heads
}

fn head(body: &str) -> Head {
    let body: Members = serde_json::from_str(body).unwrap();
    let list = |json: &RawValue| -> Vec<String> {
        let items: Vec<Box<RawValue>> = serde_json::from_str(json.get()).unwrap();
        items.iter().map(|item| item.get().to_owned()).collect()
    };
    let mut tools = list(&body["tools"]);
    if let Ok(members) = serde_json::from_str::<Members>(&tools[0])
        && let Some(declarations) = members.get("functionDeclarations")
    {
        tools = list(declarations);
    }
    let system = ["instructions", "system", "systemInstruction"]
        .iter()
        .find_map(|key| body.get(*key))
        .map_or_else(
            || list(&body["messages"])[0].clone(),
            |system| system.get().to_owned(),
        );
    (tools, system)
}

fn assert_identical(heads: &[Head]) {
    assert!(heads.iter().all(|head| head == &heads[0]));
}

/// Each later list of tools begins with the earlier one.
fn assert_prefix(heads: &[Head]) {
    for conversation in heads.chunks(5) {
        assert!(conversation.iter().all(|(_, system)| system == &heads[0].1));
        for pair in conversation.windows(2) {
            assert!(pair[1].0.starts_with(&pair[0].0));
        }
        let lengths: Vec<usize> = conversation.iter().map(|(tools, _)| tools.len()).collect();
        assert_eq!(lengths, [2, 3, 4, 5, 5]);
    }
}

#[tokio::test]
async fn native_deferral_and_dispatch_change_nothing() {
    assert_identical(&heads(|| Responses::new("gpt-5.4"), Reveal::Append).await);
    assert_identical(&heads(|| Anthropic::new("claude-sonnet-4-5"), Reveal::Append).await);
    assert_identical(&heads(|| Chat::new("m"), Reveal::Dispatch).await);
    assert_identical(&heads(|| Gemini::new("m"), Reveal::Dispatch).await);
    assert_identical(&heads(|| Ollama::new("m"), Reveal::Dispatch).await);
}

#[tokio::test]
async fn append_only_ever_adds_at_the_end() {
    assert_prefix(&heads(|| Chat::new("m"), Reveal::Append).await);
    assert_prefix(&heads(|| Gemini::new("m"), Reveal::Append).await);
    assert_prefix(&heads(|| Ollama::new("m"), Reveal::Append).await);
}

/// Set in the process that [`two_processes_send_the_same_bytes`] starts.
const CHILD: &str = "REPERTOIRE_TEST_PRINT_HEADS";

#[tokio::test]
async fn two_processes_send_the_same_bytes() {
    let mut all = Vec::new();
    all.extend(heads(|| Responses::new("gpt-5.4"), Reveal::Append).await);
    all.extend(heads(|| Anthropic::new("claude-sonnet-4-5"), Reveal::Append).await);
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        all.extend(heads(|| Chat::new("m"), reveal).await);
        all.extend(heads(|| Gemini::new("m"), reveal).await);
        all.extend(heads(|| Ollama::new("m"), reveal).await);
    }
    let all = serde_json::to_string(&all).unwrap();
    if let Some(path) = std::env::var_os(CHILD) {
        // The harness keeps what a passing test prints to itself, so it goes to a file.
        std::fs::write(path, all).unwrap();
        return;
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("heads-of-a-child");
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "two_processes_send_the_same_bytes"])
        .env(CHILD, &path)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert!(all.len() > 100_000);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), all);
}

//! A conversation that is made short keeps what the model still needs.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Event, Gemini, Ollama, Responses, Stop, Toolset,
    agent::{AgentBuilder, Approval, Compaction},
    conversation::{Item, UserMessage},
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::{counting, warehouse};
use serde_json::{Value, json};

const REQUEST: &str = "Count A-1042, then B-7.";

/// Searches once, calls the found tool eight times, then says `done`. It never searches again.
fn long<P: Scriptable>(protocol: P, calls: usize) -> Script<P> {
    Script::new(protocol).rule(Rule::new("next", move |seen| {
        if seen.user().contains("call: ") {
            return Act::Say("Some counts were made.".to_owned());
        }
        let done = seen
            .calls()
            .last()
            .and_then(|call| call.arguments()["sku"].as_str()?.parse::<usize>().ok());
        match (seen.calls().is_empty(), done) {
            (true, _) => Act::call("tool_search", json!({"queries": ["warehouse_stock"]})),
            (_, None) => Act::call("warehouse_stock", json!({"sku": "1"})),
            (_, Some(done)) if done < calls => {
                Act::call("warehouse_stock", json!({"sku": (done + 1).to_string()}))
            }
            _ => Act::Say("done".to_owned()),
        }
    }))
}

fn short_counts() -> Compaction {
    // Scripts count no tokens, so the estimate decides: every response is too long.
    Compaction::at(1)
        .keep(4)
        .summarize(|transcript: String| async move {
            assert!(transcript.starts_with("user: "), "{transcript}");
            Ok::<_, std::io::Error>("SUMMARY".to_owned())
        })
}

fn agent(model: impl repertoire::model::Model, ran: &Arc<AtomicUsize>) -> AgentBuilder {
    Agent::builder(model).repertoire(warehouse(ran))
}

#[tokio::test]
async fn a_loaded_tool_and_the_request_survive_on_every_protocol() {
    async fn check<P: Scriptable + 'static>(protocol: P) {
        let name = std::any::type_name::<P>();
        let ran = Arc::new(AtomicUsize::new(0));
        let model = Arc::new(long(protocol, 8));
        let agent = agent(Arc::clone(&model), &ran)
            .compaction(short_counts())
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        let reply = agent.run_in(&mut conversation, REQUEST).await.unwrap();
        assert_eq!((reply.stop(), reply.text()), (Stop::Done, "done"), "{name}");
        assert_eq!(
            ran.load(Ordering::SeqCst),
            8,
            "{name}: nothing is done twice"
        );
        let shortened = reply
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Shortened { .. }));
        assert!(shortened.count() > 2, "{name}");
        // The summary, the search and its results, the last items.
        assert!(
            conversation.items().len() <= 3 + 6,
            "{name}: {}",
            conversation.items().len()
        );
        let last = model.bodies().pop().unwrap();
        assert_eq!(last.matches(REQUEST).count(), 1, "{name}: {last}");
        assert_eq!(last.matches("SUMMARY").count(), 1, "{name}: {last}");
        let saved = Conversation::from_json(&conversation.to_json()).unwrap();
        assert_eq!(saved.items().len(), conversation.items().len(), "{name}");
    }
    check(Responses::new("gpt-5.4")).await;
    check(Anthropic::new("m")).await;
    check(Chat::new("m")).await;
    check(Gemini::new("m")).await;
    check(Ollama::new("m")).await;
}

#[tokio::test]
async fn the_agents_own_model_writes_the_summary() {
    let ran = Arc::default();
    let model = Arc::new(long(Anthropic::new("m"), 8));
    let agent = agent(Arc::clone(&model), &ran)
        .compaction(Compaction::at(1).keep(4))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, REQUEST).await.unwrap();
    let asked: Vec<Value> = model
        .bodies()
        .iter()
        .map(|body| serde_json::from_str(body).unwrap())
        .filter(|body: &Value| body.get("tools").is_none())
        .collect();
    assert!(!asked.is_empty());
    let transcript = asked[0]["messages"][0]["content"].to_string();
    assert!(transcript.contains("call: warehouse_stock"), "{transcript}");
    assert!(transcript.contains("result: "), "{transcript}");
    let Some(Item::User(first)) = conversation.items().first() else {
        panic!("no summary");
    };
    assert_eq!(
        first.to_text(),
        format!("Some counts were made.\n{REQUEST}")
    );
}

#[tokio::test]
async fn without_a_summary_the_run_goes_on_and_says_so() {
    let ran = Arc::default();
    let failing = Compaction::at(1)
        .keep(4)
        .summarize(|_| async { Err::<String, _>("no one to write") });
    let agent = agent(long(Anthropic::new("m"), 4), &ran)
        .compaction(failing)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, REQUEST).await.unwrap();
    assert_eq!((reply.text(), conversation.items().len()), ("done", 12));
    let error = Event::NotShortened {
        error: "no one to write".to_owned(),
    };
    assert!(reply.events().contains(&error), "{:?}", reply.events());
}

#[tokio::test]
async fn a_conversation_that_is_not_long_is_left_alone() {
    let ran = Arc::default();
    let agent = agent(long(Anthropic::new("m"), 4), &ran)
        .compaction(Compaction::at(1_000_000).keep(0))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, REQUEST).await.unwrap();
    assert_eq!((reply.text(), conversation.items().len()), ("done", 12));
}

#[tokio::test]
async fn every_border_leaves_pairs_that_every_encoder_takes() {
    let ran = Arc::default();
    let agent = agent(long(Anthropic::new("m"), 3), &ran).build().unwrap();
    let mut whole = Conversation::new();
    agent.run_in(&mut whole, REQUEST).await.unwrap();
    for keep in 0..=whole.items().len() + 1 {
        let mut short = whole.clone();
        let gone = short.shorten(keep, "SUMMARY");
        let again = short.shorten(keep, "SUMMARY OF THE SUMMARY");
        assert!(again <= gone, "keep {keep}: {gone}, then {again}");
        let mut open = 0;
        for item in short.items() {
            match item {
                Item::Model(turn) => {
                    assert_eq!(open, 0, "keep {keep}");
                    open = turn.calls().count();
                }
                Item::Results(results) => {
                    assert_eq!(open, results.len(), "keep {keep}");
                    open = 0;
                }
                _ => assert_eq!(open, 0, "keep {keep}"),
            }
        }
        let loads = short.items().iter().any(|item| {
            matches!(item, Item::Results(results) if results.iter().any(|r| !r.loads().is_empty()))
        });
        assert!(loads, "keep {keep}: what is loaded stays loaded");
        let texts = short.items().iter().filter_map(|item| match item {
            Item::User(message) => Some(message.to_text()),
            _ => None,
        });
        let requests: String = texts.collect();
        assert_eq!(
            requests.matches(REQUEST).count(),
            1,
            "keep {keep}: {requests}"
        );
    }
}

#[tokio::test]
async fn calls_that_wait_for_approval_stay_whatever_is_kept() {
    let tools =
        Toolset::new().with_tool(counting("erase", "Erases.", &Arc::default()).requires_approval());
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("erase", json!({"sku": "A"})))
        .rule(Rule::say("done"));
    let agent = Agent::builder(model)
        .repertoire(tools)
        .approve(|_| async { Approval::Later })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    conversation.push_user("first");
    let reply = agent.run_in(&mut conversation, "second").await.unwrap();
    assert_eq!(reply.stop(), Stop::AwaitingApproval);
    assert_eq!(conversation.shorten(0, "SUMMARY"), 2);
    assert_eq!(conversation.waiting().count(), 1);
}

#[test]
fn a_message_is_kept_with_its_images() {
    let mut conversation = Conversation::new();
    conversation.push_user("one");
    conversation.push_user(UserMessage::text("two").with_image("image/png", "AAAA"));
    assert_eq!(conversation.shorten(0, "S"), 2);
    let [Item::User(message)] = conversation.items() else {
        panic!("one message was expected");
    };
    assert_eq!(message.parts().len(), 3, "the request with its image stays");
    assert_eq!(conversation.shorten(0, "S"), 0, "nothing is left to go");
}

#[tokio::test]
async fn a_skill_that_was_read_is_not_read_again() {
    let texts = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&texts);
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("next", move |seen| {
        heard
            .lock()
            .unwrap()
            .extend(seen.results().last().map(|r| r.text().to_owned()));
        let turn = seen.user().contains("again");
        match (seen.result_of("read_skill").is_some(), turn) {
            (false, _) => Act::call("read_skill", json!({"name": "care"})),
            (true, true) if seen.calls().len() == 1 => {
                Act::call("read_skill", json!({"name": "care"}))
            }
            _ => Act::Say("done".to_owned()),
        }
    }));
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compaction/care");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("SKILL.md"),
        "---\nname: care\ndescription: Use when care is needed.\n---\nBe careful indeed.\n",
    )
    .unwrap();
    let skills = repertoire::Skills::from_roots([folder.parent().unwrap()]);
    let tools = Toolset::new().with_tool(counting("clock", "Tells.", &Arc::default()));
    let agent = Agent::builder(model)
        .repertoire(tools)
        .repertoire(skills)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    conversation.push_user("earlier");
    agent.run_in(&mut conversation, "first").await.unwrap();
    assert_eq!(conversation.shorten(1, "SUMMARY"), 2);
    agent.run_in(&mut conversation, "again").await.unwrap();
    let texts = texts.lock().unwrap();
    assert!(texts[0].contains("Be careful indeed."), "{texts:?}");
    let last = texts.last().unwrap();
    assert!(last.contains("in this conversation already"), "{last}");
}

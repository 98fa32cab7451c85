//! Runs that something breaks into: a store that fails, a future that is dropped, a cancellation, a
//! user's code that panics.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, BoxFuture, Cancel, Context, Conversation, Event, Stop, ToolError, Toolset,
    agent::{Compaction, Decision, Hook, Limits},
    conversation::{ConversationStore, SessionError, ToolCall},
    testing::{Act, Rule, Script},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, counting, results, strings, texts};
use serde_json::json;

/// A store that fails at one of its calls.
#[derive(Clone)]
struct Failing {
    saves: Arc<AtomicUsize>,
    at: usize,
}

impl ConversationStore for Failing {
    fn save<'a>(&'a self, _: &'a Conversation) -> BoxFuture<'a, io::Result<()>> {
        let fails = self.saves.fetch_add(1, Ordering::SeqCst) == self.at;
        Box::pin(async move {
            match fails {
                true => Err(io::Error::other("disk full")),
                false => Ok(()),
            }
        })
    }
}

#[tokio::test]
async fn a_step_whose_saving_failed_is_tried_again_without_harm() {
    for at in 0..5 {
        let ran = Arc::new(AtomicUsize::new(0));
        let store = Failing {
            saves: Arc::default(),
            at,
        };
        let model = Arc::new(calling(vec![vec![("clock", json!({"sku": "A"}))]]));
        let agent = Agent::builder(Arc::clone(&model))
            .repertoire(Toolset::new().with_tool(counting("clock", "Tells.", &ran)))
            .store(store)
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        let mut run = agent.start(&mut conversation, "go");
        let mut failures = 0;
        let stop = loop {
            match run.step().await {
                Ok(Some(stop)) => break stop,
                Ok(None) => {}
                Err(_) => failures += 1,
            }
        };
        drop(run);
        assert_eq!(failures, usize::from(at < 4), "save {at}");
        assert_eq!(stop, Stop::Done);
        assert_eq!(
            ran.load(Ordering::SeqCst),
            1,
            "save {at}: run once, and run"
        );
        assert_eq!(model.bodies().len(), 2, "save {at}: nothing is paid twice");
        assert_eq!(conversation.items().len(), 4, "save {at}");
    }
}

#[tokio::test]
async fn an_answer_that_is_there_is_not_asked_for_again() {
    let model = Arc::new(calling(Vec::new()));
    let agent = Agent::builder(Arc::clone(&model)).build().unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let reply = agent.resume(&mut conversation).await.unwrap();
    assert_eq!(
        (reply.text(), reply.stop(), reply.steps()),
        ("done", Stop::Done, 0)
    );
    assert_eq!((model.bodies().len(), conversation.items().len()), (1, 2));
}

/// Keeps a value and ends, or keeps a value and never ends.
fn keeping(name: &'static str, ends: bool) -> RuntimeTool {
    RuntimeTool::with_context(name, "Keeps.", strings(&[]), move |_, cx| async move {
        cx.set(name, 1).map_err(ToolError::failed)?;
        if !ends {
            std::future::pending::<()>().await;
        }
        Ok("kept".into())
    })
}

#[tokio::test]
async fn a_step_that_is_dropped_leaves_what_has_ended_and_does_not_begin_anew() {
    let tools = Toolset::new()
        .with_tool(keeping("ends", true))
        .with_tool(keeping("hangs", false));
    let both = vec![("ends", json!({})), ("hangs", json!({}))];
    let agent = Agent::builder(calling(vec![both]))
        .repertoire(tools)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go");
    let step = tokio::time::timeout(Duration::from_millis(30), run.step());
    assert!(step.await.is_err());
    assert_eq!(run.step().await.unwrap(), Some(Stop::Done));
    drop(run);
    let failed: Vec<bool> = results(&conversation)
        .iter()
        .map(|one| one.is_failed())
        .collect();
    assert_eq!(failed, [false, true]);
    assert_eq!(conversation.session().get::<u8>("ends").unwrap(), Some(1));
    assert_eq!(conversation.session().get::<u8>("hangs").unwrap(), Some(1));
}

#[tokio::test]
async fn what_has_ended_is_not_lost_where_the_user_speaks_before_the_run_goes_on() {
    let tools = Toolset::new()
        .with_tool(keeping("ends", true))
        .with_tool(keeping("hangs", false));
    let both = vec![("ends", json!({})), ("hangs", json!({}))];
    let agent = Agent::builder(calling(vec![both]))
        .repertoire(tools)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let run = tokio::time::timeout(
        Duration::from_millis(30),
        agent.run_in(&mut conversation, "go"),
    );
    assert!(run.await.is_err());
    conversation.push_user("and now?");
    agent.resume(&mut conversation).await.unwrap();
    let failed: Vec<bool> = results(&conversation)
        .iter()
        .map(|one| one.is_failed())
        .collect();
    assert_eq!(failed, [false, true]);
}

/// Cancels after a while.
fn soon() -> Cancel {
    let cancel = Cancel::new();
    let handle = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        handle.cancel();
    });
    cancel
}

#[tokio::test]
async fn a_cancellation_does_not_wait_for_a_person_or_a_summary() {
    let ran = Arc::default();
    let guarded = counting("erase", "Erases.", &ran).requires_approval();
    let agent = Agent::builder(calling(vec![vec![("erase", json!({"sku": "A"}))]]))
        .repertoire(Toolset::new().with_tool(guarded))
        .approve(|_| std::future::pending::<bool>())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent
        .run_until(&mut conversation, "go", &soon())
        .await
        .unwrap();
    assert_eq!(
        (reply.stop(), ran.load(Ordering::SeqCst)),
        (Stop::Cancelled, 0)
    );
    assert!(
        texts(&conversation)[0].starts_with("R0008"),
        "{:?}",
        texts(&conversation)
    );

    let model = Arc::new(calling(Vec::new()));
    let never = Compaction::at(1)
        .keep(0)
        .summarize(|_| std::future::pending::<io::Result<String>>());
    let agent = Agent::builder(Arc::clone(&model))
        .compaction(never)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    conversation.push_user("first");
    let reply = agent
        .run_until(&mut conversation, "second", &soon())
        .await
        .unwrap();
    assert_eq!((reply.stop(), model.bodies().len()), (Stop::Cancelled, 0));
}

#[tokio::test]
async fn a_context_that_outlives_its_step_does_nothing_any_more() {
    let (kept, ran) = (Arc::new(Mutex::new(None::<Context>)), Arc::default());
    let keep = Arc::clone(&kept);
    let keeper = RuntimeTool::with_context("keeper", "Keeps.", strings(&[]), move |_, cx| {
        *keep.lock().unwrap() = Some(cx);
        async { Ok("kept".into()) }
    });
    let tools = Toolset::new()
        .with_tool(keeper)
        .with_tool(counting("clock", "Tells.", &ran));
    let agent = Agent::builder(calling(vec![vec![("keeper", json!({}))]]))
        .repertoire(tools)
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let cx = kept.lock().unwrap().take().unwrap();
    let error = cx.call("clock", json!({"sku": "A"})).await.unwrap_err();
    assert!(error.to_string().starts_with("R0008"), "{error}");
    assert!(cx.choose("which?", &["a", "b"]).await.is_err());
    assert!(matches!(cx.set("late", 1), Err(SessionError::Ended(_))));
    assert!(cx.update("late", |_: Option<u8>| 1).is_err());
    assert_eq!(ran.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn values_are_changed_in_one_go() {
    let visit = RuntimeTool::with_context("visit", "Counts.", strings(&[]), |_, cx| async move {
        let visits = cx.update("visits", |visits: Option<u32>| visits.unwrap_or(0) + 1);
        tokio::task::yield_now().await;
        Ok(visits.map_err(ToolError::failed)?.to_string().into())
    });
    let three = vec![("visit", json!({})); 3];
    let agent = Agent::builder(calling(vec![three]))
        .repertoire(Toolset::new().with_tool(visit))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(
        conversation.session().get::<u32>("visits").unwrap(),
        Some(3)
    );
    let error = conversation
        .session_mut()
        .set("visits", "x".repeat(2 << 20))
        .unwrap_err();
    assert!(matches!(error, SessionError::TooLarge(..)));
}

/// Panics wherever it is asked.
struct Panicking;

impl Hook for Panicking {
    fn before_request(&self, _: &Conversation) {
        panic!("before the request")
    }

    fn before_tool(&self, _: &ToolCall) -> Decision {
        panic!("before the tool")
    }
}

#[tokio::test]
async fn a_users_code_that_panics_takes_no_run_with_it() {
    let clock = || counting("clock", "Tells.", &Arc::default());
    let call = || calling(vec![vec![("clock", json!({"sku": "A"}))]]);
    let policy = repertoire::tool::Policy::new().post_process(|_| panic!("in the middle"));
    let builders = [
        Agent::builder(call())
            .repertoire(Toolset::new().with_tool(clock()))
            .hook(Panicking),
        Agent::builder(call())
            .repertoire(Toolset::new().with_tool(clock().requires_approval()))
            .approve(|call| async move {
                assert_eq!(call.name(), "another one", "nobody can say");
                true
            }),
        Agent::builder(call()).repertoire(Toolset::new().with_tool(clock().policy(policy))),
        Agent::builder(call())
            .repertoire(Toolset::new().with_tool(clock()))
            .compaction(
                Compaction::at(1)
                    .keep(0)
                    .summarize(|_| -> BoxFuture<'_, io::Result<_>> { panic!("no summary") }),
            ),
    ];
    for (index, builder) in builders.into_iter().enumerate() {
        let agent = builder.build().unwrap();
        let mut conversation = Conversation::new();
        conversation.push_user("first");
        let reply = agent.run_in(&mut conversation, "go").await.unwrap();
        assert_eq!(
            (reply.text(), reply.stop()),
            ("done", Stop::Done),
            "{index}"
        );
        let failed = results(&conversation)[0].is_failed();
        assert_eq!(failed, index < 3, "{index}: {:?}", texts(&conversation));
    }
}

#[tokio::test]
async fn what_was_said_beside_a_call_is_the_partial_reply() {
    let model = Script::new(repertoire::Anthropic::new("m")).rule(Rule::new("next", |seen| {
        let text = match seen.calls().len() {
            0 => json!([{"type": "text", "text": "First half."},
                {"type": "tool_use", "id": "a1", "name": "clock", "input": {"sku": "A"}}]),
            _ => json!([{"type": "tool_use", "id": "a2", "name": "clock", "input": {"sku": "B"}}]),
        };
        Act::Raw(json!({
            "id": "msg", "type": "message", "role": "assistant", "model": "m", "content": text,
            "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1},
        }))
    }));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("clock", "Tells.", &Arc::default())))
        .max_steps(2)
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    assert_eq!(
        (reply.text(), reply.stop()),
        ("First half.", Stop::MaxSteps)
    );
}

#[tokio::test]
async fn a_reminder_is_not_the_request() {
    let model = Script::new(repertoire::Anthropic::new("m")).rule(Rule::new("next", |seen| {
        let last = seen.calls().last().and_then(|call| {
            let sku = call.arguments()["sku"].as_str()?;
            sku.parse::<usize>().ok()
        });
        match last {
            None if seen.user().contains("final_answer") => Act::call("clock", json!({"sku": "1"})),
            None => Act::Say("In words.".to_owned()),
            Some(last) if last < 6 => Act::call("clock", json!({"sku": (last + 1).to_string()})),
            Some(_) => Act::call("final_answer", json!({"value": seen.user()})),
        }
    }));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("clock", "Tells.", &Arc::default())))
        .output::<String>()
        .compaction(Compaction::at(1).keep(2).without_summary())
        .build()
        .unwrap();
    let reply = agent.run("THE REQUEST").await.unwrap();
    let seen: String = reply.output().unwrap();
    assert!(seen.contains("THE REQUEST"), "{seen}");
    assert!(
        reply
            .events()
            .iter()
            .any(|event| matches!(event, Event::Shortened { .. }))
    );
}

#[tokio::test]
async fn questions_to_the_model_end_at_the_limit() {
    let asking = RuntimeTool::with_context("asking", "Asks.", strings(&[]), |_, cx| async move {
        let mut asked = 0;
        while asked < 50 && cx.choose("which?", &["a", "b"]).await.is_ok() {
            asked += 1;
        }
        Ok(asked.to_string().into())
    });
    let model = Script::new(repertoire::Anthropic::new("m")).rule(Rule::new("next", |seen| {
        let content = match seen.user().contains("which?") {
            true => json!([{"type": "text", "text": "1"}]),
            false => json!([{"type": "tool_use", "id": "a1", "name": "asking", "input": {}}]),
        };
        Act::Raw(json!({
            "id": "msg", "type": "message", "role": "assistant", "model": "m", "content": content,
            "stop_reason": "end_turn", "usage": {"input_tokens": 90, "output_tokens": 10},
        }))
    }));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(asking))
        .limits(Limits::new().tokens(500))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(
        (reply.stop(), reply.usage().total()),
        (Stop::TokenLimit, 500)
    );
    assert_eq!(texts(&conversation), ["4"]);
}

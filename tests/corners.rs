//! What happens where two things meet that seldom do: an error and another try, a limit and a person
//! who is asked, a number that JSON does not have.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use repertoire::{
    Agent, Anthropic, BoxFuture, Conversation, Event, Stop, ToolError, Toolset,
    agent::{Compaction, Hook},
    conversation::{Item, ModelTurn, SessionError},
    model::{Model, ModelError},
    protocol::{Capabilities, Protocol, Request},
    testing::{Act, Rule, Script, TestClock},
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{calling, counting, strings, texts};
use serde_json::{Value, json};

/// A model that fails this often and then says `done`.
struct Failing(AtomicUsize);

impl Model for Failing {
    fn capabilities(&self) -> Capabilities {
        Anthropic::new("m").capabilities()
    }

    fn respond<'a>(&'a self, _: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let left = self.0.load(Ordering::SeqCst);
        self.0.store(left.saturating_sub(1), Ordering::SeqCst);
        let body = json!({
            "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "done"}],
        });
        let turn = Anthropic::new("m").decode(body.to_string().as_bytes());
        Box::pin(async move {
            match left {
                0 => Ok(turn?),
                _ => Err(ModelError::other("not now")),
            }
        })
    }
}

#[tokio::test]
async fn a_run_that_goes_on_after_an_error_counts_once() {
    let agent = Agent::builder(Failing(AtomicUsize::new(2)))
        .clock(TestClock::new())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go");
    assert!(run.step().await.is_err() && run.step().await.is_err());
    assert_eq!(agent.metrics().runs.failed, 0, "it may go on");
    assert_eq!(run.step().await.unwrap(), Some(Stop::Done));
    drop(run);
    let runs = agent.metrics().runs;
    assert_eq!((runs.ended, runs.failed, runs.abandoned), (1, 0, 0));
    assert_eq!(runs.latency.count(), 1);
}

#[tokio::test]
async fn a_run_that_is_left_after_an_error_has_failed() {
    let agent = Agent::builder(Failing(AtomicUsize::new(9)))
        .build()
        .unwrap();
    assert!(agent.run("go").await.is_err());
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go");
    assert!(run.step().await.is_err() && run.step().await.is_err());
    drop(run);
    let runs = agent.metrics().runs;
    assert_eq!((runs.ended, runs.failed, runs.abandoned), (0, 2, 0));
}

#[tokio::test]
async fn an_answer_that_is_nothing_may_be_left_out() {
    for arguments in [json!({}), json!(""), json!(" { } "), json!({"value": null})] {
        let act = Act::call("final_answer", arguments.clone());
        let model =
            Script::new(Anthropic::new("m")).rule(Rule::new("answer", move |_| act.clone()));
        let agent = Agent::builder(model)
            .output::<()>()
            .max_steps(2)
            .build()
            .unwrap();
        let reply = agent.run("go").await.unwrap();
        assert_eq!(reply.stop(), Stop::Done, "{arguments}");
        reply.output::<()>().unwrap();
    }
    let act = Act::call("final_answer", json!({}));
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("answer", move |_| act.clone()));
    let agent = Agent::builder(model)
        .output::<bool>()
        .max_steps(2)
        .build()
        .unwrap();
    assert_eq!(agent.run("go").await.unwrap().stop(), Stop::MaxSteps);
}

#[tokio::test]
async fn a_number_that_json_does_not_have_gets_lost_nowhere() {
    let keep = RuntimeTool::with_context("keep", "Keeps.", strings(&[]), |_, cx| async move {
        let kept = cx.set("mean", Some(f64::NAN));
        assert!(matches!(kept, Err(SessionError::NoJson(..))), "{kept:?}");
        let changed = cx.update("mean", |_: Option<f64>| f64::INFINITY);
        assert!(
            matches!(changed, Err(SessionError::NoJson(..))),
            "{changed:?}"
        );
        assert_eq!(cx.get::<f64>("mean").unwrap(), None);
        cx.call("clock", json!({"sku": "A"})).await?;
        // `null` would be taken for an argument that was left out.
        match cx.call("clock", [("sku", f64::NAN)]).await {
            Err(error) if error.kind() == ErrorKind::Invalid => Err(error),
            other => Ok(format!("{other:?}").into()),
        }
    });
    let ran = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(calling(vec![vec![("keep", json!({}))]]))
        .repertoire(
            Toolset::new()
                .with_tool(keep)
                .with_tool(counting("clock", "Tells.", &ran)),
        )
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let text = &texts(&conversation)[0];
    assert!(
        text.starts_with("R0001") && text.contains("NaN is no number of JSON"),
        "{text}"
    );
    assert_eq!(ran.load(Ordering::SeqCst), 1);
}

#[derive(Clone, Default)]
struct Told(Arc<AtomicUsize>);

impl Hook for Told {
    fn on_event(&self, _: &str, event: &Event) {
        if matches!(event, Event::Retried { .. } | Event::Progress { .. }) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tokio::test]
async fn a_call_that_is_tried_without_end_does_not_fill_the_reply() {
    let left = Arc::new(AtomicUsize::new(5_000));
    let tool = RuntimeTool::with_context("flaky", "Fails.", strings(&[]), move |_, cx| {
        let left = left.fetch_sub(1, Ordering::SeqCst);
        cx.progress("again");
        async move {
            match left {
                0 => Ok("at last".into()),
                _ => Err(ToolError::new(ErrorKind::Transient, "not now")),
            }
        }
    });
    let told = Told::default();
    let policy = Policy::new()
        .retries(u32::MAX)
        .backoff(Duration::ZERO, Duration::ZERO);
    let agent = Agent::builder(calling(vec![vec![("flaky", json!({}))]]))
        .repertoire(Toolset::new().with_tool(tool.policy(policy)))
        .hook(told.clone())
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    let events = reply.events();
    assert!((1_000..1_010).contains(&events.len()), "{}", events.len());
    let last = events.last().unwrap();
    assert!(
        matches!(last, Event::ToolCalled { failed: false, .. }),
        "{last:?}"
    );
    assert_eq!(told.0.load(Ordering::SeqCst), 10_001, "all are told");
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_is_cut_off() {
    cut_off("max_tokens", &[json!({"sku": "whole"})]).await;
    // Nothing of what was taken back is a decision.
    cut_off("refusal", &[]).await;
}

async fn cut_off(reason: &str, run: &[Value]) {
    let call = |id: &str, sku: &str| json!({"type": "tool_use", "id": id, "name": "erase", "input": {"sku": sku}});
    let content = json!([call("1", "whole"), call("2", "cut off, perh")]);
    let body = json!({"type": "message", "role": "assistant", "content": content,
        "stop_reason": reason});
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("first", move |seen| {
        match seen.results().is_empty() {
            true => Act::Raw(body.clone()),
            false => Act::Say("done".to_owned()),
        }
    }));
    let ran = Arc::new(AtomicUsize::new(0));
    let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
    let list = Arc::clone(&asked);
    let agent = Agent::builder(model)
        .repertoire(
            Toolset::new().with_tool(counting("erase", "Erases.", &ran).requires_approval()),
        )
        .approve(move |call| {
            let arguments = serde_json::from_str(call.arguments()).unwrap();
            list.lock().unwrap().push(arguments);
            async { true }
        })
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(*asked.lock().unwrap(), run);
    assert_eq!(ran.load(Ordering::SeqCst), run.len());
}

#[tokio::test]
async fn an_answer_that_was_given_is_not_asked_for_again() {
    let act = Act::call("final_answer", json!({"value": 3}));
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("answer", move |_| act.clone()));
    let model = Arc::new(model);
    let agent = Agent::builder(Arc::clone(&model))
        .output::<u8>()
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    // The process ended before the program had the value.
    let mut loaded = Conversation::from_json(&conversation.to_json()).unwrap();
    let reply = agent.resume(&mut loaded).await.unwrap();
    assert_eq!(
        (reply.stop(), reply.output::<u8>().unwrap()),
        (Stop::Done, 3)
    );
    assert_eq!(model.bodies().len(), 1, "nothing is paid twice");
    assert_eq!(loaded.items().len(), conversation.items().len());
    // A new question is another one.
    agent.run_in(&mut loaded, "again").await.unwrap();
    assert_eq!(model.bodies().len(), 2);
}

#[tokio::test]
async fn a_summary_is_asked_for_once_for_each_response() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let compaction = Compaction::at(1).keep(1).summarize(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Err::<String, _>(std::io::Error::other("no summary today")) }
    });
    let agent = Agent::builder(Failing(AtomicUsize::new(3)))
        .compaction(compaction)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    for line in ["one", "two", "three", "four", "five"] {
        conversation.push_user(line);
    }
    let mut run = agent.start(&mut conversation, "go");
    while !matches!(run.step().await, Ok(Some(_))) {}
    assert_eq!(
        asked.load(Ordering::SeqCst),
        1,
        "though the step was tried four times"
    );
}

/// Answers a question with a call, then with `1`; remembers whether the call came back.
#[derive(Default)]
struct CallsFirst(Mutex<Vec<bool>>);

impl Model for CallsFirst {
    fn capabilities(&self) -> Capabilities {
        Anthropic::new("m").capabilities()
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let call =
            |name: &str| json!([{"type": "tool_use", "id": name, "name": name, "input": {}}]);
        let said = |text: &str| json!([{"type": "text", "text": text}]);
        let turns = request
            .items()
            .iter()
            .filter(|item| matches!(item, Item::Model(_)))
            .count();
        let is_question =
            matches!(&request.items()[0], Item::User(message) if message.to_text() != "go");
        let content = if is_question {
            let mut asked = self.0.lock().unwrap();
            asked.push(turns > 0);
            if asked.len() == 1 {
                call("none")
            } else {
                said("1")
            }
        } else if turns == 0 {
            call("ask")
        } else {
            said("done")
        };
        let reason = if content[0]["type"] == "text" {
            "end_turn"
        } else {
            "tool_use"
        };
        let body = json!({"type": "message", "role": "assistant", "content": content, "stop_reason": reason});
        let turn = Anthropic::new("m").decode(body.to_string().as_bytes());
        Box::pin(async move { Ok(turn?) })
    }
}

#[tokio::test]
async fn a_call_as_the_answer_to_a_question_does_not_come_back() {
    let ask = RuntimeTool::with_context("ask", "Asks.", strings(&[]), |_, cx| async move {
        Ok(cx.choose("which?", &["a", "b"]).await?.to_string().into())
    });
    let model = Arc::new(CallsFirst::default());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(Toolset::new().with_tool(ask))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(texts(&conversation), ["0"]);
    assert_eq!(*model.0.lock().unwrap(), [false, false]);
}

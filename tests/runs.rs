//! A run that is watched, driven step by step, asked for an answer in a form of its own.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, BoxFuture, Cancel, Chat, Conversation, Event, Gemini, Ollama, Responses,
    Stop, ToolSchema, Toolset,
    agent::{AgentBuilder, Limits, OutputError, RunEvent},
    conversation::{ConversationStore, Item, ModelTurn, ToolResult},
    model::{Model, ModelError},
    protocol::{Capabilities, Protocol, Request, StreamEvent},
    testing::{Act, Rule, Script, Scriptable},
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings};
use serde_json::{Value, json};

/// Tells of its progress, then answers.
fn slow() -> RuntimeTool {
    RuntimeTool::with_context("slow", "Is slow.", strings(&[]), |_, cx| async move {
        cx.progress("half way");
        tokio::task::yield_now().await;
        Ok("there".into())
    })
}

fn watched() -> Agent {
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("slow", json!({})))
        .rule(Rule::say("Done."));
    Agent::builder(model)
        .repertoire(Toolset::new().with_tool(slow()))
        .build()
        .unwrap()
}

/// What a stream told, a word an event.
async fn told(agent: &Agent) -> Vec<String> {
    let mut words = Vec::new();
    let mut events = agent.run_stream("go");
    while let Some(event) = events.next().await {
        words.push(match event.unwrap() {
            RunEvent::Model(StreamEvent::Text(text)) => format!("text {text}"),
            RunEvent::Model(StreamEvent::CallStart { name, .. }) => format!("call {name}"),
            RunEvent::Model(_) => continue,
            RunEvent::Happened(Event::Progress { message, .. }) => message,
            RunEvent::Happened(Event::ToolCalled { tool, failed }) => format!("{tool} {failed}"),
            RunEvent::Result(result) => format!("result {}", result.output().to_text()),
            RunEvent::Reply(reply) => format!("reply {} {:?}", reply.text(), reply.stop()),
            other => panic!("not expected: {other:?}"),
        });
    }
    assert!(events.next().await.is_none(), "nothing follows the end");
    words
}

#[tokio::test]
async fn events_arrive_in_the_order_in_which_things_happen() {
    let expected = [
        "call slow",
        "half way",
        "slow false",
        "result there",
        "text Done.",
        "reply Done. Done",
    ];
    assert_eq!(told(&watched()).await, expected);
}

#[tokio::test]
async fn progress_is_heard_while_the_tool_still_runs() {
    let (go, wait) = tokio::sync::oneshot::channel::<()>();
    let wait = Arc::new(Mutex::new(Some(wait)));
    let gated = RuntimeTool::with_context("slow", "Waits.", strings(&[]), move |_, cx| {
        let wait = wait.lock().unwrap().take().unwrap();
        async move {
            cx.progress("waiting");
            wait.await.unwrap();
            Ok("went".into())
        }
    });
    let model = Script::new(Responses::new("m"))
        .rule(Rule::call("slow", json!({})))
        .rule(Rule::answer("slow", str::to_owned));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(gated))
        .build()
        .unwrap();
    let mut go = Some(go);
    let mut conversation = Conversation::new();
    let mut events = agent.start(&mut conversation, "go").stream();
    let mut text = String::new();
    while let Some(event) = events.next().await {
        match event.unwrap() {
            RunEvent::Happened(Event::Progress { .. }) => go.take().unwrap().send(()).unwrap(),
            RunEvent::Reply(reply) => text = reply.text().to_owned(),
            _ => {}
        }
    }
    drop(events);
    assert_eq!(text, "went");
    assert_eq!(
        conversation.items().len(),
        4,
        "the program's own conversation"
    );
}

#[tokio::test]
async fn a_stream_can_move_to_another_task_and_be_dropped() {
    let agent = watched();
    let mut events = agent.run_stream("go");
    let first = tokio::spawn(async move { events.next().await.is_some() });
    assert!(first.await.unwrap());
}

#[tokio::test]
async fn a_failure_is_the_last_event() {
    let agent = Agent::builder(Script::new(Anthropic::new("m")))
        .build()
        .unwrap();
    let mut events = agent.run_stream("go");
    let error = events.next().await.unwrap().unwrap_err();
    assert!(error.to_string().contains("no rule"), "{error}");
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_run_is_driven_step_by_step_and_looked_into_between() {
    let agent = watched();
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go");
    assert_eq!(run.step().await.unwrap(), None);
    assert_eq!(
        (run.conversation().items().len(), run.reply().steps()),
        (3, 1)
    );
    assert_eq!(run.step().await.unwrap(), Some(Stop::Done));
    assert_eq!(
        run.step().await.unwrap(),
        Some(Stop::Done),
        "the end stays the end"
    );
    assert_eq!((run.reply().text(), run.reply().steps()), ("Done.", 2));
    drop(run);
    assert_eq!(conversation.items().len(), 4);
}

#[tokio::test]
async fn a_run_that_is_stepped_can_be_cancelled_between_steps() {
    let agent = watched();
    let (mut conversation, cancel) = (Conversation::new(), Cancel::new());
    let mut run = agent.start(&mut conversation, "go").cancelled_by(&cancel);
    assert_eq!(run.step().await.unwrap(), None);
    cancel.cancel();
    assert_eq!(run.step().await.unwrap(), Some(Stop::Cancelled));
}

#[tokio::test]
async fn a_call_that_waits_its_turn_does_not_begin_after_a_cancellation() {
    let (cancel, ran) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
    let stop = cancel.clone();
    let stopping = RuntimeTool::new("stopping", "Stops.", strings(&[]), move |_| {
        stop.cancel();
        async { Ok("stopped".into()) }
    })
    .serial();
    let tools = Toolset::new()
        .with_tool(stopping)
        .with_tool(counting("later", "Counts.", &ran).serial());
    let both = Act::Call(vec![
        ("stopping".to_owned(), json!({})),
        ("later".to_owned(), json!({"sku": "a"})),
    ]);
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("both", move |_| both.clone()));
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let mut conversation = Conversation::new();
    let reply = agent
        .run_until(&mut conversation, "go", &cancel)
        .await
        .unwrap();
    assert_eq!(
        (reply.stop(), ran.load(Ordering::SeqCst)),
        (Stop::Cancelled, 0)
    );
    let Some(Item::Results(results)) = conversation.items().last() else {
        panic!("no results");
    };
    let failed: Vec<bool> = results.iter().map(ToolResult::is_failed).collect();
    assert_eq!(failed, [false, true], "what has ended has ended");
}

/// How a product is liked.
#[derive(Debug, PartialEq, serde::Deserialize, ToolSchema)]
struct Verdict {
    /// From 1 to 5.
    #[schema(min = 1, max = 5)]
    stars: u8,
    /// Why.
    reason: Option<String>,
}

/// A model that gives these answers one after the other, each as it is: words or a call.
fn answers<P: Scriptable>(protocol: P, acts: Vec<Act>) -> AgentBuilder {
    Agent::builder(Script::new(protocol).rule(Rule::new("next", move |seen| {
        let turn = seen.calls().len() + seen.user().matches("Give your answer").count();
        acts.get(turn)
            .cloned()
            .unwrap_or(Act::Say("at a loss".to_owned()))
    })))
}

#[tokio::test]
async fn the_answer_is_a_value_of_the_type_that_was_asked_for() {
    async fn check<P: Scriptable + 'static>(protocol: P) {
        let name = std::any::type_name::<P>();
        let acts = vec![
            Act::call("final_answer", json!({"stars": 9})),
            Act::call("final_answer", json!({"stars": "4", "reason": "light"})),
        ];
        let agent = answers(protocol, acts).output::<Verdict>().build().unwrap();
        let mut conversation = Conversation::new();
        let reply = agent.run_in(&mut conversation, "how is it?").await.unwrap();
        let verdict: Verdict = reply.output().unwrap();
        let expected = Verdict {
            stars: 4,
            reason: Some("light".to_owned()),
        };
        assert_eq!(verdict, expected, "{name}");
        assert_eq!((reply.stop(), reply.steps()), (Stop::Done, 2), "{name}");
        let Some(Item::Results(results)) = conversation.items().get(2) else {
            panic!("{name}: no results");
        };
        let problem = results[0].output().to_text();
        assert!(problem.contains("/stars"), "{name}: {problem}");
        assert!(matches!(
            reply.output::<Vec<u8>>(),
            Err(OutputError::Type(_))
        ));
    }
    check(Responses::new("m")).await;
    check(Anthropic::new("m")).await;
    check(Chat::new("m")).await;
    check(Gemini::new("m")).await;
    check(Ollama::new("m")).await;
}

#[tokio::test]
async fn a_value_that_is_no_object_can_be_the_answer() {
    let acts = vec![Act::call("final_answer", json!({"value": ["a", "b"]}))];
    let agent = answers(Chat::new("m"), acts)
        .output::<Vec<String>>()
        .build()
        .unwrap();
    let list: Vec<String> = agent.run("list").await.unwrap().output().unwrap();
    assert_eq!(list, ["a", "b"]);
}

#[tokio::test]
async fn a_model_that_answers_in_words_is_told_and_then_given_up() {
    let say = || Act::Say("four stars".to_owned());
    let acts = [say(), Act::call("final_answer", json!({"stars": 4}))];
    let model = Arc::new(
        Script::new(Responses::new("m")).rule(Rule::new("next", move |seen| {
            let nudged = seen.user().contains("final_answer");
            acts[usize::from(nudged)].clone()
        })),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .output::<Verdict>()
        .build()
        .unwrap();
    let reply = agent.run("how is it?").await.unwrap();
    assert_eq!(reply.output::<Verdict>().unwrap().stars, 4);
    let choices: Vec<Value> = model
        .bodies()
        .iter()
        .map(|body| {
            let body: Value = serde_json::from_str(body).unwrap();
            body["tool_choice"].clone()
        })
        .collect();
    let forced = json!({"type": "function", "name": "final_answer"});
    assert_eq!(choices, [Value::Null, forced], "told by the request too");

    let agent = answers(Responses::new("m"), vec![say(), say(), say(), say()])
        .output::<Verdict>()
        .build()
        .unwrap();
    let reply = agent.run("how is it?").await.unwrap();
    assert_eq!((reply.stop(), reply.steps()), (Stop::NoOutput, 3));
    let error = reply.output::<Verdict>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the run ended without an answer: NoOutput"
    );
}

#[tokio::test]
async fn calls_within_calls_count_against_the_limit() {
    let inner = Arc::new(AtomicUsize::new(0));
    let outer = RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, cx| async move {
        let mut refused = 0;
        for _ in 0..5 {
            refused += usize::from(cx.call("inner", json!({"sku": "a"})).await.is_err());
        }
        Ok(format!("{refused} refused").into())
    });
    let tools = Toolset::new()
        .with_tool(outer)
        .with_tool(counting("inner", "Counts.", &inner));
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("outer", json!({})))
        .rule(Rule::answer("outer", str::to_owned));
    let agent = Agent::builder(model)
        .repertoire(tools)
        .limits(Limits::new().calls(3))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(
        inner.load(Ordering::SeqCst),
        2,
        "one call by the model, two by the tool"
    );
    assert_eq!(reply.stop(), Stop::CallLimit);
}

/// Costs 10 tokens a response; answers questions with `1`.
struct Costly(Mutex<Vec<Option<u32>>>);

impl Model for Costly {
    fn capabilities(&self) -> Capabilities {
        Anthropic::new("m").capabilities()
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let limit = request
            .options()
            .and_then(|options| options.max_output_tokens);
        self.0.lock().unwrap().push(limit);
        let ask = matches!(request.items(), [Item::User(message)] if message.to_text() == "go");
        let content = match ask {
            true => json!([{"type": "tool_use", "id": "1", "name": "ask", "input": {}}]),
            false => json!([{"type": "text", "text": "1"}]),
        };
        let body = json!({
            "type": "message", "role": "assistant", "content": content,
            "stop_reason": if ask { "tool_use" } else { "end_turn" },
            "usage": {"input_tokens": 7, "output_tokens": 3},
        });
        let turn = Anthropic::new("m").decode(body.to_string().as_bytes());
        Box::pin(async move { Ok(turn?) })
    }
}

#[tokio::test]
async fn a_question_to_the_model_is_small_and_counts() {
    let ask = RuntimeTool::with_context("ask", "Asks.", strings(&[]), |_, cx| async move {
        let chosen = cx.choose("which?", &["a", "b"]).await?;
        Ok(chosen.to_string().into())
    });
    let model = Arc::new(Costly(Mutex::default()));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(Toolset::new().with_tool(ask))
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    assert_eq!(reply.usage().total(), 30, "two responses and one question");
    assert_eq!(*model.0.lock().unwrap(), [None, Some(2048), None]);
}

/// Remembers how many calls had no result yet at each save.
#[derive(Clone, Default)]
struct Saves(Arc<Mutex<Vec<(usize, usize)>>>);

impl ConversationStore for Saves {
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, std::io::Result<()>> {
        let items = conversation.items();
        let open = match items.last() {
            Some(Item::Model(turn)) => turn.calls().count(),
            _ => 0,
        };
        self.0.lock().unwrap().push((items.len(), open));
        Box::pin(std::future::ready(Ok(())))
    }
}

#[tokio::test]
async fn what_the_model_wants_is_saved_before_it_happens() {
    let saves = Saves::default();
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("slow", json!({})))
        .rule(Rule::say("Done."));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(slow()))
        .store(saves.clone())
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(*saves.0.lock().unwrap(), [(1, 0), (2, 1), (3, 0), (4, 0)]);
}

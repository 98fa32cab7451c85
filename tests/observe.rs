//! What a run shows to `tracing` and in numbers.

use std::{sync::Arc, time::Duration};

use repertoire::{
    Agent, Anthropic, Cancel, Chat, Conversation, Gemini, Ollama, Repertoire, Responses, Skills,
    ToolError, Toolset,
    agent::Limits,
    conversation::{ModelPart, ModelTurn, StopReason, Usage},
    model::{Model, ModelError},
    protocol::{Capabilities, ChatVendor, Request, RequestOptions},
    testing::{Act, Rule, Script, Scriptable, TestClock},
    tool,
    tool::{ErrorKind, Policy},
    toolset::RuntimeTool,
};
use repertoire_tests::{
    counting, record,
    record::{Fields, Record},
    strings,
};
use serde_json::{Value, json};

/// A model that makes these calls one step after the other, then says something.
fn steps<P: Scriptable>(protocol: P, calls: Vec<Vec<(&'static str, Value)>>) -> Script<P> {
    Script::new(protocol).rule(Rule::new("next", move |seen| {
        let mut done = 0;
        let next = calls.iter().find(|step| {
            done += step.len();
            done > seen.calls().len()
        });
        match next {
            Some(step) => {
                let calls = step
                    .iter()
                    .map(|(tool, json)| ((*tool).to_owned(), json.clone()));
                Act::Call(calls.collect())
            }
            None => Act::Say("the end".to_owned()),
        }
    }))
}

fn skills() -> Skills {
    // A folder for each test: one that is being written is none that can be read.
    let test = std::thread::current().name().unwrap_or("main").to_owned();
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("observe-skills")
        .join(test);
    let folder = root.join("stock-check");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: stock-check\ndescription: Use to check the stock.\n---\nCheck it.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    Skills::from_roots([&root])
}

/// A tool that gives way once, so that calls of one step run in turns, then calls `leaf`.
fn outer(name: &'static str) -> RuntimeTool {
    let nest = move |_, context: repertoire::Context| async move {
        tokio::task::yield_now().await;
        let output = context.call("leaf", json!({"sku": name})).await;
        tokio::task::yield_now().await;
        output
    };
    RuntimeTool::with_context(name, "Calls.", strings(&[]), nest)
}

fn field<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.get(name).map_or("", String::as_str)
}

/// The messages of events, with their levels.
fn messages(events: &[Fields]) -> Vec<String> {
    let message = |event: &Fields| format!("{} {}", event["level"], field(event, "message"));
    events.iter().map(message).collect()
}

#[tokio::test]
async fn a_run_its_responses_and_its_calls_are_spans() {
    let (record, _guard) = Record::start();
    let mut options = RequestOptions::default();
    options.max_output_tokens = Some(500);
    let model = steps(
        Anthropic::new("claude-x"),
        vec![
            vec![
                ("tool_search", json!({"queries": ["leaf"]})),
                ("read_skill", json!({"name": "stock-check"})),
            ],
            vec![
                ("leaf", json!({"sku": "my question"})),
                ("none", json!({})),
                ("old", json!({"sku": "b"})),
            ],
        ],
    );
    let tools = Toolset::new()
        .with_tool(
            counting("leaf", "Is a leaf.", &Arc::default())
                .deferred()
                .version("1.4"),
        )
        .with_tool(counting("old", "Is old.", &Arc::default()).deprecated("old", Some("leaf")));
    let agent = Agent::builder(model)
        .repertoire(Repertoire::from(tools).merge(skills().into()))
        .options(options)
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("conversation-7");
    let reply = agent.run_in(&mut conversation, "my prompt").await.unwrap();

    let spans = record.spans();
    assert!(spans.iter().all(|span| span.closed), "{spans:#?}");
    let names: Vec<&str> = spans
        .iter()
        .map(|span| field(&span.fields, "otel.name"))
        .collect();
    assert_eq!(
        names,
        [
            "invoke_agent",
            "chat claude-x",
            "execute_tool tool_search",
            "execute_tool read_skill",
            "chat claude-x",
            "execute_tool leaf",
            "execute_tool old",
            "chat claude-x",
        ]
    );
    let run = &spans[0];
    assert_eq!((run.name, run.parent), ("invoke_agent", None));
    assert!(spans[1..].iter().all(|span| span.parent == Some(0)));
    for (name, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.conversation.id", "conversation-7"),
        ("gen_ai.provider.name", "anthropic"),
        ("gen_ai.request.model", "claude-x"),
        ("repertoire.steps", "3"),
        ("repertoire.stop", "done"),
        (
            "gen_ai.usage.input_tokens",
            &reply.usage().input_tokens.to_string(),
        ),
        (
            "gen_ai.usage.output_tokens",
            &reply.usage().output_tokens.to_string(),
        ),
    ] {
        assert_eq!(field(&run.fields, name), value, "{name}");
    }
    assert!(reply.usage().input_tokens > 0);
    let chat = &spans[1];
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "anthropic"),
        ("gen_ai.request.model", "claude-x"),
        ("gen_ai.request.max_tokens", "500"),
        ("gen_ai.response.finish_reasons", "[\"tool_calls\"]"),
    ] {
        assert_eq!(field(&chat.fields, name), value, "{name}");
    }
    let tokens = |span: &record::Span| -> u64 {
        field(&span.fields, "gen_ai.usage.input_tokens")
            .parse()
            .unwrap()
    };
    let sum: u64 = spans
        .iter()
        .filter(|span| span.name == "chat")
        .map(tokens)
        .sum();
    assert_eq!(sum, reply.usage().input_tokens);
    assert_eq!(
        field(&spans[7].fields, "gen_ai.response.finish_reasons"),
        "[\"stop\"]"
    );

    let leaf = &spans[5];
    let calls: Vec<String> = conversation
        .items()
        .iter()
        .filter_map(|item| match item {
            repertoire::conversation::Item::Model(turn) => Some(turn),
            _ => None,
        })
        .flat_map(|turn| turn.calls())
        .map(|call| call.id().to_owned())
        .collect();
    for (name, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "leaf"),
        ("gen_ai.tool.type", "function"),
        ("gen_ai.tool.call.id", calls[2].as_str()),
        ("repertoire.tool.version", "1.4"),
        ("error.type", ""),
    ] {
        assert_eq!(field(&leaf.fields, name), value, "{name}");
    }

    // Searches and readings are events of their calls; refusals and warnings of the run.
    assert_eq!(messages(&spans[2].events), ["INFO tools were searched"]);
    assert_eq!(field(&spans[2].events[0], "repertoire.loaded"), "leaf");
    assert_eq!(messages(&spans[3].events), ["INFO skill was read"]);
    assert_eq!(
        field(&spans[3].events[0], "repertoire.skill"),
        "stock-check"
    );
    let of_run = messages(&run.events);
    assert_eq!(
        of_run,
        ["INFO call was refused", "WARN deprecated tool was called"]
    );
    assert_eq!(field(&run.events[0], "gen_ai.tool.name"), "none");
    assert_eq!(field(&run.events[1], "gen_ai.tool.name"), "old");

    // What was said is nowhere.
    let dump = record.dump();
    for said in [
        "my question",
        "my prompt",
        "the end",
        "ran with",
        "queries\": [",
    ] {
        assert!(!dump.contains(said), "{said} in {dump}");
    }
}

#[tokio::test]
async fn every_provider_has_its_name() {
    let (_, _guard) = Record::start();
    async fn one<P: Scriptable>(protocol: P) -> String {
        let (record, _guard) = Record::start();
        let agent = Agent::builder(Script::new(protocol).rule(Rule::say("hello")))
            .build()
            .unwrap();
        agent.run("hello").await.unwrap();
        let chat = record.one("otel.name", "chat m-1");
        field(&chat.fields, "gen_ai.provider.name").to_owned()
    }
    assert_eq!(one(Responses::new("m-1")).await, "openai");
    assert_eq!(one(Anthropic::new("m-1")).await, "anthropic");
    assert_eq!(one(Gemini::new("m-1")).await, "gcp.gemini");
    assert_eq!(one(Ollama::new("m-1")).await, "ollama");
    assert_eq!(one(Chat::new("m-1")).await, "openai");
    assert_eq!(
        one(Chat::at(ChatVendor::Mistral, "m-1")).await,
        "mistral_ai"
    );
    assert_eq!(one(Chat::at(ChatVendor::Groq, "m-1")).await, "groq");
    assert_eq!(one(Chat::at(ChatVendor::DeepSeek, "m-1")).await, "deepseek");
}

#[tokio::test]
async fn calls_within_calls_keep_their_place_though_they_run_in_turns() {
    let (record, _guard) = Record::start();
    let names = ["outer_a", "outer_b", "outer_c"];
    let mut tools = Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default()));
    for name in names {
        tools.add_tool(outer(name)).unwrap();
    }
    let step = names.iter().map(|name| (*name, json!({}))).collect();
    let agent = Agent::builder(steps(Responses::new("m"), vec![step]))
        .repertoire(tools)
        .trace_content(true)
        .build()
        .unwrap();
    // Two runs at once, within a span of the program's own.
    let (first, second) = (agent.run("1"), agent.run("2"));
    let within = tracing::info_span!("request");
    let within = tracing::Instrument::instrument(async { tokio::join!(first, second) }, within);
    let (first, second) = within.await;
    assert!(first.is_ok() && second.is_ok());

    let leaves: Vec<record::Span> = record
        .spans()
        .into_iter()
        .filter(|span| field(&span.fields, "gen_ai.tool.name") == "leaf")
        .collect();
    assert_eq!(leaves.len(), 6);
    for leaf in leaves {
        let arguments: Value =
            serde_json::from_str(field(&leaf.fields, "gen_ai.tool.call.arguments")).unwrap();
        let caller = format!("execute_tool {}", arguments["sku"].as_str().unwrap());
        assert_eq!(
            record.path(&leaf),
            [caller.as_str(), "invoke_agent", "request"]
        );
    }
    // Each response lies in its own run.
    let spans = record.spans();
    let chats = spans.iter().filter(|span| span.name == "chat");
    assert!(chats.clone().count() == 4 && chats.clone().all(|chat| record.path(chat).len() == 2));
}

#[test]
fn tries_and_tools_that_stand_in_are_events_of_the_call() {
    let (record, _guard) = Record::start();
    let clock = TestClock::new();
    let failing = RuntimeTool::new("first", "Fails.", strings(&[]), |_| async {
        Err(ToolError::new(ErrorKind::Transient, "the very words").with_code("E1"))
    });
    let tools = Toolset::new()
        .with_tool(failing.policy(Policy::new().retries(2)).fallback("second"))
        .with_tool(RuntimeTool::new(
            "second",
            "Works.",
            strings(&[]),
            |_| async { Ok("ok".into()) },
        ));
    let agent = Agent::builder(steps(Anthropic::new("m"), vec![vec![("first", json!({}))]]))
        .repertoire(tools)
        .clock(clock.clone())
        .build()
        .unwrap();
    clock.block_on(agent.run("go")).unwrap();
    let first = record.one("gen_ai.tool.name", "first");
    assert_eq!(
        messages(&first.events),
        [
            "WARN tool failed in passing and is tried again",
            "WARN tool failed in passing and is tried again",
            "WARN tool failed and another takes the call",
        ]
    );
    assert_eq!(field(&first.events[1], "repertoire.attempt"), "2");
    assert_eq!(field(&first.events[2], "repertoire.fallback"), "second");
    let second = record.one("gen_ai.tool.name", "second");
    assert_eq!(record.path(&second), ["execute_tool first", "invoke_agent"]);
    assert!(!record.dump().contains("the very words"));

    let tool = &agent.metrics().tools["first"];
    assert_eq!(
        (tool.calls, tool.retries, tool.fallbacks, tool.failed()),
        (1, 2, 1, 0)
    );
    // Two pauses of 1 and 2 seconds lie in the call.
    assert_eq!(tool.latency.max(), Some(Duration::from_secs(3)));
    assert_eq!(agent.metrics().tools["second"].nested, 1);
}

/// Says in which span its thread is.
#[tool(blocking)]
fn blocking_tool() -> String {
    tracing::info!("from the thread");
    "done".to_owned()
}

#[tokio::test]
async fn a_thread_of_its_own_goes_on_with_the_trace() {
    let (record, _guard) = Record::start();
    let agent = Agent::builder(steps(
        Anthropic::new("m"),
        vec![vec![("blocking_tool", json!({}))]],
    ))
    .repertoire(Toolset::new().with::<blocking_tool>())
    .build()
    .unwrap();
    agent.run("go").await.unwrap();
    let span = record.one("gen_ai.tool.name", "blocking_tool");
    assert_eq!(messages(&span.events), ["INFO from the thread"]);
}

#[tokio::test]
async fn what_is_said_is_traced_where_it_is_asked_for() {
    let (record, _guard) = Record::start();
    let model = steps(
        Anthropic::new("m"),
        vec![vec![
            ("leaf", json!({"sku": "my question"})),
            ("leaf", json!({"sku": 7})),
        ]],
    );
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default())))
        .trace_content(true)
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let span = record.one("gen_ai.tool.call.arguments", r#"{"sku":"my question"}"#);
    assert!(field(&span.fields, "gen_ai.tool.call.result").starts_with("ran with"));
    let chats: Vec<record::Span> = record
        .spans()
        .into_iter()
        .filter(|span| span.name == "chat")
        .collect();
    let said: Value =
        serde_json::from_str(field(&chats[0].fields, "gen_ai.output.messages")).unwrap();
    assert_eq!(said[0]["parts"][0]["arguments"]["sku"], "my question");
    assert_eq!(said[0]["finish_reason"], "tool_call");
    let said = field(&chats[1].fields, "gen_ai.output.messages");
    assert!(said.contains(r#""content":"the end""#), "{said}");
}

#[tokio::test]
async fn failures_are_marked() {
    let (record, _guard) = Record::start();
    let model = steps(Anthropic::new("m"), vec![vec![("leaf", json!({}))]]);
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default())))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let leaf = record.one("gen_ai.tool.name", "leaf");
    assert_eq!(field(&leaf.fields, "error.type"), "invalid");
    assert_eq!(field(&leaf.fields, "otel.status_code"), "ERROR");

    let (record, _guard) = Record::start();
    let agent = Agent::builder(Script::new(Anthropic::new("m")))
        .build()
        .unwrap();
    agent.run("go").await.unwrap_err();
    for span in ["invoke_agent", "chat m"] {
        let span = record.one("otel.name", span);
        assert_eq!(field(&span.fields, "otel.status_code"), "ERROR");
        assert_eq!(field(&span.fields, "error.type"), "model_error");
    }
    let metrics = agent.metrics();
    assert_eq!((metrics.runs.failed, metrics.model.failed), (1, 1));
}

#[test]
fn an_agent_counts_what_it_does() {
    let (_, _guard) = Record::start();
    let clock = TestClock::new();
    let slow = {
        let clock = clock.clone();
        RuntimeTool::new("slow", "Waits.", strings(&["sku"]), move |_| {
            let clock = clock.clone();
            async move {
                repertoire::Clock::sleep(&clock, Duration::from_millis(20)).await;
                Ok("done".into())
            }
        })
        .version("7")
    };
    let model = steps(
        Responses::new("m"),
        vec![
            vec![
                ("tool_search", json!({"queries": ["slow", "xyzzy"]})),
                ("find", json!({})),
            ],
            vec![
                ("slow", json!({"sku": "a"})),
                ("slow", json!({"sku": "b"})),
                ("slow", json!({})),
            ],
            vec![
                ("read_skill", json!({"name": "stock-check"})),
                ("read_skill", json!({"name": "stock-check", "file": "none"})),
                ("read_skill", json!({"name": "none"})),
                ("hidden", json!({"sku": "a"})),
            ],
        ],
    );
    let tools = Toolset::new()
        .with_tool(slow.deferred())
        .with_tool(counting("hidden", "Is hidden.", &Arc::default()).deferred());
    let agent = Agent::builder(model)
        .repertoire(Repertoire::from(tools).merge(skills().into()))
        .clock(clock.clone())
        .build()
        .unwrap();
    let reply = clock.block_on(agent.run("go")).unwrap();
    let metrics = agent.clone().metrics();

    assert_eq!(
        (
            metrics.runs.ended,
            metrics.runs.unfinished,
            metrics.runs.failed
        ),
        (1, 0, 0)
    );
    assert_eq!(metrics.model.calls, 4);
    assert_eq!(metrics.model.usage, reply.usage());
    let slow = &metrics.tools["slow"];
    assert_eq!((slow.calls, slow.failed(), slow.nested), (3, 1, 0));
    assert_eq!(slow.failures["invalid"], 1);
    assert_eq!(slow.version.as_deref(), Some("7"));
    assert_eq!(slow.latency.count(), 3);
    assert_eq!(slow.latency.max(), Some(Duration::from_millis(20)));
    assert_eq!(slow.latency.min(), Some(Duration::ZERO));
    assert_eq!(
        (
            metrics.tools["hidden"].calls,
            metrics.tools["hidden"].refused
        ),
        (0, 1)
    );
    assert_eq!(metrics.unknown_calls, 1);
    let searches = metrics.searches;
    assert_eq!(
        (
            searches.calls,
            searches.queries,
            searches.loaded,
            searches.empty
        ),
        (1, 2, 1, 0)
    );
    assert_eq!(metrics.tools["tool_search"].calls, 1);
    let reader = &metrics.tools["read_skill"];
    assert_eq!((reader.calls, reader.failed()), (3, 2));
    assert_eq!(
        metrics.skills.len(),
        1,
        "a skill that does not exist takes no room"
    );
    let skill = metrics.skills["stock-check"];
    assert_eq!((skill.calls, skill.reads, skill.failures), (2, 1, 1));
    // The run took as long as its two calls, which ran together.
    assert_eq!(metrics.runs.latency.max(), Some(Duration::from_millis(20)));

    let json: Value = serde_json::to_value(&metrics).unwrap();
    assert_eq!(json["tools"]["slow"]["failures"]["invalid"], 1);
    assert_eq!(json["model"]["calls"], 4);
    assert_eq!(json["tools"]["slow"]["latency"]["count"], 3);
}

#[test]
fn what_is_given_up_is_counted_too() {
    let (_, _guard) = Record::start();
    let clock = TestClock::new();
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let hanging = RuntimeTool::new("hanging", "Hangs.", strings(&[]), move |_| {
        stop.cancel();
        std::future::pending()
    });
    let model = steps(Anthropic::new("m"), vec![vec![("hanging", json!({}))]]);
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(hanging))
        .limits(Limits::new())
        .clock(clock.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    clock
        .block_on(agent.run_until(&mut conversation, "go", &cancel))
        .unwrap();
    let metrics = agent.metrics();
    assert_eq!(metrics.tools["hanging"].failures["cancelled"], 1);
    assert_eq!((metrics.runs.ended, metrics.runs.unfinished), (1, 1));

    // A run that is dropped in the middle of a response.
    let agent = Agent::builder(Never).build().unwrap();
    let mut run = std::pin::pin!(agent.run("go"));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    assert!(run.as_mut().poll(&mut context).is_pending());
    assert_eq!(
        (
            agent.metrics().runs.abandoned,
            agent.metrics().model.cancelled
        ),
        (0, 0)
    );
    run.set(agent.run("never begun"));
    assert_eq!(
        (
            agent.metrics().runs.abandoned,
            agent.metrics().model.cancelled
        ),
        (1, 1)
    );
}

/// A model that never answers.
struct Never;

impl Model for Never {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(repertoire::protocol::Deferral::None)
    }

    fn respond<'a>(
        &'a self,
        _: Request<'a>,
    ) -> repertoire::BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async {
            std::future::pending::<()>().await;
            let parts = vec![ModelPart::Text(String::new())];
            Ok(ModelTurn::new(parts, StopReason::End, Usage::default()))
        })
    }
}

//! Arguments that are secret are in what the provider needs and in nothing that is printed.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Responses, ToolError, Toolset,
    agent::{AgentBuilder, Approval, Decision, Hook, RunEvent},
    conversation::{ModelTurn, ToolCall, ToolResult},
    once::{Begun, MemoryOnce, OnceError, OnceStore},
    protocol::Reveal,
    testing::{Act, Rule, Script, Scriptable, TestClock},
    tool,
    tool::{ErrorKind, Invocation, Once, Policy, States},
    toolset::RuntimeTool,
};
use repertoire_tests::record::Record;
use serde_json::{Value, json};

/// What is searched for. The second half is that of a value with characters that JSON escapes.
const CANARY: &str = "canary-7f3a\"9\\bird";
const PARTS: [&str; 2] = ["canary-7f3a", "9\\bird"];

/// Everything that was printed.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<String>>>);

impl Printed {
    fn add(&self, what: &str, value: &dyn Debug) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{what}: {value:?}\n{what}: {value:#?}"));
    }

    fn text(&self, what: &str, text: impl ToString) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{what}: {}", text.to_string()));
    }

    fn search(&self) {
        let printed = self.0.lock().unwrap();
        assert!(printed.len() > 10);
        for text in printed.iter() {
            for part in PARTS {
                assert!(!text.contains(part), "{part} in {text}");
            }
        }
    }
}

impl Hook for Printed {
    fn before_request(&self, conversation: &Conversation) {
        self.add("conversation", conversation);
    }

    fn after_response(&self, turn: &ModelTurn) {
        self.add("turn", turn);
        for call in turn.calls() {
            self.text("shown", call.shown_arguments());
        }
    }

    fn before_tool(&self, call: &ToolCall) -> Decision {
        self.add("call", call);
        self.text("arguments", call.arguments());
        Decision::Run
    }

    fn after_tool(&self, call: &ToolCall, result: &ToolResult) {
        self.text("arguments", call.arguments());
        self.add("result", result);
    }
}

/// Log in.
#[tool(retries = 1, deferred, allow(repeated_name))]
async fn login(
    /// Who.
    user: &str,
    /// What nobody else knows.
    #[arg(secret, max_len = 40)]
    password: &str,
) -> Result<String, ToolError> {
    match user {
        "transient" => Err(ToolError::new(
            ErrorKind::Transient,
            format!("down: {password:?}"),
        )),
        "panic" => panic!("with {password}"),
        _ => Err(ToolError::failed(format!("no user {user} with {password}"))),
    }
}

/// Open a door.
#[tool(requires_approval)]
fn door(
    /// The code.
    #[arg(secret)]
    code: Vec<String>,
) -> usize {
    code.len()
}

/// Hands a secret on to a tool that asks.
fn porter() -> RuntimeTool {
    let schema = json!({"type": "object", "properties": {"code": {"type": "string"}}});
    let run = |arguments: Value, context: repertoire::Context| async move {
        let code = [arguments["code"].as_str().unwrap_or_default()];
        context.call("door", json!({ "code": code })).await
    };
    RuntimeTool::with_context("porter", "Opens a door.", schema, run).secret("code")
}

fn vault() -> RuntimeTool {
    let schema = json!({
        "type": "object",
        "properties": {"key": {"type": "string", "maxLength": 30}, "slot": {"type": "integer"}},
        "required": ["key"],
        "additionalProperties": false,
    });
    let fails =
        |arguments: Value| async move { Err(ToolError::failed(arguments["key"].to_string())) };
    RuntimeTool::new("vault", "Opens the vault.", schema, fails)
        .secret("key")
        .fallback("other_vault")
}

/// Takes the calls of the vault and does not know that its key is a secret.
fn other_vault() -> RuntimeTool {
    let schema = json!({
        "type": "object",
        "properties": {"key": {"type": "string"}, "slot": {"type": "integer"}},
        "required": ["key"],
    });
    let fails =
        |arguments: Value| async move { Err(ToolError::failed(arguments["key"].to_string())) };
    RuntimeTool::new("other_vault", "Opens another vault.", schema, fails).secret("key")
}

/// Calls with the canary in every place where a model may put it.
fn calls() -> Vec<(&'static str, Value)> {
    let long = CANARY.repeat(5);
    vec![
        ("login", json!({"user": "ann", "password": CANARY})),
        ("login", json!({"user": "transient", "password": CANARY})),
        ("login", json!({"user": "panic", "password": CANARY})),
        ("login", json!({"user": 7, "password": long})),
        (
            "login",
            json!({"user": "ann", "password": [CANARY], "more": true}),
        ),
        ("login", json!({"user": "ann", "password": {CANARY: 1}})),
        (
            "login",
            json!(format!("{{\"user\": \"ann\", \"password\": \"{CANARY}")),
        ),
        (
            "login",
            json!(json!({"user": "x", "password": CANARY}).to_string()),
        ),
        ("vault", json!({"key": CANARY, "slot": 1})),
        ("vault", json!({"key": CANARY.repeat(3), "slot": "x"})),
        ("vault", json!({"key": {"inner": CANARY}})),
        ("door", json!({"code": [CANARY, "b"]})),
        ("door", json!({"code": CANARY})),
        ("porter", json!({"code": CANARY})),
    ]
}

async fn nothing_is_printed<P: Scriptable>(protocol: P, reveal: Reveal) {
    let (record, _guard) = Record::start();
    let printed = Printed::default();
    let made: Vec<(String, Value)> = calls()
        .into_iter()
        .map(|(tool, arguments)| match (tool, reveal) {
            ("login", Reveal::Dispatch) => (
                "call_tool".to_owned(),
                json!({"name": tool, "arguments": arguments}),
            ),
            _ => (tool.to_owned(), arguments),
        })
        .collect();
    let model =
        Arc::new(Script::new(protocol).rule(Rule::new(
            "all",
            move |seen| match seen.calls().len() {
                0 => Act::call("tool_search", json!({"queries": ["login"]})),
                1 => Act::Call(made.clone()),
                _ => Act::Say("done".to_owned()),
            },
        )));
    let asked = printed.clone();
    let builder: AgentBuilder = Agent::builder(Arc::clone(&model))
        .repertoire(
            Toolset::new()
                .with::<login>()
                .with::<door>()
                .with_tool(vault())
                .with_tool(other_vault())
                .with_tool(porter()),
        )
        .reveal(reveal)
        .hook(printed.clone())
        .approve(move |call| {
            asked.add("asked", &call);
            asked.text("asked", call.arguments());
            async { Approval::Granted }
        })
        .trace_content(true)
        .clock(quick());
    let agent = builder.build().unwrap();
    let mut conversation = Conversation::new();
    let mut run = agent.start(&mut conversation, "go").stream();
    let mut reply = None;
    while let Some(event) = run.next().await {
        let event = event.unwrap();
        printed.add("event", &event);
        if let RunEvent::Reply(ended) = event {
            reply = Some(ended);
        }
    }
    drop(run);
    let reply = reply.unwrap();
    assert_eq!(reply.text(), "done");
    printed.add("reply", &reply);
    printed.add("conversation", &conversation);
    for tool in agent.tools().iter() {
        printed.add("tool", &tool);
    }
    printed.add("metrics", &agent.metrics());
    printed.text("metrics", serde_json::to_string(&agent.metrics()).unwrap());
    printed.add("report", agent.report());
    printed.text("report", agent.report());
    printed.text("trace", record.dump());
    printed.search();

    // The provider gets back what the model wrote, also after the conversation was saved.
    let escaped = PARTS[0];
    assert!(model.bodies().last().unwrap().contains(escaped));
    let saved = conversation.to_json();
    assert!(saved.contains(escaped));
    let loaded = Conversation::from_json(&saved).unwrap();
    let printed_again = format!("{loaded:?}");
    assert!(
        PARTS.iter().all(|part| !printed_again.contains(part)),
        "{printed_again}"
    );
    assert!(printed_again.contains("[secret]"));
    // What is no secret is there to be seen.
    let dump = record.dump();
    assert!(
        dump.contains(r#"{\"password\":\"[secret]\",\"user\":\"ann\"}"#) || dump.contains("ann")
    );
    assert!(dump.contains("[secret]") && dump.contains("execute_tool vault"));
}

/// A clock on which every pause is over at once.
fn quick() -> impl repertoire::Clock {
    struct Quick;
    impl repertoire::Clock for Quick {
        fn now(&self) -> std::time::Duration {
            std::time::Duration::ZERO
        }
        fn unix_millis(&self) -> u64 {
            0
        }
        fn sleep(&self, _: std::time::Duration) -> repertoire::BoxFuture<'static, ()> {
            Box::pin(std::future::ready(()))
        }
    }
    Quick
}

#[tokio::test]
async fn a_secret_is_in_nothing_that_is_printed() {
    let (_, _guard) = Record::start();
    nothing_is_printed(Anthropic::new("m"), Reveal::Append).await;
    nothing_is_printed(Responses::new("m"), Reveal::Append).await;
    nothing_is_printed(Chat::new("m"), Reveal::Append).await;
    nothing_is_printed(Chat::new("m"), Reveal::Dispatch).await;
}

#[tokio::test]
async fn the_model_still_learns_what_was_wrong() {
    let (_, _guard) = Record::start();
    let cases = [
        (
            json!({"user": "ann"}),
            "`/password`: missing, expected a string",
        ),
        (
            json!({"user": "ann", "password": "x".repeat(41)}),
            "`/password`: expected at most 40 characters",
        ),
        (
            json!({"user": "ann", "password": 7}),
            "`/password`: expected a string",
        ),
        (
            json!({"user": 7, "password": "x"}),
            "`/user`: expected a string, got 7",
        ),
        (
            json!({"user": "ann", "pasword": "x"}),
            "`/pasword`: unknown key, did you mean `password`?",
        ),
        (json!("oops"), "the arguments are no JSON object"),
    ];
    for (arguments, expected) in cases {
        let states = States::new();
        let text = match arguments.as_str() {
            Some(text) => text.to_owned(),
            None => arguments.to_string(),
        };
        let mut invocation = Invocation::new(&text, &states);
        invocation.exact = true;
        assert!(!format!("{invocation:?}").contains("ann"));
        let call = <login as repertoire::Tool>::REGISTRATION.call();
        let error = call(invocation).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Writes down the keys it is asked for.
struct Keys(MemoryOnce, Arc<Mutex<Vec<String>>>);

impl OnceStore for Keys {
    fn begin<'a>(
        &'a self,
        key: &'a str,
        now: u64,
        until: u64,
    ) -> repertoire::BoxFuture<'a, Result<Begun, OnceError>> {
        self.1.lock().unwrap().push(key.to_owned());
        self.0.begin(key, now, until)
    }

    fn finish<'a>(
        &'a self,
        key: &'a str,
        output: &'a repertoire::ToolOutput,
    ) -> repertoire::BoxFuture<'a, Result<(), OnceError>> {
        self.0.finish(key, output)
    }

    fn forget<'a>(&'a self, key: &'a str) -> repertoire::BoxFuture<'a, Result<(), OnceError>> {
        self.0.forget(key)
    }
}

#[test]
fn a_store_of_calls_holds_no_secret_and_tells_secrets_apart() {
    let (_, _guard) = Record::start();
    let (clock, count) = (TestClock::new(), Arc::new(Mutex::new(0)));
    let counted = Arc::clone(&count);
    let schema =
        json!({"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]});
    let tool = RuntimeTool::new("pay", "Pays.", schema, move |_| {
        *counted.lock().unwrap() += 1;
        async { Ok("paid".into()) }
    })
    .secret("key")
    .policy(Policy::new().once(Once::new().key(&["key"])));
    let sent = [CANARY, CANARY, "another"];
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("pay", move |seen| {
        match sent.get(seen.calls().len()) {
            Some(key) => Act::call("pay", json!({ "key": key })),
            None => Act::Say("done".to_owned()),
        }
    }));
    let keys = Arc::default();
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(tool))
        .once_store(Keys(MemoryOnce::new(), Arc::clone(&keys)))
        .clock(clock.clone())
        .build()
        .unwrap();
    clock.block_on(agent.run("go")).unwrap();
    assert_eq!(
        *count.lock().unwrap(),
        2,
        "the same secret is the same call"
    );
    let keys = keys.lock().unwrap();
    assert_eq!(keys.len(), 3);
    assert!(keys[0] == keys[1] && keys[0] != keys[2]);
    assert!(
        keys.iter()
            .all(|key| !key.contains("canary") && !key.contains("another")),
        "{keys:?}"
    );
}

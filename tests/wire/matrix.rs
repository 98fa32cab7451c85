//! A matrix of requests for each protocol, checked against the providers' own types.

use std::{path::Path, process::Command, sync::Arc};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Skills, Toolset,
    conversation::UserMessage,
    protocol::{CacheTime, Effort, RequestOptions, Reveal, ToolChoice},
    testing::{Act, Rule, Script, Scriptable},
    tool::ToolOutput,
    toolset::RuntimeTool,
};
use repertoire_tests::warehouse;
use serde_json::{Value, json};

/// Tools of every kind: always shown, deferred, strict in both ways, with images, recursive.
pub fn tools() -> Toolset {
    let strict = json!({
        "type": "object",
        "properties": {
            "sku": {"type": "string", "description": "Which.", "minLength": 2, "maxLength": 9},
            "kind": {"type": "string", "enum": ["a", "b"]},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
            "parts": {"type": "array", "maxItems": 3, "items": {
                "type": "object", "properties": {"name": {"type": "string", "format": "uri"}, "size": {"type": ["number", "null"]}},
                "required": ["name"], "additionalProperties": false,
            }},
        },
        "required": ["sku", "kind"],
        "additionalProperties": false,
    });
    let open = json!({
        "type": "object", "properties": {"map": {"type": "object", "additionalProperties": {"type": "integer"}}},
        "required": ["map"], "additionalProperties": false,
    });
    let recursive = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "required": ["root"],
        "additionalProperties": false,
        "$defs": {"Node": {
            "type": "object", "description": "A node.",
            "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            "required": ["name"], "additionalProperties": false,
        }},
    });
    let plain = |name: &str, schema: &Value| {
        RuntimeTool::new(name, "Does it.", schema.clone(), |_| async {
            Ok("done".into())
        })
    };
    warehouse(&Arc::default())
        .with_tool(plain("strict_one", &strict).strict())
        .with_tool(plain("strict_late", &strict).strict().deferred())
        .with_tool(plain("open_map", &open))
        .with_tool(plain("tree", &recursive))
        .with_tool(RuntimeTool::new(
            "picture",
            "Draws.",
            json!({"type": "object", "properties": {}}),
            |_| async { Ok(ToolOutput::text("drawn").with_image("image/png", "iVBORw0KGgo=")) },
        ))
}

fn skills() -> Skills {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wire-skills-3");
    std::fs::create_dir_all(folder.join("invoices")).unwrap();
    let text = "---\nname: invoices\ndescription: How invoices are sent. Use for invoices.\nallowed-tools: invoice_send\n---\nSend it.\n";
    std::fs::write(folder.join("invoices/SKILL.md"), text).unwrap();
    Skills::from_roots([folder])
}

fn agent<P: Scriptable>(script: Arc<Script<P>>, reveal: Reveal) -> Agent {
    let builder = Agent::builder(script)
        .repertoire(tools())
        .repertoire(skills());
    builder
        .instructions("Be brief.")
        .reveal(reveal)
        .build()
        .unwrap()
}

fn step<P: Scriptable>(script: Script<P>, number: usize, act: Act) -> Script<P> {
    let rule = Rule::new(format!("step {number}"), move |_| act.clone());
    script.rule(rule.when(move |seen| match seen.results().len() == number {
        true => Ok(()),
        false => Err("not now".to_owned()),
    }))
}

/// The bodies of a conversation with everything in it, and the conversation.
async fn conversation<P: Scriptable>(
    protocol: P,
    native: bool,
    reveal: Reveal,
) -> (Vec<String>, Conversation) {
    let loaded = |tool: &str, arguments: Value| match native || reveal == Reveal::Append {
        true => Act::call(tool, arguments),
        false => Act::call("call_tool", json!({"name": tool, "arguments": arguments})),
    };
    let mut script = Script::new(protocol);
    let acts = [
        (0, Act::call("read_skill", json!({"name": "invoices"}))),
        (
            1,
            Act::Call(vec![
                (
                    "tool_search".to_owned(),
                    json!({"queries": ["warehouse_stock", "nothing at all xyz"]}),
                ),
                ("clock".to_owned(), json!({"sku": "x"})),
                ("picture".to_owned(), json!({})),
            ]),
        ),
        (4, loaded("warehouse_stock", json!({"sku": "A"}))),
        (
            5,
            Act::Call(vec![
                ("no_such_tool".to_owned(), json!({})),
                ("order_cancel".to_owned(), json!({"sku": 1})),
            ]),
        ),
        (
            7,
            Act::call("strict_one", json!({"sku": "AB", "kind": "a"})),
        ),
        (8, Act::Say("done".to_owned())),
    ];
    for (number, act) in acts {
        script = step(script, number, act);
    }
    let script = Arc::new(script);
    let mut conversation = Conversation::new();
    agent(Arc::clone(&script), reveal)
        .run_in(
            &mut conversation,
            UserMessage::text("go")
                .with_image("image/png", "iVBORw0KGgo=")
                .with_text("by this")
                .with_resource("file:///a.csv", "text/csv", "a,b"),
        )
        .await
        .unwrap();
    let image = UserMessage::default().with_image("image/jpeg", "/9j/4AAQ");
    conversation.push_user(image);
    (script.bodies(), conversation)
}

/// All conversations, by the provider they were held with.
async fn conversations(reveal: Reveal) -> Vec<Conversation> {
    vec![
        conversation(Responses::new("gpt-5.4"), true, reveal)
            .await
            .1,
        conversation(Chat::new("m"), false, reveal).await.1,
        conversation(Anthropic::new("claude-opus-5"), true, reveal)
            .await
            .1,
        conversation(Gemini::new("gemini-3-flash"), false, reveal)
            .await
            .1,
        conversation(Ollama::new("m"), false, reveal).await.1,
    ]
}

fn all_options(forced: bool) -> Vec<RequestOptions> {
    let with = |change: &dyn Fn(&mut RequestOptions)| {
        let mut options = RequestOptions::default();
        change(&mut options);
        options
    };
    let mut all = vec![
        RequestOptions::default(),
        with(&|options| options.max_output_tokens = Some(20_000)),
        with(&|options| options.tool_choice = ToolChoice::None),
    ];
    for effort in [Effort::None, Effort::Low, Effort::Medium, Effort::High] {
        all.push(with(&|options| options.reasoning = Some(effort)));
    }
    if forced {
        all.push(with(&|options| options.tool_choice = ToolChoice::Required));
        all.push(with(&|options| {
            options.tool_choice = ToolChoice::Tool("clock".to_owned())
        }));
    }
    all
}

/// Hosts that have the search and do not let the program add tools.
fn searching() -> Responses {
    Responses::new("gpt-5.4").without_additional_tools()
}

/// Every request of the matrix for one protocol.
async fn matrix<P: Scriptable + Clone>(protocol: P, native: bool, forced: bool) -> Vec<String> {
    let mut bodies = Vec::new();
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        bodies.extend(conversation(protocol.clone(), native, reveal).await.0);
        let agent = agent(Arc::new(Script::new(protocol.clone())), reveal);
        for conversation in conversations(reveal).await {
            for options in all_options(forced) {
                for stream in [false, true] {
                    let request = agent.request(&conversation);
                    let request = request.with_options(&options).with_stream(stream);
                    bodies.push(protocol.encode(&request).unwrap().json().to_owned());
                }
            }
        }
    }
    bodies
}

/// The kind of the oracle and the bodies for it.
async fn everything() -> Vec<(&'static str, Vec<String>)> {
    let keyed = Responses::new("gpt-5.4").prompt_cache_key("k");
    let plain = Responses::new("gpt-4o");
    let caching = Anthropic::new("claude-opus-5").prompt_cache(CacheTime::OneHour);
    let budget = Anthropic::new("claude-sonnet-4-5").prompt_cache(CacheTime::FiveMinutes);
    let old = Anthropic::new("claude-3-5-haiku");
    vec![
        (
            "responses",
            matrix(Responses::new("gpt-5.4"), true, true).await,
        ),
        ("responses", matrix(keyed, true, true).await),
        ("responses", matrix(searching(), true, true).await),
        ("responses", matrix(plain, false, true).await),
        (
            "responses",
            matrix(Responses::new("m").interleaved(), false, true).await,
        ),
        (
            "chat",
            matrix(Chat::new("gpt-4o").prompt_cache_key("k"), false, true).await,
        ),
        ("anthropic", matrix(caching, true, true).await),
        ("anthropic", matrix(budget, true, true).await),
        ("anthropic", matrix(old, false, true).await),
        (
            "gemini",
            matrix(Gemini::new("gemini-3-flash-preview"), false, true).await,
        ),
        (
            "gemini",
            matrix(Gemini::new("gemini-2.5-flash"), false, true).await,
        ),
        (
            "ollama",
            matrix(Ollama::new("qwen3:4b"), false, false).await,
        ),
    ]
}

/// Ollama's client checks requests by its own types.
const OLLAMA_CHECK: &str = r#"
import json, sys
import ollama._types as t
for value in vars(t).values():
    if isinstance(value, type) and issubclass(value, t.SubscriptableBaseModel):
        value.model_config = {**value.model_config, "extra": "forbid"}
for value in list(vars(t).values()) * 3:
    if isinstance(value, type) and issubclass(value, t.SubscriptableBaseModel):
        value.model_rebuild(force=True)
bodies = json.load(open(sys.argv[2]))
for body in bodies:
    for message in body["messages"]:
        # Newer than the client: it drops them on the way in.
        message.pop("tool_call_id", None)
        for call in message.get("tool_calls", []):
            call.pop("id", None)
            call["function"].pop("index", None)
    t.ChatRequest.model_validate(body)
print(len(bodies), "passed, 0 failed")
"#;

fn check(python: &Path, oracle: &Path, kind: &str, bodies: &[Value]) -> (bool, String) {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wire-{kind}-{}.json", bodies.len()));
    std::fs::write(&file, json!(bodies).to_string()).unwrap();
    let mut command = Command::new(python);
    match kind {
        "ollama" => command.args(["-c", OLLAMA_CHECK, "x"]),
        kind => command.arg(oracle).arg(kind),
    };
    let output = command.arg(&file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (
        output.status.success(),
        text + &String::from_utf8_lossy(&output.stderr),
    )
}

#[tokio::test]
async fn the_matrix_passes_the_providers_own_types() {
    let all = everything().await;
    let Some(python) = std::env::var_os("REPERTOIRE_ORACLE_PYTHON") else {
        println!(
            "skipped: the_matrix_passes_the_providers_own_types: REPERTOIRE_ORACLE_PYTHON names no python"
        );
        return;
    };
    let Some(shared) = crate::shared("the_matrix_passes_the_providers_own_types") else {
        return;
    };
    let oracle = shared.join("wire/oracles/check_request.py");
    for (kind, bodies) in all {
        let bodies: Vec<Value> = bodies
            .iter()
            .map(|body| serde_json::from_str(body).unwrap())
            .collect();
        let (passed, report) = check(Path::new(&python), &oracle, kind, &bodies);
        println!("{kind}: {}", report.lines().last().unwrap_or_default());
        assert!(
            passed,
            "{kind}: {}",
            report.chars().take(3000).collect::<String>()
        );
        // The oracle must see a wrong key, or it sees nothing.
        let mut wrong = bodies[0].clone();
        match kind {
            "gemini" => wrong["contents"][0]["partz"] = json!([]),
            _ => wrong["maxx"] = json!(1),
        }
        assert!(
            !check(Path::new(&python), &oracle, kind, &[wrong]).0,
            "{kind}"
        );
    }
}

#[tokio::test]
async fn a_request_is_the_same_bytes_every_time_and_grows_at_its_end() {
    for (kind, bodies) in everything().await {
        assert!(bodies.len() > 100, "{kind}: {}", bodies.len());
    }
    let first = conversation(Anthropic::new("m"), true, Reveal::Append)
        .await
        .0;
    let second = conversation(Anthropic::new("m"), true, Reveal::Append)
        .await
        .0;
    assert_eq!(first, second);
    // Each request begins with the one before, up to where its messages end.
    for pair in first.windows(2) {
        let common = pair[0]
            .bytes()
            .zip(pair[1].bytes())
            .take_while(|(a, b)| a == b)
            .count();
        assert!(pair[0].len() - common <= 3, "{}", &pair[0][common..]);
    }
}

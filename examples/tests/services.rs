//! The examples that talk to a service, against one on this machine.

use std::{
    collections::VecDeque,
    io::{Read, Write},
    net::TcpListener,
    path::PathBuf,
    process::{Command, Output, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};

/// A key that must be found nowhere but in the head of a request.
const CANARY: &str = "sk-canary-0c41d2";

/// A service that gives these answers in turn, and what it was asked.
struct Service {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// What a service answers: status, media type, body.
type Answer = (u16, &'static str, String);

impl Service {
    fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let mut answers = VecDeque::from(answers);
        thread::spawn(move || {
            while let Some((status, kind, body)) = answers.pop_front() {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = Vec::new();
                let mut piece = [0; 4096];
                loop {
                    let count = stream.read(&mut piece).unwrap();
                    request.extend_from_slice(&piece[..count]);
                    let text = String::from_utf8_lossy(&request).into_owned();
                    if count == 0 || is_whole(&text) {
                        seen.lock().unwrap().push(text);
                        break;
                    }
                }
                let head = format!(
                    "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                stream.write_all((head + &body).as_bytes()).unwrap();
            }
        });
        Self { url, asked }
    }

    /// The bodies of the requests.
    fn bodies(&self) -> Vec<Value> {
        let asked = self.asked.lock().unwrap();
        let bodies = asked
            .iter()
            .map(|text| text.split_once("\r\n\r\n").unwrap().1);
        bodies
            .map(|body| serde_json::from_str(body).unwrap())
            .collect()
    }
}

fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else {
        return false;
    };
    let head = head.to_lowercase();
    let length = head
        .split_once("content-length: ")
        .map(|(_, rest)| rest.lines().next().unwrap());
    length.is_none_or(|length| body.len() >= length.trim().parse().unwrap())
}

/// Runs an example, or says that it was not built: `cargo test` builds examples, `--test` does not.
fn run(test: &str, name: &str, arguments: &[&str], lines: &str) -> Option<Output> {
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path
        .join("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        println!("skipped: {test}: the example `{name}` is not built");
        return None;
    }
    let mut command = Command::new(path);
    for variable in [
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "GEMINI_API_KEY",
        "OLLAMA_API_KEY",
        "DEEPSEEK_API_KEY",
        "LLAMA_API_KEY",
    ] {
        command.env(variable, CANARY);
    }
    let mut child = command
        .env_remove("GOOGLE_API_KEY")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended before it read anything.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let output = child.wait_with_output().unwrap();
    for bytes in [&output.stdout, &output.stderr] {
        assert!(!String::from_utf8_lossy(bytes).contains(CANARY));
    }
    Some(output)
}

fn stream(events: &[Value]) -> Answer {
    let mut text: String = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    text.push_str("data: [DONE]\n\n");
    (200, "text/event-stream", text)
}

fn delta(delta: Value, finish: Option<&str>) -> Value {
    json!({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

#[test]
fn chat_streams_answers_and_calls_tools() {
    let call = json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "today", "arguments": "{}"}}]});
    let service = Service::start(vec![
        stream(&[
            delta(json!({"content": "Hel"}), None),
            delta(json!({"content": "lo."}), Some("stop")),
        ]),
        stream(&[delta(call, Some("tool_calls"))]),
        stream(&[delta(json!({"content": "It is the 15th."}), Some("stop"))]),
    ]);
    let arguments = ["--model", "openai-chat:m", "--base-url", &service.url];
    let Some(output) = run(
        "chat_streams_answers_and_calls_tools",
        "chat",
        &arguments,
        "Hi\nWhich day?\n\n",
    ) else {
        return;
    };
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        said.contains("Hello.\n") && said.contains("[today]\n"),
        "{said}"
    );
    assert!(said.contains("It is the 15th.\n"), "{said}");
    let bodies = service.bodies();
    assert_eq!(bodies.len(), 3);
    assert!(
        bodies
            .iter()
            .all(|body| body["stream"] == true && body["model"] == "m")
    );
    let last = bodies[2]["messages"].as_array().unwrap();
    let roles: Vec<&str> = last
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "user", "assistant", "tool"]
    );
    assert_eq!(last[5]["content"], "2026-01-15");
    assert!(
        service.asked.lock().unwrap()[0]
            .to_lowercase()
            .contains(&format!("bearer {CANARY}"))
    );
}

#[test]
fn chat_asks_every_provider_at_its_own_path() {
    let table = [
        ("openai:m", "/responses"),
        ("openai-chat:m", "/chat/completions"),
        ("anthropic:m", "/v1/messages"),
        ("gemini:m", "/v1beta/models/m:streamGenerateContent?alt=sse"),
        ("ollama:m:4b", "/api/chat"),
        ("deepseek:m", "/chat/completions"),
        ("llama.cpp:m", "/chat/completions"),
    ];
    for (model, path) in table {
        let refusal =
            json!({"error": {"message": format!("no, {CANARY}"), "code": "x"}}).to_string();
        let service = Service::start(vec![(400, "application/json", refusal)]);
        let arguments = ["--model", model, "--base-url", &service.url];
        let Some(output) = run(
            "chat_asks_every_provider_at_its_own_path",
            "chat",
            &arguments,
            "Hi\n",
        ) else {
            return;
        };
        assert!(!output.status.success(), "the question has no answer");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("status 400"), "{model}: {error}");
        let asked = service.asked.lock().unwrap();
        assert!(
            asked[0].starts_with(&format!("POST {path} ")),
            "{model}: {}",
            asked[0]
        );
    }
}

#[test]
fn a_model_that_nobody_knows_is_an_error_that_names_the_others() {
    for example in ["chat", "on_demand"] {
        let test = "a_model_that_nobody_knows_is_an_error_that_names_the_others";
        let Some(output) = run(test, example, &["--model", "nobody:m"], "") else {
            return;
        };
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains("`nobody`") && error.contains("`openrouter`"),
            "{error}"
        );
    }
}

#[test]
fn on_demand_reads_a_skill_finds_a_tool_and_calls_it() {
    let number = |id: usize, name: &str, input: Value| {
        let call =
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": name, "input": input});
        let body = json!({"content": [call], "stop_reason": "tool_use"}).to_string();
        (200, "application/json", body)
    };
    let end =
        json!({"content": [{"type": "text", "text": "All is well."}], "stop_reason": "end_turn"});
    let service = Service::start(vec![
        number(1, "read_skill", json!({"name": "code-review"})),
        number(
            2,
            "tool_search",
            json!({"queries": ["available stock of a product"]}),
        ),
        number(3, "warehouse_stock", json!({"sku": "A-1042"})),
        (200, "application/json", end.to_string()),
    ]);
    let arguments = [
        "--model",
        "anthropic:claude-sonnet-4-5",
        "--base-url",
        &service.url,
    ];
    let test = "on_demand_reads_a_skill_finds_a_tool_and_calls_it";
    let Some(output) = run(test, "on_demand", &arguments, "") else {
        return;
    };
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in [
        "Skill loaded: code-review",
        "Tools loaded: warehouse_stock",
        "Tool called: warehouse_stock",
        "All is well.",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let bodies = service.bodies();
    assert_eq!(bodies.len(), 4);
    // The tools of a request never change, and the deferred ones are marked.
    assert!(
        bodies
            .windows(2)
            .all(|pair| pair[0]["tools"] == pair[1]["tools"])
    );
    let tools = bodies[0]["tools"].as_array().unwrap();
    let deferred = tools
        .iter()
        .filter(|tool| tool["defer_loading"] == true)
        .count();
    assert_eq!(deferred, 2);
    let stock = &bodies[3]["messages"].as_array().unwrap().last().unwrap()["content"][0];
    assert!(
        stock["content"].as_str().unwrap().contains("\"available\""),
        "{stock}"
    );
}

//! The vendors' own clients read what our server replays, and read what we read.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use repertoire::conversation::ModelTurn;
use serde_json::{Value, json};

use crate::{
    exchange::{Api, Exchange, Recorded},
    recorded,
    server::{Does, Server, answer},
};

/// Asks a server again and again with a vendor's client and prints what the client read:
/// `{"text", "calls": [[id, name, arguments]]}` or `{"error"}`, one JSON array for all.
const CLIENT: &str = r#"
import json, sys, warnings
warnings.filterwarnings("ignore")
kind, url, plan = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3]))

def text_of(value):
    return value if isinstance(value, str) else json.dumps(value)

def responses(client, stream):
    answer = client.responses.create(model="m", input="hi", stream=stream)
    items = []
    if stream:
        events = list(answer)
        items = [e.item for e in events if e.type == "response.output_item.done"]
        done = [e.response for e in events if e.type in ("response.completed", "response.incomplete", "response.failed")]
        answer = done[-1]
    # Some hosts say the items while they come, and not once more at the end.
    items = answer.output or items
    text = "".join(c.text if c.type == "output_text" else c.refusal for i in items if i.type == "message"
                   for c in i.content if c.type in ("output_text", "refusal"))
    calls = [[i.call_id, i.name if i.type == "function_call" else "", i.arguments]
             for i in items if i.type in ("function_call", "tool_search_call") and i.call_id]
    return text, calls

def chat(client, stream):
    answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}], stream=stream)
    if not stream:
        message = answer.choices[0].message
        return message.content or message.refusal or "", [[c.id, c.function.name, c.function.arguments] for c in message.tool_calls or []]
    text, calls = "", {}
    for chunk in answer:
        for choice in chunk.choices or []:
            text += choice.delta.content or getattr(choice.delta, "refusal", None) or ""
            for c in choice.delta.tool_calls or []:
                call = calls.setdefault(c.index, ["", "", ""])
                call[0] = call[0] or c.id
                call[1] = call[1] or c.function.name
                call[2] += c.function.arguments or ""
    return text, list(calls.values())

def anthropic(client, stream):
    ask = dict(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}])
    if stream:
        with client.messages.stream(**ask) as events:
            answer = events.get_final_message()
    else:
        answer = client.messages.create(**ask)
    text = "".join(b.text for b in answer.content if b.type == "text")
    return text, [[b.id, b.name, b.input] for b in answer.content if b.type == "tool_use"]

def gemini(client, stream):
    ask = dict(model="m", contents="hi")
    answers = client.models.generate_content_stream(**ask) if stream else [client.models.generate_content(**ask)]
    text, calls = "", []
    for answer in answers:
        for candidate in (answer.candidates or [])[:1]:
            for part in (candidate.content.parts if candidate.content else None) or []:
                if part.text and not part.thought:
                    text += part.text
                if part.function_call:
                    calls.append([part.function_call.id or "", part.function_call.name, part.function_call.args or {}])
    return text, calls

def ollama(client, stream):
    answers = client.chat(model="m", messages=[{"role": "user", "content": "hi"}], stream=stream)
    text, calls = "", []
    for answer in answers if stream else [answers]:
        text += answer.message.content or ""
        calls += [["", c.function.name, c.function.arguments] for c in answer.message.tool_calls or []]
    return text, calls

if kind in ("responses", "chat"):
    import openai
    client = openai.OpenAI(api_key="k", base_url=url, max_retries=0)
elif kind == "anthropic":
    import anthropic as sdk
    client = sdk.Anthropic(api_key="k", base_url=url, max_retries=0)
elif kind == "gemini":
    from google import genai
    client = genai.Client(api_key="k", http_options={"base_url": url})
else:
    import ollama as sdk
    client = sdk.Client(host=url)
read = {"responses": responses, "chat": chat, "anthropic": anthropic, "gemini": gemini, "ollama": ollama}[kind]
answers = []
for stream in plan:
    try:
        text, calls = read(client, stream)
        answers.append({"text": text, "calls": [[i or "", n or "", text_of(a)] for i, n, a in calls]})
    except Exception as error:
        answers.append({"error": f"{type(error).__name__}: {error}"[:300]})
print(json.dumps(answers))
"#;

/// An exchange as our server sends it, as it was recorded.
fn replayed(exchange: &Exchange, api: Api) -> Does {
    let (kind, body) = match &exchange.response {
        Recorded::Body(body) => ("application/json", body.to_string()),
        Recorded::Stream(text) if api == Api::Ollama => ("application/x-ndjson", text.clone()),
        Recorded::Stream(text) => ("text/event-stream", text.clone()),
    };
    Does::Sends(answer(exchange.status, &[("content-type", kind)], body))
}

async fn ask(python: &Path, kind: &str, exchanges: &[&Exchange], api: Api) -> Vec<Value> {
    let script = exchanges.iter().map(|exchange| replayed(exchange, api));
    let server = Server::start(script.collect()).await;
    let plan: Vec<bool> = exchanges
        .iter()
        .map(|exchange| matches!(exchange.response, Recorded::Stream(_)))
        .collect();
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clients-{kind}.json"));
    std::fs::write(&file, json!(plan).to_string()).unwrap();
    let mut command = Command::new(python);
    command
        .args(["-c", CLIENT, kind, &server.url])
        .arg(&file)
        .env_remove("HTTP_PROXY")
        .env("NO_PROXY", "127.0.0.1");
    // The server lives on this thread.
    let output = tokio::task::spawn_blocking(move || command.output().unwrap());
    let output = output.await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{kind}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What we read, in the form of the clients.
fn ours(turn: &ModelTurn, with_ids: bool) -> Value {
    let calls = turn.calls().map(|call| {
        let id = if with_ids { call.id() } else { "" };
        let searches = call.kind() == repertoire::conversation::CallKind::Search;
        let name = if searches { "" } else { call.name() };
        json!([id, name, arguments(call.arguments())])
    });
    json!({"text": turn.text(), "calls": calls.collect::<Vec<_>>()})
}

/// Arguments by what they say: a client spells them anew. None at all are an empty object.
fn arguments(text: &str) -> Value {
    match text {
        "" | "null" => json!({}),
        text => serde_json::from_str(text).unwrap_or(json!(text)),
    }
}

fn settled(mut theirs: Value, with_ids: bool) -> Value {
    for call in theirs["calls"].as_array_mut().into_iter().flatten() {
        call[2] = arguments(call[2].as_str().unwrap_or_default());
        if !with_ids {
            call[0] = json!("");
        }
    }
    theirs
}

fn calls_of(answer: &mut Value) -> impl Iterator<Item = &mut Value> {
    answer["calls"].as_array_mut().into_iter().flatten()
}

#[tokio::test]
async fn the_vendors_clients_read_what_our_server_replays() {
    let test = "the_vendors_clients_read_what_our_server_replays";
    let Some(python) = std::env::var_os("REPERTOIRE_ORACLE_PYTHON") else {
        println!("skipped: {test}: REPERTOIRE_ORACLE_PYTHON names no python");
        return;
    };
    let all = recorded(test);
    let mut wrong = Vec::new();
    for kind in ["responses", "chat", "anthropic", "gemini", "ollama"] {
        let mine = |exchange: &&Exchange| {
            exchange.status == 200 && exchange.api().is_some_and(|api| api.name() == kind)
        };
        // What we refuse has reasons of its own, which another test lists.
        let read = all.iter().filter(mine).filter_map(|exchange| {
            let api = exchange.api()?;
            let turn = exchange.decode(api.protocol().as_ref()).ok()?;
            Some((exchange, api, turn))
        });
        let read: Vec<(&Exchange, Api, ModelTurn)> = read.collect();
        let Some((_, api, _)) = read.first() else {
            continue;
        };
        let exchanges: Vec<&Exchange> = read.iter().map(|(exchange, ..)| *exchange).collect();
        let answers = ask(Path::new(&python), kind, &exchanges, *api).await;
        assert_eq!(answers.len(), read.len());
        let mut same = 0;
        // Gemini and Ollama name calls by place alone, and we make identifiers up.
        let with_ids = !matches!(kind, "gemini" | "ollama");
        for ((exchange, _, turn), theirs) in read.iter().zip(answers) {
            let mut theirs = settled(theirs, with_ids);
            let ours = ours(turn, with_ids);
            // Where the host gives no identifier, we make one up.
            for (call, made_up) in calls_of(&mut theirs).zip(turn.calls()) {
                if call[0] == "" && with_ids {
                    call[0] = json!(made_up.id());
                }
            }
            if theirs == ours {
                same += 1;
            } else {
                wrong.push(format!(
                    "{kind} {} {}\n  client {theirs}\n  ours   {ours}",
                    exchange.file, exchange.number
                ));
            }
        }
        println!("{kind}: {} replayed, {same} read alike", read.len());
    }
    let shown: Vec<String> = wrong
        .iter()
        .map(|line| line.chars().take(900).collect())
        .collect();
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

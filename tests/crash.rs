//! A process that is killed at any moment, and the next that goes on: no effect happens twice, and the
//! conversation stays one that every provider takes.
//!
//! Kills 20 times, or as often as `REPERTOIRE_KILLS` says.

use std::{
    collections::HashMap,
    fs::{self, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use repertoire::{
    Agent, Anthropic, BoxFuture, Chat, Context, Conversation, Gemini, Ollama, Responses, ToolError,
    Toolset,
    conversation::{FileStore, Item, ModelPart, ModelTurn, StopReason, ToolCall, Usage},
    durable::DurableStore,
    model::{Model, ModelError},
    protocol::{Capabilities, Deferral, Request},
    testing::{Rule, Script, Scriptable},
    tool,
};
use serde_json::json;

/// Where the child works. Without it there is no child.
const FOLDER: &str = "REPERTOIRE_CRASH_FOLDER";
/// The conversation it works in.
const ID: &str = "REPERTOIRE_CRASH_ID";
/// The payment after whose effect it waits to be killed, if any.
const HOLD: &str = "REPERTOIRE_CRASH_HOLD";
/// How many payments a conversation makes, and how many of them in one step.
const PAYMENTS: usize = 24;
const AT_ONCE: usize = 3;

/// Where the effects are written.
struct Folder(PathBuf);

/// Pay somebody. The effect is a line in a file.
#[tool(once(key = key, within = "1h"))]
async fn pay(
    /// Which payment this is.
    key: String,
    #[state] folder: &Folder,
) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.0.join("effects"))
        .map_err(ToolError::failed)?;
    file.write_all(format!("{key}\n").as_bytes())
        .map_err(ToolError::failed)?;
    let held = std::env::var(HOLD).is_ok_and(|held| held == key);
    tokio::time::sleep(if held {
        Duration::from_secs(600)
    } else {
        Duration::from_millis(1)
    })
    .await;
    Ok(format!("paid {key}"))
}

/// Look at what was paid, which may be done as often as one likes.
#[tool(read_only)]
fn look(#[context] cx: &Context) -> Result<u64, ToolError> {
    let looked = cx.get::<u64>("looked").map_err(ToolError::failed)?;
    let looked = looked.unwrap_or_default() + 1;
    cx.set("looked", looked).map_err(ToolError::failed)?;
    Ok(looked)
}

/// How a payment stands, as the history tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Open,
    Paid,
    /// It may have been made.
    Unknown,
}

/// The payments of a conversation, in order.
fn payments(id: &str) -> impl Iterator<Item = String> + '_ {
    (0..PAYMENTS).map(move |number| format!("{id}-{number}"))
}

fn standings(items: &[Item]) -> HashMap<String, Standing> {
    let calls = items.iter().filter_map(|item| match item {
        Item::Model(turn) => Some(turn.calls()),
        _ => None,
    });
    let calls: HashMap<&str, &ToolCall> = calls.flatten().map(|call| (call.id(), call)).collect();
    let results = items.iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    let mut standings = HashMap::new();
    for result in results.flatten().filter(|result| result.name() == "pay") {
        let arguments = calls[result.call_id()].arguments();
        let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
        let key = arguments["key"].as_str().unwrap().to_owned();
        let standing = if !result.is_failed() {
            assert_eq!(result.output().to_text(), format!("paid {key}"));
            Standing::Paid
        } else if result.output().to_text().starts_with("R0009") {
            Standing::Unknown
        } else {
            Standing::Open
        };
        standings.insert(key, standing);
    }
    standings
}

/// A model that pays what is not paid yet, and now and then asks for a payment once more.
struct Payer(String);

impl Model for Payer {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let known = standings(request.items());
        let standing = |key: &String| known.get(key).copied().unwrap_or(Standing::Open);
        let mut next: Vec<String> = payments(&self.0)
            .filter(|key| standing(key) == Standing::Open)
            .take(AT_ONCE)
            .collect();
        if !next.is_empty() {
            next.extend(
                payments(&self.0)
                    .filter(|key| standing(key) == Standing::Paid)
                    .last(),
            );
        }
        let step = request.items().len();
        let mut parts: Vec<ModelPart> = next
            .iter()
            .enumerate()
            .map(|(index, key)| {
                let id = format!("call_{step}_{index}");
                ModelPart::Call(ToolCall::new(
                    id,
                    pay::SPEC.name,
                    json!({"key": key}).to_string(),
                ))
            })
            .collect();
        let stop = if parts.is_empty() {
            parts.push(ModelPart::Text("all is paid".to_owned()));
            StopReason::End
        } else {
            let look = ToolCall::new(format!("look_{step}"), look::SPEC.name, "{}");
            parts.push(ModelPart::Call(look));
            StopReason::ToolCalls
        };
        let turn = ModelTurn::new(parts, stop, Usage::default());
        Box::pin(std::future::ready(Ok(turn)))
    }
}

/// What the process does that is killed. Run as a test of its own by `start`.
#[test]
fn child() {
    let (Ok(folder), Ok(id)) = (std::env::var(FOLDER), std::env::var(ID)) else {
        return;
    };
    let folder = PathBuf::from(folder);
    let files = FileStore::new(folder.join("conversations"));
    let agent = Agent::builder(Payer(id.clone()))
        .repertoire(Toolset::new().with::<pay>().with::<look>())
        .state(Folder(folder.clone()))
        .once_store(DurableStore::open(folder.join("agent.store")).unwrap())
        .store(files.clone())
        .max_steps(usize::MAX)
        .build()
        .unwrap();
    let saved = files.load(&id);
    let mut conversation = saved.unwrap_or_else(|_| Conversation::new().with_id(&id));
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    let reply = if conversation.items().is_empty() {
        runtime.block_on(agent.run_in(&mut conversation, "Pay them all."))
    } else {
        runtime.block_on(agent.resume(&mut conversation))
    };
    assert_eq!(reply.unwrap().text(), "all is paid");
}

fn start(folder: &Path, id: &str) -> Child {
    command(folder, id).spawn().unwrap()
}

fn command(folder: &Path, id: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["child", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .env(ID, id)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// Lets the child run to its end.
fn finish(folder: &Path, id: &str) -> Duration {
    let started = Instant::now();
    let output = start(folder, id).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    started.elapsed()
}

/// How often each payment was really made.
fn effects(folder: &Path) -> HashMap<String, usize> {
    let mut effects = HashMap::new();
    let lines = fs::read_to_string(folder.join("effects")).unwrap_or_default();
    for line in lines.lines() {
        *effects.entry(line.to_owned()).or_default() += 1;
    }
    effects
}

fn assert_none_twice(folder: &Path) {
    let twice: Vec<_> = effects(folder)
        .into_iter()
        .filter(|(_, times)| *times > 1)
        .collect();
    assert!(twice.is_empty(), "made twice: {twice:?}");
}

/// Whether a provider takes the conversation: its own rules on the bytes that would be sent.
fn provider_takes<P: Scriptable>(protocol: P, conversation: &Conversation) {
    let agent = Agent::builder(Script::new(protocol).rule(Rule::say("fine")))
        .repertoire(Toolset::new().with::<pay>().with::<look>())
        .state(Folder(PathBuf::new()))
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut conversation = conversation.clone();
    let reply = runtime.block_on(agent.run_in(&mut conversation, "And now?"));
    assert_eq!(reply.unwrap().text(), "fine");
}

fn assert_whole(conversation: &Conversation) {
    provider_takes(Responses::new("m"), conversation);
    provider_takes(Chat::new("m"), conversation);
    provider_takes(Anthropic::new("m"), conversation);
    provider_takes(Gemini::new("m"), conversation);
    provider_takes(Ollama::new("m"), conversation);
}

/// A small source of numbers that look random.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[derive(Debug, Default)]
struct Figures {
    kills: usize,
    before_the_first_save: usize,
    in_the_middle: usize,
    conversations: usize,
    payments: usize,
    known_to_be_paid: usize,
    unknown_and_paid: usize,
    unknown_and_not_paid: usize,
}

#[test]
fn a_killed_process_pays_nothing_twice() {
    let kills = std::env::var("REPERTOIRE_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let folder = std::env::temp_dir().join(format!("repertoire-crash-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let files = FileStore::new(folder.join("conversations"));
    let started = Instant::now();
    // How long one conversation takes, so that kills hit all of it.
    let whole = finish(&folder, "c0");
    let (mut figures, mut state) = (Figures::default(), 0x9e37_79b9_7f4a_7c15);
    let mut number = 1;
    while figures.kills < kills {
        let id = format!("c{number}");
        let mut child = start(&folder, &id);
        let micros = u64::try_from(whole.as_micros()).unwrap();
        std::thread::sleep(Duration::from_micros(next(&mut state) % micros));
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if let Some(status) = ended {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(status.success(), "{said}");
        } else {
            figures.kills += 1;
        }
        assert_none_twice(&folder);
        match files.load(&id) {
            Ok(conversation) => {
                figures.in_the_middle += usize::from(ended.is_none());
                assert_whole(&conversation);
            }
            // Killed before its first step was saved: nothing may be half there.
            Err(error) => {
                assert!(error.to_string().contains("os error 2"), "{error}");
                figures.before_the_first_save += 1;
            }
        }
        if ended.is_some() {
            number += 1;
        }
    }
    finish(&folder, &format!("c{number}"));
    assert_none_twice(&folder);
    let made = effects(&folder);
    for number in 0..=number {
        let id = format!("c{number}");
        let conversation = files.load(&id).unwrap();
        assert_whole(&conversation);
        figures.conversations += 1;
        let known = standings(conversation.items());
        for key in payments(&id) {
            figures.payments += 1;
            let paid = made.contains_key(&key);
            match known[&key] {
                Standing::Paid => {
                    assert!(paid, "{key} is said to be paid");
                    figures.known_to_be_paid += 1;
                }
                Standing::Unknown if paid => figures.unknown_and_paid += 1,
                Standing::Unknown => figures.unknown_and_not_paid += 1,
                Standing::Open => panic!("{key} has no result"),
            }
        }
    }
    println!(
        "one conversation takes {whole:.2?}; all took {:.2?}",
        started.elapsed()
    );
    println!("{figures:#?}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_process_killed_between_effect_and_record_leaves_an_unknown_call() {
    let folder = std::env::temp_dir().join(format!("repertoire-held-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut child = command(&folder, "x").env(HOLD, "x-7").spawn().unwrap();
    let started = Instant::now();
    while !effects(&folder).contains_key("x-7") {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "it never pays"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    finish(&folder, "x");
    assert_none_twice(&folder);
    let files = FileStore::new(folder.join("conversations"));
    let conversation = files.load("x").unwrap();
    assert_whole(&conversation);
    let known = standings(conversation.items());
    assert_eq!(known["x-7"], Standing::Unknown);
    assert_eq!(known["x-20"], Standing::Paid);
    assert_eq!(effects(&folder).len(), PAYMENTS);
    fs::remove_dir_all(&folder).unwrap();
}

/// The tests above would notice: without the durable store the same crash pays twice.
#[test]
fn the_count_shows_a_payment_that_is_made_twice() {
    let folder = std::env::temp_dir().join(format!("repertoire-count-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    for _ in 0..2 {
        // Each agent remembers for itself, as if the other process had never been.
        let agent = Agent::builder(Payer("x".to_owned()))
            .repertoire(Toolset::new().with::<pay>().with::<look>())
            .state(Folder(folder.clone()))
            .build()
            .unwrap();
        runtime.block_on(agent.run("Pay them all.")).unwrap();
    }
    let made = effects(&folder);
    assert_eq!(made.len(), PAYMENTS);
    assert!(made.values().all(|times| *times == 2), "{made:?}");
    fs::remove_dir_all(&folder).unwrap();
}

//! The life of a tool: added, listed, switched off and on, deprecated, removed.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Event, Gemini, Ollama, Repertoire, Responses, Skills,
    Toolset,
    conversation::{Item, ToolResult},
    protocol::{RequestOptions, Reveal, ToolChoice},
    testing::{Act, Rule, Script, Scriptable},
    tool,
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, strings, warehouse};
use serde_json::{Value, json};

/// A model that does what the user says: `N TOOL JSON` is a call of a tool after N calls in all.
fn obedient<P: Scriptable>(protocol: P) -> Arc<Script<P>> {
    Arc::new(Script::new(protocol).rule(Rule::new("obey", |seen| {
        let mut words = seen.user().splitn(3, ' ');
        let (count, tool, json) = (words.next(), words.next(), words.next());
        let due = count.and_then(|count| count.parse().ok()) == Some(seen.calls().len());
        match (due, tool, json) {
            (true, Some(tool), Some(json)) => Act::call(tool, serde_json::from_str(json).unwrap()),
            _ => Act::Say(
                seen.results()
                    .last()
                    .map_or("hello", |r| r.text())
                    .to_owned(),
            ),
        }
    })))
}

fn results(conversation: &Conversation) -> Vec<&ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results.flatten().collect()
}

/// Has the model make a call, and returns the text of its result.
async fn call(agent: &Agent, conversation: &mut Conversation, tool: &str, json: Value) -> String {
    let before = results(conversation).len();
    let prompt = format!("{before} {tool} {json}");
    agent.run_in(conversation, prompt).await.unwrap();
    let results = results(conversation);
    assert_eq!(results.len(), before + 1);
    results[before].output().to_text()
}

/// The part of a request that stands before the first message.
fn head(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    let system = ["instructions", "system", "systemInstruction"]
        .map(|key| body[key].clone())
        .into_iter()
        .find(|value| !value.is_null());
    let first = || body["messages"][0].clone();
    format!("{}\n{}", body["tools"], system.unwrap_or_else(first))
}

const SHOWN: &str = "clock";
const HIDDEN: &str = "warehouse_stock";

async fn switched_off_and_on<P: Scriptable>(protocol: P, reveal: Reveal) {
    let count = Arc::new(AtomicUsize::new(0));
    let ran = || count.load(Ordering::SeqCst);
    let model = obedient(protocol);
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .instructions("Be brief.")
        .reveal(reveal)
        .build()
        .unwrap();
    let through = |tool: &str, arguments: Value| match reveal {
        Reveal::Dispatch => (
            "call_tool".to_owned(),
            json!({"name": tool, "arguments": arguments}),
        ),
        _ => (tool.to_owned(), arguments),
    };
    let (stock, stock_arguments) = through(HIDDEN, json!({"sku": "A"}));
    let mut old = Conversation::new();
    call(&agent, &mut old, SHOWN, json!({"sku": "a"})).await;
    call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    let text = call(&agent, &mut old, &stock, stock_arguments.clone()).await;
    assert!(text.contains("ran with"), "{text}");
    assert_eq!(ran(), 2);
    let before = head(model.bodies().last().unwrap());

    for tool in [SHOWN, HIDDEN, "order_cancel"] {
        agent.clone().tools().disable(tool).unwrap();
    }
    // The old conversation keeps its beginning to the byte, and the calls are refused.
    let text = call(&agent, &mut old, SHOWN, json!({"sku": "a"})).await;
    assert!(text.starts_with("R0011: `clock` is switched off"), "{text}");
    let text = call(&agent, &mut old, &stock, stock_arguments.clone()).await;
    assert!(
        text.starts_with("R0011: `warehouse_stock` is switched off"),
        "{text}"
    );
    let found = call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": ["cancel an order"]}),
    )
    .await;
    assert!(
        found.contains("no tool matches") && !found.contains("order_cancel"),
        "{found}"
    );
    let named = call(
        &agent,
        &mut old,
        "tool_search",
        json!({"queries": ["order_cancel"]}),
    )
    .await;
    assert!(named.contains("switched off"), "{named}");
    assert!(results(&old)[5].loads().is_empty() && results(&old)[6].loads().is_empty());
    assert_eq!(head(model.bodies().last().unwrap()), before);
    assert_eq!(ran(), 2, "nothing ran");

    // So does the same conversation after it was saved.
    let mut saved = Conversation::from_json(&old.to_json()).unwrap();
    call(&agent, &mut saved, SHOWN, json!({"sku": "a"})).await;
    assert_eq!(head(model.bodies().last().unwrap()), before);

    // A new one is shown neither definition nor catalog entry.
    let mut new = Conversation::new();
    let text = call(&agent, &mut new, SHOWN, json!({"sku": "a"})).await;
    assert!(text.starts_with("R0011"), "{text}");
    let body = model.bodies().last().unwrap().clone();
    let without = head(&body);
    for tool in ["\"clock\"", "warehouse", "order_cancel", "## clock"] {
        assert!(!without.contains(tool), "{tool} in {without}");
    }
    assert!(without.contains("invoice_send"));
    let found = call(
        &agent,
        &mut new,
        "tool_search",
        json!({"queries": [HIDDEN, "stock"]}),
    )
    .await;
    assert!(found.matches("no tool matches").count() == 2, "{found}");

    // Switched on again: the old conversation goes on as before, the new one as it began.
    for tool in [SHOWN, HIDDEN, "order_cancel"] {
        agent.tools().enable(tool).unwrap();
    }
    let text = call(&agent, &mut old, &stock, stock_arguments).await;
    assert!(text.contains("ran with"), "{text}");
    assert_eq!(head(model.bodies().last().unwrap()), before);
    agent.run_in(&mut new, "hello").await.unwrap();
    assert_eq!(head(model.bodies().last().unwrap()), without);
    // Unless it is told to look again.
    new.offer_anew();
    call(
        &agent,
        &mut new,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    assert_eq!(results(&new).last().unwrap().loads(), [HIDDEN]);
    assert!(head(model.bodies().last().unwrap()).contains("clock"));
}

#[tokio::test]
async fn a_tool_is_switched_off_and_on_while_the_agent_runs() {
    switched_off_and_on(Responses::new("m"), Reveal::Append).await;
    switched_off_and_on(Anthropic::new("m"), Reveal::Append).await;
    switched_off_and_on(Chat::new("m"), Reveal::Dispatch).await;
    switched_off_and_on(Gemini::new("m"), Reveal::Dispatch).await;
    switched_off_and_on(Ollama::new("m"), Reveal::Dispatch).await;
}

#[tokio::test]
async fn a_switch_acts_where_definitions_are_appended_too() {
    let (model, count) = (obedient(Chat::new("m")), Arc::default());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": [HIDDEN]}),
    )
    .await;
    let before = head(model.bodies().last().unwrap());
    agent.tools().disable(HIDDEN).unwrap();
    let text = call(&agent, &mut conversation, HIDDEN, json!({"sku": "A"})).await;
    assert!(text.starts_with("R0011"), "{text}");
    assert_eq!(head(model.bodies().last().unwrap()), before);
}

/// Send a letter.
#[tool(
    enabled = false,
    tags("mail"),
    group = "post",
    version = "2.0.1",
    author = "ann"
)]
fn send_letter() -> &'static str {
    "sent"
}

#[tokio::test]
async fn a_tool_that_begins_switched_off_can_be_switched_on() {
    let model = obedient(Anthropic::new("m"));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(Toolset::new().with::<send_letter>())
        .build()
        .unwrap();
    let text = call(&agent, &mut Conversation::new(), "send_letter", json!({})).await;
    assert!(text.starts_with("R0011"), "{text}");
    assert!(!model.bodies()[0].contains("Send a letter."));
    agent.tools().enable("send_letter").unwrap();
    let text = call(&agent, &mut Conversation::new(), "send_letter", json!({})).await;
    assert_eq!(text, "sent");
    assert!(model.bodies().last().unwrap().contains("Send a letter."));

    // A mistake in a tool is found, whether it is on or not.
    let bad = RuntimeTool::new("bad", "", strings(&[]), |_| async { Ok("".into()) }).disabled();
    let error = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(Toolset::new().with_tool(bad))
        .build();
    assert!(
        error
            .err()
            .unwrap()
            .to_string()
            .contains("the description is empty")
    );
}

#[test]
fn a_second_tool_of_one_name_is_refused_with_both_places() {
    let mut tools = Toolset::new();
    tools.add::<send_letter>().unwrap();
    let line = line!() + 1;
    let second = counting("send_letter", "Sends it again.", &Arc::default());
    let error = tools.add_tool(second).unwrap_err();
    assert_eq!(error.name(), "send_letter");
    let [first, second] = error.places();
    assert!(first.starts_with("tests/life.rs:"), "{first}");
    // `counting` makes it; the place is where the tool was made.
    assert!(
        second.starts_with("tests/lib.rs:"),
        "{second} (called in line {line})"
    );
    assert!(error.to_string().contains(first) && error.to_string().contains(second));
    assert_eq!(tools.len(), 1);
    assert_eq!(tools.add::<send_letter>().unwrap_err().places()[0], first);

    // Where all are taken at first, building the agent says the same.
    let both = Toolset::new().with::<send_letter>().with_toolset(tools);
    let error = Agent::builder(obedient(Responses::new("m")))
        .repertoire(both)
        .build();
    let error = error.err().unwrap().to_string();
    assert!(
        error.contains("2 tools are named `send_letter`") && error.contains(first),
        "{error}"
    );
}

#[test]
fn tools_are_listed_by_name_tag_and_group() {
    let count = Arc::default();
    let mut tools = Toolset::new().with::<send_letter>();
    let read = |name| {
        counting(name, "Reads.", &count)
            .tag("read")
            .tag("mail")
            .group("post")
    };
    tools.add_tool(read("read_letter")).unwrap();
    tools
        .add_tool(counting("clock", "Tells the time.", &count).version("3"))
        .unwrap();

    let info = tools.get("send_letter").unwrap();
    assert_eq!(info.tags().collect::<Vec<_>>(), ["mail"]);
    assert_eq!(
        (info.version(), info.author()),
        (Some("2.0.1"), Some("ann"))
    );
    assert!(!info.is_enabled() && tools.get("clock").unwrap().is_enabled());
    assert!(tools.get("send_Letter").is_none());
    let names = |tools: Vec<repertoire::toolset::ToolInfo<'_>>| -> Vec<String> {
        tools.iter().map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(
        names(tools.tagged("mail").collect()),
        ["send_letter", "read_letter"]
    );
    assert_eq!(names(tools.tagged("read").collect()), ["read_letter"]);
    assert_eq!(
        names(tools.in_group("post").collect()),
        ["send_letter", "read_letter"]
    );

    tools.enable("send_letter").unwrap();
    tools.disable("clock").unwrap();
    assert!(tools.enable("none").is_err());
    assert!(tools.remove("read_letter") && !tools.remove("read_letter"));
    let agent = Agent::builder(obedient(Responses::new("m")))
        .repertoire(tools)
        .build()
        .unwrap();
    assert_eq!(
        names(agent.tools().iter().collect()),
        ["clock", "send_letter"]
    );
    assert_eq!(
        names(agent.tools().tagged("mail").collect()),
        ["send_letter"]
    );
    assert_eq!(
        names(agent.tools().in_group("post").collect()),
        ["send_letter"]
    );
    assert!(!agent.tools().get("clock").unwrap().is_enabled());
    assert!(agent.tools().get("send_letter").unwrap().is_enabled());
    assert_eq!(agent.tools().get("clock").unwrap().version(), Some("3"));
}

#[tokio::test]
async fn a_switched_off_tool_is_not_demanded() {
    let model = obedient(Anthropic::new("m"));
    let mut options = RequestOptions::default();
    options.tool_choice = ToolChoice::Tool("clock".to_owned());
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .options(options)
        .build()
        .unwrap();
    agent.run("hello").await.unwrap();
    assert!(model.bodies()[0].contains(r#""tool_choice":{"#));
    agent.tools().disable("clock").unwrap();
    agent.run("hello").await.unwrap();
    assert!(
        !model.bodies()[1].contains(r#""name":"clock""#),
        "{}",
        model.bodies()[1]
    );
}

#[tokio::test]
async fn no_way_leads_to_a_switched_off_tool() {
    let count = Arc::new(AtomicUsize::new(0));
    let failing = RuntimeTool::new("first", "Fails.", strings(&["sku"]), |_| async {
        Err(repertoire::ToolError::failed("no luck"))
    });
    let nested =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("second", json!({"sku": "A"})).await
        });
    let tools = Toolset::new()
        .with_tool(failing.fallback("second"))
        .with_tool(nested)
        .with_tool(counting("second", "Works.", &count).requires_approval());
    let agent = Agent::builder(obedient(Responses::new("m")))
        .repertoire(tools)
        .approve(|_| async { true })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    for (tool, arguments) in [("first", json!({"sku": "A"})), ("outer", json!({}))] {
        agent.tools().enable("second").unwrap();
        let text = call(&agent, &mut conversation, tool, arguments.clone()).await;
        assert!(text.contains("ran with"), "{text}");
        agent.tools().disable("second").unwrap();
        let text = call(&agent, &mut conversation, tool, arguments).await;
        assert!(text.contains("switched off"), "{text}");
    }
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_skill_does_not_load_a_tool_that_is_switched_off() {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("life-skills");
    let folder = root.join("stock-check");
    std::fs::create_dir_all(&folder).unwrap();
    let text = "---\nname: stock-check\ndescription: Use to check the stock.\nallowed-tools: \
                warehouse_stock order_cancel\n---\nCheck it.\n";
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    let repertoire =
        Repertoire::from(warehouse(&Arc::default())).merge(Skills::from_roots([&root]).into());
    let agent = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(repertoire)
        .build()
        .unwrap();
    agent.tools().disable("order_cancel").unwrap();
    let mut conversation = Conversation::new();
    call(
        &agent,
        &mut conversation,
        "read_skill",
        json!({"name": "stock-check"}),
    )
    .await;
    assert_eq!(results(&conversation)[0].loads(), [HIDDEN]);
}

/// Look up the stock.
#[tool(deferred)]
fn stock() -> u32 {
    7
}

/// Look up the stock, slowly.
#[tool(deprecated(note = "slow.", replaced_by = stock))]
fn old_stock() -> u32 {
    7
}

/// Look up the stock by mail.
#[tool(deferred, deprecated(note = "nobody answers"))]
fn mail_stock() -> Result<u32, repertoire::ToolError> {
    Err(repertoire::ToolError::failed("no answer"))
}

async fn deprecated<P: Scriptable>(protocol: P) {
    let model = obedient(protocol);
    let tools = Toolset::new()
        .with::<stock>()
        .with::<old_stock>()
        .with::<mail_stock>();
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let text = call(&agent, &mut conversation, "old_stock", json!({})).await;
    assert_eq!(
        text,
        "7\n[`old_stock`: Deprecated (slow). Use `stock` instead.]"
    );
    let body = &model.bodies()[0];
    assert!(body.contains("Deprecated (slow). Use `stock` instead. Look up the stock, slowly."));
    assert!(body.contains("- mail_stock: Deprecated (nobody answers). Look up the stock by mail."));
    assert!(!body.contains("- stock: Deprecated"));

    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": ["mail_stock"]}),
    )
    .await;
    let reply = agent
        .run_in(&mut conversation, "2 mail_stock {}")
        .await
        .unwrap();
    let text = results(&conversation)[2].output().to_text();
    assert_eq!(
        text,
        "no answer\n[`mail_stock`: Deprecated (nobody answers).]"
    );
    assert!(reply.events().contains(&Event::DeprecatedCalled {
        tool: "mail_stock".to_owned()
    }));

    // What is not there is not recommended, and the report says so.
    assert!(agent.report().notes().is_empty() || !agent.report().to_string().contains("in favour"));
    let mut tools = tools;
    tools.remove("stock");
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    let text = call(&agent, &mut Conversation::new(), "old_stock", json!({})).await;
    assert_eq!(text, "7\n[`old_stock`: Deprecated (slow).]");
    assert!(
        agent
            .report()
            .to_string()
            .contains("deprecated in favour of `stock`")
    );
}

#[tokio::test]
async fn the_model_is_told_that_a_tool_is_deprecated() {
    deprecated(Responses::new("m")).await;
    deprecated(Anthropic::new("m")).await;
    deprecated(Chat::new("m")).await;
}

#[tokio::test]
async fn a_workflow_gets_the_bare_output_of_a_deprecated_tool() {
    let outer =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("old_stock", json!({})).await
        });
    let tools = Toolset::new()
        .with::<stock>()
        .with::<old_stock>()
        .with_tool(outer);
    let agent = Agent::builder(obedient(Anthropic::new("m")))
        .repertoire(tools)
        .build()
        .unwrap();
    assert_eq!(
        call(&agent, &mut Conversation::new(), "outer", json!({})).await,
        "7"
    );
}

/// A conversation that called and loaded a tool goes on without it.
async fn removed<P: Scriptable>(protocol: impl Fn() -> P, reveal: Reveal) {
    let count = Arc::default();
    let agent = |tools| {
        let model = obedient(protocol());
        let builder = Agent::builder(Arc::clone(&model))
            .repertoire(tools)
            .reveal(reveal);
        (builder.build().unwrap(), model)
    };
    let (full, _) = agent(warehouse(&count));
    let mut conversation = Conversation::new();
    call(&full, &mut conversation, SHOWN, json!({"sku": "a"})).await;
    let queries = json!({"queries": [HIDDEN, "order_cancel"]});
    call(&full, &mut conversation, "tool_search", queries).await;
    let (tool, arguments) = match reveal {
        Reveal::Dispatch => (
            "call_tool",
            json!({"name": HIDDEN, "arguments": {"sku": "A"}}),
        ),
        _ => (HIDDEN, json!({"sku": "A"})),
    };
    call(&full, &mut conversation, tool, arguments.clone()).await;
    let saved = conversation.to_json();

    let mut some = warehouse(&count);
    assert!(some.remove(HIDDEN) && some.remove(SHOWN));
    for tools in [some, Toolset::new()] {
        let (agent, model) = agent(tools);
        let mut conversation = Conversation::from_json(&saved).unwrap();
        // The script checks what a provider would: pairs, references, definitions.
        let reply = agent.run_in(&mut conversation, "hello").await.unwrap();
        assert!(reply.text().contains("ran with"), "{}", reply.text());
        let body = model.bodies().pop().unwrap();
        let head = head(&body);
        assert!(
            !head.contains("\"clock\"") && !head.contains(HIDDEN),
            "{head}"
        );
        assert!(
            !body.contains(r#""tool_reference","tool_name":"warehouse_stock""#),
            "{body}"
        );
        let text = call(&agent, &mut conversation, SHOWN, json!({"sku": "a"})).await;
        assert!(
            text.starts_with("R0002: there is no tool `clock`"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_conversation_outlives_the_tools_it_mentions() {
    removed(|| Responses::new("m"), Reveal::Append).await;
    removed(|| Anthropic::new("m"), Reveal::Append).await;
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        removed(|| Chat::new("m"), reveal).await;
        removed(|| Gemini::new("m"), reveal).await;
        removed(|| Ollama::new("m"), reveal).await;
    }
}

#[tokio::test]
async fn many_switches_keep_every_conversation_as_it_began() {
    // More sets of tools than are kept ready: the rest fall back to the first, and nothing runs.
    let mut tools = Toolset::new();
    let count = Arc::new(AtomicUsize::new(0));
    for index in 0..9 {
        tools
            .add_tool(counting(&format!("tool_{index}"), "Works.", &count))
            .unwrap();
    }
    let model = obedient(Anthropic::new("m"));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    for set in 0..512_u32 {
        for index in 0..9 {
            let tool = format!("tool_{index}");
            if set & (1 << index) == 0 {
                agent.tools().enable(&tool).unwrap();
            } else {
                agent.tools().disable(&tool).unwrap();
            }
        }
        let off = set & 1 == 1;
        let before = count.load(Ordering::SeqCst);
        let text = call(
            &agent,
            &mut Conversation::new(),
            "tool_0",
            json!({"sku": "A"}),
        )
        .await;
        assert_eq!(text.starts_with("R0011"), off, "{text}");
        assert_eq!(count.load(Ordering::SeqCst) - before, usize::from(!off));
    }
}

/// Writes down what it is told, and refuses `erase`.
#[derive(Clone, Default)]
struct Looker(Arc<std::sync::Mutex<Vec<String>>>);

impl Looker {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }
}

impl repertoire::agent::Hook for Looker {
    fn before_tool(
        &self,
        call: &repertoire::conversation::ToolCall,
    ) -> repertoire::agent::Decision {
        self.note(format!("before {} {}", call.name(), call.arguments()));
        match call.name() {
            "erase" => repertoire::agent::Decision::Refuse("never".to_owned()),
            _ => repertoire::agent::Decision::Run,
        }
    }

    fn after_tool(&self, call: &repertoire::conversation::ToolCall, result: &ToolResult) {
        self.note(format!(
            "after {}: {}",
            call.name(),
            result.output().to_text()
        ));
    }

    fn on_event(&self, conversation: &str, event: &Event) {
        let what = match event {
            Event::ToolCalled { .. } => return,
            Event::CallRefused { tool, .. } => format!("refused {tool}"),
            Event::FellBack { tool, to, .. } => format!("{tool} -> {to}"),
            other => format!("{other:?}"),
        };
        self.note(format!("{conversation}: {what}"));
    }

    fn after_run(
        &self,
        conversation: &Conversation,
        outcome: Result<&repertoire::Reply, &repertoire::Error>,
    ) {
        let outcome = outcome.map(|reply| format!("{:?}", reply.stop()));
        let outcome = outcome.unwrap_or_else(|_| "error".to_owned());
        self.note(format!("{}: ended {outcome}", conversation.id()));
    }
}

#[tokio::test]
async fn hooks_see_and_refuse_calls_however_they_are_made() {
    let count = Arc::new(AtomicUsize::new(0));
    let failing = RuntimeTool::new("first", "Fails.", strings(&["sku"]), |_| async {
        Err(repertoire::ToolError::failed("no luck"))
    });
    let nested =
        RuntimeTool::with_context("outer", "Calls.", strings(&[]), |_, context| async move {
            context.call("erase", json!({"sku": "A"})).await
        });
    let tools = Toolset::new()
        .with_tool(failing.fallback("erase"))
        .with_tool(nested)
        .with_tool(counting("erase", "Erases.", &count).deferred());
    let looker = Looker::default();
    let agent = Agent::builder(obedient(Chat::new("m")))
        .repertoire(tools)
        .reveal(Reveal::Dispatch)
        .hook(looker.clone())
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("c");
    call(
        &agent,
        &mut conversation,
        "tool_search",
        json!({"queries": ["erase"]}),
    )
    .await;
    let dispatched = json!({"name": "erase", "arguments": {"sku": "A"}});
    let text = call(&agent, &mut conversation, "call_tool", dispatched).await;
    assert_eq!(text, "R0006: never");
    let text = call(&agent, &mut conversation, "outer", json!({})).await;
    assert!(text.contains("never"), "{text}");
    let text = call(&agent, &mut conversation, "first", json!({"sku": "A"})).await;
    assert!(text.contains("no luck") && text.contains("never"), "{text}");
    call(&agent, &mut conversation, "none", json!({})).await;
    assert_eq!(count.load(Ordering::SeqCst), 0, "nothing was erased");
    assert_eq!(agent.metrics().tools["erase"].refused, 3);
    let seen = looker.0.lock().unwrap();
    let refused = seen
        .iter()
        .filter(|line| line.starts_with("before erase {\"sku\":\"A\"}"));
    assert_eq!(refused.count(), 3, "{seen:#?}");
    for line in [
        "after erase: R0006: never",
        "c: first -> erase",
        "c: refused none",
        "c: ended Done",
    ] {
        assert!(seen.iter().any(|seen| seen == line), "{line} in {seen:#?}");
    }
    assert!(seen.iter().any(|line| line.starts_with("c: ToolsSearched")));
    // The result of a call within goes to the tool that made it: the hooks see both.
    let after = seen.iter().filter(|line| line.starts_with("after erase"));
    assert_eq!(after.count(), 3);
}

//! What a request holds before and after a search, looked at in the bytes that would be sent.

use std::sync::{Arc, atomic::AtomicUsize};

use repertoire::{
    Agent, Anthropic, BoxFuture, Event, Responses,
    agent::{CatalogPlacement, Extension, GuidelinePlacement, Guidelines, ToolSearch},
    conversation::ModelTurn,
    model::{Model, ModelError},
    protocol::{Capabilities, Request},
    testing::{Rule, Script, Scriptable},
};
use repertoire_tests::{counting, warehouse};
use serde_json::{Value, json};

fn script<P: Scriptable>(protocol: P) -> Arc<Script<P>> {
    Arc::new(
        Script::new(protocol)
            .rule(Rule::search(
                "available stock of a product",
                "warehouse_stock",
            ))
            .rule(Rule::call("warehouse_stock", json!({"sku": "A-1042"})))
            .rule(Rule::answer("warehouse_stock", |result| {
                format!("It says: {result}")
            })),
    )
}

/// The bytes between two keys of a body, as they are.
fn tools_bytes(body: &str, next: &str) -> String {
    let start = body.find("\"tools\":").expect("the request has tools");
    let end = body[start..].find(next).expect("the key after the tools") + start;
    body[start..end].to_owned()
}

async fn run<P: Scriptable>(protocol: P) -> (Vec<String>, Vec<Event>, String) {
    let model = script(protocol);
    let count = Arc::new(AtomicUsize::new(0));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&count))
        .instructions("Be brief.")
        .build()
        .expect("the agent");
    let reply = agent.run("Is A-1042 in stock?").await.expect("a reply");
    assert_eq!(count.load(std::sync::atomic::Ordering::SeqCst), 1);
    (
        model.bodies(),
        reply.events().to_vec(),
        reply.text().to_owned(),
    )
}

#[tokio::test]
async fn responses_sends_a_deferred_tool_only_in_the_search_output() {
    let (bodies, events, text) = run(Responses::new("gpt-5.4")).await;
    assert_eq!(bodies.len(), 3);
    let first: Value = serde_json::from_str(&bodies[0]).unwrap();
    assert!(
        !bodies[0].contains("\"name\":\"warehouse_stock\""),
        "{}",
        bodies[0]
    );
    let kinds: Vec<&str> = first["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["function", "tool_search"]);
    assert_eq!(first["tools"][1]["execution"], "client");

    let second: Value = serde_json::from_str(&bodies[1]).unwrap();
    let input = second["input"].as_array().unwrap();
    let call = &input[input.len() - 2];
    let output = &input[input.len() - 1];
    assert_eq!(call["type"], "tool_search_call");
    assert!(call["arguments"].is_object());
    assert_eq!(output["type"], "tool_search_output");
    assert_eq!(output["call_id"], call["call_id"]);
    assert_eq!(output["tools"][0]["name"], "warehouse_stock");
    assert_eq!(output["tools"][0]["strict"], false);

    let third: Value = serde_json::from_str(&bodies[2]).unwrap();
    let replayed = &third["input"].as_array().unwrap()[3];
    assert_eq!(replayed["type"], "function_call");
    assert_eq!(replayed["namespace"], "warehouse_stock");
    assert!(text.contains("A-1042"), "{text}");
    assert!(
        matches!(&events[0], Event::ToolsSearched { loaded, .. } if loaded[0] == "warehouse_stock")
    );
    assert!(
        matches!(&events[1], Event::ToolCalled { tool, failed: false } if tool == "warehouse_stock")
    );
}

#[tokio::test]
async fn anthropic_declares_a_deferred_tool_and_loads_it_by_reference() {
    let (bodies, ..) = run(Anthropic::new("claude-sonnet-4-5")).await;
    let first: Value = serde_json::from_str(&bodies[0]).unwrap();
    let tools = first["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "clock",
            "tool_search",
            "invoice_send",
            "order_cancel",
            "warehouse_stock"
        ]
    );
    let deferred: Vec<bool> = tools
        .iter()
        .map(|tool| tool["defer_loading"] == true)
        .collect();
    assert_eq!(deferred, [false, false, true, true, true]);

    let second: Value = serde_json::from_str(&bodies[1]).unwrap();
    let result = &second["messages"].as_array().unwrap()[2]["content"][0];
    assert_eq!(result["type"], "tool_result");
    assert_eq!(
        result["content"][0],
        json!({"type": "tool_reference", "tool_name": "warehouse_stock"})
    );
    assert!(
        result["content"]
            .as_array()
            .unwrap()
            .iter()
            .all(|block| block["type"] == "tool_reference")
    );
}

#[tokio::test]
async fn tools_and_system_are_the_same_bytes_before_and_after_a_search() {
    for (bodies, next) in [
        (run(Responses::new("m")).await.0, ",\"input\":"),
        (run(Anthropic::new("m")).await.0, ",\"messages\":"),
    ] {
        let first = tools_bytes(&bodies[0], next);
        let head = bodies[0].split("\"tools\":").next().unwrap().to_owned();
        assert!(bodies.len() == 3 && first.len() > 200);
        for body in &bodies {
            assert_eq!(tools_bytes(body, next), first);
            assert!(body.starts_with(&head));
        }
    }
}

#[tokio::test]
async fn without_the_catalog_entry_or_the_definition_the_run_fails() {
    // The catalog is left out: the script does not know that the tool exists.
    let model = script(Responses::new("m"));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&Arc::default()))
        .extensions([ToolSearch::new().placement(CatalogPlacement::None).into()])
        .build()
        .unwrap();
    let error = agent.run("stock?").await.unwrap_err().to_string();
    assert!(
        error.contains("the catalog lists no tool `warehouse_stock`"),
        "{error}"
    );

    // The tool itself is left out: neither catalog nor definition.
    let model = script(Anthropic::new("m"));
    let tools = repertoire::Toolset::new()
        .with_tool(counting("order_cancel", "Cancels an order.", &Arc::default()).deferred());
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let error = agent.run("stock?").await.unwrap_err().to_string();
    assert!(
        error.contains("the catalog lists no tool `warehouse_stock`"),
        "{error}"
    );
}

/// Sends requests on without the definitions of deferred tools, or without the system prompt.
struct Without(Script<Responses>, &'static str);

impl Model for Without {
    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn respond<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        self.0.respond(match (self.1, request.search()) {
            ("definitions", Some(search)) => request.with_deferred(search, &[]),
            ("system", _) => request.with_system(""),
            _ => request,
        })
    }
}

#[tokio::test]
async fn deleting_a_part_from_the_request_makes_the_run_fail() {
    let rules = || {
        Script::new(Responses::new("m"))
            .rule(Rule::search("stock of a product", "warehouse_stock"))
            .rule(Rule::call("warehouse_stock", json!({"sku": "A"})))
            .rule(Rule::say("done"))
    };
    let in_system = || {
        ToolSearch::new()
            .placement(CatalogPlacement::SystemPrompt)
            .into()
    };
    for (without, says) in [
        ("nothing", None),
        (
            "definitions",
            Some("the request defines no tool `warehouse_stock`"),
        ),
        (
            "system",
            Some("the catalog lists no tool `warehouse_stock`"),
        ),
    ] {
        let agent = Agent::builder(Without(rules(), without))
            .repertoire(warehouse(&Arc::default()))
            .extensions([in_system()])
            .build()
            .unwrap();
        let outcome = agent.run("stock?").await.map_err(|error| error.to_string());
        match says {
            None => assert_eq!(outcome.unwrap().text(), "done"),
            Some(says) => assert!(outcome.unwrap_err().contains(says)),
        }
    }
}

#[tokio::test]
async fn nothing_deferred_no_search_tool_and_no_search_no_deferral() {
    let model = Arc::new(Script::new(Responses::new("m")).rule(Rule::say("hello")));
    let tools =
        repertoire::Toolset::new().with_tool(counting("clock", "Tells the time.", &Arc::default()));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools)
        .build()
        .unwrap();
    agent.run("hi").await.unwrap();
    assert!(!model.bodies()[0].contains("tool_search"));

    // Extensions without a search: the tools could never be found, so they are shown.
    let model = Arc::new(Script::new(Anthropic::new("m")).rule(Rule::say("hello")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .extensions([Guidelines::new().into()])
        .build()
        .unwrap();
    agent.run("hi").await.unwrap();
    let body: Value = serde_json::from_str(&model.bodies()[0]).unwrap();
    assert_eq!(body["tools"].as_array().unwrap().len(), 4);
    assert!(!model.bodies()[0].contains("defer_loading"));
    assert!(
        body["system"]
            .as_str()
            .unwrap()
            .contains("## warehouse_stock")
    );
}

async fn shown(extensions: Vec<Box<dyn Extension>>) -> Value {
    let model = Arc::new(Script::new(Anthropic::new("m")).rule(Rule::say("hello")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(warehouse(&Arc::default()))
        .extensions(extensions)
        .build()
        .unwrap();
    agent.run("hi").await.unwrap();
    serde_json::from_str(&model.bodies()[0]).unwrap()
}

fn description<'a>(body: &'a Value, tool: &str) -> &'a str {
    let tools = body["tools"].as_array().unwrap();
    let tool = tools.iter().find(|known| known["name"] == tool).unwrap();
    tool["description"].as_str().unwrap()
}

const CATALOG: &str = "\
- invoice_send: Sends an invoice by mail.
- order_cancel: Cancels an order.
- warehouse_stock: Looks up available warehouse stock by product SKU.
  Usage: warehouse_stock(sku=\"A-1042\")
  Guidelines:
  - Check before promising availability.";

#[tokio::test]
async fn the_catalog_stands_where_it_is_placed() {
    let body = shown(vec![ToolSearch::new().into()]).await;
    assert!(description(&body, "tool_search").ends_with(CATALOG));
    assert!(body["system"].is_null());

    let search = ToolSearch::new().placement(CatalogPlacement::SystemPrompt);
    let body = shown(vec![search.into()]).await;
    assert!(
        body["system"]
            .as_str()
            .unwrap()
            .starts_with("# Searchable tools\n")
    );
    assert!(body["system"].as_str().unwrap().ends_with(CATALOG));
    assert!(!description(&body, "tool_search").contains("warehouse_stock"));

    let search = ToolSearch::new().placement(CatalogPlacement::None);
    let body = shown(vec![search.into()]).await;
    assert!(body["system"].is_null());
    assert!(!description(&body, "tool_search").contains("warehouse_stock"));

    let search = ToolSearch::new()
        .catalog_snippets(false)
        .catalog_guidelines(false);
    let body = shown(vec![search.into()]).await;
    let text = description(&body, "tool_search");
    assert!(
        text.ends_with("- warehouse_stock: Looks up available warehouse stock by product SKU.")
    );
}

#[tokio::test]
async fn rules_follow_the_tool_whatever_the_order_of_extensions() {
    let section = "\
# Tool guidelines

## clock
- Say the time zone.

## tool_search
Usage: tool_search(queries=[\"keywords for one capability\"])
- Search before saying that something cannot be done. A tool found this way can be called in the \
next step.";
    let both = "Looks up available warehouse stock by product SKU.\n\nUsage: warehouse_stock(sku=\
                \"A-1042\")\nGuidelines:\n- Check before promising availability.";
    for extensions in [
        vec![ToolSearch::new().into(), Guidelines::new().into()],
        vec![Guidelines::new().into(), ToolSearch::new().into()],
    ] {
        let body = shown(extensions).await;
        assert_eq!(body["system"].as_str().unwrap(), section);
        assert_eq!(description(&body, "warehouse_stock"), both);
        assert!(description(&body, "tool_search").ends_with(CATALOG));
    }

    // In descriptions, and without lines of usage.
    let guidelines = Guidelines::new()
        .placement(GuidelinePlacement::Description)
        .snippets(false);
    let body = shown(vec![ToolSearch::new().into(), guidelines.into()]).await;
    assert!(body["system"].is_null());
    assert_eq!(
        description(&body, "clock"),
        "Tells the time of day.\n\nGuidelines:\n- Say the time zone."
    );
    assert!(!description(&body, "warehouse_stock").contains("Usage"));

    // Without the extension a deferred tool still brings its rules, and nothing else does.
    let body = shown(vec![ToolSearch::new().into()]).await;
    assert_eq!(description(&body, "clock"), "Tells the time of day.");
    assert_eq!(
        description(&body, "warehouse_stock"),
        "Looks up available warehouse stock by product SKU.\n\nGuidelines:\n- Check before \
         promising availability."
    );
}

#[test]
fn guidelines_listed_twice_are_a_mistake() {
    for placement in [
        GuidelinePlacement::Description,
        GuidelinePlacement::SystemPrompt,
    ] {
        let twice = || Guidelines::new().placement(placement);
        let error = Agent::builder(Script::new(Anthropic::new("m")))
            .repertoire(warehouse(&Arc::default()))
            .extensions([ToolSearch::new().into(), twice().into(), twice().into()])
            .build()
            .err()
            .unwrap();
        assert!(
            error.to_string().contains("`Guidelines` is there twice"),
            "{error}"
        );
    }
}

#[test]
fn rules_that_say_nothing_are_not_written() {
    let tool = || counting("quiet", "Does it.", &Arc::default()).deferred();
    let surface = |tool| {
        let agent = Agent::builder(Script::new(Anthropic::new("m")))
            .repertoire(repertoire::Toolset::new().with_tool(tool))
            .build()
            .unwrap();
        agent.surface()
    };
    let blank = tool()
        .snippet(" ")
        .guideline("")
        .guideline("- \n")
        .guideline("\u{200b}");
    assert_eq!(surface(blank), surface(tool()));
}

/// Set in the process that [`two_processes_send_the_same_bytes`] starts.
const CHILD: &str = "REPERTOIRE_TEST_PRINT_BODIES";

#[tokio::test]
async fn two_processes_send_the_same_bytes() {
    let mut bodies = run(Responses::new("m")).await.0;
    bodies.extend(run(Anthropic::new("m")).await.0);
    let bodies = bodies.join("\n");
    if std::env::var_os(CHILD).is_some() {
        // The harness keeps what a passing test prints to itself, so it goes to a file.
        let path = std::env::var_os(CHILD).unwrap();
        std::fs::write(path, bodies).unwrap();
        return;
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bodies-of-a-child");
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "two_processes_send_the_same_bytes"])
        .env(CHILD, &path)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let of_the_child = std::fs::read_to_string(&path).unwrap();
    assert!(bodies.len() > 5000);
    assert_eq!(of_the_child, bodies);
}

//! One call of one tool.

use std::{
    future::pending,
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use repertoire::{
    BoxFuture, Cancel, Clock, Context, Conversation, Event, ToolError, ToolOutput, Toolset,
    agent::Approval,
    conversation::{ModelPart, ModelTurn, StopReason, Usage},
    model::{Model, ModelError},
    once::MemoryOnce,
    protocol::{Capabilities, Deferral, Request},
    testing::{self, Fakes, TestClock},
    tool,
    tool::{ErrorKind, Policy, code},
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

use super::{Inventory, Shelf, archive, flaky, live, take_stock, visit, warehouse_stock};

#[tokio::test]
async fn a_call_passes_the_check_and_gives_what_the_model_reads() {
    let call =
        |arguments: Value| testing::call::<warehouse_stock>(arguments).state(Inventory::of(215));
    let called = call(json!({"sku": "A-1042"})).await;
    assert_eq!(called.text(), "215");
    assert_eq!(
        called.output().map(ToolOutput::to_text),
        Some("215".to_owned())
    );
    assert!(called.error().is_none());
    let tool = "warehouse_stock".to_owned();
    let ran = |failed| Event::ToolCalled {
        tool: tool.clone(),
        failed,
    };
    assert_eq!(called.events(), [ran(false)]);
    assert_eq!(called.into_result().unwrap().to_text(), "215");

    let called = call(json!({"sku": "B-1"})).await;
    let error = called.error().unwrap();
    assert_eq!(
        (error.code(), error.kind(), error.message()),
        (Some("E404"), ErrorKind::NotFound, "no such sku")
    );
    assert_eq!(called.text(), "E404: no such sku");
    assert_eq!(called.events(), [ran(true)]);

    for wrong in [
        json!({}),
        json!({"sku": "A-1042", "color": 1}),
        json!("{\"sku\": "),
        json!([]),
    ] {
        let called = call(wrong.clone()).await;
        let error = called.error().unwrap();
        assert_eq!(
            (error.code(), error.kind()),
            (Some(code::ARGUMENTS), ErrorKind::Invalid),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_tool_that_was_not_found_does_not_run() {
    let call =
        || testing::call::<warehouse_stock>(json!({"sku": "A-1042"})).state(Inventory::of(1));
    let called = call().loaded(["something_else"]).await;
    assert_eq!(
        called.error().and_then(ToolError::code),
        Some(code::NOT_LOADED)
    );
    assert!(
        matches!(called.events(), [Event::CallRefused { tool, .. }] if tool == "warehouse_stock")
    );
    assert_eq!(call().loaded(["warehouse_stock"]).await.text(), "1");
}

#[tokio::test]
async fn approval_is_asked_for_and_once_is_once() {
    let store = Arc::new(MemoryOnce::new());
    let clock = TestClock::new();
    let call = |answer: Option<Approval>| {
        let arguments = json!({"order": "7", "pieces": 5});
        let call = testing::call::<take_stock>(arguments)
            .state(Inventory::of(20))
            .clock(clock.clone())
            .once_store(Arc::clone(&store));
        match answer {
            Some(answer) => call.approve(answer),
            None => call,
        }
    };
    for no in [None, Some(Approval::Denied), Some(Approval::Later)] {
        let called = call(no).await;
        let error = called.error().unwrap();
        assert_eq!(
            (error.code(), error.kind()),
            (Some(code::DENIED), ErrorKind::Denied)
        );
    }
    assert_eq!(call(Some(true.into())).await.text(), "15 left after 7");
    // Another agent, another inventory, the same memory: the call is known and does not run.
    let again = testing::call::<take_stock>(json!({"order": "7", "pieces": 1}))
        .state(Inventory::of(1000))
        .clock(clock.clone())
        .once_store(Arc::clone(&store))
        .approve(true);
    assert_eq!(again.await.text(), "15 left after 7");
    clock.advance(Duration::from_secs(25 * 60 * 60));
    assert_eq!(call(Some(true.into())).await.text(), "15 left after 7");
    assert_eq!(
        testing::call::<take_stock>(json!({"order": "8", "pieces": 1}))
            .state(Inventory::of(10))
            .once_store(Arc::clone(&store))
            .approve(true)
            .await
            .text(),
        "9 left after 8"
    );
}

#[tokio::test]
async fn time_passes_by_itself_on_a_test_clock() {
    let started = std::time::Instant::now();
    let clock = TestClock::new();
    let called = testing::call::<flaky>(json!({}))
        .state(AtomicUsize::new(0))
        .clock(clock.clone())
        .await;
    assert_eq!(called.text(), "at last");
    // 1 s after the first failure, 5 s until the second one, 2 s after it.
    assert_eq!(clock.now(), Duration::from_secs(8));
    let attempts = called.events().iter().filter_map(|event| match event {
        Event::Retried { attempt, error, .. } => Some((*attempt, error.as_str())),
        _ => None,
    });
    assert_eq!(
        attempts.collect::<Vec<_>>(),
        [
            (1, "E1001: service down"),
            (2, "R0007: no result within 5 s")
        ]
    );
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn time_does_not_pass_while_other_tasks_work() {
    let (asked, mut questions) = tokio::sync::mpsc::channel::<tokio::sync::oneshot::Sender<u32>>(1);
    tokio::spawn(async move {
        while let Some(answer) = questions.recv().await {
            for _ in 0..5 {
                tokio::task::yield_now().await;
            }
            answer.send(42).unwrap();
        }
    });
    let schema = json!({"type": "object", "properties": {}});
    let tool = RuntimeTool::new("ask", "Asks a task.", schema, move |_| {
        let asked = asked.clone();
        async move {
            let (answer, answered) = tokio::sync::oneshot::channel();
            asked.send(answer).await.map_err(ToolError::failed)?;
            Ok(answered
                .await
                .map_err(ToolError::failed)?
                .to_string()
                .into())
        }
    })
    .policy(Policy::new().timeout(Duration::from_secs(5)));
    let clock = TestClock::new();
    let called = testing::call_tool(tool, json!({}))
        .clock(clock.clone())
        .await;
    assert_eq!(called.text(), "42");
    assert_eq!(clock.now(), Duration::ZERO);
}

#[test]
fn a_call_needs_no_executor_but_the_clock() {
    let clock = TestClock::new();
    let call = testing::call::<flaky>(json!({})).state(AtomicUsize::new(0));
    assert_eq!(clock.block_on(call.clock(clock.clone())).text(), "at last");
}

#[tokio::test]
async fn another_tool_stands_in_and_the_output_is_shaped() {
    let call = |query: &str| {
        let tools = Toolset::new().with::<archive>();
        testing::call::<live>(json!({"query": query})).repertoire(tools)
    };
    assert_eq!(call("very very new").await.text(), "new");
    let called = call("gone").await;
    assert!(
        called.text().starts_with("gone in the \n[cut")
            || called.text().starts_with("gone in the\n[cut"),
        "{}",
        called.text()
    );
    let fell = called.events().iter().any(|event| {
        matches!(event, Event::FellBack { tool, to, error }
            if tool == "live" && to == "archive" && error == "service gone")
    });
    assert!(fell, "{:?}", called.events());
}

#[tokio::test]
async fn values_progress_and_calls_within_show() {
    let mut conversation = Conversation::new().with_id("c-1");
    conversation.session_mut().set("visits", 1).unwrap();
    let fakes = Fakes::new().fake("warehouse_stock", |_| Ok("plenty"));
    let call = || {
        testing::call::<visit>(json!({}))
            .repertoire(Toolset::new().with::<warehouse_stock>())
            .fakes(&fakes)
    };
    let called = call().conversation(&mut conversation).await;
    assert_eq!(called.text(), "c-1: plenty");
    assert_eq!(
        called.progress().collect::<Vec<_>>(),
        ["visit 2", "asking the warehouse"]
    );
    assert_eq!(called.session().get::<u32>("visits").unwrap(), Some(2));
    assert_eq!(
        conversation.session().get::<u32>("visits").unwrap(),
        Some(2)
    );
    assert!(conversation.items().is_empty());

    let called = call().session("visits", 40).await;
    assert_eq!(called.session().get::<u32>("visits").unwrap(), Some(41));
    let called = call().session("visits", "many").await;
    assert!(
        called
            .error()
            .unwrap()
            .message()
            .contains("is of another type")
    );
    assert_eq!(fakes.calls("warehouse_stock").len(), 2);
}

#[tokio::test]
async fn methods_and_run_time_tools_are_called_too() {
    let call = |name: &str, arguments: Value| {
        testing::call_method::<Shelf>(name, arguments).state(Shelf(vec!["Emma"]))
    };
    assert_eq!(call("count_books", json!({})).await.text(), "1");
    assert_eq!(
        call("find_book", json!({"title": "Emma"})).await.text(),
        "true"
    );

    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let double = RuntimeTool::new("double", "Doubles.", schema, |arguments| async move {
        Ok((arguments["n"].as_i64().unwrap_or(0) * 2)
            .to_string()
            .into())
    });
    assert_eq!(
        testing::call_tool(double.clone(), json!({"n": 21}))
            .await
            .text(),
        "42"
    );
    let wrong = testing::call_tool(double.clone(), json!({"n": "x"})).await;
    assert_eq!(
        wrong.error().and_then(ToolError::code),
        Some(code::ARGUMENTS)
    );
    let tools = Toolset::new().with_tool(double).with::<archive>();
    assert_eq!(
        testing::call_in(tools, "double", json!({"n": 4}))
            .await
            .text(),
        "8"
    );
}

#[tokio::test]
async fn only_the_tool_that_is_called_needs_its_state() {
    let tools = || {
        Toolset::new()
            .with::<archive>()
            .with::<visit>()
            .with::<warehouse_stock>()
    };
    let called = testing::call_in(tools(), "archive", json!({"query": "x"})).await;
    assert_eq!(called.text(), "x in the archive");
    let called = testing::call_in(tools(), "visit", json!({})).await;
    let error = called.error().unwrap();
    assert!(
        error.message().contains("needs a `Inventory`")
            && error.to_string().contains(code::NO_STATE),
        "{error}"
    );
}

#[tokio::test]
async fn a_panic_and_a_cancelled_call_are_results() {
    let schema = || json!({"type": "object", "properties": {}});
    let panics = RuntimeTool::new("panics", "Panics.", schema(), |_| async {
        panic!("no luck")
    });
    let called = testing::call_tool(panics, json!({})).await;
    assert_eq!(
        called.error().and_then(ToolError::code),
        Some(code::PANICKED)
    );

    let cancel = Cancel::new();
    let stop = cancel.clone();
    let waits = RuntimeTool::new("waits", "Waits.", schema(), move |_| {
        stop.cancel();
        pending::<Result<ToolOutput, ToolError>>()
    });
    let called = testing::call_tool(waits, json!({})).cancel(&cancel).await;
    assert_eq!(
        called.error().map(ToolError::kind),
        Some(ErrorKind::Cancelled)
    );
}

/// A model that always says the same.
struct Says(&'static str);

impl Model for Says {
    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Deferral::None)
    }

    fn respond<'a>(&'a self, _: Request<'a>) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        let part = ModelPart::Text(self.0.to_owned());
        let turn = ModelTurn::new(vec![part], StopReason::End, Usage::default());
        Box::pin(async move { Ok(turn) })
    }
}

#[tokio::test]
async fn a_tool_may_ask_the_model_that_the_test_gives() {
    /// Ask which.
    #[tool(unlinked)]
    async fn which(#[context] cx: &Context) -> Result<usize, ToolError> {
        cx.choose("Which?", &["this", "that"]).await
    }
    assert_eq!(
        testing::call::<which>(json!({}))
            .model(Says("2"))
            .await
            .text(),
        "1"
    );
    let called = testing::call::<which>(json!({})).await;
    assert!(called.text().contains("has no model"), "{}", called.text());
}

#[test]
fn a_call_that_is_printed_shows_no_arguments() {
    let call = testing::call::<warehouse_stock>(json!({"sku": "canary"}));
    let printed = format!("{call:?}");
    assert!(printed.contains("warehouse_stock"), "{printed}");
    assert!(!printed.contains("canary"), "{printed}");
}

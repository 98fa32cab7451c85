//! Other bodies for tools.

use std::{sync::atomic::AtomicUsize, time::Duration};

use repertoire::{
    Agent, Anthropic, Clock, ToolError, ToolOutput, Toolset,
    agent::AgentBuilder,
    testing::{Fakes, Rule, Script, TestClock},
    tool::ErrorKind,
};
use serde_json::{Value, json};

use super::{Inventory, archive, flaky, live, message, take_stock};

/// An agent with a model that calls one tool and repeats the result.
fn agent(tool: &str, arguments: Value) -> AgentBuilder {
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call(tool, arguments))
        .rule(Rule::answer(tool, str::to_owned));
    let tools = Toolset::new()
        .with::<take_stock>()
        .with::<flaky>()
        .with::<live>()
        .with::<archive>();
    Agent::builder(model).repertoire(tools)
}

#[test]
fn a_fake_changes_nothing_but_the_body() {
    let fakes = Fakes::new()
        .fake("take_stock", |arguments| {
            Ok(json!({"taken": arguments["pieces"]}))
        })
        .fake("flaky", |_| {
            Err::<String, _>(ToolError::new(ErrorKind::Transient, "down"))
        });
    let real = agent("archive", json!({"query": "x"}))
        .state(Inventory::of(1))
        .state(AtomicUsize::new(0))
        .build()
        .unwrap();
    // No state is given: what a fake stands for needs none.
    let take = |arguments| agent("take_stock", arguments).fakes(&fakes);
    let clock = TestClock::new();
    let run = |builder: AgentBuilder| {
        let agent = builder.clock(clock.clone()).build().unwrap();
        assert_eq!(agent.surface(), real.surface());
        clock.block_on(agent.run("go")).unwrap().text().to_owned()
    };
    let good = json!({"order": "7", "pieces": 5});
    assert!(
        run(take(good.clone())).contains("R0006"),
        "it still has to be approved"
    );
    assert_eq!(fakes.calls("take_stock"), Vec::<Value>::new());
    let yes = |_| std::future::ready(true);
    assert_eq!(run(take(good.clone()).approve(yes)), r#"{"taken":5}"#);
    let text = run(take(json!({"order": "7", "pieces": -5})).approve(yes));
    assert!(text.contains("R0001"), "it is still checked: {text}");
    assert_eq!(fakes.calls("take_stock"), [good]);

    let before = clock.now();
    let tries = agent("flaky", json!({})).fakes(&fakes);
    assert_eq!(run(tries), "down");
    assert_eq!(
        clock.now() - before,
        Duration::from_secs(7),
        "it is still tried again"
    );
    assert_eq!(fakes.calls("flaky").len(), 4);
}

#[test]
fn fakes_of_every_kind_of_output_and_of_no_tool() {
    let outputs = [
        Fakes::new().fake("live", |_| Ok(json!("text"))),
        Fakes::new().fake("live", |_| Ok("text")),
        Fakes::new().fake("live", |_| Ok("text".to_owned())),
        Fakes::new().fake("live", |_| Ok(ToolOutput::text("text"))),
        Fakes::new()
            .fake("live", |_| Ok("earlier"))
            .fake("live", |_| Ok("text")),
    ];
    let clock = TestClock::new();
    for fakes in outputs {
        let agent = agent("live", json!({"query": "x"}))
            .fakes(
                &Fakes::new()
                    .fake("take_stock", |_| Ok(""))
                    .fake("flaky", |_| Ok("")),
            )
            .fakes(&fakes)
            .build()
            .unwrap();
        assert_eq!(clock.block_on(agent.run("go")).unwrap().text(), "text");
    }

    let fakes = Fakes::new()
        .fake("take_stok", |_| Ok(""))
        .fake("unheard_of", |_| Ok(""));
    let built = agent("live", json!({}))
        .state(Inventory::of(1))
        .state(AtomicUsize::new(0));
    let repertoire::Error::Build(error) = built.fakes(&fakes).build().err().unwrap() else {
        panic!("another error");
    };
    assert_eq!(
        error.problems(),
        [
            "there is no tool `take_stok` to fake; did you mean `take_stock`?",
            "there is no tool `unheard_of` to fake; there are `archive`, `flaky`, `live`, `take_stock`",
        ]
    );
    let text = message(|| drop(fakes.calls("take_stock")));
    assert_eq!(
        text,
        "there is no fake of a tool `take_stock`; did you mean `take_stok`?"
    );
}

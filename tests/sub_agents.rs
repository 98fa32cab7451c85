//! An agent as a tool of another.

use std::{sync::Arc, time::Duration};

use repertoire::{
    Agent, Anthropic, Cancel, Clock, Conversation, Event, Repertoire, Responses, Skills, Stop,
    Toolset,
    agent::{AgentBuilder, Approval, Limits},
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script, TestClock},
    toolset::RuntimeTool,
};
use repertoire_tests::{counting, record::Record, strings};
use serde_json::json;

/// A skill of a name, with a description and instructions of its own.
fn skill(folder: &str, description: &str, body: &str) -> Skills {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let skill = root.join("report");
    std::fs::create_dir_all(&skill).unwrap();
    let text = format!("---\nname: report\ndescription: {description}\n---\n{body}\n");
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
    Skills::from_roots([&root])
}

/// A model that calls one tool over and over, ten seconds apart.
fn endless(clock: &TestClock) -> AgentBuilder {
    let time = clock.clone();
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("again", move |seen| {
        time.advance(Duration::from_secs(10));
        Act::call("leaf", json!({"sku": seen.calls().len().to_string()}))
    }));
    Agent::builder(model)
        .repertoire(Toolset::new().with_tool(counting("leaf", "Is a leaf.", &Arc::default())))
        .clock(clock.clone())
}

/// A model that hands over one task, then repeats what it was told.
fn asks(inner: &Agent) -> AgentBuilder {
    let model = Script::new(Responses::new("m"))
        .rule(Rule::call("helper", json!({"task": "do it"})))
        .rule(Rule::answer("helper", str::to_owned));
    Agent::builder(model).repertoire(Toolset::new().with_tool(inner.as_tool("helper", "Does it.")))
}

fn results(conversation: &Conversation) -> Vec<&ToolResult> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    results.flatten().collect()
}

#[tokio::test]
async fn skills_and_tools_of_the_one_do_not_touch_those_of_the_other() {
    let (_, _guard) = Record::start();
    let inner_model = Arc::new(
        Script::new(Anthropic::new("m")).rule(Rule::new("read", |seen| match seen.calls().len() {
            0 => Act::call("read_skill", json!({"name": "report"})),
            1 => Act::call("tool_search", json!({"queries": ["leaf"]})),
            _ => Act::Say(format!(
                "inner read: {}",
                seen.result_of("read_skill").unwrap()
            )),
        })),
    );
    let inner_skill = skill("sub-inner", "Use for inner reports.", "Inner instructions.");
    let leaf = counting("leaf", "Is a leaf.", &Arc::default()).deferred();
    let inner = Agent::builder(Arc::clone(&inner_model))
        .repertoire(Repertoire::from(Toolset::new().with_tool(leaf)).merge(inner_skill.into()))
        .build()
        .unwrap();
    let outer_model = Arc::new(
        Script::new(Responses::new("m")).rule(Rule::new("ask", |seen| match seen.calls().len() {
            0 => Act::call("helper", json!({"task": "do it"})),
            1 => Act::call("read_skill", json!({"name": "report"})),
            2 => Act::call("helper", json!({"task": "do it again"})),
            3 => Act::call("read_skill", json!({"name": "report"})),
            _ => Act::Say("done".to_owned()),
        })),
    );
    let outer_skill = skill("sub-outer", "Use for outer reports.", "Outer instructions.");
    let outer_leaf = counting("leaf", "Is another leaf.", &Arc::default()).deferred();
    let tools = Toolset::new()
        .with_tool(inner.as_tool("helper", "Does it."))
        .with_tool(outer_leaf);
    let outer = Agent::builder(Arc::clone(&outer_model))
        .repertoire(Repertoire::from(tools).merge(outer_skill.into()))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = outer.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(reply.stop(), Stop::Done);

    let texts: Vec<String> = results(&conversation)
        .iter()
        .map(|result| result.output().to_text())
        .collect();
    assert!(texts[0].starts_with("inner read:") && texts[0].contains("Inner instructions."));
    assert!(texts[1].contains("Outer instructions.") && !texts[1].contains("Inner"));
    assert_eq!(texts[2], texts[0], "each task is a conversation of its own");
    assert!(
        texts[3].contains("in this conversation already"),
        "{}",
        texts[3]
    );
    for body in outer_model.bodies() {
        assert!(
            body.contains("Use for outer reports.") && !body.contains("Use for inner reports.")
        );
    }
    for body in inner_model.bodies() {
        assert!(
            body.contains("Use for inner reports.") && !body.contains("Use for outer reports.")
        );
    }
    assert!(
        outer.loaded(&conversation).is_empty(),
        "what was loaded within is not loaded here"
    );
    let within = reply
        .events()
        .iter()
        .filter(|event| matches!(event, Event::Within { .. }));
    let read = Event::SkillRead {
        skill: "report".to_owned(),
    };
    let told = Event::Within {
        tool: "helper".to_owned(),
        event: Box::new(read),
    };
    assert!(reply.events().contains(&told) && within.count() == 4);
    // The inner agent's calls are not among the outer one's numbers.
    let metrics = outer.metrics();
    assert_eq!(metrics.tools["helper"].calls, 2);
    assert_eq!(
        (
            metrics.skills["report"].calls,
            metrics.skills["report"].reads
        ),
        (2, 1)
    );
    assert_eq!(inner.metrics().skills["report"].reads, 2);
}

#[tokio::test]
async fn tokens_are_added_and_spans_lie_within() {
    let (record, _guard) = Record::start();
    let inner = Agent::builder(Script::new(Anthropic::new("inner")).rule(Rule::say("it is done")))
        .build()
        .unwrap();
    let outer = asks(&inner).build().unwrap();
    let reply = outer.run("go").await.unwrap();
    assert_eq!(reply.text(), "it is done");
    let (inside, outside) = (inner.metrics().model.usage, outer.metrics().model.usage);
    assert!(inside.total() > 0);
    assert_eq!(
        reply.usage().input_tokens,
        inside.input_tokens + outside.input_tokens
    );
    assert_eq!(
        reply.usage().output_tokens,
        inside.output_tokens + outside.output_tokens
    );
    assert_eq!(reply.steps(), 2, "the steps are its own");
    let chat = record.one("otel.name", "chat inner");
    assert_eq!(
        record.path(&chat),
        ["invoke_agent", "execute_tool helper", "invoke_agent"]
    );
}

#[test]
fn the_limits_around_a_run_hold_for_it_too() {
    let (_, _guard) = Record::start();
    for (limits, why) in [
        (Limits::new().calls(4), "call limit"),
        (Limits::new().time(Duration::from_secs(45)), "time limit"),
        (Limits::new().tokens(1500), "token limit"),
    ] {
        let clock = TestClock::new();
        let inner = endless(&clock).build().unwrap();
        let outer = asks(&inner)
            .clock(clock.clone())
            .limits(limits)
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        let reply = clock
            .block_on(outer.run_in(&mut conversation, "go"))
            .unwrap();
        let text = results(&conversation)[0].output().to_text();
        assert!(text.contains(why), "{text}");
        assert!(matches!(
            reply.stop(),
            Stop::CallLimit | Stop::TimeLimit | Stop::TokenLimit
        ));
        assert_eq!(reply.steps(), 1, "nothing more is asked for");
        // The call of the helper and three within it.
        if limits == Limits::new().calls(4) {
            assert_eq!(inner.metrics().tools["leaf"].calls, 3);
        }
        assert!(inner.metrics().model.calls < 36);
    }
    // Its own limits hold as well.
    let clock = TestClock::new();
    let inner = endless(&clock)
        .limits(Limits::new().calls(2))
        .build()
        .unwrap();
    let outer = asks(&inner).clock(clock.clone()).build().unwrap();
    let reply = clock.block_on(outer.run("go")).unwrap();
    assert_eq!(reply.stop(), Stop::Done);
    assert!(reply.text().contains("call limit"), "{}", reply.text());
}

#[test]
fn cancelling_the_one_cancels_the_other() {
    let (record, _guard) = Record::start();
    let (clock, cancel) = (TestClock::new(), Cancel::new());
    let stop = cancel.clone();
    let hanging = RuntimeTool::new("leaf", "Hangs.", strings(&["sku"]), move |_| {
        stop.cancel();
        std::future::pending()
    });
    let model = Script::new(Anthropic::new("m")).rule(Rule::call("leaf", json!({"sku": "a"})));
    let inner = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(hanging))
        .clock(clock.clone())
        .build()
        .unwrap();
    let outer = asks(&inner).clock(clock.clone()).build().unwrap();
    let mut conversation = Conversation::new();
    let reply = clock
        .block_on(outer.run_until(&mut conversation, "go", &cancel))
        .unwrap();
    assert_eq!(reply.stop(), Stop::Cancelled);
    assert!(results(&conversation)[0].is_failed());
    assert_eq!(inner.metrics().tools["leaf"].failures["cancelled"], 1);
    assert_eq!(inner.metrics().model.calls, 1);
    let runs = inner.metrics().runs;
    assert_eq!(
        (runs.unfinished, runs.abandoned),
        (1, 0),
        "it ended by itself"
    );
    for name in ["helper", "leaf"] {
        let span = record.one("gen_ai.tool.name", name);
        assert_eq!(span.fields["error.type"], "cancelled", "{name}");
    }
    let _ = clock.now();
}

#[tokio::test]
async fn what_goes_wrong_within_is_a_failed_result() {
    let (_, _guard) = Record::start();
    // No rule: the inner model gives no response.
    let inner = Agent::builder(Script::new(Anthropic::new("m")))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    asks(&inner)
        .build()
        .unwrap()
        .run_in(&mut conversation, "go")
        .await
        .unwrap();
    let result = results(&conversation)[0];
    assert!(result.is_failed() && !result.output().to_text().contains('\n'));

    // A call within that would have to wait for approval.
    let leaf = counting("leaf", "Is a leaf.", &Arc::default()).requires_approval();
    let model = Script::new(Anthropic::new("m")).rule(Rule::call("leaf", json!({"sku": "a"})));
    let inner = Agent::builder(model)
        .repertoire(Toolset::new().with_tool(leaf))
        .approve(|_| async { Approval::Later })
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    asks(&inner)
        .build()
        .unwrap()
        .run_in(&mut conversation, "go")
        .await
        .unwrap();
    let result = results(&conversation)[0];
    assert!(result.is_failed());
    assert!(result.output().to_text().contains("awaiting approval"));
}

//! A tool that requires approval runs only when someone gave it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Conversation, Stop, Toolset,
    agent::{AgentBuilder, Approval},
    conversation::Item,
    testing::{Act, Rule, Script},
};
use repertoire_tests::counting;
use serde_json::json;

async fn run(approve: impl FnOnce(AgentBuilder) -> AgentBuilder) -> (usize, String) {
    let count = Arc::new(AtomicUsize::new(0));
    let tools =
        Toolset::new().with_tool(counting("erase", "Erases a disk.", &count).requires_approval());
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("erase", json!({"sku": "sda"})))
        .rule(Rule::answer("erase", str::to_owned));
    let agent = approve(Agent::builder(model).repertoire(tools))
        .build()
        .unwrap();
    let reply = agent.run("go").await.unwrap();
    (count.load(Ordering::SeqCst), reply.text().to_owned())
}

#[tokio::test]
async fn nobody_to_ask_means_no() {
    let (ran, text) = run(|builder| builder).await;
    assert_eq!(ran, 0);
    assert!(
        text.contains("R0006") && text.contains("needs approval"),
        "{text}"
    );
}

#[tokio::test]
async fn the_answer_decides_and_the_call_is_shown() {
    let (ran, text) =
        run(|builder| builder.approve(|call| async move { !call.arguments().contains("sda") }))
            .await;
    assert_eq!(ran, 0, "{text}");
    let (ran, text) =
        run(|builder| builder.approve(|call| async move { call.name() == "erase" })).await;
    assert_eq!(ran, 1, "{text}");
    assert!(text.contains("ran with"), "{text}");
}

fn pausing(count: &Arc<AtomicUsize>) -> Agent {
    let tools = Toolset::new()
        .with_tool(counting("erase", "Erases a disk.", count).requires_approval())
        .with_tool(counting("look", "Looks.", count));
    let calls = vec![
        ("erase".to_owned(), json!({"sku": "a"})),
        ("look".to_owned(), json!({"sku": "b"})),
        ("erase".to_owned(), json!({"sku": "c"})),
    ];
    let model = Script::new(Anthropic::new("m"))
        .rule(
            Rule::new("call", move |_| Act::Call(calls.clone())).when(|seen| {
                if seen.calls().is_empty() {
                    Ok(())
                } else {
                    Err("called".to_owned())
                }
            }),
        )
        .rule(Rule::say("done"));
    Agent::builder(model)
        .repertoire(tools)
        .approve(|_| async { Approval::Later })
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_run_pauses_and_goes_on_in_another_process() {
    let count = Arc::new(AtomicUsize::new(0));
    let mut conversation = Conversation::new();
    let reply = pausing(&count)
        .run_in(&mut conversation, "go")
        .await
        .unwrap();
    assert_eq!(reply.stop(), Stop::AwaitingApproval);
    assert_eq!(
        count.load(Ordering::SeqCst),
        0,
        "nothing of the step has run"
    );
    let waiting: Vec<String> = conversation
        .waiting()
        .map(|call| call.id().to_owned())
        .collect();
    assert_eq!(
        waiting.len(),
        2,
        "those that need it, and not the one beside them"
    );
    let Some(Item::Model(turn)) = conversation.items().last() else {
        panic!("{conversation:?}")
    };
    let look = turn.calls().nth(1).unwrap().id().to_owned();
    assert!(!conversation.decide(&look, false), "it waits for nothing");

    // Saved, loaded, decided, resumed.
    let mut loaded = Conversation::from_json(&conversation.to_json()).unwrap();
    loaded.decide(&waiting[0], true);
    let agent = pausing(&count);
    let reply = agent.resume(&mut loaded).await.unwrap();
    assert_eq!(
        reply.stop(),
        Stop::AwaitingApproval,
        "one call is still open"
    );
    assert!(loaded.decide(&waiting[1], false));
    assert!(!loaded.decide(&waiting[1], true), "decided already");
    let reply = agent.resume(&mut loaded).await.unwrap();
    assert_eq!(reply.stop(), Stop::Done);
    assert_eq!(
        count.load(Ordering::SeqCst),
        2,
        "the approved one and the one that needs none"
    );
    let Item::Results(results) = &loaded.items()[2] else {
        panic!("{loaded:?}")
    };
    let failed: Vec<bool> = results.iter().map(|result| result.is_failed()).collect();
    assert_eq!(failed, [false, false, true]);
    assert_eq!(loaded.waiting().count(), 0);
}

#[tokio::test]
async fn a_new_prompt_gives_up_what_was_waiting() {
    let count = Arc::new(AtomicUsize::new(0));
    let mut conversation = Conversation::new();
    let agent = pausing(&count);
    agent.run_in(&mut conversation, "go").await.unwrap();
    let reply = agent.run_in(&mut conversation, "never mind").await.unwrap();
    assert_eq!(
        (reply.stop(), count.load(Ordering::SeqCst)),
        (Stop::Done, 0)
    );
}

#[tokio::test]
async fn nobody_is_asked_about_arguments_that_cannot_run() {
    let (count, asked) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let asking = Arc::clone(&asked);
    let calls = vec![
        vec![("erase", json!({"sku": 7, "more": 1}))],
        vec![("erase", json!({"sku": "a"}))],
    ];
    let agent = Agent::builder(repertoire_tests::calling(calls))
        .repertoire(
            Toolset::new().with_tool(counting("erase", "Erases.", &count).requires_approval()),
        )
        .approve(move |_| {
            asking.fetch_add(1, Ordering::SeqCst);
            async { true }
        })
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    assert_eq!(
        (asked.load(Ordering::SeqCst), count.load(Ordering::SeqCst)),
        (1, 1)
    );
}

#[tokio::test]
async fn a_no_holds_where_the_tool_has_come_to_need_no_approval() {
    let count = Arc::new(AtomicUsize::new(0));
    let agent = |asks: bool| {
        let erase = counting("erase", "Erases a disk.", &count);
        let erase = match asks {
            true => erase.requires_approval(),
            false => erase,
        };
        let calls = vec![vec![("erase", json!({"sku": "a"}))]];
        Agent::builder(repertoire_tests::calling(calls))
            .repertoire(Toolset::new().with_tool(erase))
            .approve(|_| async { Approval::Later })
            .build()
            .unwrap()
    };
    let mut conversation = Conversation::new();
    let reply = agent(true).run_in(&mut conversation, "go").await.unwrap();
    assert_eq!(reply.stop(), Stop::AwaitingApproval);
    let id = conversation.waiting().next().unwrap().id().to_owned();
    assert!(conversation.decide(&id, false));
    let reply = agent(false).resume(&mut conversation).await.unwrap();
    assert_eq!(
        (reply.stop(), count.load(Ordering::SeqCst)),
        (Stop::Done, 0)
    );
    let result = &repertoire_tests::results(&conversation)[0];
    assert!(result.is_failed(), "{result:?}");
}

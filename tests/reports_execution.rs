//! What users of other libraries ran into when calls were carried out. Each test is named after a
//! public report (project and number) and shows that it cannot happen here.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Responses, Stop,
    conversation::Item,
    protocol::Reveal,
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::json;

const DEFERRED: [&str; 3] = ["invoice_send", "order_cancel", "warehouse_stock"];

/// The last results of a conversation, as texts.
fn results(conversation: &Conversation) -> Vec<String> {
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results),
        _ => None,
    });
    let texts = results.flatten().map(|result| result.output().to_text());
    texts.collect()
}

/// What is found can be called, at once and as long as the conversation lasts.
async fn found_means_callable<P: Scriptable>(protocol: P, reveal: Reveal) {
    let count = Arc::new(AtomicUsize::new(0));
    let call = |tool: &str, sku: &str| match reveal {
        Reveal::Dispatch => Rule::call(
            "call_tool",
            json!({"name": tool, "arguments": {"sku": sku}}),
        ),
        _ => Rule::call(tool, json!({"sku": sku})),
    };
    let mut model = Script::new(protocol);
    for tool in DEFERRED {
        model = model
            .rule(Rule::search(tool, tool))
            .rule(call(tool, "first"));
    }
    for tool in DEFERRED {
        model = model.rule(call(tool, "again"));
    }
    let agent = Agent::builder(model.rule(Rule::say("done")))
        .repertoire(warehouse(&count))
        .reveal(reveal)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let texts = results(&conversation);
    assert_eq!(count.load(Ordering::SeqCst), 6, "{texts:#?}");
    assert!(
        !texts.iter().any(|text| text.starts_with("R00")),
        "{texts:#?}"
    );
}

/// hermes-agent#84772: the search and the dispatch had different ideas of which tools there are.
#[tokio::test]
async fn what_the_search_finds_the_dispatch_runs() {
    found_means_callable(Responses::new("m"), Reveal::Append).await;
    found_means_callable(Anthropic::new("m"), Reveal::Append).await;
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        found_means_callable(Chat::new("m"), reveal).await;
        found_means_callable(Gemini::new("m"), reveal).await;
        found_means_callable(Ollama::new("m"), reveal).await;
    }
}

/// A model that calls a deferred tool `times` times without ever searching, and then says so.
async fn stubborn<P: Scriptable>(protocol: P, times: usize, max_steps: usize) -> Vec<String> {
    let count = Arc::new(AtomicUsize::new(0));
    let model = Script::new(protocol).rule(Rule::new("call", move |seen| {
        if seen.results().len() < times {
            Act::call("warehouse_stock", json!({"sku": "A"}))
        } else {
            Act::Say("I give up".to_owned())
        }
    }));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .max_steps(max_steps)
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    let expected = if times < max_steps {
        Stop::Done
    } else {
        Stop::MaxSteps
    };
    assert_eq!(reply.stop(), expected);
    assert_eq!(count.load(Ordering::SeqCst), 0, "it never runs");
    let texts = results(&conversation);
    assert_eq!(
        texts.len(),
        times.min(max_steps),
        "each call has its result"
    );
    // The reason is the true one, whatever the protocol: the tool exists and is not loaded.
    for text in &texts {
        assert!(
            text.starts_with("R0003") && text.contains("search"),
            "{text}"
        );
    }
    texts
}

/// hermes-agent#84772 and openai-agents-js#1518: a call without a search is told why it does not run,
/// and the run goes on.
#[tokio::test]
async fn a_call_before_the_search_is_denied_for_its_true_reason() {
    stubborn(Responses::new("m"), 2, 36).await;
    stubborn(Chat::new("m"), 2, 36).await;
    stubborn(Anthropic::new("m"), 2, 36).await;
    stubborn(Gemini::new("m"), 2, 36).await;
    stubborn(Ollama::new("m"), 2, 36).await;
}

/// macro#4606: a model that never learns is told each time and ends with the limit of steps.
#[tokio::test]
async fn a_model_that_never_searches_ends_with_its_steps() {
    let texts = stubborn(Anthropic::new("m"), usize::MAX, 5).await;
    assert_eq!(texts.len(), 5);
}

/// Runs these calls, one a step, as far as the conversation has not made them yet.
async fn calls<P: Scriptable>(
    protocol: P,
    calls: &[(&'static str, &'static str)],
    conversation: &mut Conversation,
) -> Vec<bool> {
    let calls = calls.to_vec();
    let model = Script::new(protocol).rule(Rule::new("next", move |seen| {
        match calls.get(seen.calls().len()) {
            Some(("tool_search", query)) => Act::call("tool_search", json!({"queries": [query]})),
            Some((tool, sku)) => Act::call(*tool, json!({"sku": sku})),
            None => Act::Say("done".to_owned()),
        }
    }));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&Arc::default()))
        .build()
        .unwrap();
    agent.run_in(conversation, "go").await.unwrap();
    let texts = results(conversation).into_iter();
    texts
        .map(|text| text.contains("in a row have loaded nothing. Stop searching"))
        .collect()
}

async fn told_to_stop<P: Scriptable + Clone>(protocol: P) {
    let search = |query: &'static str| ("tool_search", query);
    let mut conversation = Conversation::new();
    let steps = [
        search("poetry"),
        search("poems"),
        search("invoice"),
        search("invoice_send"),
        search("poetry"),
        search("clock"),
        search("poetry"),
        ("clock", "x"),
        search("poetry"),
    ];
    let told = calls(protocol.clone(), &steps, &mut conversation).await;
    assert_eq!(
        told,
        [false, false, false, false, false, true, true, false, false]
    );
    assert!(results(&conversation)[6].contains("4 searches in a row"));

    let four = [search("poetry"); 4];
    let mut conversation = Conversation::new();
    calls(protocol.clone(), &four[..2], &mut conversation).await;
    assert_eq!(calls(protocol, &four, &mut conversation).await, [false; 4]);
}

/// macro#4606, zero#259: a model that searches in vain is told to stop, and once it finds something
/// or the user speaks, it has its tries again.
#[tokio::test]
async fn a_model_that_searches_in_vain_is_told_to_stop() {
    told_to_stop(Responses::new("gpt-5.4")).await;
    told_to_stop(Anthropic::new("claude-sonnet-4-5")).await;
    told_to_stop(Chat::new("m")).await;
    told_to_stop(Gemini::new("gemini-3-pro")).await;
    told_to_stop(Ollama::new("qwen3")).await;
}

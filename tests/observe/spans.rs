//! A run, its responses and its calls as spans.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Chat, Conversation, Gemini, Ollama, Repertoire, Responses, Toolset,
    protocol::{ChatVendor, RequestOptions},
    testing::{Rule, Script, Scriptable},
};
use repertoire_tests::{counting, record, record::Record};
use serde_json::json;

use super::support::*;

#[tokio::test]
async fn a_run_its_responses_and_its_calls_are_spans() {
    let (record, _guard) = Record::start();
    let mut options = RequestOptions::default();
    options.max_output_tokens = Some(500);
    let model = steps(
        Anthropic::new("claude-x"),
        vec![
            vec![
                ("tool_search", json!({"queries": ["leaf"]})),
                ("read_skill", json!({"name": "stock-check"})),
            ],
            vec![
                ("leaf", json!({"sku": "my question"})),
                ("none", json!({})),
                ("old", json!({"sku": "b"})),
            ],
        ],
    );
    let tools = Toolset::new()
        .with_tool(
            counting("leaf", "Is a leaf.", &Arc::default())
                .deferred()
                .version("1.4"),
        )
        .with_tool(counting("old", "Is old.", &Arc::default()).deprecated("old", Some("leaf")));
    let agent = Agent::builder(model)
        .repertoire(Repertoire::from(tools).merge(skills().into()))
        .options(options)
        .build()
        .unwrap();
    let mut conversation = Conversation::new().with_id("conversation-7");
    let reply = agent.run_in(&mut conversation, "my prompt").await.unwrap();

    let spans = record.spans();
    assert!(spans.iter().all(|span| span.closed), "{spans:#?}");
    let names: Vec<&str> = spans
        .iter()
        .map(|span| field(&span.fields, "otel.name"))
        .collect();
    assert_eq!(
        names,
        [
            "invoke_agent",
            "chat claude-x",
            "execute_tool tool_search",
            "execute_tool read_skill",
            "chat claude-x",
            "execute_tool leaf",
            "execute_tool old",
            "chat claude-x",
        ]
    );
    let run = &spans[0];
    assert_eq!((run.name, run.parent), ("invoke_agent", None));
    assert!(spans[1..].iter().all(|span| span.parent == Some(0)));
    for (name, value) in [
        ("gen_ai.operation.name", "invoke_agent"),
        ("gen_ai.conversation.id", "conversation-7"),
        ("gen_ai.provider.name", "anthropic"),
        ("gen_ai.request.model", "claude-x"),
        ("repertoire.steps", "3"),
        ("repertoire.stop", "done"),
        (
            "gen_ai.usage.input_tokens",
            &reply.usage().input_tokens.to_string(),
        ),
        (
            "gen_ai.usage.output_tokens",
            &reply.usage().output_tokens.to_string(),
        ),
    ] {
        assert_eq!(field(&run.fields, name), value, "{name}");
    }
    assert!(reply.usage().input_tokens > 0);
    let chat = &spans[1];
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "anthropic"),
        ("gen_ai.request.model", "claude-x"),
        ("gen_ai.request.max_tokens", "500"),
        ("gen_ai.response.finish_reasons", "[\"tool_calls\"]"),
    ] {
        assert_eq!(field(&chat.fields, name), value, "{name}");
    }
    let tokens = |span: &record::Span| -> u64 {
        field(&span.fields, "gen_ai.usage.input_tokens")
            .parse()
            .unwrap()
    };
    let sum: u64 = spans
        .iter()
        .filter(|span| span.name == "chat")
        .map(tokens)
        .sum();
    assert_eq!(sum, reply.usage().input_tokens);
    assert_eq!(
        field(&spans[7].fields, "gen_ai.response.finish_reasons"),
        "[\"stop\"]"
    );

    let leaf = &spans[5];
    let calls: Vec<String> = conversation
        .items()
        .iter()
        .filter_map(|item| match item {
            repertoire::conversation::Item::Model(turn) => Some(turn),
            _ => None,
        })
        .flat_map(|turn| turn.calls())
        .map(|call| call.id().to_owned())
        .collect();
    for (name, value) in [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "leaf"),
        ("gen_ai.tool.type", "function"),
        ("gen_ai.tool.call.id", calls[2].as_str()),
        ("repertoire.tool.version", "1.4"),
        ("error.type", ""),
    ] {
        assert_eq!(field(&leaf.fields, name), value, "{name}");
    }

    // Searches and readings are events of their calls; refusals and warnings of the run.
    assert_eq!(messages(&spans[2].events), ["INFO tools were searched"]);
    assert_eq!(field(&spans[2].events[0], "repertoire.loaded"), "leaf");
    assert_eq!(messages(&spans[3].events), ["INFO skill was read"]);
    assert_eq!(
        field(&spans[3].events[0], "repertoire.skill"),
        "stock-check"
    );
    let of_run = messages(&run.events);
    assert_eq!(
        of_run,
        ["INFO call was refused", "WARN deprecated tool was called"]
    );
    assert_eq!(field(&run.events[0], "gen_ai.tool.name"), "none");
    assert_eq!(field(&run.events[1], "gen_ai.tool.name"), "old");

    // What was said is nowhere.
    let dump = record.dump();
    for said in [
        "my question",
        "my prompt",
        "the end",
        "ran with",
        "queries\": [",
    ] {
        assert!(!dump.contains(said), "{said} in {dump}");
    }
}

#[tokio::test]
async fn every_provider_has_its_name() {
    let (_, _guard) = Record::start();
    async fn one<P: Scriptable>(protocol: P) -> String {
        let (record, _guard) = Record::start();
        let agent = Agent::builder(Script::new(protocol).rule(Rule::say("hello")))
            .build()
            .unwrap();
        agent.run("hello").await.unwrap();
        let chat = record.one("otel.name", "chat m-1");
        field(&chat.fields, "gen_ai.provider.name").to_owned()
    }
    assert_eq!(one(Responses::new("m-1")).await, "openai");
    assert_eq!(one(Anthropic::new("m-1")).await, "anthropic");
    assert_eq!(one(Gemini::new("m-1")).await, "gcp.gemini");
    assert_eq!(one(Ollama::new("m-1")).await, "ollama");
    assert_eq!(one(Chat::new("m-1")).await, "openai");
    assert_eq!(
        one(Chat::at(ChatVendor::Mistral, "m-1")).await,
        "mistral_ai"
    );
    assert_eq!(one(Chat::at(ChatVendor::Groq, "m-1")).await, "groq");
    assert_eq!(one(Chat::at(ChatVendor::DeepSeek, "m-1")).await, "deepseek");
}

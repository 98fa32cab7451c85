//! Tools that are loaded later.

use super::*;

#[test]
fn trap_01_a_namespace_survives_three_turns() {
    let responses = Responses::new("gpt-5.4");
    let first = json!({"output": [{"type": "function_call", "id": "fc", "call_id": "c1", "name": "found", "namespace": "found", "arguments": "{}"}]});
    let second = json!({"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}]});
    let mut items = vec![
        user("a"),
        own(&responses, &first),
        Item::Results(vec![ok(&call("c1", "found"))]),
    ];
    let (search, deferred) = (search(), [tool("found")]);
    for _ in 0..3 {
        let body = encode(
            &responses,
            &Request::new(&items).with_deferred(&search, &deferred),
        );
        assert_eq!(item(&body, "function_call")["namespace"], "found");
        items.extend([own(&responses, &second), user("more")]);
    }
}

#[test]
fn trap_01b_a_call_from_elsewhere_gets_the_namespace_it_needs() {
    let (search, deferred) = (search(), [tool("found")]);
    // From another provider.
    let items = searched();
    let body = encode(
        &Responses::new("gpt-5.4"),
        &Request::new(&items).with_deferred(&search, &deferred),
    );
    assert_eq!(item(&body, "function_call")["namespace"], "found");
    // From a time when the tool was always shown.
    let responses = Responses::new("gpt-5.4");
    let turn = json!({"output": [{"type": "function_call", "id": "fc", "call_id": "c1", "name": "found", "arguments": "{}"}]});
    let items = [
        user("a"),
        own(&responses, &turn),
        Item::Results(vec![ok(&call("c1", "found"))]),
        user("b"),
    ];
    let body = encode(
        &responses,
        &Request::new(&items).with_deferred(&search, &deferred),
    );
    assert_eq!(item(&body, "function_call")["namespace"], "found");
    // A tool that is always shown has none.
    let tools = [tool("found")];
    let body = encode(&responses, &Request::new(&items).with_tools(&tools));
    assert!(item(&body, "function_call").get("namespace").is_none());
}

#[test]
fn trap_02_and_06_nothing_of_deferral_goes_to_hosts_without_it() {
    let (search, deferred, items) = (search(), [tool("found"), tool("other")], searched());
    let request = Request::new(&items).with_deferred(&search, &deferred);
    let plain: [Box<dyn Protocol>; 5] = [
        Box::new(Responses::new("gpt-4o")),
        Box::new(Responses::new("m").without_tool_search()),
        Box::new(Anthropic::new("kimi-k2").without_references()),
        Box::new(Anthropic::new("claude-3-haiku")),
        Box::new(Chat::at(ChatVendor::OpenRouter, "m")),
    ];
    for protocol in plain {
        let json = encode(protocol.as_ref(), &request).to_string();
        for word in [
            "defer_loading",
            "tool_reference",
            "tool_search_call",
            "tool_search_output",
            "\"type\":\"tool_search\"",
            "namespace",
            "bm25",
        ] {
            assert!(!json.contains(word), "{} {word}: {json}", protocol.id());
        }
        // The found tool is defined all the same, the other is not.
        assert!(
            json.contains("\"name\":\"found\"") && !json.contains("\"name\":\"other\""),
            "{json}"
        );
    }
}

#[test]
fn trap_03_loaded_tools_are_all_flat_or_all_namespaced() {
    let (search, items) = (search(), searched());
    for (deferred, kind) in [
        (vec![tool("found"), tool("other")], "function"),
        (
            vec![
                tool("found"),
                tool("other").with_group(Some("g".to_owned())),
            ],
            "namespace",
        ),
    ] {
        let body = encode(
            &Responses::new("m"),
            &Request::new(&items).with_deferred(&search, &deferred),
        );
        let tools = item(&body, "tool_search_output")["tools"]
            .as_array()
            .unwrap()
            .clone();
        assert!(
            !tools.is_empty() && tools.iter().all(|tool| tool["type"] == kind),
            "{tools:?}"
        );
    }
}

#[tokio::test]
async fn trap_04_a_call_before_the_search_is_answered_and_the_run_goes_on() {
    calls_before_search(Responses::new("m")).await;
    calls_before_search(Chat::new("m")).await;
    calls_before_search(Anthropic::new("m")).await;
    calls_before_search(Gemini::new("m")).await;
    calls_before_search(Ollama::new("m")).await;
}

#[test]
fn trap_05_flattened_names_and_missing_namespaces_are_understood() {
    let turn = json!({"output": [
        {"type": "function_call", "call_id": "c1", "name": "crm.get", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "get", "arguments": "{}"},
    ]});
    let turn = Responses::new("m")
        .decode(turn.to_string().as_bytes())
        .unwrap();
    let names: Vec<_> = turn
        .calls()
        .map(|call| (call.namespace(), call.name()))
        .collect();
    assert_eq!(names, [(Some("crm"), "get"), (None, "get")]);
}

#[test]
fn trap_07_a_cache_mark_is_never_on_a_deferred_tool() {
    let (search, shown, deferred) = (search(), [tool("shown")], [tool("found"), tool("zebra")]);
    let items = searched();
    let request = Request::new(&items)
        .with_system("s")
        .with_tools(&shown)
        .with_deferred(&search, &deferred);
    let body = encode(
        &Anthropic::new("m").prompt_cache(CacheTime::OneHour),
        &request,
    );
    let marked: Vec<&Value> = body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|tool| tool.get("cache_control").is_some())
        .collect();
    assert_eq!(marked.len(), 1);
    assert_eq!(marked[0]["name"], "tool_search");
    assert_eq!(
        marked[0]["cache_control"],
        json!({"type": "ephemeral", "ttl": "1h"})
    );
    assert!(marked[0].get("defer_loading").is_none());
    assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
}

async fn calls_before_search<P: Scriptable>(protocol: P) {
    let id = protocol.id();
    let count = Arc::new(AtomicUsize::new(0));
    let model = Script::new(protocol)
        .rule(
            Rule::new("rash", |_| {
                Act::call("warehouse_stock", json!({"sku": "A"}))
            })
            .when(|seen| {
                if seen.calls().is_empty() {
                    Ok(())
                } else {
                    Err("done".to_owned())
                }
            }),
        )
        .rule(Rule::say("sorry"));
    let agent = Agent::builder(model)
        .repertoire(warehouse(&count))
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    assert_eq!((reply.stop(), reply.text()), (Stop::Done, "sorry"), "{id}");
    assert_eq!(count.load(std::sync::atomic::Ordering::SeqCst), 0, "{id}");
}

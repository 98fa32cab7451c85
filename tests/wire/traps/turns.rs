//! What the model wrote, and the results of its calls.

use super::*;

#[test]
fn trap_08_calls_of_the_provider_itself_stay_in_their_turn() {
    let anthropic = Anthropic::new("m");
    let blocks = json!([
        {"type": "text", "text": "a"},
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
        {"type": "tool_use", "id": "t1", "name": "shown", "input": {"x": "1"}},
    ]);
    let turn = json!({"content": blocks, "stop_reason": "tool_use"});
    let items = [
        user("a"),
        own(&anthropic, &turn),
        Item::Results(vec![ok(&call("t1", "shown"))]),
    ];
    let body = encode(&anthropic, &Request::new(&items));
    assert_eq!(body["messages"][1]["content"], blocks);
    let results = body["messages"][2]["content"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["tool_use_id"], "t1");
}

#[test]
fn trap_09_thinking_stays_byte_for_byte_through_search_rounds() {
    let anthropic = Anthropic::new("m");
    let thoughts = [
        r#"{"type":"thinking","thinking":"","signature":"a=="}"#,
        r#"{"type":"thinking","thinking":"two  ü","signature":"b=="}"#,
        r#"{"type":"redacted_thinking","data":"c=="}"#,
    ];
    let turn = format!(
        r#"{{"content":[{},{{"type":"tool_use","id":"s1","name":"tool_search","input":{{"queries":["f"]}}}}],"stop_reason":"tool_use"}}"#,
        thoughts.join(",")
    );
    let turn = Item::Model(anthropic.decode(turn.as_bytes()).unwrap());
    let asked = ToolCall::new("s1", "tool_search", "{}").as_search();
    let result =
        ToolResult::ok(&asked, repertoire::ToolOutput::default()).loading(vec!["found".to_owned()]);
    let (search, deferred) = (search(), [tool("found")]);
    let items = [user("a"), turn, Item::Results(vec![result])];
    let body = anthropic
        .encode(&Request::new(&items).with_deferred(&search, &deferred))
        .unwrap();
    assert!(body.json().contains(&thoughts.join(",")), "{}", body.json());
}

#[test]
fn trap_10_all_results_stand_first_in_one_message() {
    let calls = [call("a", "shown"), call("b", "shown")];
    let items = [
        user("go"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
        user("and more"),
    ];
    let body = encode(&Anthropic::new("m"), &Request::new(&items));
    let last = body["messages"].as_array().unwrap().last().unwrap();
    let kinds: Vec<&str> = last["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text"]);
}

#[test]
fn trap_15_and_16_parallel_calls_are_one_content_and_only_the_first_is_signed() {
    let calls = [call("a", "one"), call("b", "two")];
    let items = [
        user("go"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    let body = encode(&Gemini::new("m"), &Request::new(&items));
    let contents = body["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 3);
    let parts = contents[1]["parts"].as_array().unwrap();
    assert_eq!(
        parts[0]["thoughtSignature"],
        "skip_thought_signature_validator"
    );
    assert!(parts[1].get("thoughtSignature").is_none());
    assert_eq!(contents[2]["parts"].as_array().unwrap().len(), 2);
    // What the provider signed itself goes back as it was.
    let gemini = Gemini::new("m");
    let parts = json!([
        {"functionCall": {"id": "a", "name": "one", "args": {}}, "thoughtSignature": "sig"},
        {"functionCall": {"id": "b", "name": "two"}},
        {"text": "", "thoughtSignature": "end"},
    ]);
    let turn = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]});
    let items = [
        user("go"),
        own(&gemini, &turn),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    let body = encode(&gemini, &Request::new(&items));
    assert_eq!(body["contents"][1]["parts"], parts);
    assert_eq!(
        body["contents"][2]["parts"][1]["functionResponse"]["id"],
        "b"
    );
}

#[test]
fn trap_17_a_schema_in_a_result_is_text_and_no_json() {
    let asked = ToolCall::new("s1", "tool_search", "{}").as_search();
    let result =
        ToolResult::ok(&asked, r##"{"$ref":"#/$defs/X"}"##).loading(vec!["found".to_owned()]);
    let items = [
        user("a"),
        foreign(vec![ModelPart::Call(asked)]),
        Item::Results(vec![result]),
    ];
    let (search, deferred) = (search(), [tool("found")]);
    for reveal in [Reveal::Append, Reveal::Dispatch] {
        let request = Request::new(&items)
            .with_deferred(&search, &deferred)
            .with_reveal(reveal);
        let body = encode(&Gemini::new("m"), &request);
        let response = &body["contents"][2]["parts"][0]["functionResponse"]["response"];
        let members = response.as_object().unwrap();
        assert!(members.values().all(Value::is_string), "{response}");
        assert!(response["output"].as_str().unwrap().contains("$ref"));
    }
}

#[test]
fn trap_23_deepseek_gets_its_reasoning_back_on_every_turn_with_tools() {
    let deepseek = Chat::at(ChatVendor::DeepSeek, "m");
    let turn = json!({"choices": [{"finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": "", "reasoning_content": "Hm.",
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "t", "arguments": "{}"}}],
    }}]});
    let other = call("c2", "t");
    let items = [
        user("a"),
        own(&deepseek, &turn),
        Item::Results(vec![ok(&call("c1", "t"))]),
        foreign(vec![
            ModelPart::Reasoning("Elsewhere.".to_owned()),
            ModelPart::Call(other.clone()),
        ]),
        Item::Results(vec![ok(&other)]),
        foreign(vec![ModelPart::Text("x".to_owned())]),
        user("b"),
    ];
    let tools = [tool("t")];
    let body = encode(&deepseek, &Request::new(&items).with_tools(&tools));
    let reasoning: Vec<&Value> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "assistant")
        .map(|message| &message["reasoning_content"])
        .collect();
    assert_eq!(reasoning, [&json!("Hm."), &json!("Elsewhere."), &json!("")]);
    // OpenAI would refuse the key.
    let body = encode(&Chat::new("m"), &Request::new(&items).with_tools(&tools));
    assert!(!body.to_string().contains("reasoning_content"));
    // A forced call and thinking exclude each other there.
    let mut options = RequestOptions::default();
    options.tool_choice = repertoire::protocol::ToolChoice::Required;
    let body = encode(
        &deepseek,
        &Request::new(&items)
            .with_tools(&tools)
            .with_options(&options),
    );
    assert_eq!(body["thinking"], json!({"type": "disabled"}));
}

#[test]
fn trap_24_outputs_follow_their_calls_and_a_malformed_call_keeps_its_own() {
    let responses = Responses::new("deepseek-chat").interleaved();
    let turn = json!({"output": [
        {"type": "reasoning", "id": "r", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "t", "arguments": "{}"},
        {"type": "function_call", "call_id": "c2", "name": "t", "arguments": "{not json"},
    ]});
    let results = vec![
        ok(&call("c1", "t")),
        ToolResult::failed(&call("c2", "t"), "not JSON"),
    ];
    let items = [user("a"), own(&responses, &turn), Item::Results(results)];
    let body = encode(&responses, &Request::new(&items));
    let order: Vec<String> = body["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            format!(
                "{}{}",
                item["type"].as_str().unwrap_or("user"),
                item["call_id"].as_str().unwrap_or("")
            )
        })
        .collect();
    assert_eq!(
        order,
        [
            "user",
            "reasoning",
            "function_callc1",
            "function_call_outputc1",
            "function_callc2",
            "function_call_outputc2"
        ]
    );
    // The same from another provider.
    let calls = [call("c1", "t"), ToolCall::new("c2", "t", "{not json")];
    let items = [
        user("a"),
        foreign(calls.iter().cloned().map(ModelPart::Call).collect()),
        Item::Results(calls.iter().map(ok).collect()),
    ];
    for protocol in all() {
        let body = encode(protocol.as_ref(), &Request::new(&items)).to_string();
        assert_eq!(body.matches("fine").count(), 2, "{}", protocol.id());
    }
}

#[test]
fn trap_25_reasoning_goes_back_whole_to_its_provider_and_nowhere_else() {
    let responses = Responses::new("gpt-5.4");
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e=="}"#;
    let body = format!(
        r#"{{"output":[{reasoning},{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"x"}}]}}]}}"#
    );
    let items = [
        user("a"),
        Item::Model(responses.decode(body.as_bytes()).unwrap()),
        user("b"),
    ];
    let json = responses
        .encode(&Request::new(&items))
        .unwrap()
        .json()
        .to_owned();
    assert_eq!(json.matches(reasoning).count(), 1);
    assert!(json.contains(r#""store":false"#) && json.contains("reasoning.encrypted_content"));
    for protocol in all().into_iter().skip(1) {
        let json = protocol
            .encode(&Request::new(&items))
            .unwrap()
            .json()
            .to_owned();
        assert!(!json.contains("rs_1") && !json.contains("e=="), "{json}");
    }
}

#[test]
fn trap_27_search_arguments_are_an_object_and_references_have_their_own_key() {
    let (search, deferred, items) = (search(), [tool("found")], searched());
    let request = Request::new(&items).with_deferred(&search, &deferred);
    let body = encode(&Responses::new("gpt-5.4"), &request);
    assert_eq!(
        item(&body, "tool_search_call")["arguments"],
        json!({"queries": ["f"]})
    );
    assert_eq!(item(&body, "function_call")["arguments"], r#"{"x":"1"}"#);
    let body = encode(&Anthropic::new("m"), &request);
    assert_eq!(
        body["messages"][2]["content"][0]["content"],
        json!([{"type": "tool_reference", "tool_name": "found"}])
    );
}

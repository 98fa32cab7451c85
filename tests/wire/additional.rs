//! What a skill loads on Responses: by `additional_tools`, or by telling the model to search.

use std::{path::Path, sync::Arc};

use repertoire::{
    Agent, Anthropic, Conversation, Responses, Skills, Toolset,
    protocol::Protocol,
    testing::{Act, Scriptable},
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

use crate::acts::acting;

/// A skill that names two deferred tools, one that is always shown, and one that nobody has.
fn skills(name: &str) -> Skills {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("refunds")).unwrap();
    let text = "---\nname: refunds\ndescription: How refunds are made. Use for refunds.\nallowed-tools: refund_policy refund_make clock Bash\n---\nLook first.\n";
    std::fs::write(folder.join("refunds/SKILL.md"), text).unwrap();
    Skills::from_roots([folder])
}

fn tools(group: Option<&str>) -> Toolset {
    let tool = |name: &str| {
        let schema = json!({"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"], "additionalProperties": false});
        RuntimeTool::new(name, "Does it.", schema, |_| async {
            Ok("thirty days".into())
        })
    };
    let deferred = |name: &str| match group {
        Some(group) => tool(name).deferred().group(group),
        None => tool(name).deferred(),
    };
    Toolset::new()
        .with_tool(tool("clock"))
        .with_tool(deferred("refund_policy"))
        .with_tool(deferred("refund_make"))
        .with_tool(deferred("unrelated"))
}

async fn run<P: Scriptable>(
    protocol: P,
    tools: Toolset,
    skills: Skills,
    conversation: &mut Conversation,
    steps: Vec<Act>,
) -> Vec<Value> {
    let script = acting(protocol, steps);
    let agent = Agent::builder(Arc::clone(&script))
        .repertoire(tools)
        .repertoire(skills)
        .build()
        .unwrap();
    agent.run_in(conversation, "A refund?").await.unwrap();
    let bodies = script.bodies();
    bodies
        .iter()
        .map(|body| serde_json::from_str(body).unwrap())
        .collect()
}

fn items(body: &Value, kind: &str) -> Vec<Value> {
    let items = body["input"].as_array().unwrap().iter();
    items.filter(|item| item["type"] == kind).cloned().collect()
}

fn read() -> Act {
    Act::call("read_skill", json!({"name": "refunds"}))
}

fn look() -> Act {
    Act::call("refund_policy", json!({"order": "1"}))
}

/// The results that failed.
fn failed(conversation: &Conversation) -> Vec<String> {
    let saved: Value = serde_json::from_str(&conversation.to_json()).unwrap();
    let items = saved["items"].as_array().unwrap().iter();
    let results = items.flat_map(|item| item["results"].as_array().cloned().unwrap_or_default());
    let failed = results.filter(|result| result["status"] == "failed");
    failed.map(|result| result["output"].to_string()).collect()
}

#[tokio::test]
async fn a_skill_that_is_read_brings_its_tools_where_the_provider_takes_them() {
    let mut conversation = Conversation::new();
    let steps = vec![read(), look(), read(), Act::Say("Yes.".to_owned())];
    let responses = Responses::new("gpt-5.6");
    assert!(responses.capabilities().additional_tools);
    let bodies = run(
        responses,
        tools(None),
        skills("additional-1"),
        &mut conversation,
        steps,
    )
    .await;
    assert_eq!(failed(&conversation), [""; 0]);
    let last = bodies.last().unwrap();
    // Once, right behind the results of the step, with the deferred tools alone.
    let added = items(last, "additional_tools");
    assert_eq!(added.len(), 1, "{last}");
    assert_eq!(added[0]["role"], "developer");
    let names: Vec<&Value> = added[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["refund_make", "refund_policy"]);
    assert_eq!(added[0]["tools"][0]["strict"], false);
    let input = last["input"].as_array().unwrap();
    let place = input
        .iter()
        .position(|item| item["type"] == "additional_tools")
        .unwrap();
    assert_eq!(input[place - 1]["type"], "function_call_output");
    let told = items(last, "function_call_output")[0]["output"].to_string();
    assert!(!told.contains("tool_search"), "{told}");
    // What the request begins with never changes.
    for pair in bodies.windows(2) {
        assert_eq!(pair[0]["tools"], pair[1]["tools"]);
        let (before, after) = (&pair[0]["input"], &pair[1]["input"]);
        let before = before.as_array().unwrap();
        assert_eq!(before[..], after.as_array().unwrap()[..before.len()]);
    }
}

#[tokio::test]
async fn elsewhere_the_skill_tells_the_model_to_search() {
    let mut conversation = Conversation::new();
    let responses = Responses::new("gpt-5.6").without_additional_tools();
    assert!(!responses.capabilities().additional_tools);
    let search = Act::call("tool_search", json!({"queries": ["refund_policy"]}));
    let steps = vec![read(), look(), search, look(), Act::Say("Yes.".to_owned())];
    let bodies = run(
        responses,
        tools(None),
        skills("additional-2"),
        &mut conversation,
        steps,
    )
    .await;
    let last = bodies.last().unwrap();
    assert!(items(last, "additional_tools").is_empty(), "{last}");
    let outputs = items(last, "function_call_output");
    let told = outputs[0]["output"].as_str().unwrap();
    assert!(told.contains("refund_make, refund_policy"), "{told}");
    assert!(told.contains("tool_search"), "{told}");
    // The call before the search was refused, the one behind it was not.
    assert_eq!(failed(&conversation).len(), 1);
    assert_eq!(outputs[2]["output"], "thirty days");
    assert_eq!(items(last, "tool_search_output").len(), 1);
}

#[tokio::test]
async fn with_groups_what_is_added_stands_in_namespaces_as_everything_does() {
    let mut conversation = Conversation::new();
    let steps = vec![read(), look(), Act::Say("Yes.".to_owned())];
    let bodies = run(
        Responses::new("gpt-5.6"),
        tools(Some("money")),
        skills("additional-3"),
        &mut conversation,
        steps,
    )
    .await;
    assert_eq!(failed(&conversation), [""; 0]);
    let added = &items(bodies.last().unwrap(), "additional_tools")[0]["tools"];
    assert_eq!(added.as_array().unwrap().len(), 1);
    assert_eq!(added[0]["type"], "namespace");
    assert_eq!(added[0]["name"], "money");
    assert_eq!(added[0]["tools"].as_array().unwrap().len(), 2);
}

/// As recorded: the call of an added tool comes with its namespace from one model and without it
/// from another, and was accepted back with it from both.
#[tokio::test]
async fn a_call_of_an_added_tool_is_understood_with_and_without_its_namespace() {
    for namespace in [None, Some("refund_policy")] {
        let mut call = json!({"type": "function_call", "id": "fc_9", "call_id": "call_9",
            "name": "refund_policy", "arguments": "{\"order\":\"1\"}", "status": "completed"});
        if let Some(namespace) = namespace {
            call["namespace"] = json!(namespace);
        }
        let answer = json!({"id": "r", "status": "completed", "output": [call]});
        let mut conversation = Conversation::new();
        let steps = vec![read(), Act::Raw(answer), Act::Say("Yes.".to_owned())];
        let responses = Responses::new("gpt-5.6");
        let bodies = run(
            responses,
            tools(None),
            skills("additional-4"),
            &mut conversation,
            steps,
        )
        .await;
        assert_eq!(failed(&conversation), [""; 0]);
        let calls = items(bodies.last().unwrap(), "function_call");
        assert_eq!(calls[1]["namespace"], "refund_policy", "{namespace:?}");
    }
}

#[tokio::test]
async fn what_a_skill_loaded_elsewhere_is_loaded_here() {
    for responses in [
        Responses::new("gpt-5.6"),
        Responses::new("gpt-5.6").without_additional_tools(),
    ] {
        let adds = responses.capabilities().additional_tools;
        let mut conversation = Conversation::new();
        let skills = || skills("additional-5");
        let steps = vec![read(), look(), Act::Say("Yes.".to_owned())];
        let anthropic = Anthropic::new("claude-opus-5");
        run(anthropic, tools(None), skills(), &mut conversation, steps).await;
        let steps = vec![look(), Act::Say("Yes.".to_owned())];
        let bodies = run(responses, tools(None), skills(), &mut conversation, steps).await;
        assert_eq!(failed(&conversation), [""; 0]);
        let count = |kind| items(&bodies[0], kind).len();
        assert_eq!(count("additional_tools"), usize::from(adds));
        assert_eq!(count("tool_search_output"), usize::from(!adds));
    }
}

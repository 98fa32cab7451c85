//! Groups of deferred tools: listed as groups, loaded as groups, namespaces where there are some.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Conversation, Responses, Toolset,
    agent::{CatalogForm, ToolSearch},
    testing::{Rule, Script, Scriptable},
};
use repertoire_tests::counting;
use serde_json::{Value, json};

fn tools() -> Toolset {
    let count = Arc::default();
    let grouped =
        |name: &str, text: &str, group: &str| counting(name, text, &count).deferred().group(group);
    Toolset::new()
        .with_tool(grouped("contact_get", "Looks up a contact.", "crm"))
        .with_tool(grouped("contact_list", "Lists all contacts.", "crm"))
        .with_tool(grouped("invoice_send", "Sends an invoice.", "billing"))
        .with_tool(counting("weather", "Tells the weather.", &count).deferred())
}

async fn bodies<P: Scriptable>(protocol: P) -> (Vec<Value>, Agent, Conversation) {
    let model = Arc::new(
        Script::new(protocol)
            .rule(
                Rule::new("search", |seen| {
                    let search = seen.search_tool().unwrap_or_default();
                    repertoire::testing::Act::call(search, json!({"queries": ["CRM", "weather"]}))
                })
                .when(|seen| match seen.calls() {
                    [] => Ok(()),
                    _ => Err("searched already".to_owned()),
                }),
            )
            .rule(Rule::call("contact_list", json!({"sku": "x"})))
            .rule(Rule::call("weather", json!({"sku": "x"})))
            .rule(Rule::say("done").after("weather")),
    );
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools())
        .extensions([ToolSearch::new().form(CatalogForm::Groups).limit(1).into()])
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let bodies = model.bodies();
    let bodies = bodies
        .iter()
        .map(|body| serde_json::from_str(body).unwrap());
    (bodies.collect(), agent, conversation)
}

#[tokio::test]
async fn the_catalog_lists_groups_and_a_groups_name_loads_all_of_it() {
    let (bodies, agent, conversation) = bodies(Anthropic::new("m")).await;
    let tools = bodies[0]["tools"].as_array().unwrap();
    let search = tools
        .iter()
        .find(|tool| tool["name"] == "tool_search")
        .unwrap();
    assert!(
        search["description"]
            .as_str()
            .unwrap()
            .ends_with("- billing: 1 tool\n- crm: 2 tools\n- weather: Tells the weather."),
        "{search}"
    );
    let content = &bodies[1]["messages"][2]["content"][0]["content"];
    let names: Vec<&str> = content
        .as_array()
        .unwrap()
        .iter()
        .map(|reference| reference["tool_name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["contact_get", "contact_list", "weather"]);

    let loaded = agent.loaded(&conversation);
    let steps: Vec<(&str, usize, &str)> = loaded
        .iter()
        .map(|loaded| (loaded.tool.as_str(), loaded.step, loaded.by.as_str()))
        .collect();
    assert_eq!(
        steps,
        [
            ("contact_get", 1, "tool_search"),
            ("contact_list", 1, "tool_search"),
            ("weather", 1, "tool_search"),
        ]
    );
    assert!(loaded.iter().all(|loaded| loaded.tokens > 10));
}

#[tokio::test]
async fn on_responses_a_group_is_a_namespace_and_nothing_stays_flat() {
    let (bodies, ..) = bodies(Responses::new("m")).await;
    let input = bodies[1]["input"].as_array().unwrap();
    let output = input
        .iter()
        .find(|item| item["type"] == "tool_search_output")
        .unwrap();
    let found: Vec<(&str, &str, usize)> = output["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| {
            let kind = tool["type"].as_str().unwrap();
            let members = tool["tools"].as_array().map_or(0, Vec::len);
            assert!(tool["description"].is_string());
            (kind, tool["name"].as_str().unwrap(), members)
        })
        .collect();
    assert_eq!(
        found,
        [("namespace", "crm", 2), ("namespace", "weather", 1)]
    );
    let last = bodies.last().unwrap()["input"].as_array().unwrap();
    let spaces: Vec<&str> = last
        .iter()
        .filter(|item| item["type"] == "function_call")
        .map(|item| item["namespace"].as_str().unwrap())
        .collect();
    assert_eq!(spaces, ["crm", "weather"]);
}

#[tokio::test]
async fn calls_from_another_provider_get_the_namespace_they_need() {
    let (_, _, mut conversation) = bodies(Anthropic::new("m")).await;
    let model = Arc::new(Script::new(Responses::new("m")).rule(Rule::say("ok")));
    let agent = Agent::builder(Arc::clone(&model))
        .repertoire(tools())
        .build()
        .unwrap();
    agent.run_in(&mut conversation, "more").await.unwrap();
    let body: Value = serde_json::from_str(&model.bodies()[0]).unwrap();
    let spaces: Vec<&str> = body["input"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["type"] == "function_call")
        .map(|item| item["namespace"].as_str().unwrap())
        .collect();
    assert_eq!(spaces, ["crm", "weather"]);
}

#[test]
fn the_report_says_what_could_be_better() {
    let count = Arc::default();
    let model = || Script::new(Anthropic::new("m"));
    let mut many = Toolset::new();
    for number in 0..16 {
        let tool = counting(&format!("tool_{number}"), "Does it.", &count);
        many = many.with_tool(if number < 9 { tool.group("nine") } else { tool });
    }
    let agent = Agent::builder(model()).repertoire(many).build().unwrap();
    let notes = agent.report().notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0].contains("16 tools") && notes[0].contains("`nine` (9)"),
        "{notes:?}"
    );

    // One small deferred tool costs less than the means to find it.
    let few = Toolset::new().with_tool(counting("only", "Does it.", &count).deferred());
    let agent = Agent::builder(model()).repertoire(few).build().unwrap();
    assert!(
        agent.report().notes()[0].contains("saves nothing"),
        "{}",
        agent.report()
    );

    let mut large = Toolset::new();
    for number in 0..40 {
        large = large.with_tool(counting(&format!("tool_{number}"), "Does it.", &count).deferred());
    }
    let agent = Agent::builder(model())
        .repertoire(large)
        .extensions([ToolSearch::new().form(CatalogForm::List).into()])
        .build()
        .unwrap();
    assert!(agent.report().notes().is_empty(), "{}", agent.report());
    assert!(agent.report().everything_tokens() > agent.report().resident_tokens());
}

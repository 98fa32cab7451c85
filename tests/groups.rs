//! Groups of deferred tools: listed as groups, loaded as groups, namespaces where there are some.

use std::sync::Arc;

use repertoire::{
    Agent, Anthropic, Conversation, Responses, Toolset,
    agent::{CatalogForm, ToolSearch},
    testing::{Rule, Script, Scriptable},
};
use repertoire_tests::{calling, counting, results};
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

#[test]
fn a_group_is_named_so_that_it_can_be_a_namespace() {
    let long = "g".repeat(65);
    for group in [
        "",
        " ",
        "Wetter Dienst",
        "Склад",
        "evil: 3 tools\n- fake: x",
        "1st",
        &long,
    ] {
        let tools = Toolset::new().with_tool(
            counting("weather", "Tells the weather.", &Arc::default())
                .deferred()
                .group(group),
        );
        let model = Script::new(Responses::new("m"));
        let error = Agent::builder(model).repertoire(tools).build().err();
        let error = error.unwrap().to_string();
        assert!(
            error.contains("a group is 1 to 64 of"),
            "{group:?}: {error}"
        );
        assert_eq!(
            error.lines().filter(|line| line.contains("- fake")).count(),
            usize::from(group.starts_with("evil"))
        );
    }
}

/// Searches for each of these in turn, and returns what the model is told and what was loaded.
async fn searches(tools: Toolset, queries: &[&'static str]) -> Vec<(String, Vec<String>)> {
    let asked = queries.to_vec();
    let model = Script::new(Anthropic::new("m")).rule(Rule::new("search", move |seen| match asked
        .get(seen.calls().len())
    {
        Some(query) => repertoire::testing::Act::call("tool_search", json!({"queries": [query]})),
        None => repertoire::testing::Act::Say("done".to_owned()),
    }));
    let agent = Agent::builder(model).repertoire(tools).build().unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let mut found = Vec::new();
    for item in conversation.items() {
        if let repertoire::conversation::Item::Results(results) = item {
            for result in results {
                found.push((result.output().to_text(), result.loads().to_vec()));
            }
        }
    }
    found
}

#[tokio::test]
async fn a_group_that_is_named_like_a_tool_is_loaded_whole() {
    let count = Arc::default();
    let grouped = |name: &str| counting(name, "Does it.", &count).deferred().group("crm");
    let tools = Toolset::new()
        .with_tool(grouped("contact_get"))
        .with_tool(grouped("crm"))
        .with_tool(counting("other", "Does more.", &count).deferred());
    let found = searches(tools, &["crm", "crm"]).await;
    assert_eq!(found[0].1, ["crm", "contact_get"]);
    assert!(found[1].1.is_empty());
    assert!(
        found[1]
            .0
            .contains("already loaded, call it: crm, contact_get"),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_group_that_is_loaded_is_named_tool_by_tool() {
    let found = searches(tools(), &["CRM", "crm"]).await;
    assert_eq!(found[0].1, ["contact_get", "contact_list"]);
    assert!(
        found[1].0.contains("call it: contact_get, contact_list."),
        "{found:?}"
    );
}

#[test]
fn the_report_counts_the_body_that_is_sent() {
    fn check<P: Scriptable>(protocol: impl Fn() -> P) -> usize {
        let count = Arc::default();
        let tools = || {
            let tools = (0..12).map(|number| {
                let text = format!("Does the thing that is number {number} in the list of things.");
                counting(&format!("tool_{number}"), &text, &count).deferred()
            });
            tools
                .fold(Toolset::new(), Toolset::with_tool)
                .with_tool(counting("clock", "Tells the time.", &count))
        };
        let build = |extensions: Vec<Box<dyn repertoire::agent::Extension>>| {
            Agent::builder(Script::new(protocol()))
                .repertoire(tools())
                .instructions("Be brief.")
                .extensions(extensions)
                .build()
                .unwrap()
        };
        let size = |agent: &Agent| {
            let mut conversation = Conversation::new();
            conversation.push_user("x");
            let body = protocol().encode(&agent.request(&conversation)).unwrap();
            repertoire::estimate_tokens(body.json())
        };
        let empty = {
            let mut conversation = Conversation::new();
            conversation.push_user("x");
            let bare = Agent::builder(Script::new(protocol())).build().unwrap();
            let body = protocol().encode(&bare.request(&conversation)).unwrap();
            repertoire::estimate_tokens(body.json())
        };
        let (searching, showing) = (build(vec![ToolSearch::new().into()]), build(Vec::new()));
        // Nothing kept back: what an agent without a search really sends.
        let everything = searching.report().everything_tokens();
        let sent = size(&showing) - empty;
        assert!(everything.abs_diff(sent) <= 6, "{everything}, sent {sent}");
        assert_eq!(everything, showing.report().everything_tokens());
        // The resident parts: what is sent where definitions do not travel along.
        let resident = searching.report().resident_tokens();
        let sent = size(&searching) - empty;
        let deferred = searching.report().on_demand()[0].tokens;
        assert!(
            resident.abs_diff(sent) <= 8 || (resident + deferred).abs_diff(sent) <= 100,
            "{resident} and {deferred}, sent {sent}"
        );
        resident
    }
    let all = [
        check(|| Responses::new("m")),
        check(|| Anthropic::new("m")),
        check(|| repertoire::Chat::new("m")),
    ];
    assert!(all[0] != all[1] && all[1] != all[2], "{all:?}");
}

/// A name in other case, or with other separators, is that name and loads nothing beside; a query
/// that is given twice is answered once.
#[tokio::test]
async fn a_name_in_other_spelling_is_the_name() {
    let tools = || {
        let tool = |name: &str| counting(name, "Does a thing.", &Arc::default()).deferred();
        Toolset::new()
            .with_tool(tool("mail_4"))
            .with_tool(tool("cal_4"))
            .with_tool(tool("readMail"))
            .with_tool(tool("read_mail"))
    };
    for (query, loaded) in [
        ("MAIL_4", vec!["mail_4"]),
        ("Mail-4", vec!["mail_4"]),
        ("readMail", vec!["readMail"]),
    ] {
        let search = ("tool_search", json!({"queries": [query]}));
        let agent = Agent::builder(calling(vec![vec![search.clone()], vec![search]]))
            .repertoire(tools())
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let results = results(&conversation);
        assert_eq!(results[0].loads(), loaded, "{query}");
        assert!(results[1].loads().is_empty(), "{query}");
    }
    // Two tools may be meant, and words are keywords.
    for query in ["READMAIL", "mail 4"] {
        let search = ("tool_search", json!({"queries": [query, query, query]}));
        let agent = Agent::builder(calling(vec![vec![search.clone()], vec![search]]))
            .repertoire(tools())
            .build()
            .unwrap();
        let mut conversation = Conversation::new();
        agent.run_in(&mut conversation, "go").await.unwrap();
        let results = results(&conversation);
        assert!(results[0].loads().len() > 1, "{query}");
        let note = results[1].output().to_text();
        assert_eq!(note.matches("already loaded").count(), 1, "{note}");
    }
}

#[tokio::test]
async fn no_limit_is_a_limit_too() {
    let model = Script::new(Anthropic::new("m"))
        .rule(Rule::call("tool_search", json!({"queries": ["crm"]})))
        .rule(Rule::say("done"));
    let agent = Agent::builder(model)
        .repertoire(tools())
        .extensions([ToolSearch::new()
            .form(CatalogForm::Groups)
            .limit(usize::MAX)
            .into()])
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "go").await.unwrap();
    let loaded: Vec<String> = agent
        .loaded(&conversation)
        .into_iter()
        .map(|loaded| loaded.tool)
        .collect();
    assert_eq!(loaded, ["contact_get", "contact_list"]);
}

//! `strict` is true, or it is an error.

use repertoire::{
    Agent, Error, Responses, Tool, ToolSchema, Toolset, testing::Script, tool, toolset::RuntimeTool,
};
use serde_json::json;

/// A node.
#[derive(serde::Deserialize, ToolSchema)]
#[allow(dead_code)]
struct Node {
    /// What it says.
    #[schema(max_len = 10, pattern = "^a")]
    text: String,
    kids: Vec<Node>,
    next: Option<Box<Node>>,
    kind: Kind,
}

/// A sort of node.
#[derive(serde::Deserialize, ToolSchema)]
#[allow(dead_code)]
enum Kind {
    Plain,
    Sized { size: u8 },
}

/// Strict mode can say recursion, options, limits and choices: this compiles.
#[tool(strict, allow(undocumented))]
fn strict_tree(node: Node, more: Option<&[Node]>, #[arg(default = 3)] depth: u8) {
    let _ = (node, more, depth);
}

#[test]
fn a_strict_tool_says_so() {
    assert!(strict_tree::REGISTRATION.spec().strict);
}

#[test]
fn a_run_time_tool_that_does_not_fit_is_a_problem_of_the_build() {
    let tool = |name: &str, property: serde_json::Value| {
        let schema = json!({"type": "object", "properties": {"where": property}});
        RuntimeTool::new(name, "Says something.", schema, |_| async { Ok("".into()) })
    };
    let map =
        json!({"type": "object", "properties": {}, "additionalProperties": {"type": "string"}});
    let tools = Toolset::new()
        .with_tool(tool("loose", map.clone()))
        .with_tool(tool("fits", json!({"type": "string"})).strict())
        .with_tool(tool("map", json!({"type": "array", "items": map})).strict());
    let agent = Agent::builder(Script::new(Responses::new("m")))
        .repertoire(tools)
        .build();
    let Err(Error::Build(error)) = agent else {
        panic!("the map has to be refused");
    };
    let [problem] = error.problems() else {
        panic!("{error}");
    };
    assert!(
        problem.starts_with("tool `map` (tests/tools/strict.rs:"),
        "{problem}"
    );
    assert!(
        problem.ends_with(
            "`strict` asks for more than OpenAI's strict mode can say: `where[]` takes members of any \
             name, as a map does; change the schema, or take `strict` off"
        ),
        "{problem}"
    );
}

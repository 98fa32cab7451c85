//! Types of other crates, whose schema is that of `schemars`.

use repertoire::{
    Agent, Anthropic, Conversation, Toolset,
    conversation::Item,
    testing::{Act, Rule, Script},
    tool,
};
use serde_json::{Value, json};

/// Stands for a type of another crate: it has both derives and none of ours.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Shape {
    corners: Vec<Corner>,
    inner: Option<Box<Shape>>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Corner {
    x: u8,
}

/// Draw a shape.
#[tool]
fn draw(
    /// What to draw.
    #[arg(schemars)]
    shape: Shape,
    /// What to draw beside it.
    #[arg(schemars)]
    other: Option<Corner>,
    /// In what colour.
    colour: &str,
) -> String {
    let corners: u8 = shape.corners.iter().map(|corner| corner.x).sum();
    let inner = shape.inner.is_some();
    format!("{corners} {inner} {} {colour}", other.is_some())
}

/// Whether values of one sort and not of another fit what the model was sent.
fn fits(schema: &Value) -> Result<(), String> {
    let judge = jsonschema::validator_for(schema).map_err(|error| error.to_string())?;
    let good = json!({"shape": {"corners": [{"x": 1}], "inner": {"corners": []}}, "colour": "red"});
    let bad =
        json!({"shape": {"corners": [], "inner": {"corners": [{"x": "a"}]}}, "colour": "red"});
    if !judge.is_valid(&good)
        || judge.is_valid(&bad)
        || schema["required"] != json!(["shape", "colour"])
    {
        return Err(schema.to_string());
    }
    match schema["properties"]["other"]["description"].as_str() {
        Some("What to draw beside it.") => Ok(()),
        _ => Err(schema.to_string()),
    }
}

#[tokio::test]
async fn a_foreign_schema_is_put_in_and_its_values_are_taken() {
    let calls: Vec<(String, Value)> = [
        json!({"shape": {"corners": [{"x": 3}, {"x": 4}]}, "colour": "red"}),
        json!({"shape": {"corners": [{"x": 300}]}, "other": {"x": 1}, "colour": "red"}),
    ]
    .map(|call| ("draw".to_owned(), call))
    .into();
    let model = Script::new(Anthropic::new("m"))
        .rule(
            Rule::new("call", move |_| Act::Call(calls.clone())).when(|seen| {
                if !seen.calls().is_empty() {
                    return Err("called".to_owned());
                }
                fits(seen.tool("draw").ok_or("no tool")?.schema())
            }),
        )
        .rule(Rule::say("done"));
    let agent = Agent::builder(model)
        .repertoire(Toolset::new().with::<draw>())
        .build()
        .unwrap();
    let mut conversation = Conversation::new();
    agent.run_in(&mut conversation, "draw").await.unwrap();
    let Item::Results(results) = &conversation.items()[2] else {
        panic!("{conversation:?}");
    };
    let texts: Vec<String> = results
        .iter()
        .map(|result| result.output().to_text())
        .collect();
    assert_eq!(texts[0], "7 false false red");
    assert!(
        texts[1].contains("invalid value: integer `300`, expected u8"),
        "{}",
        texts[1]
    );
}

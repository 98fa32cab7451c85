//! What the model is shown.

use repertoire::{
    Agent, Responses, Toolset,
    testing::{self, Script, SurfaceError},
    toolset::RuntimeTool,
};
use serde_json::{Value, json};

use super::message;

fn shop(description: &str) -> Agent {
    let schema = json!({
        "type": "object",
        "properties": {"sku": {"type": "string"}, "size": {"enum": ["s", "m"]}},
        "required": ["sku"],
    });
    let tool = |name, text: &str, schema: &Value| {
        RuntimeTool::new(name, text, schema.clone(), |_| async { Ok("".into()) })
    };
    let tools = Toolset::new()
        .with_tool(tool(
            "clock",
            "Tells the time.",
            &json!({"type": "object", "properties": {}}),
        ))
        .with_tool(
            tool("stock", description, &schema)
                .deferred()
                .group("shop")
                .strict(),
        );
    Agent::builder(Script::new(Responses::new("m")))
        .repertoire(tools)
        .instructions("Be brief.")
        .build()
        .unwrap()
}

#[test]
fn the_surface_is_what_was_reviewed() {
    repertoire::assert_surface!(shop("Looks up the stock."), "testing/shop.surface");
}

#[test]
fn a_change_of_the_surface_is_named() {
    let folder = std::env::temp_dir().join(format!("repertoire-surface-{}", std::process::id()));
    let file = folder.join("deep/shop.surface");
    let agent = shop("Looks up the stock.");
    let missing = testing::check_surface(&agent, &file).unwrap_err();
    assert!(matches!(missing, SurfaceError::Missing(_)));
    assert!(
        missing.to_string().contains("REPERTOIRE_UPDATE=1"),
        "{missing}"
    );

    testing::write_surface(&agent, &file).unwrap();
    testing::check_surface(&agent, &file).unwrap();
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, written.replace('\n', "\r\n")).unwrap();
    testing::check_surface(&agent, &file).unwrap();

    let changed = testing::check_surface(&shop("Looks up the stock of a product."), &file);
    let text = changed.unwrap_err().to_string();
    for line in [
        "deferred tool stock: has changed\n    description\n-     Looks up the stock.\n+     Looks up the stock of a product.\n    group\n",
        "search tool tool_search: has changed\n",
        "-     - stock: Looks up the stock.\n+     - stock: Looks up the stock of a product.\n",
        "run the test with REPERTOIRE_UPDATE=1 and commit the file",
    ] {
        assert!(text.contains(line), "{line:?} is not in:\n{text}");
    }
    assert!(
        !text.contains("clock"),
        "what is the same is not shown:\n{text}"
    );

    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let unreadable = testing::check_surface(&agent, &file).unwrap_err();
    assert!(
        matches!(unreadable, SurfaceError::Unreadable(..)),
        "{unreadable}"
    );
    if std::env::var_os("REPERTOIRE_UPDATE").is_none() {
        let text = message(|| repertoire::assert_surface!(agent, "testing/none.surface"));
        let start = "there is no `testing/none.surface` to compare";
        assert!(text.starts_with(start), "{text}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

//! The packages that are compared.

use std::{fmt::Write as _, fs, path::Path};

/// A package as text.
pub(crate) struct Package {
    pub(crate) name: &'static str,
    dependencies: String,
    main: String,
}

impl Package {
    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<()> {
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{}\n\
             [profile.release]\nstrip = true\n\n[workspace]\n",
            self.name, self.dependencies
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), &self.main)
    }
}

/// Ours, schemars, serde alone, in this order.
pub(crate) fn all(tools: usize) -> [Package; 3] {
    let serde = "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\n";
    [
        ours(tools, serde),
        schemars(tools, serde),
        plain(tools, serde),
    ]
}

fn ours(tools: usize, serde: &str) -> Package {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    let mut main =
        String::from("use repertoire::{Tool, ToolSchema, tool, tool::{Invocation, States}};\n");
    for tool in 0..tools {
        types(&mut main, tool, "serde::Deserialize, ToolSchema");
        let _ = writeln!(
            main,
            "/// Plans trip number {tool}.\n#[tool]\nfn plan{tool}(\n    /// What to plan.\n    trip: Trip{tool},\n) -> String {{ {} }}",
            body(tool)
        );
    }
    let list: String = (0..tools)
        .map(|tool| format!("plan{tool}::REGISTRATION, "))
        .collect();
    let _ = write!(
        main,
        "fn main() {{
    let tools = [{list}];
    let states = States::new();
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut answers = 0;
    for tool in tools {{
        assert!(tool.spec().schema.len() > 100);
        let arguments = format!(\"{{{{\\\"trip\\\":{{}}}}}}\", {JSON:?});
        let mut call = (tool.call())(Invocation::new(&arguments, &states));
        if let std::task::Poll::Ready(Ok(output)) = call.as_mut().poll(&mut context) {{
            answers += usize::from(output.to_text() == {ANSWER:?});
        }}
    }}
    println!(\"{{answers}} answers\");
}}\n"
    );
    Package {
        name: "ours",
        dependencies: format!(
            "repertoire = {{ path = {:?}, default-features = false, features = [\"link\"] }}\n{serde}",
            runtime
        ),
        main,
    }
}

fn schemars(tools: usize, serde: &str) -> Package {
    let mut main =
        String::from("use std::sync::LazyLock;\nuse schemars::{JsonSchema, Schema, schema_for};\n");
    for tool in 0..tools {
        types(&mut main, tool, "serde::Deserialize, JsonSchema");
        let _ = writeln!(
            main,
            "/// Plans trip number {tool}.\nfn plan{tool}(trip: Trip{tool}) -> String {{ {} }}\n\
             fn call{tool}(arguments: &str) -> Result<String, String> {{\n    \
             serde_json::from_str(arguments).map(plan{tool}).map_err(|error| error.to_string())\n}}\n\
             static SCHEMA{tool}: LazyLock<Schema> = LazyLock::new(|| schema_for!(Trip{tool}));",
            body(tool)
        );
    }
    let list: String = (0..tools)
        .map(|tool| format!("(\"plan{tool}\", &SCHEMA{tool}, call{tool} as Call), "))
        .collect();
    main.push_str(&run(
        "type Call = fn(&str) -> Result<String, String>;\nstatic TOOLS: &[(&str, &LazyLock<Schema>, Call)] =",
        &list,
        "(_, schema, call)",
        "assert!(serde_json::to_string(&***schema).unwrap().len() > 100);",
    ));
    Package {
        name: "schemars",
        dependencies: format!("schemars = \"1.2\"\n{serde}"),
        main,
    }
}

fn plain(tools: usize, serde: &str) -> Package {
    let mut main = String::new();
    for tool in 0..tools {
        types(&mut main, tool, "serde::Deserialize");
        let _ = writeln!(
            main,
            "fn plan{tool}(trip: Trip{tool}) -> String {{ {} }}\n\
             fn call{tool}(arguments: &str) -> Result<String, String> {{\n    \
             serde_json::from_str(arguments).map(plan{tool}).map_err(|error| error.to_string())\n}}",
            body(tool)
        );
    }
    let list: String = (0..tools)
        .map(|tool| format!("(\"plan{tool}\", call{tool} as Call), "))
        .collect();
    main.push_str(&run(
        "type Call = fn(&str) -> Result<String, String>;\nstatic TOOLS: &[(&str, Call)] =",
        &list,
        "(_, call)",
        "",
    ));
    Package {
        name: "serde",
        dependencies: serde.to_owned(),
        main,
    }
}

fn run(table: &str, list: &str, pattern: &str, look: &str) -> String {
    format!(
        "{table} &[{list}];\nfn main() {{
    let mut answers = 0;
    for {pattern} in TOOLS {{
        {look}
        answers += usize::from(call({JSON:?}).is_ok_and(|answer| answer == {ANSWER:?}));
    }}
    println!(\"{{answers}} answers\");
}}\n"
    )
}

const JSON: &str = r#"{"place":"Rome","when":{"start":"2026-05-01","days":3},"pace":"slow"}"#;
const ANSWER: &str = "Rome from 2026-05-01, 3 days, 0 people, slow true";

fn body(tool: usize) -> String {
    "format!(\"{} from {}, {} days, {} people, slow {}\", trip.place, trip.when.start, trip.when.days, \
     trip.people.unwrap_or(0), matches!(trip.pace, Pace@::Slow))"
        .replace('@', &tool.to_string())
}

/// A struct that holds a struct and an enum.
fn types(main: &mut String, tool: usize, derives: &str) {
    let text = "
/// A trip.
#[derive(DERIVES)]
struct Trip@ {
    /// The place to go to.
    place: String,
    /// When to go.
    when: Window@,
    /// How fast to go.
    pace: Pace@,
    /// How many people go.
    people: Option<u32>,
}
/// A span of days.
#[derive(DERIVES)]
struct Window@ {
    /// The first day.
    start: String,
    /// How many days.
    days: u16,
}
/// A way to travel.
#[derive(DERIVES)]
#[serde(rename_all = \"snake_case\")]
enum Pace@ {
    /// With breaks.
    Slow,
    /// Without.
    Fast,
}
";
    main.push_str(
        &text
            .replace("DERIVES", derives)
            .replace('@', &tool.to_string()),
    );
}

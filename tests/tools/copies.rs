//! A package of the edition before, which names the crate otherwise and has two copies of one library
//! of tools: Cargo takes them for two crates, since they come from two places.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

#[allow(dead_code)] // what the test of embedding needs
#[path = "../embedding/project.rs"]
mod project;

use project::Project;

/// The program: it prints what comes of the tools of this package and of others.
const PROGRAM: &str = r#"
use rp::{Agent, Repertoire, Responses, ToolSchema, testing::Script, tool, toolbox};

/// Where something goes.
#[derive(serde::Deserialize, ToolSchema)]
pub struct Place {
    /// What it is called.
    pub name: String,
}

/// Plan a trip.
#[tool]
fn plan(
    /// Where it goes.
    #[cfg(all())]
    to: Place,
) -> String {
    to.name
}

pub struct Desk;

#[toolbox]
impl Desk {
    /// Ring the bell of the desk.
    #[tool(unlinked)]
    fn ring(&self) {}
}

fn report(name: &str, tools: Repertoire) {
    let mut names: Vec<String> = tools.tools().names().map(str::to_owned).collect();
    names.sort();
    let built = Agent::builder(Script::new(Responses::new("model"))).repertoire(tools).build();
    let outcome = match built {
        Ok(_) => "is fine".to_owned(),
        Err(error) => error.to_string().replace('\n', " "),
    };
    println!("{name}: {}: {outcome}", names.join(" "));
}

fn main() {
    let _ = (plan as fn(Place) -> String, Desk::ring);
    report("own", rp::linked!());
    report("both", rp::linked!(plug));
    report("picked", Repertoire::from(rp::Toolset::new().with::<newer::stock>().with::<plug::older>()));
    report("twice", Repertoire::from(rp::Toolset::new().with::<newer::stock>().with::<plug::stock>()));
}
"#;

fn library(project: &Project, folder: &str, version: &str, own: &str) {
    project.write(
        &format!("{folder}/Cargo.toml"),
        &format!(
            "[package]\nname = \"plug\"\nversion = \"{version}\"\nedition = \"2021\"\n\n[dependencies]\n\
             repertoire = {{ version = \"0.1\", default-features = false, features = [\"link\"] }}\n"
        ),
    );
    project.write(
        &format!("{folder}/src/lib.rs"),
        &format!(
            "use repertoire::tool;\n\n/// Look up the stock of a product.\n#[tool]\npub fn stock() {{}}\n\n\
             /// Do what this copy alone does.\n#[tool]\npub fn {own}() {{}}\n"
        ),
    );
}

#[test]
fn two_copies_of_a_library_are_told_apart() {
    let project = Project::new("two-copies", false);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"two-copies\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n\
             rp = {{ package = \"repertoire\", version = \"0.1\", default-features = false, features = [\"link\"] }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\n\
             plug = {{ path = \"old\" }}\nnewer = {{ package = \"plug\", path = \"new\" }}\n{}",
            Project::patch().replace("[workspace]", "[workspace]\nexclude = [\"old\", \"new\"]")
        ),
    );
    library(&project, "old", "0.1.0", "older");
    library(&project, "new", "0.1.1", "latest");
    project.write("src/main.rs", PROGRAM);
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    assert_eq!(build.warnings, Vec::<String>::new());
    let said = project.run();
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.first(), Some(&"own: plan: is fine"));
    let both = said.get(1).unwrap();
    assert!(
        both.starts_with("both: latest older stock stock: "),
        "{both}"
    );
    // Both places are named, and nothing else is wrong; the linker's order is not stable.
    let is_clash = |text: &str| {
        let places = ["old/src/lib.rs:5", "new/src/lib.rs:5"];
        text.contains("2 tools are named `stock`: ")
            && places.iter().all(|place| text.contains(place))
            && text.matches("src/lib.rs").count() == 2
    };
    assert!(is_clash(both), "{both}");
    assert_eq!(said.get(2), Some(&"picked: older stock: is fine"));
    assert!(is_clash(said.get(3).unwrap()), "{said:?}");
}

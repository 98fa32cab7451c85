//! A package of the edition before, which names the crate otherwise and has two copies of one library
//! of tools: Cargo takes them for two crates, since they come from two places.
#![allow(clippy::unwrap_used)] // a test may stop at the first surprise, in its helpers too

#[allow(dead_code)] // what the test of embedding needs
#[path = "../embedding/project.rs"]
mod project;

use std::{fs, path::Path};

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

/// Copies what Cargo needs of a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// A library that was built with another version of this crate registers its tools there. That is no
/// silence: the set is empty, and says why that may be.
#[test]
fn a_library_with_another_version_of_this_crate_is_told() {
    let project = Project::new("two-versions", false);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let other = Path::new(env!("CARGO_TARGET_TMPDIR")).join("two-versions/other");
    for folder in ["macros", "runtime", "skillmd"] {
        copy(&repository.join(folder), &other.join(folder));
    }
    let manifest = fs::read_to_string(repository.join("Cargo.toml")).unwrap();
    let manifest = manifest
        .replace("version = \"0.1.0\"", "version = \"0.1.1\"")
        .replace("version = \"=0.1.0\"", "version = \"=0.1.1\"")
        .replace(", \"examples\", \"tests\"]", "]");
    project.write("other/Cargo.toml", &manifest);
    project.write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"two-versions\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             repertoire = {{ version = \"=0.1.0\", default-features = false, features = [\"link\"] }}\n\
             plug = {{ path = \"plug\" }}\n{}",
            Project::patch().replace("[workspace]", "[workspace]\nexclude = [\"plug\", \"other\"]")
        ),
    );
    project.write(
        "plug/Cargo.toml",
        "[package]\nname = \"plug\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         repertoire = { path = \"../other/runtime\", default-features = false, features = [\"link\"] }\n",
    );
    project.write(
        "plug/src/lib.rs",
        "/// Look up the stock of a product.\n#[repertoire::tool]\npub fn stock() {}\n",
    );
    project.write(
        "src/main.rs",
        "use repertoire::{Agent, Responses, testing::Script};\n\n\
         fn main() {\n    let model = Script::new(Responses::new(\"model\"));\n    \
         let built = Agent::builder(model).repertoire(repertoire::linked!(plug)).build();\n    \
         println!(\"{}\", built.err().map_or_else(String::new, |error| error.to_string()));\n}\n",
    );
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    let said = project.run();
    assert!(
        said.contains("`linked!(plug)` found no tool and no skill"),
        "{said}"
    );
    assert!(
        said.contains("with another version of it (`cargo tree -d` lists both)"),
        "{said}"
    );
    assert_eq!(said.matches("\n- ").count(), 1, "{said}");
}

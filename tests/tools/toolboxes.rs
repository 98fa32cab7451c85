//! Methods as tools.

use repertoire::{
    tool::{Invocation, Registration, States, Toolbox},
    toolbox,
};

struct Repo {
    name: String,
}

#[toolbox(prefix = "repo_")]
impl Repo {
    const LIMIT: Self = Self {
        name: String::new(),
    };

    /// Search the code.
    #[tool(deferred)]
    async fn search(
        &self,
        /// What to look for.
        query: &str,
        /// How to look.
        #[arg(default = 3)]
        depth: u8,
    ) -> Result<String, std::fmt::Error> {
        self.helper();
        Ok(format!("{query} in {} to {depth}", self.name))
    }

    #[allow(dead_code)]
    fn helper(&self) -> usize {
        let name = { &self.name };
        name.len()
    }

    /// Say the version.
    #[repertoire::tool(name = "version")]
    pub(crate) fn version() -> &'static str {
        "1.0"
    }

    /// Compare with another.
    #[tool(unlinked, allow(undocumented))]
    fn same(&self, other: &Self, #[state] limit: &u8) -> bool {
        self.name == other.name && *limit > 0
    }

    /// Not for this system.
    #[cfg(any())]
    #[tool]
    fn elsewhere(&self) {}
}

impl<'de> serde::Deserialize<'de> for Repo {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(Repo { name })
    }
}

impl repertoire::ToolSchema for Repo {
    const SCHEMA: repertoire::tool::Schema = repertoire::tool::Schema::STRING;
}

async fn call(tool: &Registration, arguments: &str) -> String {
    let mut states = States::new();
    states.insert(Repo {
        name: "here".to_owned(),
    });
    states.insert(1_u8);
    let output = (tool.call())(Invocation::new(arguments, &states)).await;
    output.unwrap().to_text()
}

#[tokio::test]
async fn methods_are_tools() {
    let names: Vec<&str> = Repo::TOOLS.iter().map(|tool| tool.spec().name).collect();
    assert_eq!(names, ["repo_search", "version", "repo_same"]);
    let [search, version, same] = Repo::TOOLS else {
        unreachable!()
    };
    assert!(search.spec().deferred);
    assert_eq!(search.spec().states[0].name, "Repo");
    let answer = call(search, r#"{"query":"fn main"}"#).await;
    assert_eq!(answer, "fn main in here to 3");
    assert_eq!(call(version, "").await, "1.0");
    assert_eq!(call(same, r#"{"other":"here"}"#).await, "true");
    assert_eq!(Repo::LIMIT.helper(), 0);
    assert_eq!(Repo::version(), "1.0");
}

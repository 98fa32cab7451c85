//! Folders of skills, and a model that reads them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use repertoire::{
    Agent, Anthropic, Conversation, Event, Skills,
    agent::Extension,
    conversation::{Item, ToolResult},
    testing::{Act, Rule, Script, Scriptable},
};
use repertoire_tests::warehouse;
use serde_json::Value;

/// A folder of skills that is written anew for each test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("skills")
            .join(name);
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Self(root)
    }

    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub(crate) fn skill(&self, path: &str, extra: &str, body: &str) -> &Self {
        let name = path.rsplit('/').next().unwrap();
        self.write(
            &format!("{path}/SKILL.md"),
            format!(
                "---\nname: {name}\ndescription: Helps with {name}. Use when asked.\n{extra}---\n{body}\n"
            ),
        )
    }

    pub(crate) fn load(&self) -> Skills {
        Skills::from_roots([&self.0])
    }
}

/// Lets a model make these calls, one a step, and returns the results.
pub(crate) async fn read<P: Scriptable>(
    protocol: P,
    skills: Skills,
    extensions: Vec<Box<dyn Extension>>,
    calls: Vec<(&str, Value)>,
) -> (Vec<ToolResult>, Vec<String>, Vec<Event>) {
    let calls: Vec<(String, Value)> = calls.into_iter().map(|(n, a)| (n.to_owned(), a)).collect();
    let left = Mutex::new(calls.into_iter());
    let model = Arc::new(Script::new(protocol).rule(Rule::new("next", move |_| {
        match left.lock().unwrap().next() {
            Some((name, arguments)) => Act::call(name, arguments),
            None => Act::Say("done".to_owned()),
        }
    })));
    let mut builder = Agent::builder(Arc::clone(&model))
        .repertoire(skills)
        .repertoire(warehouse(&Arc::default()));
    if !extensions.is_empty() {
        builder = builder.extensions(extensions);
    }
    let agent = builder.build().unwrap();
    let mut conversation = Conversation::new();
    let reply = agent.run_in(&mut conversation, "go").await.unwrap();
    let results = conversation.items().iter().filter_map(|item| match item {
        Item::Results(results) => Some(results.clone()),
        _ => None,
    });
    (
        results.flatten().collect(),
        model.bodies(),
        reply.events().to_vec(),
    )
}

pub(crate) async fn read_simply(skills: Skills, calls: Vec<(&str, Value)>) -> Vec<ToolResult> {
    read(Anthropic::new("m"), skills, Vec::new(), calls).await.0
}

pub(crate) fn text(result: &ToolResult) -> String {
    result.output().to_text()
}

pub(crate) fn system(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap();
    body["system"].as_str().unwrap_or_default().to_owned()
}

//! A folder of a test's own.

use std::{
    fs,
    path::{Path, PathBuf},
};

use repertoire::{
    Conversation, conversation::ConversationStore, durable::DurableStore, once::OnceStore,
};

/// A folder of a test's own, removed with it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let name = format!("repertoire-durable-{}-{test}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.0.join("agent.store")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens the file and does a little of everything.
pub(crate) async fn use_it(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let store = DurableStore::open(path)?;
    for key in ["a", "b", "new"] {
        store.begin(key, 0, 100).await?;
        store.finish(key, &"x".into()).await?;
    }
    for id in store.ids()? {
        store.load(&id)?;
    }
    store
        .save(&Conversation::new().with_id("another"))
        .await
        .map_err(Into::into)
}

//! Where conversations are kept.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Conversation, LoadError};
use crate::maybe_send::{BoxFuture, MaybeSend, MaybeSync};

/// Keeps conversations, so that another process can go on with them.
pub trait ConversationStore: MaybeSend + MaybeSync + 'static {
    /// Keeps a conversation in the place of an earlier state of it.
    ///
    /// # Errors
    /// It could not be written. The run ends; the conversation in memory is complete.
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, io::Result<()>>;
}

/// Keeps each conversation in a file of its own in one folder, named by its identifier.
///
/// A file is replaced as a whole and written through to the disk first, so that a crash leaves the
/// old state or the new one and never half of one.
///
/// ```no_run
/// use repertoire::conversation::FileStore;
///
/// let store = FileStore::new("conversations");
/// let conversation = store.load("42")?;
/// # Ok::<(), repertoire::conversation::FileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileStore {
    folder: PathBuf,
}

/// Why a conversation could not be read from its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read.
    #[error("the conversation cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file holds no conversation.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl FileStore {
    /// A store in this folder, which is made when it is first needed.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// The conversation of that identifier.
    ///
    /// # Errors
    /// There is none, or its file cannot be read.
    pub fn load(&self, id: &str) -> Result<Conversation, FileError> {
        Ok(Conversation::from_json(&fs::read_to_string(
            self.path(id),
        )?)?)
    }

    /// The file of a conversation. An identifier never leads out of the folder.
    fn path(&self, id: &str) -> PathBuf {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let mut name = String::new();
        for c in id.chars() {
            if plain(c) {
                name.push(c);
            } else {
                name.push_str(&format!("%{:x}", u32::from(c)));
            }
        }
        self.folder.join(format!("{name}.json"))
    }

    fn write(&self, conversation: &Conversation) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.path(conversation.id());
        let fresh = path.with_extension("json.new");
        let mut file = File::create(&fresh)?;
        file.write_all(conversation.to_json().as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&fresh, &path)?;
        sync_folder(&self.folder)
    }
}

impl ConversationStore for FileStore {
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, io::Result<()>> {
        let written = self.write(conversation);
        Box::pin(std::future::ready(written))
    }
}

/// Writes through to the disk that a file has a new name.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems cannot open a folder; there the rename itself has to do.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

//! Where conversations are kept.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Once,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{Conversation, LoadError};
use crate::maybe_send::{BoxFuture, MaybeSend, MaybeSync};

/// How the name of a file ends that is being written.
const FRESH: &str = ".new";
/// After this time whoever was writing such a file is no longer there.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);
/// The most bytes of a name, less than any file system allows.
const LONGEST_NAME: usize = 200;

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
/// old state or the new one and never half of one. Half a file that a killed process left is removed
/// an hour later, with the first conversation that another store saves there.
///
/// A save takes the thread that polls the run for as long as the disk takes. On systems with users, the files
/// and the folder that are made are for their owner alone: what was said is in them.
///
/// An identifier never becomes a path: in a file's name everything but `a-z 0-9 - _` is written as
/// the hexadecimal numbers of its bytes, so that `a/b`, `A` and `a` are three files on every system.
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
    /// Whether the folder was looked through for what killed processes left.
    cleaned: Arc<Once>,
}

/// Why a conversation could not be read from its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read.
    #[error("the conversation `{id}` cannot be read from `{}`: {error}", file.display())]
    #[non_exhaustive]
    Io {
        /// The conversation that was asked for.
        id: String,
        /// Its file; the folder where the identifier can be no file's name.
        file: PathBuf,
        /// What the system said. Of the kind `NotFound` where there is no such conversation.
        #[source]
        error: io::Error,
    },
    /// The file holds no conversation.
    #[error("`{}`: {error}", file.display())]
    #[non_exhaustive]
    Load {
        /// The file.
        file: PathBuf,
        /// What is wrong with what is in it.
        #[source]
        error: LoadError,
    },
    /// The file was given the name of another conversation.
    #[error(
        "the file of the conversation `{asked}` holds the conversation `{found}`; give it back its \
         name, or change the `id` in it"
    )]
    Other {
        /// The conversation that was asked for.
        asked: String,
        /// The conversation that is there.
        found: String,
    },
}

impl FileStore {
    /// A store in this folder, which is made when it is first needed.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder: PathBuf = folder.into();
        let is_here = folder.as_os_str().is_empty();
        Self {
            folder: if is_here { ".".into() } else { folder },
            cleaned: Arc::new(Once::new()),
        }
    }

    /// The conversation of that identifier. A file that names none gets it.
    ///
    /// # Errors
    /// There is none, its file cannot be read, or another one is in it.
    pub fn load(&self, id: &str) -> Result<Conversation, FileError> {
        let unread = |file: &Path, error| FileError::Io {
            id: id.to_owned(),
            file: file.to_owned(),
            error,
        };
        let name = file_name(id).map_err(|error| unread(&self.folder, error))?;
        let file = self.folder.join(name);
        let text = fs::read_to_string(&file).map_err(|error| unread(&file, error))?;
        let conversation = match Conversation::read(&text, Some(id)) {
            Ok(conversation) => conversation,
            Err(error) => return Err(FileError::Load { file, error }),
        };
        if conversation.id() == id {
            return Ok(conversation);
        }
        Err(FileError::Other {
            asked: id.to_owned(),
            found: conversation.id().to_owned(),
        })
    }

    fn write(&self, conversation: &Conversation) -> io::Result<()> {
        let text = serde_json::to_string(conversation)?;
        let name = file_name(conversation.id())?;
        let path = self.folder.join(&name);
        self.write_to(&path, &name, &text).map_err(|error| {
            let what = format!("`{}` cannot be written: {error}", path.display());
            io::Error::new(error.kind(), what)
        })
    }

    fn write_to(&self, path: &Path, name: &str, text: &str) -> io::Result<()> {
        make_folder(&self.folder)?;
        self.cleaned.call_once(|| clean(&self.folder));
        let fresh = self.folder.join(fresh_name(name));
        let written = self.replace(&fresh, path, text);
        if written.is_err() {
            // What could not be written completely is of no use to anybody.
            let _ = fs::remove_file(&fresh);
        }
        written
    }

    fn replace(&self, fresh: &Path, path: &Path, text: &str) -> io::Result<()> {
        let mut file = private(OpenOptions::new().write(true).create_new(true)).open(fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(fresh, path)?;
        sync_folder(&self.folder)
    }
}

impl ConversationStore for FileStore {
    fn save<'a>(&'a self, conversation: &'a Conversation) -> BoxFuture<'a, io::Result<()>> {
        Box::pin(async move { self.write(conversation) })
    }
}

/// The name of a conversation's file, different for different identifiers on every file system.
fn file_name(id: &str) -> io::Result<String> {
    let mut name = String::new();
    for byte in id.bytes() {
        if matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_') {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02x}"));
        }
    }
    if name.is_empty() || is_device(&name) {
        // Not a number of a byte, so no other identifier is written so.
        name.insert_str(0, "%-");
    }
    if name.len() > LONGEST_NAME {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!(
                "the identifier of the conversation takes {} bytes as a file name and may take \
                 {LONGEST_NAME}; give the conversation a shorter one",
                name.len()
            ),
        ));
    }
    name.push_str(".json");
    Ok(name)
}

/// Whether Windows means a device by that name, whatever ending it has.
fn is_device(name: &str) -> bool {
    let numbered = |kind| {
        let number = name.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit())
    };
    matches!(name, "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// A name that no other writer has, in this process or in another.
fn fresh_name(name: &str) -> String {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    // Where there are no processes, there are no others either.
    let process = if cfg!(target_family = "wasm") {
        0
    } else {
        std::process::id()
    };
    format!("{name}.{process}-{number}{FRESH}")
}

/// Makes a folder, and sees to it that it is there after a crash.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // As many of them as were there before are written once more, which does no harm.
    for parent in folder.ancestors().skip(1) {
        let is_here = parent.as_os_str().is_empty();
        let parent = if is_here { Path::new(".") } else { parent };
        // A folder further up may belong to somebody else, and then was there before.
        let _ = sync_folder(parent);
    }
    Ok(())
}

/// A conversation holds all that was said, secrets among it, so nobody but the user who runs the program
/// may read a file that is made.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Removes what killed processes left. That it cannot be removed keeps nobody from working.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.ends_with(FRESH) && name.contains(".json."));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|age| age > FORGOTTEN) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes through to the disk that a file has a new name.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Other systems cannot open a folder; there the rename itself has to do.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, path::Path};

    use super::{file_name, fresh_name};

    #[test]
    fn a_name_is_one_part_of_a_path_and_nobody_elses() {
        let ids = [
            "", ".", "..", "../x", "a/b", "a\\b", "A", "a", "%41", "a%2fb", "é", "\u{e9a}", "e9a",
            "con", "CON", "com1", "com", "com10", "nul", "%-", "x\0", "a.json", "C:", "-", "%",
        ];
        let names: HashSet<String> = ids.iter().map(|id| file_name(id).unwrap()).collect();
        assert_eq!(names.len(), ids.len(), "{names:?}");
        for name in &names {
            let parts = Path::new(name).components().count();
            assert_eq!(parts, 1, "{name}");
            assert!(
                name.is_ascii() && !name.contains(['/', '\\', ':', '\0']),
                "{name}"
            );
            assert_eq!(*name, name.to_ascii_lowercase());
            assert!(!name.starts_with('.'));
        }
        assert_eq!(file_name("0af-_").unwrap(), "0af-_.json");
        assert_eq!(file_name("con").unwrap(), "%-con.json");
        assert!(file_name(&"x".repeat(200)).is_ok());
        let error = file_name(&"é".repeat(100)).unwrap_err();
        assert!(error.to_string().contains("600 bytes"), "{error}");
    }

    #[test]
    fn each_writer_has_a_name_of_its_own() {
        assert_ne!(fresh_name("a"), fresh_name("a"));
    }
}

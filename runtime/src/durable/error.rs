//! Why a durable store cannot be used.

use std::io;

use crate::conversation::LoadError;

/// Why a durable store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DurableError {
    /// The file is open elsewhere, in this process or in another.
    #[error(
        "the store `{0}` is in use; within a process clone the open store, and give each process a \
         file of its own"
    )]
    InUse(String),
    /// The file was written by something else.
    #[error(
        "`{0}` is not a store of repertoire; name another file, which is made if it does not exist"
    )]
    Foreign(String),
    /// The file has a format that this version does not know: the path and the format.
    #[error("the store `{0}` has format version {1}, this version reads 1; update repertoire")]
    Version(String, u64),
    /// The file is damaged: the path and what was found. It is not read or written any more.
    #[error(
        "the store `{0}` is damaged ({1}); put back a copy of it, or move it away to start with an \
         empty one, which knows of no earlier call"
    )]
    Broken(String, String),
    /// The disk failed, or the file may not be read or written.
    #[error("the store `{0}` cannot be read or written: {1}")]
    Io(String, #[source] io::Error),
    /// The store holds no conversation there that this version can read.
    #[error(transparent)]
    Load(LoadError),
}

/// What the database says is wrong. Behind a pointer, since it is large and seldom there.
#[derive(Debug)]
pub(super) struct Fault(pub(super) Box<redb::Error>);

impl<E: Into<redb::Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(Box::new(error.into()))
    }
}

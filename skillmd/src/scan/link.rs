//! What an entry of a folder is, symbolic links seen through.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use crate::Kind;

pub(super) enum Target {
    /// A file of so many bytes.
    File(u64),
    Folder,
    /// A link to a file, with the file's real path and its size in bytes.
    LinkedFile(PathBuf, u64),
    /// A link to a folder, with the folder's real path.
    LinkedFolder(PathBuf),
    /// A socket, a pipe or a device.
    Other,
}

pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) message: String,
    pub(super) help: &'static str,
}

impl Fault {
    fn link(message: String, help: &'static str) -> Self {
        Self {
            kind: Kind::SymlinkRefused,
            message,
            help,
        }
    }

    fn unreadable(error: &std::io::Error) -> Self {
        Self {
            kind: Kind::Unreadable,
            message: format!("it cannot be read: {error}"),
            help: "check its permissions",
        }
    }
}

/// Sees through `entry` of the folder `parent`, a real path.
pub(super) fn resolve(entry: &DirEntry, parent: &Path, boundary: &Path) -> Result<Target, Fault> {
    let kind = entry
        .file_type()
        .map_err(|error| Fault::unreadable(&error))?;
    if kind.is_dir() {
        return Ok(Target::Folder);
    }
    if kind.is_file() {
        let metadata = entry
            .metadata()
            .map_err(|error| Fault::unreadable(&error))?;
        return Ok(Target::File(metadata.len()));
    }
    if !kind.is_symlink() {
        return Ok(Target::Other);
    }
    let real = fs::canonicalize(entry.path()).map_err(|error| {
        Fault::link(
            format!("the symbolic link leads nowhere: {error}"),
            "remove the link, or mend its target",
        )
    })?;
    if !real.starts_with(boundary) {
        let message = "the symbolic link leads out of the folder that links may stay in".to_owned();
        return Err(Fault::link(
            message,
            "copy the files into the skills folder",
        ));
    }
    let metadata = fs::metadata(&real).map_err(|error| Fault::unreadable(&error))?;
    if metadata.is_file() {
        return Ok(Target::LinkedFile(real, metadata.len()));
    }
    if !metadata.is_dir() {
        return Ok(Target::Other);
    }
    if parent.starts_with(&real) {
        return Err(Fault::link(
            "the symbolic link leads back to a folder above it".to_owned(),
            "remove the link",
        ));
    }
    Ok(Target::LinkedFolder(real))
}

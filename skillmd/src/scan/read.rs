//! Reads a file that a scan has found, or will find.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::{Path, PathBuf};

use super::ScanOptions;

impl ScanOptions {
    /// Reads the `SKILL.md` at `path` under the rules of a scan of `root`: the file is at most
    /// [`skill_bytes`](Self::skill_bytes) long, and no symbolic link on the way leads out of the
    /// [`boundary`](Self::boundary).
    ///
    /// ```
    /// use std::path::Path;
    /// use repertoire_skillmd::scan::ScanOptions;
    ///
    /// let root = Path::new("skills");
    /// let error = ScanOptions::new().read_skill(root, &root.join("pdf/SKILL.md")).unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    /// ```
    ///
    /// # Errors
    ///
    /// The file cannot be read, leads out of the boundary, is too long, or is no file: a pipe or a
    /// device is never opened, since reading it may take for ever.
    pub fn read_skill(&self, root: &Path, path: &Path) -> Result<Vec<u8>> {
        self.read(root, path, self.skill_bytes)
    }

    /// Reads another file of a skill, likewise, of at most [`file_bytes`](Self::file_bytes).
    ///
    /// # Errors
    ///
    /// Those of [`read_skill`](Self::read_skill).
    pub fn read_file(&self, root: &Path, path: &Path) -> Result<Vec<u8>> {
        self.read(root, path, self.file_bytes)
    }

    /// The real path that targets of links must lie in, for a scan of the real path `root`.
    pub(super) fn real_boundary(&self, root: &Path) -> PathBuf {
        let boundary = self.boundary.as_deref().unwrap_or(root);
        fs::canonicalize(boundary).unwrap_or_else(|_| boundary.to_owned())
    }

    fn read(&self, root: &Path, path: &Path, limit: u64) -> Result<Vec<u8>> {
        let real = fs::canonicalize(path)?;
        let root = (root, fs::canonicalize(root)?);
        if real != without_links(path, &root) && !real.starts_with(self.real_boundary(&root.1)) {
            return Err(refused("it is a link out of the skills' folder"));
        }
        // To open a pipe is to wait for who writes to it.
        if !fs::metadata(&real)?.is_file() {
            return Err(refused("it is no file"));
        }
        // From here on by the handle: what the path leads to may change at any time.
        let file = File::open(&real)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(refused("it is no file"));
        }
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        let read = bytes.len() as u64;
        if read > limit {
            let size = metadata.len().max(read);
            let why = format!("it has {size} bytes, and may have at most {limit}");
            return Err(refused(&why));
        }
        Ok(bytes)
    }
}

/// Where a path below `root` leads if no link is on the way. With the root comes its real path.
fn without_links(path: &Path, (root, real): &(&Path, PathBuf)) -> PathBuf {
    real.join(path.strip_prefix(root).unwrap_or(path))
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::InvalidInput, why)
}

//! Skills on disk.

use std::path::{Path, PathBuf};

use super::{ReadError, SkillFile, Skills};

impl Skills {
    /// x
    pub fn from_roots<P: Into<PathBuf>>(_roots: impl IntoIterator<Item = P>) -> Self {
        Self::new()
    }
}

pub(super) fn body(file: &Path) -> Result<String, ReadError> {
    std::fs::read_to_string(file).map_err(|error| ReadError::Changed(error.to_string()))
}

pub(super) fn text(folder: &Path, file: &SkillFile) -> Result<String, ReadError> {
    let bytes = std::fs::read(folder.join(&file.path))
        .map_err(|error| ReadError::Changed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| ReadError::NotText { size: file.size })
}

//! One skill on disk, read when it is asked for.

use std::path::{Path, PathBuf};

use repertoire_skillmd::{CheckOptions, Finding, Profile, check, scan::ScanOptions};

use super::{SkillFile, disk::findings_first};

/// Where a skill lies on disk.
#[derive(Clone, Debug)]
pub(super) struct OnDisk {
    pub(super) root: PathBuf,
    pub(super) folder: PathBuf,
    /// The folder's own name, which some profiles fall back to.
    pub(super) directory: String,
    pub(super) file: PathBuf,
    pub(super) profile: Profile,
    /// How it was found, and so what may be read of it.
    pub(super) limits: ScanOptions,
}

impl OnDisk {
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The path of the `SKILL.md`, absolute where the system can tell.
    pub(super) fn location(&self) -> String {
        let path = std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone());
        path.display().to_string()
    }

    /// The instructions as they are now, of the skill of that name.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub(super) fn body(&self, name: &str) -> Result<String, String> {
        let source = self.limits.read_skill(&self.root, &self.file);
        let source = source.map_err(|error| error.to_string())?;
        let options = CheckOptions::new()
            .profile(self.profile)
            .directory(&self.directory)
            .without_lints();
        let checked = check(&source, &options);
        match checked.skill() {
            Some(skill) if skill.name() == name => Ok(skill.body(&source).to_owned()),
            Some(skill) => Err(format!("it is that of a skill `{}` now", skill.name())),
            None => {
                let why = findings_first(checked.findings()).map(Finding::message);
                let why = why.unwrap_or("unknown fault");
                Err(format!("it is no longer valid: {why}"))
            }
        }
    }

    /// The bytes of a file of the skill's list as they are now.
    ///
    /// # Errors
    /// Why they cannot be had, in words.
    pub(super) fn bytes(&self, file: &SkillFile) -> Result<Vec<u8>, String> {
        let path = self.folder.join(file.path());
        let bytes = self.limits.read_file(&self.root, &path);
        bytes.map_err(|error| error.to_string())
    }
}

//! The files of a skill, to be found by path.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

pub(super) struct Files<'f> {
    list: &'f [&'f str],
    /// Files and the folders they lie in.
    exact: OnceCell<HashSet<&'f str>>,
    /// The same by their lower-case paths.
    folded: OnceCell<HashMap<String, &'f str>>,
}

pub(super) enum Found<'f> {
    Yes,
    /// In another case only.
    Otherwise(&'f str),
    No,
}

impl<'f> Files<'f> {
    pub(super) fn new(list: &'f [&'f str]) -> Self {
        Self {
            list,
            exact: OnceCell::new(),
            folded: OnceCell::new(),
        }
    }

    /// Whether there is a file of exactly this path, or, where there are many, a folder.
    pub(super) fn has(&self, path: &str) -> bool {
        const FEW: usize = 32;
        if self.list.len() <= FEW {
            self.list.contains(&path)
        } else {
            self.exact().contains(path)
        }
    }

    fn exact(&self) -> &HashSet<&'f str> {
        self.exact.get_or_init(|| {
            self.list
                .iter()
                .flat_map(|file| with_folders(file))
                .collect()
        })
    }

    /// Looks for a file or folder by its path within the skill; the skill's own folder is there.
    pub(super) fn find(&self, path: &str) -> Found<'f> {
        let exact = self.exact();
        if path.is_empty() || exact.contains(path) {
            return Found::Yes;
        }
        let folded = self.folded.get_or_init(|| {
            exact
                .iter()
                .map(|real| (real.to_lowercase(), *real))
                .collect()
        });
        match folded.get(&path.to_lowercase()) {
            Some(real) => Found::Otherwise(real),
            None => Found::No,
        }
    }
}

/// A file and every folder above it.
fn with_folders(file: &str) -> impl Iterator<Item = &str> {
    file.match_indices('/')
        .map(|(slash, _)| &file[..slash])
        .chain([file])
}

//! Skills in hidden folders: reported, never used.

use std::path::Path;

use super::{join, walk::Walk};
use crate::Kind;

impl Walk<'_> {
    /// Reports every `SKILL.md` in and below the hidden folder at `path`. Links are not followed.
    pub(super) fn report_hidden(&mut self, path: &str, real: &Path, depth: usize) {
        let mut todo = vec![(path.to_owned(), real.to_owned(), depth)];
        while let Some((at, real, depth)) = todo.pop() {
            if depth > self.options.depth || !self.count_folder(&at) {
                continue;
            }
            let Some(listing) = self.list(&at, &real) else {
                continue;
            };
            if listing
                .skill_file()
                .is_some_and(|file| file.path == "SKILL.md")
            {
                self.problem(
                    &join(&at, "SKILL.md"),
                    Kind::HiddenSkill,
                    format!("it lies in the hidden folder `{path}` and is passed over"),
                    "name the hidden folder itself as a folder of skills to use it",
                );
            }
            for name in listing.folders.iter().chain(&listing.hidden) {
                todo.push((join(&at, name), real.join(name), depth + 1));
            }
        }
    }
}

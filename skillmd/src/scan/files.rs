//! The files of a skill.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::walk::{Listing, RESOURCES, Walk};
use super::{File, Folder, join};
use crate::Kind;

/// Folders of a skill that are still to be listed: their path within the skill,
/// their real path, and how deep they lie below the skill.
#[derive(Default)]
struct Todo {
    folders: Vec<(String, PathBuf, usize)>,
    /// Links to folders. They come after what is really there, so that a folder is
    /// known by its own path, and by that of a link only where it lies elsewhere.
    links: Vec<(String, PathBuf, usize)>,
}

impl Todo {
    fn next(&mut self) -> Option<(String, PathBuf, usize)> {
        if self.folders.is_empty() {
            self.links.sort_by(|a, b| b.0.cmp(&a.0));
            self.folders.extend(self.links.pop());
        }
        self.folders.pop()
    }
}

impl Walk<'_> {
    /// Adds the skill in the folder `path`, with everything below it.
    pub(super) fn add_skill(&mut self, path: &str, real: &Path, listing: &Listing) {
        let directory = path.rsplit('/').next().unwrap_or(path).to_owned();
        self.add(path, real, listing, directory, |_| true);
    }

    /// Adds the skill that the scanned folder itself is. Beside other skills it owns
    /// the conventional folders; without any it is one skill, and owns everything.
    pub(super) fn add_own(&mut self, real: &Path, listing: &Listing) {
        let directory = real
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        if self.skills.is_empty() {
            self.groups.clear();
            self.problems
                .retain(|problem| problem.finding.kind != Kind::FlatSkillFile);
            self.add("", real, listing, directory, |_| true);
        } else {
            self.flat_files("", &listing.files);
            self.add("", real, listing, directory, |name| {
                RESOURCES.contains(&name)
            });
        }
    }

    fn add(
        &mut self,
        path: &str,
        real: &Path,
        listing: &Listing,
        directory: String,
        owns: impl Fn(&str) -> bool,
    ) {
        let Some(skill_file) = listing.skill_file().cloned() else {
            return;
        };
        let mut files = Vec::new();
        let mut todo = Todo::default();
        self.take(path, "", real, listing, 0, owns, (&mut files, &mut todo));
        // Several skills may link to one folder; within one skill it counts once.
        let mut seen = HashSet::new();
        while let Some((within, real, depth)) = todo.next() {
            let shown = join(path, &within);
            if depth > self.options.depth {
                let levels = self.options.depth;
                let message =
                    format!("files more than {levels} levels below their skill are not listed");
                self.problem(&shown, Kind::ScanLimit, message, "move the files up");
            } else if seen.insert(real.clone())
                && self.count_folder(&shown)
                && let Some(listing) = self.list(&shown, &real)
            {
                self.take(
                    path,
                    &within,
                    &real,
                    &listing,
                    depth,
                    |_| true,
                    (&mut files, &mut todo),
                );
            }
        }
        files.sort_by(|a: &File, b: &File| a.path.cmp(&b.path));
        let (file_name, bytes) = (skill_file.path, skill_file.bytes);
        self.skills.push(Folder {
            path: path.to_owned(),
            directory,
            file_name,
            files,
            bytes,
        });
    }

    /// Takes the files of one folder, and notes the folders below it.
    #[allow(
        clippy::too_many_arguments,
        reason = "a step of one loop, taken apart to be read"
    )]
    fn take(
        &mut self,
        path: &str,
        within: &str,
        real: &Path,
        listing: &Listing,
        depth: usize,
        owns: impl Fn(&str) -> bool,
        (files, todo): (&mut Vec<File>, &mut Todo),
    ) {
        if !within.is_empty() && listing.files.iter().any(|file| file.path == "SKILL.md") {
            let message = match path {
                "" => "it lies within another skill and is one of its files".to_owned(),
                path => format!("it lies within the skill at `{path}` and is one of its files"),
            };
            self.problem(
                &join(path, &join(within, "SKILL.md")),
                Kind::NestedSkill,
                message,
                "move the folder out of the other skill to make it a skill of its own",
            );
        }
        // Those of the scanned folder itself were reported by the walk.
        let hidden = if join(path, within).is_empty() {
            &[]
        } else {
            listing.hidden.as_slice()
        };
        for name in hidden {
            let shown = join(path, &join(within, name));
            self.report_hidden(&shown, &real.join(name), depth + 1);
        }
        for file in &listing.files {
            if self.count_file(path) && self.fits(&join(path, &join(within, &file.path)), file) {
                files.push(File {
                    path: join(within, &file.path),
                    bytes: file.bytes,
                });
            }
        }
        for name in listing.folders.iter().filter(|name| owns(name)) {
            todo.folders
                .push((join(within, name), real.join(name), depth + 1));
        }
        for (name, target) in listing.links.iter().filter(|(name, _)| owns(name)) {
            todo.links
                .push((join(within, name), target.clone(), depth + 1));
        }
    }

    fn count_file(&mut self, path: &str) -> bool {
        if self.full {
            return false;
        }
        self.files += 1;
        if self.files > self.options.files {
            self.full = true;
            let limit = self.options.files;
            let message = format!("there are more than {limit} files; the others are not listed");
            self.problem(
                path,
                Kind::ScanLimit,
                message,
                "move other data out of the skills folder",
            );
        }
        !self.full
    }

    fn fits(&mut self, shown: &str, file: &File) -> bool {
        let limit = self.options.file_bytes;
        if file.bytes > limit {
            let message = format!(
                "the file has {} bytes; files of more than {limit} are not listed",
                file.bytes
            );
            self.problem(
                shown,
                Kind::ScanLimit,
                message,
                "keep large data out of the skill",
            );
        }
        file.bytes <= limit
    }
}

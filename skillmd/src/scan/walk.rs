//! The walk over a folder.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::link::{self, Target};
use super::{File, Folder, Problem, Scan, ScanOptions, join};
use crate::Kind;

/// Folders that hold no skill of their own inside a skill.
pub(super) const RESOURCES: [&str; 3] = ["assets", "references", "scripts"];

/// Folders that never hold a skill for use, and may be very large.
const PASSED_OVER: [&str; 5] = [".git", ".hg", ".svn", "__pycache__", "node_modules"];

pub(super) struct Walk<'o> {
    pub(super) options: &'o ScanOptions,
    pub(super) root: PathBuf,
    /// The real path that targets of links must lie in.
    boundary: PathBuf,
    /// Real paths of the folders that were looked into.
    visited: HashSet<PathBuf>,
    directories: usize,
    pub(super) files: usize,
    /// Set when a limit of number was reached.
    pub(super) full: bool,
    pub(super) skills: Vec<Folder>,
    /// Folders, relative, that were looked into and hold no `SKILL.md` themselves.
    pub(super) groups: BTreeSet<String>,
    /// Links to folders, followed after everything that is really there.
    links: Vec<Pending>,
    pub(super) problems: Vec<Problem>,
    link_targets: Vec<PathBuf>,
    /// Folders that were not looked into, since they lie too deep.
    pub(super) unseen: Vec<String>,
    /// The scanned folder, when it is a skill itself.
    own: Option<(PathBuf, Listing)>,
}

struct Pending {
    path: String,
    real: PathBuf,
    depth: usize,
}

/// The entries of one folder, each list sorted.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<File>,
    pub(super) folders: Vec<String>,
    /// Folders whose names begin with a dot.
    pub(super) hidden: Vec<String>,
    /// Links to folders, with their targets.
    pub(super) links: Vec<(String, PathBuf)>,
    /// What stands in the place of a `SKILL.md` and is no file.
    pub(super) no_file: Option<&'static str>,
    /// Whether there is a `SKILL.md` that was refused, and reported as such.
    refused: bool,
}

impl Listing {
    /// The file that makes the folder a skill: `SKILL.md`, or one of that name in another case.
    pub(super) fn skill_file(&self) -> Option<&File> {
        let exact = self.files.iter().find(|file| file.path == "SKILL.md");
        exact.or_else(|| {
            self.files
                .iter()
                .find(|file| file.path.eq_ignore_ascii_case("SKILL.md"))
        })
    }
}

impl<'o> Walk<'o> {
    pub(super) fn new(root: &Path, options: &'o ScanOptions) -> Self {
        Self {
            options,
            root: root.to_owned(),
            boundary: options.real_boundary(root),
            visited: HashSet::new(),
            directories: 0,
            files: 0,
            full: false,
            skills: Vec::new(),
            groups: BTreeSet::new(),
            links: Vec::new(),
            problems: Vec::new(),
            link_targets: Vec::new(),
            unseen: Vec::new(),
            own: None,
        }
    }

    pub(super) fn run(mut self) -> Scan {
        match fs::canonicalize(&self.root) {
            Ok(real) if real.is_file() => self.root_is_file(),
            Ok(real) => self.look(String::new(), real, 0),
            Err(error) => {
                let message = format!("the folder cannot be read: {error}");
                self.problem(
                    "",
                    Kind::Unreadable,
                    message,
                    "check the path of the skills folder",
                );
            }
        }
        // A link may lead to further links.
        while !self.links.is_empty() {
            let mut links = std::mem::take(&mut self.links);
            links.sort_by(|a, b| a.path.cmp(&b.path));
            for Pending { path, real, depth } in links {
                self.look(path, real, depth);
            }
        }
        if let Some((real, listing)) = self.own.take() {
            self.add_own(&real, &listing);
        }
        self.skills.sort_by(|a, b| a.path.cmp(&b.path));
        self.empty_groups();
        self.problems.sort_by(|a, b| a.path.cmp(&b.path));
        self.link_targets.sort();
        self.link_targets.dedup();
        Scan {
            root: self.root,
            options: self.options.clone(),
            skills: self.skills,
            problems: self.problems,
            link_targets: self.link_targets,
        }
    }

    fn root_is_file(&mut self) {
        let is_skill = self.root.file_name().is_some_and(|name| name == "SKILL.md");
        let help = if is_skill {
            "name the folder that the file lies in"
        } else {
            "name the folder that holds the folders of the skills"
        };
        let message = "it is a file, and must be a folder of skills".to_owned();
        self.problem("", Kind::Unreadable, message, help);
    }

    /// Looks into a folder that is not part of a skill.
    fn look(&mut self, path: String, real: PathBuf, depth: usize) {
        if !self.visited.insert(real.clone()) || !self.count_folder(&path) {
            return;
        }
        let Some(listing) = self.list(&path, &real) else {
            return;
        };
        if let Some(what) = listing.no_file {
            let message = format!("`SKILL.md` must be a file, and is {what}");
            let help = "put a file named `SKILL.md` in its place";
            self.problem(&join(&path, "SKILL.md"), Kind::Unreadable, message, help);
        }
        let is_skill = listing.skill_file().is_some();
        if is_skill && !path.is_empty() {
            self.add_skill(&path, &real, &listing);
            return;
        }
        if !is_skill {
            self.flat_files(&path, &listing.files);
            if listing.no_file.is_none() && !listing.refused {
                self.groups.insert(path.clone());
            }
        }
        self.look_below(&path, &real, &listing, depth, is_skill);
        if is_skill {
            self.own = Some((real, listing));
        }
    }

    fn look_below(
        &mut self,
        path: &str,
        real: &Path,
        listing: &Listing,
        depth: usize,
        is_skill: bool,
    ) {
        if depth >= self.options.depth {
            if !listing.folders.is_empty() {
                let levels = self.options.depth;
                let message = format!("folders more than {levels} levels deep are not looked into");
                self.problem(path, Kind::ScanLimit, message, "move the skills up");
                self.unseen.push(path.to_owned());
            }
            return;
        }
        let looked_into = |name: &str| !(is_skill && RESOURCES.contains(&name));
        for name in listing.folders.iter().filter(|name| looked_into(name)) {
            self.look(join(path, name), real.join(name), depth + 1);
        }
        for name in &listing.hidden {
            self.report_hidden(&join(path, name), &real.join(name), depth + 1);
        }
        for (name, target) in listing.links.iter().filter(|(name, _)| looked_into(name)) {
            self.links.push(Pending {
                path: join(path, name),
                real: target.clone(),
                depth: depth + 1,
            });
        }
    }

    pub(super) fn count_folder(&mut self, path: &str) -> bool {
        if self.full {
            return false;
        }
        self.directories += 1;
        if self.directories > self.options.directories {
            self.full = true;
            let limit = self.options.directories;
            let message = format!(
                "there are more than {limit} folders; this one and those after it are not looked into"
            );
            self.problem(
                path,
                Kind::ScanLimit,
                message,
                "point at the skills folder itself, or move other data out of it",
            );
        }
        !self.full
    }

    /// The entries of a folder, without those that are passed over.
    pub(super) fn list(&mut self, path: &str, real: &Path) -> Option<Listing> {
        let entries = match fs::read_dir(real).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("the folder cannot be read: {error}");
                self.problem(path, Kind::Unreadable, message, "check its permissions");
                return None;
            }
        };
        let mut listing = Listing::default();
        for entry in entries {
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    let shown = join(path, &name.to_string_lossy());
                    self.problem(
                        &shown,
                        Kind::Unreadable,
                        "the name is not Unicode".to_owned(),
                        "rename it",
                    );
                    continue;
                }
            };
            if PASSED_OVER.contains(&name.as_str()) {
                continue;
            }
            if name.starts_with('.') {
                // A hidden file such as `.env` is the author's own and never part of a skill.
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    listing.hidden.push(name);
                }
                continue;
            }
            match link::resolve(&entry, real, &self.boundary) {
                Ok(Target::File(bytes)) => listing.files.push(File { path: name, bytes }),
                Ok(Target::LinkedFile(target, bytes)) => {
                    self.link_targets.push(target);
                    listing.files.push(File { path: name, bytes });
                }
                Ok(Target::Folder | Target::LinkedFolder(_)) if name == "SKILL.md" => {
                    listing.no_file = Some("a folder");
                }
                Ok(Target::Folder) => listing.folders.push(name),
                Ok(Target::LinkedFolder(target)) => {
                    self.link_targets.push(target.clone());
                    listing.links.push((name, target));
                }
                Ok(Target::Other) if name == "SKILL.md" => {
                    listing.no_file = Some("a pipe, a socket or a device");
                }
                Ok(Target::Other) => {}
                Err(fault) => {
                    listing.refused |= name == "SKILL.md";
                    self.problem(&join(path, &name), fault.kind, fault.message, fault.help)
                }
            }
        }
        listing.files.sort_by(|a, b| a.path.cmp(&b.path));
        listing.folders.sort();
        listing.hidden.sort();
        listing.links.sort();
        Some(listing)
    }
}

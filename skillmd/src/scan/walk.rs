//! The walk over a folder.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::link::{self, Target};
use super::{File, Folder, Problem, Scan, ScanOptions, join};
use crate::draft::{Draft, settle};
use crate::{CheckOptions, Kind};

/// Folders that hold no skill of their own inside a skill.
const RESOURCES: [&str; 3] = ["assets", "references", "scripts"];

/// The file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";
/// Folders that never hold a skill for use, and may be very large.
const PASSED_OVER: [&str; 5] = [".git", ".hg", ".svn", "__pycache__", "node_modules"];

pub(super) struct Walk<'o> {
    options: &'o ScanOptions,
    root: PathBuf,
    boundary: PathBuf,
    /// Real paths of the folders that were visited.
    visited: HashSet<PathBuf>,
    directories: usize,
    files: usize,
    full: bool,
    skills: Vec<Folder>,
    /// Folders, relative, that were looked into and hold no `SKILL.md` themselves.
    groups: BTreeSet<String>,
    /// Links to folders, followed after everything that is really there.
    links: Vec<Pending>,
    problems: Vec<Problem>,
    link_targets: Vec<PathBuf>,
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
    /// Links to folders, with their targets.
    links: Vec<(String, PathBuf)>,
}

impl<'o> Walk<'o> {
    pub(super) fn new(root: &Path, options: &'o ScanOptions) -> Self {
        let boundary = options.boundary.as_deref().unwrap_or(root);
        Self {
            options,
            root: root.to_owned(),
            boundary: fs::canonicalize(boundary).unwrap_or_else(|_| boundary.to_owned()),
            visited: HashSet::new(),
            directories: 0,
            files: 0,
            full: false,
            skills: Vec::new(),
            groups: BTreeSet::new(),
            links: Vec::new(),
            problems: Vec::new(),
            link_targets: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Scan {
        match fs::canonicalize(&self.root) {
            Ok(real) => self.look(String::new(), real, 0),
            Err(error) => self.problem(
                "",
                Kind::Unreadable,
                format!("the folder cannot be read: {error}"),
                "check the path of the skills folder",
            ),
        }
        // A link may lead to further links.
        while !self.links.is_empty() {
            let mut links = std::mem::take(&mut self.links);
            links.sort_by(|a, b| a.path.cmp(&b.path));
            for Pending { path, real, depth } in links {
                self.look(path, real, depth);
            }
        }
        self.skills.sort_by(|a, b| a.path.cmp(&b.path));
        self.empty_groups();
        self.problems.sort_by(|a, b| a.path.cmp(&b.path));
        self.link_targets.sort();
        self.link_targets.dedup();
        Scan {
            root: self.root,
            skill_bytes: self.options.skill_bytes,
            skills: self.skills,
            problems: self.problems,
            link_targets: self.link_targets,
        }
    }

    /// Looks into a folder that is not part of a skill.
    fn look(&mut self, path: String, real: PathBuf, depth: usize) {
        if !self.enter(&path, &real) {
            return;
        }
        let Some(listing) = self.list(&path, &real) else {
            return;
        };
        let skill_file = skill_file(&listing.files);
        let is_skill = skill_file.is_some();
        // A hidden folder is looked into only to say what is not used.
        if let Some(hidden) = hidden(&path) {
            if is_skill {
                self.problem(
                    &join(&path, SKILL_FILE),
                    Kind::HiddenSkill,
                    format!("it lies in the hidden folder `{hidden}` and is passed over"),
                    "name the hidden folder itself as a folder of skills to use it",
                );
            }
        } else if let Some(file) = skill_file {
            self.add_skill(&path, &real, file.clone(), &listing);
            if !path.is_empty() {
                return;
            }
        } else {
            self.groups.insert(path.clone());
            self.flat_files(&path, &real, &listing.files);
        }
        if depth >= self.options.depth {
            if !listing.folders.is_empty() {
                let levels = self.options.depth;
                self.problem(
                    &path,
                    Kind::ScanLimit,
                    format!("folders more than {levels} levels deep are not looked into"),
                    "move the skills up",
                );
            }
            return;
        }
        for name in listing.folders {
            if is_skill && path.is_empty() && RESOURCES.contains(&name.as_str()) {
                continue;
            }
            let real = real.join(&name);
            self.look(join(&path, &name), real, depth + 1);
        }
        if hidden(&path).is_some() {
            return;
        }
        for (name, real) in listing.links {
            self.links.push(Pending {
                path: join(&path, &name),
                real,
                depth: depth + 1,
            });
        }
    }

    fn add_skill(&mut self, path: &str, real: &Path, file: File, listing: &Listing) {
        let mut files = Vec::new();
        self.collect(path, real, listing, &mut files, 0);
        files.sort_by(|a: &File, b: &File| a.path.cmp(&b.path));
        let directory = if path.is_empty() {
            real.file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default()
        } else {
            path.rsplit('/').next().unwrap_or(path).to_owned()
        };
        self.skills.push(Folder {
            path: path.to_owned(),
            directory,
            file_name: file.path,
            files,
            bytes: file.bytes,
        });
    }

    /// Adds the files of a skill, from a listing and all folders below it.
    fn collect(
        &mut self,
        path: &str,
        real: &Path,
        listing: &Listing,
        files: &mut Vec<File>,
        depth: usize,
    ) {
        let mut todo: Vec<(String, PathBuf, usize)> = Vec::new();
        let mut take = |walk: &mut Self,
                        within: &str,
                        real: &Path,
                        listing: &Listing,
                        depth: usize,
                        todo: &mut Vec<(String, PathBuf, usize)>| {
            if !within.is_empty() && listing.files.iter().any(|file| file.path == SKILL_FILE) {
                walk.problem(
                    &join(path, &join(within, SKILL_FILE)),
                    Kind::NestedSkill,
                    format!("it lies within the skill at `{path}` and is one of its files"),
                    "move the folder out of the other skill to make it a skill of its own",
                );
            }
            for file in &listing.files {
                if walk.count_file(path) && walk.fits(path, within, file) {
                    files.push(File {
                        path: join(within, &file.path),
                        bytes: file.bytes,
                    });
                }
            }
            // The scanned folder's own skill owns its resource folders only: beside them lie other skills.
            let owned = |name: &str| {
                let mine = !path.is_empty() || !within.is_empty() || RESOURCES.contains(&name);
                mine && !name.starts_with('.')
            };
            for name in listing.folders.iter().filter(|name| name.starts_with('.')) {
                walk.look(join(path, &join(within, name)), real.join(name), depth + 1);
            }
            for name in listing.folders.iter().filter(|name| owned(name)) {
                todo.push((join(within, name), real.join(name), depth + 1));
            }
            for (name, target) in listing.links.iter().filter(|(name, _)| owned(name)) {
                todo.push((join(within, name), target.clone(), depth + 1));
            }
        };
        let mut seen = HashSet::new();
        take(self, "", real, listing, depth, &mut todo);
        while let Some((within, real, depth)) = todo.pop() {
            let shown = join(path, &within);
            if depth > self.options.depth {
                let levels = self.options.depth;
                self.problem(
                    &shown,
                    Kind::ScanLimit,
                    format!("files more than {levels} levels below their skill are not listed"),
                    "move the files up",
                );
                continue;
            }
            // Several skills may link to one folder; within one skill it counts once.
            if seen.insert(real.clone())
                && self.count_folder(&shown)
                && let Some(listing) = self.list(&shown, &real)
            {
                take(self, &within, &real, &listing, depth, &mut todo);
            }
        }
    }

    /// Whether the folder is to be visited now.
    fn enter(&mut self, path: &str, real: &Path) -> bool {
        self.visited.insert(real.to_owned()) && self.count_folder(path)
    }

    fn count_folder(&mut self, path: &str) -> bool {
        if self.full {
            return false;
        }
        self.directories += 1;
        if self.directories > self.options.directories {
            self.full = true;
            let limit = self.options.directories;
            self.problem(path, Kind::ScanLimit, format!("there are more than {limit} folders; this one and those after it are not looked into"), "point at the skills folder itself, or move other data out of it");
            return false;
        }
        true
    }

    fn count_file(&mut self, path: &str) -> bool {
        if self.full {
            return false;
        }
        self.files += 1;
        if self.files > self.options.files {
            self.full = true;
            let limit = self.options.files;
            self.problem(
                path,
                Kind::ScanLimit,
                format!("there are more than {limit} files; the others are not listed"),
                "move other data out of the skills folder",
            );
            return false;
        }
        true
    }

    fn fits(&mut self, path: &str, within: &str, file: &File) -> bool {
        let limit = self.options.file_bytes;
        if file.bytes <= limit {
            return true;
        }
        let shown = join(path, &join(within, &file.path));
        self.problem(
            &shown,
            Kind::ScanLimit,
            format!(
                "the file has {} bytes; files of more than {limit} are not listed",
                file.bytes
            ),
            "keep large data out of the skill",
        );
        false
    }

    /// The entries of a folder, without those that are passed over.
    fn list(&mut self, path: &str, real: &Path) -> Option<Listing> {
        let entries = match fs::read_dir(real).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => {
                self.problem(
                    path,
                    Kind::Unreadable,
                    format!("the folder cannot be read: {error}"),
                    "check its permissions",
                );
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
            match link::resolve(&entry, real, &self.boundary) {
                // A hidden file such as `.env` is the author's own and never part of a skill.
                Ok(Target::LinkedFile(..) | Target::File(_)) if name.starts_with('.') => {}
                Ok(Target::LinkedFile(target, bytes)) => {
                    self.link_targets.push(target);
                    listing.files.push(File { path: name, bytes });
                }
                Ok(Target::File(bytes)) => listing.files.push(File { path: name, bytes }),
                Ok(Target::Folder) => listing.folders.push(name),
                Ok(Target::LinkedFolder(target)) => {
                    self.link_targets.push(target.clone());
                    listing.links.push((name, target));
                }
                Ok(Target::Other) => {}
                Err(fault) => {
                    self.problem(&join(path, &name), fault.kind, fault.message, fault.help)
                }
            }
        }
        listing.files.sort_by(|a, b| a.path.cmp(&b.path));
        listing.folders.sort();
        listing.links.sort();
        Some(listing)
    }

    /// Markdown files that would be skills if they were folders.
    fn flat_files(&mut self, path: &str, real: &Path, files: &[File]) {
        for file in files
            .iter()
            .filter(|file| file.bytes <= self.options.skill_bytes)
        {
            let Some(stem) = file.path.strip_suffix(".md") else {
                continue;
            };
            let Ok(source) = fs::read(real.join(&file.path)) else {
                continue;
            };
            let is_skill = crate::parse(&source).is_ok_and(|document| {
                document.entry("name").is_some() && document.entry("description").is_some()
            });
            if is_skill {
                let shown = join(path, &file.path);
                let draft = Draft::whole(
                    Kind::FlatSkillFile,
                    "a skill is a folder, and this file is not looked at",
                )
                .help(format!(
                    "move it to `{}`",
                    join(path, &format!("{stem}/SKILL.md"))
                ));
                self.push(&shown, draft);
            }
        }
    }

    /// Folders that lead to no skill; of nested ones the outermost.
    fn empty_groups(&mut self) {
        let mut empty: BTreeSet<String> = BTreeSet::new();
        for group in self.groups.iter().filter(|group| !group.is_empty()) {
            let inside = ancestors(group).any(|outer| empty.contains(outer));
            if !inside && !self.leads_to_skill(group) {
                empty.insert(group.clone());
            }
        }
        for path in empty {
            let draft = Draft::whole(
                Kind::FolderWithoutSkill,
                "no skill lies in this folder: neither it nor a folder in it has a `SKILL.md`",
            );
            self.push(
                &path,
                draft.help("add a `SKILL.md`, or move the folder elsewhere"),
            );
        }
    }

    /// Whether a skill lies below `group`. The skills are sorted by now.
    fn leads_to_skill(&self, group: &str) -> bool {
        let below = format!("{group}/");
        let at = self.skills.partition_point(|skill| skill.path < below);
        self.skills
            .get(at)
            .is_some_and(|skill| skill.path.starts_with(&below))
    }

    fn problem(&mut self, path: &str, kind: Kind, message: String, help: &'static str) {
        self.push(path, Draft::whole(kind, message).help(help));
    }

    fn push(&mut self, path: &str, draft: Draft) {
        let path = if path.is_empty() {
            ".".to_owned()
        } else {
            path.to_owned()
        };
        let findings = settle(vec![draft], &[], &CheckOptions::new());
        self.problems
            .extend(findings.into_iter().map(|finding| Problem {
                path: path.clone(),
                finding,
            }));
    }
}

/// The folders above `path`, nearest first, without the scanned folder itself.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}

/// The hidden folder that a path leads through.
fn hidden(path: &str) -> Option<&str> {
    let mut end = 0;
    for part in path.split('/') {
        end += part.len();
        if part.starts_with('.') {
            return path.get(..end);
        }
        end += 1;
    }
    None
}

/// The file that makes a folder a skill: `SKILL.md`, or one of that name in another case.
fn skill_file(files: &[File]) -> Option<&File> {
    let exact = files.iter().find(|file| file.path == SKILL_FILE);
    exact.or_else(|| {
        files
            .iter()
            .find(|file| file.path.eq_ignore_ascii_case(SKILL_FILE))
    })
}

//! What a scan says about entries that are no skill.

use std::collections::BTreeSet;

use super::walk::Walk;
use super::{File, Problem, join};
use crate::draft::{Draft, settle};
use crate::{CheckOptions, Kind};

impl Walk<'_> {
    /// Markdown files that would be skills if they were folders.
    pub(super) fn flat_files(&mut self, path: &str, files: &[File]) {
        let limit = self.options.skill_bytes;
        for file in files
            .iter()
            .filter(|file| file.bytes <= limit && file.path != "SKILL.md")
        {
            let Some(stem) = file.path.strip_suffix(".md") else {
                continue;
            };
            let on_disk = self.root.join(join(path, &file.path));
            let Ok(source) = self.options.read_skill(&self.root, &on_disk) else {
                continue;
            };
            let is_skill = crate::parse(&source).is_ok_and(|document| {
                document.entry("name").is_some() && document.entry("description").is_some()
            });
            if is_skill {
                let draft = Draft::whole(
                    Kind::FlatSkillFile,
                    "a skill is a folder, and this file is not looked at",
                )
                .help(format!(
                    "move it to `{}`",
                    join(path, &format!("{stem}/SKILL.md"))
                ));
                self.push(&join(path, &file.path), draft);
            }
        }
    }

    /// Folders that lead to no skill; of nested ones the outermost.
    pub(super) fn empty_groups(&mut self) {
        // What was not looked into may hold one.
        if self.full {
            return;
        }
        for unseen in &self.unseen {
            self.groups.remove(unseen);
            for outer in ancestors(unseen) {
                self.groups.remove(outer);
            }
        }
        let mut empty: BTreeSet<String> = BTreeSet::new();
        for group in self.groups.iter().filter(|group| !group.is_empty()) {
            let inside = ancestors(group).any(|outer| empty.contains(outer));
            if !inside && !self.leads_to_skill(group) {
                empty.insert(group.clone());
            }
        }
        for path in empty {
            let message =
                "no skill lies in this folder: neither it nor a folder in it has a `SKILL.md`";
            let draft = Draft::whole(Kind::FolderWithoutSkill, message);
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

    pub(super) fn problem(&mut self, path: &str, kind: Kind, message: String, help: &'static str) {
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

//! The command line.

use std::collections::HashSet;
use std::path::Path;

use repertoire_skillmd::{CheckOptions, Kind, Profile};

use crate::output::Format;

pub(crate) const USAGE: &str = "\
usage: check [OPTIONS] FOLDER...

Checks every skill below the folders: each folder with a SKILL.md.

  --profile NAME    spec (default), strict, claude or lenient
  --format NAME     text (default), json, github (annotations) or sarif
  --allow NAME      silence a lint; may be given again
  --deny NAME       make a lint an error; may be given again
  --deny-lints      make every lint an error
  --depth N         how many levels below a folder are looked into (12)
  --fix             show as a diff what can be mended without a thought:
                    values put in quotes, unknown keys moved under `metadata`,
                    tools separated by blanks, byte-order marks and blanks after
                    fences removed, files renamed. Nothing is written
  --write           with --fix: write it, after showing the diff
  --explain NAME    what a finding is about, with examples
  --list            the names of all findings
  --help            this text

Ends with 0 when nothing is an error, with 1 when something is or a folder holds no
skill, and with 2 when the command line is wrong or names a folder that is not there. With --fix: 0, or 1 when a file could not be written.";

pub(crate) struct Args {
    pub(crate) folders: Vec<String>,
    pub(crate) profile: Profile,
    pub(crate) format: Format,
    pub(crate) depth: Option<usize>,
    pub(crate) fix: bool,
    pub(crate) write: bool,
    allow: Vec<Kind>,
    deny: Vec<Kind>,
    deny_lints: bool,
}

impl Args {
    pub(crate) fn options(&self) -> CheckOptions<'static> {
        let mut options = CheckOptions::new().profile(self.profile);
        for kind in &self.allow {
            options = options.allow(*kind);
        }
        for kind in &self.deny {
            options = options.deny(*kind);
        }
        if self.deny_lints {
            options.deny_lints()
        } else {
            options
        }
    }
}

pub(crate) enum Command {
    Check(Args),
    Print(String),
}

pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut args = Args {
        folders: Vec::new(),
        profile: Profile::default(),
        format: Format::Text,
        depth: None,
        fix: false,
        write: false,
        allow: Vec::new(),
        deny: Vec::new(),
        deny_lints: false,
    };
    let mut words = words;
    let mut has_format = false;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` wants a value"));
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Print(USAGE.to_owned())),
            "--list" => return Ok(Command::Print(list())),
            "--explain" => {
                let kind = kind(&value()?)?;
                return Ok(Command::Print(format!(
                    "{kind}\n\n{}",
                    crate::output::explanation(kind)
                )));
            }
            "--profile" => args.profile = value()?.parse().map_err(|error| format!("{error}"))?,
            "--format" => {
                args.format = value()?.parse()?;
                has_format = true;
            }
            "--depth" => {
                let depth = value()?.parse();
                args.depth = Some(depth.map_err(|_| "`--depth` wants a number".to_owned())?);
            }
            "--allow" => args.allow.push(lint(&value()?)?),
            "--deny" => args.deny.push(kind(&value()?)?),
            "--deny-lints" => args.deny_lints = true,
            "--fix" => args.fix = true,
            "--write" => args.write = true,
            option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
            folder => args.folders.push(folder.to_owned()),
        }
    }
    if args.folders.is_empty() {
        return Err("name at least one folder".to_owned());
    }
    if args.write && !args.fix {
        return Err("`--write` goes with `--fix`".to_owned());
    }
    if args.fix && has_format {
        return Err("`--fix` shows a diff; `--format` does not go with it".to_owned());
    }
    Ok(Command::Check(args))
}

/// The folders that the words name: each once, that of a `SKILL.md` for the file.
///
/// # Errors
/// A folder is not there, or is none.
pub(crate) fn folders(named: &[String]) -> Result<Vec<String>, String> {
    let mut folders = Vec::new();
    let mut seen = HashSet::new();
    for name in named {
        let path = Path::new(name);
        let is_skill = path.is_file() && path.file_name().is_some_and(|name| name == "SKILL.md");
        let folder = match path.parent().filter(|_| is_skill) {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => path,
        };
        if !folder.exists() {
            return Err(format!("there is no folder `{name}`"));
        }
        if !folder.is_dir() {
            return Err(format!(
                "`{name}` is a file; name a folder of skills, or a `SKILL.md`"
            ));
        }
        if seen.insert(folder.canonicalize().unwrap_or_else(|_| folder.to_owned())) {
            folders.push(folder.display().to_string());
        }
    }
    Ok(folders)
}

fn kind(name: &str) -> Result<Kind, String> {
    name.parse()
        .map_err(|_| format!("there is no finding `{name}`; `--list` names them all"))
}

fn lint(name: &str) -> Result<Kind, String> {
    let kind = kind(name)?;
    if kind.is_lint() {
        Ok(kind)
    } else {
        Err(format!(
            "`{name}` is a rule and not a lint; choose a profile that accepts it"
        ))
    }
}

fn list() -> String {
    let line = |kind: &Kind| format!("{} {kind}", if kind.is_lint() { "lint" } else { "rule" });
    Kind::ALL.iter().map(line).collect::<Vec<_>>().join("\n")
}

//! Checks the skills of folders from the command line.
//!
//! ```text
//! cargo run -p repertoire-skillmd --example check -- skills/
//! ```

mod args;
mod fix;
mod output;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use args::{Args, Command};
use repertoire_skillmd::scan::{CheckedSet, ScanOptions, folder};

/// The skills of one folder that was named.
pub(crate) struct Checked {
    /// The folder as it was named.
    pub(crate) root: String,
    pub(crate) set: CheckedSet,
}

impl Checked {
    /// Whether neither a skill nor a reason for its absence was found.
    fn is_empty(&self) -> bool {
        self.set.skills().is_empty() && !self.set.has_errors()
    }

    /// The path of something below the folder, as it is shown.
    pub(crate) fn shown(&self, path: &str) -> String {
        let root = self.root.trim_end_matches('/');
        match path {
            "." => root.to_owned(),
            path if root == "." => path.to_owned(),
            path => format!("{root}/{path}"),
        }
    }
}

fn main() -> ExitCode {
    let words: Result<Vec<String>, _> = std::env::args_os()
        .skip(1)
        .map(std::ffi::OsString::into_string)
        .collect();
    let command = words
        .map_err(|word| format!("`{}` is not Unicode", word.to_string_lossy()))
        .and_then(|words| args::parse(words.into_iter()))
        .and_then(|command| match command {
            Command::Check(mut args) => {
                args.folders = args::folders(&args.folders)?;
                Ok(Command::Check(args))
            }
            command => Ok(command),
        });
    let args = match command {
        Ok(Command::Check(args)) => args,
        Ok(Command::Print(text)) => return say(&format!("{text}\n"), ExitCode::SUCCESS),
        Err(message) => {
            eprintln!("error: {message}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    let checked = check(&args);
    if args.fix {
        return fix::run(&checked, &args);
    }
    let mut failed = checked.iter().any(|checked| checked.set.has_errors());
    for checked in checked.iter().filter(|checked| checked.is_empty()) {
        eprintln!(
            "error: `{}` holds no skill; a skill is a folder in it with a `SKILL.md`",
            checked.root
        );
        failed = true;
    }
    let code = if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    };
    say(&output::write(&checked, args.format), code)
}

/// Prints, and ends with `code`. A reader such as `head` that has seen enough is no fault.
pub(crate) fn say(text: &str, code: ExitCode) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => code,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => code,
        Err(error) => {
            eprintln!("error: cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

fn check(args: &Args) -> Vec<Checked> {
    let options = args.options();
    let limits = match args.depth {
        Some(depth) => ScanOptions::new().depth(depth),
        None => ScanOptions::new(),
    };
    let check = |root: &String| {
        let set = folder(Path::new(root), &limits).check(&options);
        Checked {
            root: root.clone(),
            set,
        }
    };
    args.folders.iter().map(check).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use expect_test::expect_file;

    use super::*;

    fn words(text: &str) -> impl Iterator<Item = String> {
        text.split(' ')
            .map(str::to_owned)
            .collect::<Vec<_>>()
            .into_iter()
    }

    fn args(text: &str) -> Args {
        match args::parse(words(text)).unwrap() {
            Command::Check(args) => args,
            Command::Print(text) => panic!("{text}"),
        }
    }

    fn trap(name: &str) -> String {
        format!("{}/tests/traps/{name}/skills", env!("CARGO_MANIFEST_DIR"))
    }

    /// The output for a trap, under a path that is the same everywhere.
    fn output(name: &str, options: &str) -> String {
        let folder = trap(name);
        let args = args(&format!("{options} {folder}"));
        output::write(&check(&args), args.format).replace(&folder, "skills")
    }

    #[test]
    fn formats() {
        for format in ["text", "json", "github"] {
            let text = output(
                "17-client-only-keys",
                &format!("--profile strict --format {format}"),
            );
            expect_file![format!("../../tests/snapshots/check-{format}.txt")].assert_eq(&text);
        }
    }

    #[test]
    fn sarif() {
        let text = output("33-yaml-dialects", "--format sarif");
        let log: serde_json::Value = serde_json::from_str(&text).unwrap();
        let run = &log["runs"][0];
        assert_eq!(
            run["tool"]["driver"]["rules"].as_array().unwrap().len(),
            repertoire_skillmd::Kind::ALL.len()
        );
        let result = run["results"]
            .as_array()
            .unwrap()
            .iter()
            .find(|result| result["ruleId"] == "yaml-tag")
            .unwrap();
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "skills/bang/SKILL.md");
        assert_eq!(
            place["region"],
            serde_json::json!({ "startLine": 3, "startColumn": 14, "endLine": 3, "endColumn": 24 })
        );
        assert_eq!(result["level"], "error");
    }

    #[test]
    fn fixes_are_written_only_when_told() {
        let folder = std::env::temp_dir().join(format!("check-fix-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("a")).unwrap();
        let broken = "---\nname: a\ndescription: Use when: asked\ntags: [x, y]\n---\nSteps.\n";
        let file = folder.join("a/skill.md");
        let mended = folder.join("a/SKILL.md");
        let _ = std::fs::remove_file(&mended);
        std::fs::write(&file, broken).unwrap();
        let shown = args(&format!("--fix {}", folder.display()));
        fix::run(&check(&shown), &shown);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
        let written = args(&format!("--fix --write {}", folder.display()));
        fix::run(&check(&written), &written);
        let text = std::fs::read_to_string(&mended).unwrap();
        assert_eq!(
            text,
            "---\nname: a\ndescription: \"Use when: asked\"\nmetadata:\n  tags: \"x, y\"\n---\nSteps.\n"
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn wrong_command_lines_are_told() {
        let error = |text: &str| args::parse(words(text)).err().unwrap();
        assert_eq!(
            error("--profile loose x"),
            "unknown profile; expected `spec`, `strict`, `claude` or `lenient`"
        );
        assert_eq!(
            error("--allow nothing x"),
            "there is no finding `nothing`; `--list` names them all"
        );
        assert_eq!(
            error("--allow name-case x"),
            "`name-case` is a rule and not a lint; choose a profile that accepts it"
        );
        assert_eq!(error("--write x"), "`--write` goes with `--fix`");
        assert_eq!(error("--fix"), "name at least one folder");
        assert!(error("--fix --format sarif x").contains("does not go with it"));
        let folders = |names: &[&str]| {
            args::folders(
                &names
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            folders(&["no/such"]),
            Err("there is no folder `no/such`".to_owned())
        );
        assert!(folders(&["Cargo.toml"]).unwrap_err().contains("is a file"));
        let skill = format!(
            "{}/one/SKILL.md",
            trap("29-symlinked-skills").replace("/skills", "/shared")
        );
        let folder = skill.trim_end_matches("/SKILL.md");
        assert_eq!(folders(&[&skill, folder]), Ok(vec![folder.to_owned()]));
    }

    #[test]
    fn fixes_leave_no_file_worse() {
        let folder = std::env::temp_dir().join(format!("check-worse-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(folder.join(name).join("SKILL.md"), text).unwrap();
        };
        let header = "description: Use when asked.";
        let many: String = (0..1_500).map(|n| format!("k{n}: v\n")).collect();
        write(
            "a",
            "---\nname: a\ndescription: Use when: asked\n  and more text\n---\nx\n",
        );
        write(
            "b",
            &format!("---\nname: b\n{header}\nallowed_tools:\n  - Read\n---\nx\n"),
        );
        write("c", &format!("---\nname: c\n{header}\n{many}---\nx\n"));
        let args = args(&format!("--fix --write {}", folder.display()));
        fix::run(&check(&args), &args);
        let checked = check(&args);
        let skills = checked[0].set.skills();
        assert!(skills.iter().all(|skill| skill.checked().skill().is_some()));
        let left = skills[2].checked().findings();
        assert!(left.is_empty(), "{} are left of 1,500", left.len());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

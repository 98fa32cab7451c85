//! Checks the skills of folders from the command line.
//!
//! ```text
//! cargo run -p repertoire-skillmd --example check -- skills/
//! ```

mod args;
mod fix;
mod output;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use args::{Args, Command};
use repertoire_skillmd::scan::{CheckedSet, ScanOptions, check_together, folder};

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
    let command = words(std::env::args_os().skip(1))
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
        let (text, code) = fix::run(&checked, &args);
        return say(&text, code);
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

/// The command line as text.
fn words(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    words
        .map(OsString::into_string)
        .collect::<Result<_, _>>()
        .map_err(|word| format!("`{}` is not Unicode", word.to_string_lossy()))
}

/// Prints, and ends with `code`.
fn say(text: &str, code: ExitCode) -> ExitCode {
    say_to(&mut std::io::stdout(), text, code)
}

/// A reader such as `head` that has seen enough is no fault.
fn say_to(out: &mut impl Write, text: &str, code: ExitCode) -> ExitCode {
    match out.write_all(text.as_bytes()) {
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
    let scans = (args.folders.iter())
        .map(|root| folder(Path::new(root), &limits))
        .collect::<Vec<_>>();
    let roots = args.folders.iter().map(String::as_str);
    // As one set: `skills!` would embed all of them together.
    let sets = check_together(roots.zip(&scans), &options);
    let named = args.folders.iter().cloned().zip(sets);
    named.map(|(root, set)| Checked { root, set }).collect()
}

#[cfg(test)]
mod tests;

//! Loads folders of skills from disk and shows what a model would see of them.
//!
//! ```text
//! cargo run --example skill_catalog -- DIR... [--profile spec|strict|claude|lenient] [--json]
//! ```
//!
//! Prints the catalog, every skipped file with its place and the reason, and what the catalog costs
//! against all bodies. With `--json`, one line for each `SKILL.md` instead.

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use repertoire::{
    Skills, estimate_tokens,
    skill::{Finding, Profile, SkillReport, SkillRoots},
};
use serde_json::{Value, json};

const USAGE: &str = "usage: skill_catalog DIR... [--profile spec|strict|claude|lenient] [--json]";

struct Options {
    roots: Vec<String>,
    profile: Profile,
    json: bool,
}

fn options(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut arguments = arguments;
    let mut options = Options {
        roots: Vec::new(),
        profile: Profile::Lenient,
        json: false,
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => options.json = true,
            "--profile" => {
                let name = arguments.next().unwrap_or_default();
                options.profile = name
                    .parse()
                    .map_err(|_| format!("unknown profile `{name}`\n{USAGE}"))?;
            }
            other if other.starts_with("--") => {
                return Err(format!("unknown option `{other}`\n{USAGE}"));
            }
            root => options.roots.push(root.to_owned()),
        }
    }
    if options.roots.is_empty() {
        return Err(USAGE.to_owned());
    }
    Ok(options)
}

fn finding(finding: &Finding) -> Value {
    let (line, column) = finding
        .span()
        .map_or((1, 1), |span| (span.line(), span.column()));
    json!({
        "kind": finding.kind().name(),
        "severity": finding.severity().name(),
        "line": line,
        "column": column,
        "message": finding.message(),
        "help": finding.help(),
    })
}

fn line(report: &SkillReport) -> Value {
    let mut findings: Vec<Value> = report.findings().iter().map(finding).collect();
    if let Some(other) = report.taken_by()
        && !findings
            .iter()
            .any(|finding| finding["kind"] == "duplicate-name")
    {
        findings.push(json!({
            "kind": "duplicate-name", "severity": "warning", "line": 1, "column": 1,
            "message": format!("the name is taken by {other}"),
            "help": "rename one of the two, or leave one out",
        }));
    }
    json!({
        "path": report.path(),
        "loaded": report.is_loaded(),
        "name": report.name(),
        "description": report.description(),
        "findings": findings,
    })
}

fn print(skills: &Skills, json: bool, out: &mut impl Write) -> io::Result<()> {
    if json {
        for report in skills.reports() {
            writeln!(out, "{}", line(report))?;
        }
        return Ok(());
    }
    let catalog = skills.catalog();
    writeln!(out, "{catalog}\n")?;
    for skipped in skills.skipped() {
        writeln!(out, "skipped {skipped}")?;
    }
    let (resident, bodies) = (estimate_tokens(&catalog), skills.body_tokens());
    writeln!(
        out,
        "\n{} loaded, {} skipped; resident {resident} tokens ({} a skill), all bodies {bodies} tokens",
        skills.len(),
        skills.skipped().len(),
        resident / skills.len().max(1),
    )
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let skills = SkillRoots::new(options.roots)
        .profile(options.profile)
        .load();
    let mut out = BufWriter::new(io::stdout().lock());
    match print(&skills, options.json, &mut out).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader such as `head` that has seen enough is no fault.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may stop at the first surprise")]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_is_in_the_json() {
        let root = std::env::temp_dir().join(format!("skill-catalog-{}", std::process::id()));
        let text = "---\nname: twin\ndescription: Use when asked.\n---\nx\n";
        for folder in ["one/twin", "two/twin"] {
            std::fs::create_dir_all(root.join(folder)).expect("a temporary folder");
            std::fs::write(root.join(folder).join("SKILL.md"), text).expect("a temporary file");
        }
        let skills = SkillRoots::new([root.join("one"), root.join("two")]).load();
        let mut out = Vec::new();
        print(&skills, true, &mut out).expect("memory takes everything");
        let lines: Vec<Value> = String::from_utf8_lossy(&out)
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["loaded"], true);
        assert_eq!(lines[1]["loaded"], false);
        let kinds = lines[1]["findings"].as_array().into_iter().flatten();
        let kinds: Vec<&Value> = kinds.map(|finding| &finding["kind"]).collect();
        assert_eq!(kinds, ["duplicate-name"]);
        assert!(std::fs::remove_dir_all(root).is_ok());
    }
}

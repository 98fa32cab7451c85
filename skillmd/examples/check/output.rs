//! Findings as text, JSON, annotations and SARIF.

use std::fmt::Write as _;
use std::str::FromStr;

use repertoire_skillmd::{Finding, Kind, Severity, render};
use serde_json::{Value, json};

use crate::Checked;

#[derive(Clone, Copy)]
pub(crate) enum Format {
    Text,
    Json,
    Github,
    Sarif,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            "github" => Ok(Self::Github),
            "sarif" => Ok(Self::Sarif),
            _ => Err(format!(
                "unknown format `{name}`; expected `text`, `json`, `github` or `sarif`"
            )),
        }
    }
}

/// A finding with the path it is shown under and the bytes it is about.
struct Item<'c> {
    path: String,
    finding: &'c Finding,
    source: &'c [u8],
}

pub(crate) fn write(checked: &[Checked], format: Format) -> String {
    let items: Vec<Item<'_>> = checked.iter().flat_map(items).collect();
    match format {
        Format::Text => text(
            &items,
            checked
                .iter()
                .map(|checked| checked.set.skills().len())
                .sum(),
        ),
        Format::Json => pretty(
            &json!({ "findings": items.iter().map(object).collect::<Vec<_>>(), "skills": checked.iter().flat_map(skills).collect::<Vec<_>>() }),
        ),
        Format::Github => items.iter().map(annotation).collect(),
        Format::Sarif => pretty(&sarif(&items)),
    }
}

fn items(checked: &Checked) -> impl Iterator<Item = Item<'_>> {
    let problems = checked.set.problems().iter().map(|problem| Item {
        path: checked.shown(problem.path()),
        finding: problem.finding(),
        source: &[],
    });
    let findings = checked.set.skills().iter().flat_map(|skill| {
        let path = checked.shown(&skill.folder().skill_path());
        skill.checked().findings().iter().map(move |finding| Item {
            path: path.clone(),
            finding,
            source: skill.source(),
        })
    });
    problems.chain(findings)
}

fn text(items: &[Item<'_>], skills: usize) -> String {
    let mut out = String::new();
    for Item {
        path,
        finding,
        source,
    } in items
    {
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            out,
            "{}: {}\n",
            finding.severity(),
            render(finding, path, source)
        );
    }
    let count = |severity| {
        items
            .iter()
            .filter(|item| item.finding.severity() == severity)
            .count()
    };
    let (errors, warnings, lints) = (
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Lint),
    );
    let _ = writeln!(
        out,
        "skills: {skills}, errors: {errors}, warnings: {warnings}, lints: {lints}"
    );
    out
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn skills(checked: &Checked) -> impl Iterator<Item = Value> {
    checked.set.skills().iter().map(|skill| {
        let loaded = skill.checked().skill();
        json!({
            "path": checked.shown(&skill.folder().skill_path()),
            "loads": loaded.is_some(),
            "accepted_by": skill.checked().accepted_by().map(|profile| profile.name()),
            "name": loaded.map(|skill| skill.name()),
            "description": loaded.map(|skill| skill.description()),
            "files": skill.folder().files().iter().map(|file| file.path()).collect::<Vec<_>>(),
        })
    })
}

fn object(item: &Item<'_>) -> Value {
    let Item { path, finding, .. } = item;
    json!({
        "kind": finding.kind().name(),
        "severity": finding.severity().name(),
        "path": path,
        "span": finding.span().map(|span| json!({
            "line": span.line(),
            "column": span.column(),
            "end_line": span.end_line(),
            "end_column": span.end_column(),
            "start": span.bytes().start,
            "end": span.bytes().end,
        })),
        "message": finding.message(),
        "help": finding.help(),
        "accepted_by": finding.accepted_by().map(|profile| profile.name()),
        "fix": finding.fix().map(|fix| json!({
            "rename": fix.rename(),
            "edits": fix.edits().iter().map(|edit| json!({ "start": edit.range().start, "end": edit.range().end, "text": edit.text() })).collect::<Vec<_>>(),
        })),
    })
}

fn message(finding: &Finding) -> String {
    match finding.help() {
        Some(help) => format!("{}\nhelp: {help}", finding.message()),
        None => finding.message().to_owned(),
    }
}

/// One annotation of a GitHub workflow.
fn annotation(item: &Item<'_>) -> String {
    let level = match item.finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "notice",
    };
    let data = |text: &str| {
        text.replace('%', "%25")
            .replace('\r', "%0D")
            .replace('\n', "%0A")
    };
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let mut place = format!("file={}", property(&item.path));
    if let Some(span) = item.finding.span() {
        let _ = write!(place, ",line={},col={}", span.line(), span.column());
        // The end column is only read for a place on one line.
        if span.end_line() == span.line() {
            let _ = write!(place, ",endColumn={}", span.end_column());
        } else {
            let _ = write!(place, ",endLine={}", span.end_line());
        }
    }
    format!(
        "::{level} {place},title={}::{}\n",
        item.finding.kind(),
        data(&message(item.finding))
    )
}

fn sarif(items: &[Item<'_>]) -> Value {
    let rule = |kind: &Kind| {
        let text = explanation(*kind);
        json!({ "id": kind.name(), "help": { "text": text, "markdown": text } })
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": env!("CARGO_PKG_NAME"),
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Kind::ALL.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": items.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(item: &Item<'_>) -> Value {
    let level = match item.finding.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&item.path) } });
    if let Some(span) = item.finding.span() {
        place["region"] = json!({
            "startLine": span.line(),
            "startColumn": span.column(),
            "endLine": span.end_line(),
            "endColumn": span.end_column(),
        });
    }
    json!({
        "ruleId": item.finding.kind().name(),
        "level": level,
        "message": { "text": message(item.finding) },
        "locations": [{ "physicalLocation": place }],
    })
}

/// What a kind is about, without the notes for the test of its examples.
pub(crate) fn explanation(kind: Kind) -> String {
    let line = |line: &str| match line.split_once(" <!--") {
        Some((line, _)) => format!("{line}\n"),
        None => format!("{line}\n"),
    };
    kind.explanation()
        .lines()
        .map(line)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// A path as a relative address.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

//! The documented examples of every kind: the bad one has that finding and no
//! other error, the good one does not. Their rendering is kept as a snapshot.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

use expect_test::expect_file;
use repertoire_skillmd::{CheckOptions, Checked, Kind, Profile, check, render};

const DOCS: &str = include_str!("../docs/kinds.md");

struct Example {
    kind: Kind,
    is_bad: bool,
    words: Vec<String>,
    text: String,
}

impl Example {
    fn word(&self, key: &str) -> Option<&str> {
        self.words
            .iter()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn is(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    fn source(&self) -> Vec<u8> {
        let repeat = self
            .word("repeat")
            .map_or(1, |count| count.parse().unwrap());
        let text = if repeat == 1 {
            self.text.clone()
        } else if self.is("body") {
            self.text.repeat(repeat)
        } else {
            let (key, value) = self.text.trim_end().split_once(": ").unwrap();
            format!("{key}: {}\n", vec![value; repeat].join(" "))
        };
        let source = if self.is("whole") {
            text
        } else {
            let has = |key: &str| {
                !self.is("body")
                    && text
                        .lines()
                        .any(|line| line.starts_with(&format!("{key}:")))
            };
            let name = if has("name") { "" } else { "name: invoices\n" };
            let description = if has("description") {
                ""
            } else {
                "description: Reads invoices. Use when a bill is to be read.\n"
            };
            let (header, body) = if self.is("body") {
                ("", text.as_str())
            } else {
                (text.as_str(), "Read the invoice.\n")
            };
            format!("---\n{name}{description}{header}---\n{body}")
        };
        unescape(&source)
    }

    fn check(&self) -> Checked {
        let mut options = CheckOptions::new().directory(self.word("dir").unwrap_or("invoices"));
        options = options.file_name(self.word("file").unwrap_or("SKILL.md"));
        options = options.profile(
            self.word("profile")
                .map_or(Profile::Spec, |name| name.parse().unwrap()),
        );
        if let Some(files) = self.word("files") {
            options = options.files(files.split(','));
        }
        check(&self.source(), &options)
    }
}

/// `\u{feff}` and `\xE9`.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        if let Some((digits, after)) = escape
            .strip_prefix("u{")
            .and_then(|escape| escape.split_once('}'))
        {
            let c = char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
            out.extend_from_slice(c.to_string().as_bytes());
            rest = after;
        } else if let Some(digits) = escape.strip_prefix('x').and_then(|escape| escape.get(..2)) {
            out.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &escape[3..];
        } else {
            out.push(b'\\');
            rest = escape;
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn examples() -> Vec<Example> {
    let mut examples = Vec::new();
    for section in DOCS.split("\n## ").skip(1) {
        let (name, section) = section.split_once('\n').unwrap();
        let kind: Kind = name.parse().unwrap_or_else(|_| panic!("{name} is no kind"));
        let mut rest = section;
        while let Some((before, block)) = rest.split_once("````text\n") {
            let (text, after) = block.split_once("````").unwrap();
            rest = after;
            let heading = before.trim().lines().last().unwrap();
            let (heading, options) = heading.split_once(':').unwrap();
            if heading == "For example" {
                continue;
            }
            assert!(
                heading == "Wrong" || heading == "Right",
                "{name}: {heading}"
            );
            let options = options
                .trim()
                .trim_start_matches("<!-- ")
                .trim_end_matches(" -->");
            let words = options
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect();
            examples.push(Example {
                kind,
                is_bad: heading == "Wrong",
                words,
                text: text.to_owned(),
            });
        }
    }
    examples
}

/// Found by a scan; `tests/scan.rs` has them.
const OF_A_SCAN: [Kind; 8] = [
    Kind::DuplicateName,
    Kind::ScanLimit,
    Kind::Unreadable,
    Kind::SymlinkRefused,
    Kind::FlatSkillFile,
    Kind::NestedSkill,
    Kind::HiddenSkill,
    Kind::FolderWithoutSkill,
];

#[test]
fn every_kind_is_documented() {
    let examples = examples();
    for kind in Kind::ALL {
        assert!(
            DOCS.contains(&format!("\n## {kind}\n")),
            "{kind} has no section"
        );
        assert!(kind.explanation().contains("````"), "{kind}");
        if !OF_A_SCAN.contains(kind) {
            assert!(
                examples
                    .iter()
                    .any(|example| example.kind == *kind && example.is_bad),
                "{kind} has no bad example"
            );
            assert!(
                examples
                    .iter()
                    .any(|example| example.kind == *kind && !example.is_bad),
                "{kind} has no good example"
            );
        }
    }
}

#[test]
fn examples_are_what_they_say() {
    for example in examples() {
        let checked = example.check();
        let kinds: Vec<Kind> = checked
            .findings()
            .iter()
            .map(|finding| finding.kind())
            .collect();
        if example.is_bad {
            assert!(kinds.contains(&example.kind), "{}: {kinds:?}", example.kind);
            let surplus = checked
                .errors()
                .find(|finding| finding.kind() != example.kind);
            assert!(surplus.is_none(), "{}: {surplus:?}", example.kind);
        } else {
            assert_eq!(kinds, [], "the good example of {}", example.kind);
        }
    }
}

/// A lint is silenced by `allow`, becomes an error by `deny`, and by `deny_lints`.
#[test]
fn lints_can_be_silenced_and_denied() {
    for example in examples()
        .iter()
        .filter(|example| example.is_bad && example.kind.is_lint())
    {
        let kind = example.kind;
        let source = example.source();
        let files: Vec<&str> = example
            .word("files")
            .map(|files| files.split(',').collect())
            .unwrap_or_default();
        let mut options = CheckOptions::new()
            .directory("invoices")
            .file_name("SKILL.md");
        if !files.is_empty() {
            options = options.files(files);
        }
        let has = |options: &CheckOptions<'_>| {
            check(&source, options)
                .findings()
                .iter()
                .any(|finding| finding.kind() == kind)
        };
        let loads = |options: &CheckOptions<'_>| check(&source, options).skill().is_some();
        assert!(has(&options) && loads(&options), "{kind}");
        assert!(!has(&options.clone().allow(kind)), "{kind}");
        assert!(!loads(&options.clone().deny(kind)), "{kind}");
        assert!(!loads(&options.clone().deny_lints()), "{kind}");
        assert!(
            loads(&options.clone().deny_lints().allow(kind))
                || check(&source, &options).findings().len() > 1,
            "{kind}"
        );
        assert!(!loads(&options.clone().allow(kind).deny(kind)), "{kind}");
    }
}

#[test]
fn fixes_fix() {
    let mut fixed = 0;
    for example in examples().iter().filter(|example| example.is_bad) {
        let checked = example.check();
        for finding in checked.findings() {
            let Some(fix) = finding.fix().filter(|fix| !fix.edits().is_empty()) else {
                continue;
            };
            let again = check(
                &fix.apply(&example.source()),
                &CheckOptions::new().directory(example.word("dir").unwrap_or("invoices")),
            );
            assert!(
                again
                    .findings()
                    .iter()
                    .all(|other| other.kind() != finding.kind()),
                "{}: {:?}",
                example.kind,
                again.findings()
            );
            fixed += 1;
        }
    }
    assert!(fixed >= 8, "{fixed}");
}

#[test]
fn rendered() {
    let mut out = String::new();
    for example in examples().iter().filter(|example| example.is_bad) {
        let source = example.source();
        for finding in example.check().findings() {
            out.push_str(&format!(
                "{}: {}\n\n",
                finding.severity(),
                render(finding, "skills/invoices/SKILL.md", &source)
            ));
        }
    }
    expect_file!["snapshots/kinds.txt"].assert_eq(&out);
}

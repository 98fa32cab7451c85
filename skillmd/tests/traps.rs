//! Every decided verdict of the traps, under every profile.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use repertoire_skillmd::{Checked, Profile, Skill};
use serde_json::Value;
use support::{Trap, error_names, names, traps};

fn kinds(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind.as_str().unwrap())
        .collect()
}

/// `valid` and `errors` as far as they are decided.
fn assert_verdict(
    trap: &Trap,
    checked: &Checked,
    valid: Option<bool>,
    errors: &[&str],
    profile: Profile,
) {
    let found = error_names(checked);
    let id = trap.id();
    if let Some(valid) = valid {
        assert_eq!(
            checked.skill().is_some(),
            valid,
            "{id} under {profile}: {found:?}"
        );
        assert_eq!(found.is_empty(), valid, "{id} under {profile}: {found:?}");
    }
    for error in errors {
        assert!(
            found.contains(error),
            "{id} under {profile}: no {error} among {found:?}"
        );
    }
    // No error beyond those that are expected: one fault, one finding.
    if valid == Some(false) {
        let mut surplus = found.clone();
        surplus.retain(|kind| !errors.contains(kind));
        assert!(
            surplus.is_empty(),
            "{id} under {profile}: {surplus:?} besides {errors:?}"
        );
    }
}

#[test]
fn strict_verdicts() {
    let traps = traps();
    let mut decided = 0;
    for trap in &traps {
        let strict = &trap.expected["strict"];
        let valid = strict["valid"].as_bool();
        decided += usize::from(valid.is_some());
        assert_verdict(
            trap,
            &trap.check(Profile::Strict),
            valid,
            &kinds(&strict["errors"]),
            Profile::Strict,
        );
    }
    assert!(decided >= 90, "only {decided} decided cases were read");
}

/// `spec` is `strict` without the refusal of unknown keys.
#[test]
fn spec_verdicts() {
    for trap in traps() {
        let strict = &trap.expected["strict"];
        let mut errors = kinds(&strict["errors"]);
        errors.retain(|kind| *kind != "unexpected-field");
        let valid = strict["valid"]
            .as_bool()
            .map(|valid| valid || errors.is_empty());
        let checked = trap.check(Profile::Spec);
        assert_verdict(&trap, &checked, valid, &errors, Profile::Spec);
        if kinds(&strict["errors"]).contains(&"unexpected-field") {
            assert!(
                names(&checked).contains(&"unexpected-field"),
                "{}: no lint",
                trap.id()
            );
        }
    }
}

/// Cases whose `lenient.loads` contradicts the rule table, which says that
/// `lenient` loads with a warning what is too long, nested under `metadata`, or
/// named otherwise than its folder, and other traps that follow the table
/// (`meta-json`, `react-tips`).
const AGAINST_THE_TABLE: [&str; 3] = [
    "06-length-limits-count-characters/compat-501",
    "25-same-name-twice/c/Deploy",
    "33-yaml-dialects/flow-colon",
];

#[test]
fn lenient_verdicts() {
    for trap in traps() {
        let lenient = &trap.expected["lenient"];
        let checked = trap.check(Profile::Lenient);
        let loads = lenient["loads"].as_bool();
        if AGAINST_THE_TABLE.contains(&trap.id().as_str()) {
            assert_eq!(loads, Some(false));
            assert!(checked.skill().is_some(), "{}", trap.id());
            continue;
        }
        if let Some(loads) = loads {
            assert_eq!(
                checked.skill().is_some(),
                loads,
                "{}: {:?}",
                trap.id(),
                names(&checked)
            );
        }
        for warning in kinds(&lenient["warnings"]) {
            assert!(
                names(&checked).contains(&warning),
                "{}: no {warning} among {:?}",
                trap.id(),
                names(&checked)
            );
        }
    }
}

#[test]
fn claude_verdicts() {
    let mut seen = 0;
    for trap in traps() {
        let claude = &trap.expected["claude"];
        let Some(valid) = claude["valid"].as_bool() else {
            continue;
        };
        seen += 1;
        let checked = trap.check(Profile::Claude);
        assert_eq!(
            checked.skill().is_some(),
            valid,
            "{}: {:?}",
            trap.id(),
            names(&checked)
        );
        assert!(
            !names(&checked).contains(&"unexpected-field"),
            "{}",
            trap.id()
        );
        let skill = checked.skill().unwrap();
        for (key, value) in claude
            .as_object()
            .unwrap()
            .iter()
            .filter(|(key, _)| *key != "valid")
        {
            let entry = skill.entry(key).unwrap();
            match value {
                Value::Bool(wanted) => {
                    assert_eq!(entry.as_bool(), Some(*wanted), "{}: {key}", trap.id())
                }
                Value::String(wanted) => {
                    let text = entry.as_text().unwrap_or_else(|| {
                        std::str::from_utf8(&trap.source[entry.range()]).unwrap()
                    });
                    assert_eq!(text, wanted, "{}: {key}", trap.id());
                }
                other => panic!("{other}"),
            }
        }
    }
    assert_eq!(seen, 2);
}

/// A list of tools is what Claude Code takes; the specification wants one text.
#[test]
fn claude_takes_lists_of_tools() {
    for trap in traps()
        .iter()
        .filter(|trap| matches!(trap.dir.as_str(), "at-list" | "at-inline"))
    {
        assert_eq!(
            error_names(&trap.check(Profile::Spec)),
            ["allowed-tools-not-string"]
        );
        assert!(trap.check(Profile::Claude).skill().is_some());
    }
}

#[test]
fn exact_values() {
    let mut seen = 0;
    for trap in traps() {
        let Some(fields) = trap.expected["fields"].as_object() else {
            continue;
        };
        let checked = trap.check(Profile::Lenient);
        let skill = checked
            .skill()
            .unwrap_or_else(|| panic!("{} does not load", trap.id()));
        for (key, wanted) in fields {
            seen += 1;
            assert_field(&trap, skill, key, wanted);
        }
    }
    assert!(seen > 40, "{seen}");
}

fn assert_field(trap: &Trap, skill: &Skill, key: &str, wanted: &Value) {
    let id = trap.id();
    match key {
        "metadata" => {
            let found: serde_json::Map<String, Value> = skill
                .metadata()
                .iter()
                .map(|entry| {
                    (
                        entry.key().to_owned(),
                        entry.value().as_text().map_or(Value::Null, Value::from),
                    )
                })
                .collect();
            assert_eq!(&Value::Object(found), wanted, "{id}");
        }
        "allowed_tools_list" => {
            assert_eq!(&Value::from(skill.allowed_tools().to_vec()), wanted, "{id}")
        }
        "description_trimmed" => assert_eq!(Some(skill.description()), wanted.as_str(), "{id}"),
        // As written, the blanks at its ends included.
        _ => assert_eq!(
            skill.entry(key).and_then(|value| value.as_text()),
            wanted.as_str(),
            "{id}: {key}"
        ),
    }
}

#[test]
fn bodies() {
    for trap in traps() {
        let Some(body) = trap.expected["body"].as_str() else {
            continue;
        };
        let checked = trap.check(Profile::Strict);
        // A case that the specification refuses has its body all the same.
        let checked = if checked.skill().is_some() {
            checked
        } else {
            trap.check(Profile::Lenient)
        };
        assert_eq!(
            checked.skill().unwrap().body(&trap.source),
            body,
            "{}",
            trap.id()
        );
    }
}

/// Where the specification says nothing, this is what was decided.
#[test]
fn what_the_specification_leaves_open() {
    let decided: &[(&str, &[&str])] = &[
        ("cr-only", &["missing-frontmatter"]),
        ("block-1024", &[]),
        ("text-fence", &["missing-frontmatter"]),
        ("lower-name", &["file-name-case"]),
        ("meta-empty", &[]),
        ("at-comma", &[]),
        ("at-empty", &[]),
        ("nul", &[]),
        ("tab-sep", &[]),
        ("anchor-use", &["yaml-alias", "yaml-alias"]),
        ("tagged", &["yaml-tag"]),
        ("merge-key", &["metadata-value-not-string"]),
        ("bang", &["yaml-tag"]),
    ];
    let traps = traps();
    for trap in traps
        .iter()
        .filter(|trap| trap.expected["strict"]["valid"].is_null())
    {
        let (_, errors) = decided
            .iter()
            .find(|(dir, _)| *dir == trap.dir)
            .unwrap_or_else(|| panic!("{} is undecided", trap.id()));
        assert_eq!(
            error_names(&trap.check(Profile::Strict)),
            *errors,
            "{}",
            trap.id()
        );
    }
    let tab_sep = traps
        .iter()
        .find(|trap| trap.dir == "tab-sep")
        .unwrap()
        .check(Profile::Strict);
    let skill = tab_sep.skill().unwrap();
    assert_eq!(
        (skill.name(), skill.description()),
        ("tab-sep", "Tab after the colon.")
    );
}

#[test]
fn links_of_the_body() {
    for trap in traps() {
        let Some(links) = trap.expected["links"].as_object() else {
            continue;
        };
        let checked = trap.check(Profile::Spec);
        let targets = |kind: &str| -> Vec<&str> {
            let of_kind = checked
                .findings()
                .iter()
                .filter(|finding| finding.kind().name() == kind);
            of_kind
                .map(|finding| {
                    std::str::from_utf8(&trap.source[finding.span().unwrap().bytes()]).unwrap()
                })
                .collect()
        };
        assert_eq!(targets("link-missing"), kinds(&links["missing"]));
        assert_eq!(targets("link-case"), kinds(&links["case_only"]));
        assert_eq!(targets("link-outside"), kinds(&links["outside"]));
        assert_eq!(targets("mention-missing"), kinds(&links["mention_missing"]));
        return;
    }
    panic!("no trap with links");
}

/// How every error of the traps is shown.
#[test]
fn rendered_errors() {
    let mut out = String::new();
    for trap in traps() {
        for finding in trap.check(Profile::Strict).errors() {
            let path = format!("{}/{}", trap.dir, trap.file);
            out.push_str(&format!(
                "{}\n\n",
                repertoire_skillmd::render(finding, &path, &trap.source)
            ));
        }
    }
    expect_test::expect_file!["snapshots/traps.txt"].assert_eq(&out);
}

//! Cases that the traps do not have, each with the verdict that was decided for it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may stop at the first surprise"
)]

mod support;

use repertoire_skillmd::{CheckOptions, Checked, Kind, Profile, check, render};
use support::{error_names, names};

fn with(header: &str) -> String {
    format!("---\n{header}---\nRead the invoice.\n")
}

/// A whole file around some keys; `name` and `description` are added where they are missing.
fn file(keys: &str) -> String {
    let has = |key: &str| {
        keys.lines()
            .any(|line| line.starts_with(&format!("{key}:")))
    };
    let name = if has("name") { "" } else { "name: invoices\n" };
    let description = if has("description") {
        ""
    } else {
        "description: Use when a bill is to be read.\n"
    };
    with(&format!("{name}{description}{keys}"))
}

fn judged(source: &str, profile: Profile) -> Checked {
    check(source.as_bytes(), &CheckOptions::new().profile(profile))
}

fn named(name: &str, directory: &str) -> Vec<&'static str> {
    let source = file(&format!("name: {name}\n"));
    error_names(&check(
        source.as_bytes(),
        &CheckOptions::new().directory(directory),
    ))
}

/// Letters and digits of any script, in normalisation form NFKC.
#[test]
fn names_of_any_script() {
    assert!(named("données", "données").is_empty());
    // The same name, its accents composed in the file and decomposed on disk, or the other way round.
    assert!(named("donne\u{301}es", "donn\u{e9}es").is_empty());
    assert!(named("donn\u{e9}es", "donne\u{301}es").is_empty());
    assert!(named("数据处理", "数据处理").is_empty());
    assert!(named("обработка-данных", "обработка-данных").is_empty());
    // A combining mark belongs to the letter before it.
    assert!(named("हिन्दी-पाठ", "हिन्दी-पाठ").is_empty());
    assert!(named("อ่านบิล", "อ่านบิล").is_empty());
    assert_eq!(named("a-\u{301}b", "a-\u{301}b"), ["name-characters"]);
    // Full-width forms are the letters they stand for.
    assert!(named("ａｂｃ", "abc").is_empty());
    assert_eq!(
        named("Données", "données"),
        ["name-case", "name-directory-mismatch"]
    );
    assert_eq!(named("ДАННЫЕ", "ДАННЫЕ"), ["name-case"]);
    assert_eq!(named("rechnung-📦", "rechnung-📦"), ["name-characters"]);
    // Joiners cannot be seen, so two names could look alike.
    assert_eq!(named("a\u{200d}b", "a\u{200d}b"), ["name-characters"]);
}

/// A name is counted after normalisation: 64 letters with a composed accent each are 64.
#[test]
fn names_are_counted_after_normalisation() {
    let name = "e\u{301}".repeat(64);
    assert!(named(&name, &name).is_empty());
    let name = "e\u{301}".repeat(65);
    assert_eq!(named(&name, &name), ["name-too-long"]);
    let checked = check(
        file(&format!("name: {name}\n")).as_bytes(),
        &CheckOptions::new(),
    );
    assert!(checked.findings()[0].message().contains("65 characters"));
}

/// Scalars are the text that was written.
#[test]
fn scalars_are_not_typed() {
    for text in [
        "007",
        "12",
        "true",
        "yes",
        "1e3",
        "0x1f",
        "2026-01-31",
        "null",
    ] {
        let checked = judged(
            &file(&format!("name: {text}\ndescription: {text}\n")),
            Profile::Strict,
        );
        let skill = checked
            .skill()
            .unwrap_or_else(|| panic!("{text}: {:?}", names(&checked)));
        assert_eq!((skill.name(), skill.description()), (text, text));
        assert!(names(&checked).contains(&"ambiguous-scalar"), "{text}");
    }
    // An empty value is an empty text, and `~` is a character that no name may hold.
    assert_eq!(
        error_names(&judged(&file("name: ~\n"), Profile::Spec)),
        ["name-characters"]
    );
    assert_eq!(
        error_names(&judged(&file("name:\n"), Profile::Spec)),
        ["missing-name"]
    );
    assert_eq!(
        error_names(&judged(&file("name: \"\"\n"), Profile::Spec)),
        ["missing-name"]
    );
    assert_eq!(
        error_names(&judged(&file("description:\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: \"  \\t \"\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: |\n\n"), Profile::Spec)),
        ["description-empty"]
    );
    assert_eq!(
        error_names(&judged(&file("description: {a: b}\n"), Profile::Spec)),
        ["description-not-string"]
    );
    assert_eq!(
        error_names(&judged(&file("name: [a]\n"), Profile::Spec)),
        ["missing-name"]
    );
}

/// Under `lenient` the folder stands in for a missing name, and nothing for a description.
#[test]
fn lenient_takes_the_name_of_the_folder() {
    let source = with("description: Use when a bill is to be read.\n");
    let options = CheckOptions::new().profile(Profile::Lenient);
    assert!(check(source.as_bytes(), &options).skill().is_none());
    let checked = check(
        source.as_bytes(),
        &options.clone().directory("rechnu\u{308}ng"),
    );
    assert_eq!(checked.skill().unwrap().name(), "rechn\u{fc}ng");
    assert_eq!(names(&checked), ["missing-name"]);
    let source = with("name: a\n");
    assert_eq!(
        error_names(&check(source.as_bytes(), &options)),
        ["missing-description"]
    );
}

/// Keys are compared as they are read, in every map.
#[test]
fn keys_that_stand_twice() {
    let twice = |keys: &str| error_names(&judged(&file(keys), Profile::Lenient));
    assert_eq!(twice("license: a\nlicense: b\n"), ["duplicate-key"]);
    assert_eq!(
        twice("license: a\n\"lic\\u0065nse\": b\n"),
        ["duplicate-key"]
    );
    assert_eq!(
        twice("license: a\n'license': b\nlicense: c\n"),
        ["duplicate-key", "duplicate-key"]
    );
    assert_eq!(twice("metadata:\n  a: 1\n  \"a\": 2\n"), ["duplicate-key"]);
    assert_eq!(twice("metadata: {a: 1, a: 2}\n"), ["duplicate-key"]);
    assert!(twice("license: a\nmetadata:\n  license: b\n").is_empty());
    // Past the number of keys that are looked through one by one.
    let many: String = (0..40).map(|n| format!("  k{n}: v\n")).collect();
    assert!(twice(&format!("metadata:\n{many}")).is_empty());
    let checked = judged(
        &file(&format!("metadata:\n{many}  k3: w\n  k39: w\n")),
        Profile::Spec,
    );
    assert_eq!(error_names(&checked), ["duplicate-key", "duplicate-key"]);
    // name, description and `metadata` stand above `k0`, which is on line 5.
    assert!(
        checked.findings()[0]
            .message()
            .ends_with("the first is on line 8"),
        "{}",
        checked.findings()[0].message()
    );
    assert!(
        checked.findings()[1]
            .message()
            .ends_with("the first is on line 44")
    );
}

/// A fence is a whole line; what only looks like one is text.
#[test]
fn only_whole_lines_are_fences() {
    let skill = |source: &str| {
        let checked = judged(source, Profile::Strict);
        let skill = checked
            .skill()
            .unwrap_or_else(|| panic!("{source}: {:?}", names(&checked)));
        (
            skill.description().to_owned(),
            skill.body(source.as_bytes()).to_owned(),
        )
    };
    let (description, body) =
        skill("---\nname: a\ndescription: a --- b\n---\nBody --- here\n---\nmore\n");
    assert_eq!(
        (description.as_str(), body.as_str()),
        ("a --- b", "Body --- here\n---\nmore")
    );
    let (description, _) = skill("---\nname: a\ndescription: |\n  a\n  ---\n  b\n---\nBody\n");
    assert_eq!(description, "a\n---\nb");
    let (description, _) = skill("---\nname: a\ndescription: |\n  a\n  ----\n---\nBody\n");
    assert_eq!(description, "a\n----");
    assert_eq!(
        error_names(&judged("----\nname: a\n---\n", Profile::Lenient)),
        ["missing-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\nname: a\n ---\nbody\n", Profile::Lenient)),
        ["unclosed-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\nname: a\n----\nbody\n", Profile::Lenient)),
        ["unclosed-frontmatter"]
    );
    // One byte-order mark is dropped, a second one is not.
    assert_eq!(
        error_names(&judged(
            "\u{feff}\u{feff}---\nname: a\n---\n",
            Profile::Lenient
        )),
        ["missing-frontmatter"]
    );
    assert_eq!(
        error_names(&judged("---\n\u{feff}name: a\n---\n", Profile::Lenient)),
        ["yaml-syntax"]
    );
    // `...` ends a YAML document, and what follows would be another one.
    assert_eq!(
        error_names(&judged(&file("...\nlicense: MIT\n"), Profile::Lenient)),
        ["yaml-syntax"]
    );
    assert_eq!(
        error_names(&judged(
            "---\n%YAML 1.2\nname: a\ndescription: b\n---\n",
            Profile::Lenient
        )),
        ["yaml-syntax"]
    );
}

/// The retry of `lenient` covers every such value, and nothing else.
#[test]
fn unquoted_colons() {
    let source = file(
        "description: Use when: asked # a comment: here\nargument-hint: a: b\nmetadata:\n  note: c: d\n",
    );
    let spec = judged(&source, Profile::Spec);
    assert_eq!(
        error_names(&spec),
        ["yaml-syntax", "yaml-syntax", "yaml-syntax"]
    );
    assert_eq!(spec.accepted_by(), Some(Profile::Lenient));
    let lenient = judged(&source, Profile::Lenient);
    let skill = lenient.skill().unwrap();
    assert_eq!(skill.description(), "Use when: asked");
    assert_eq!(
        skill
            .entry("argument-hint")
            .and_then(|value| value.as_text()),
        Some("a: b")
    );
    assert_eq!(skill.metadata_text("note"), Some("c: d"));
    // Text in quotes and in blocks is left alone, and nothing is said about it.
    let source = file(
        "description: \"Use when\n  a: b: c\"\nlicense: d: e\nmetadata:\n  x: |\n    y: z: w\n",
    );
    let lenient = judged(&source, Profile::Lenient);
    assert_eq!(lenient.skill().unwrap().description(), "Use when a: b: c");
    assert_eq!(lenient.skill().unwrap().license(), Some("d: e"));
    assert_eq!(
        names(&lenient)
            .iter()
            .filter(|name| **name == "unquoted-colon")
            .count(),
        1
    );
    // Where the retry does not help, the fault stays an error.
    let source = file("description: \"a\": b\nlicense: c: d\n  }\n");
    assert!(judged(&source, Profile::Lenient).skill().is_none());
    // A line break that was lost.
    let source = file("description: 用于读取发票。license: MIT\n");
    let finding = &judged(&source, Profile::Spec).findings()[0].clone();
    assert!(
        finding
            .help()
            .unwrap()
            .starts_with("start a new line before `license`"),
        "{finding:?}"
    );
}

/// Broken bytes in the body hide nothing that is wrong above them.
#[test]
fn broken_bytes_after_the_frontmatter() {
    let source = [file("name: Invoices\n").as_bytes(), b"\xff\xfe"].concat();
    let kinds: Vec<Kind> = check(&source, &CheckOptions::new())
        .errors()
        .map(|finding| finding.kind())
        .collect();
    assert_eq!(kinds, [Kind::NameCase, Kind::NotUtf8]);
    // Within it they hide the rest.
    let source = b"---\nname: \xff\ndescription: b\n---\n";
    let kinds: Vec<Kind> = check(source, &CheckOptions::new())
        .errors()
        .map(|finding| finding.kind())
        .collect();
    assert_eq!(kinds, [Kind::NotUtf8]);
}

/// The caret stands under the right character whatever stands before it.
#[test]
fn carets_after_wide_characters_tabs_and_marks() {
    let caret = |source: &str, kind: Kind| {
        let checked = judged(source, Profile::Spec);
        let finding = checked
            .findings()
            .iter()
            .find(|finding| finding.kind() == kind)
            .unwrap();
        let text = render(finding, "SKILL.md", source.as_bytes());
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with("| ") && line.contains('^'))
            .unwrap()
            .to_owned();
        (
            finding
                .span()
                .map(|span| (span.line(), span.column()))
                .unwrap(),
            line.find('^').unwrap(),
            text,
        )
    };
    // Two columns on screen for each of the four characters.
    let (place, at, text) = caret(&file("description: 发票用于: b\n"), Kind::YamlSyntax);
    assert_eq!(
        (place, at),
        ((3, 18), "3 | description: 12345678".len()),
        "{text}"
    );
    // A tab is shown as four blanks.
    let (place, at, _) = caret(&file("license:\t&a b\n"), Kind::YamlAlias);
    assert_eq!((place, at), ((4, 10), "4 | license:    ".len()));
    // A mark at the start has no width, and the first line starts at column 1.
    let (place, at, _) = caret("\u{feff}# no\n", Kind::MissingFrontmatter);
    assert_eq!((place, at), ((1, 1), "1 | ".len()));
    let (place, ..) = caret(
        "\u{feff}---\r\nname: A\r\ndescription: b\r\n---\r\n",
        Kind::NameCase,
    );
    assert_eq!(place, (2, 7));
}

/// Shapes of `allowed-tools` and what becomes of them.
#[test]
fn tools() {
    let tools = |value: &str| {
        let checked = judged(
            &file(&format!("allowed-tools: {value}\n")),
            Profile::Lenient,
        );
        checked.skill().unwrap().allowed_tools().join("|")
    };
    assert_eq!(tools("Read  Grep,Glob"), "Read|Grep|Glob");
    assert_eq!(tools("\"Bash(git add:*), Read\""), "Bash(git add:*)|Read");
    assert_eq!(tools("[\"Bash(a, b)\", Read]"), "Bash(a, b)|Read");
    assert_eq!(tools("Bash(a (b) c) d"), "Bash(a (b) c)|d");
    // A bracket that is never closed takes the rest; one too many closes nothing.
    assert_eq!(tools("Bash(a b"), "Bash(a b");
    assert_eq!(tools("a) b"), "a)|b");
    assert_eq!(tools("\"\""), "");
}

/// Every key of Claude Code, in the shapes that its profile takes.
#[test]
fn claude_keys() {
    let keys = "when_to_use: a\nargument-hint: [a, b]\narguments: [a, b]\ndisable-model-invocation: Yes\n\
                user-invocable: 0\nmodel: a\neffort: high\ncontext: fork\nagent: a\nhooks:\n  a:\n    - b\n\
                paths:\n  - \"src/**\"\nshell: bash\ndisallowed-tools: [A, B]\nallowed-tools:\n  - C\n";
    let checked = judged(&file(keys), Profile::Claude);
    assert!(names(&checked).is_empty(), "{:?}", names(&checked));
    let skill = checked.skill().unwrap();
    assert_eq!(
        (skill.disable_model_invocation(), skill.user_invocable()),
        (Some(true), Some(false))
    );
    let bad = "arguments: {a: b}\nmodel: [a]\ndisable-model-invocation: maybe\npaths: [[a]]\n";
    assert_eq!(
        error_names(&judged(&file(bad), Profile::Claude)),
        ["client-key-value"; 4]
    );
    // Elsewhere they are unknown keys, and their values nobody's business.
    let spec = judged(&file(bad), Profile::Spec);
    assert_eq!(names(&spec), ["unexpected-field"; 4]);
}

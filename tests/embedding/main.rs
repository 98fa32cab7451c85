//! `skills!` as a user meets it: faults stop the build with their place, changes rebuild the crate
//! that embeds them and nothing else.

mod project;

use project::Project;

/// Faults of the skills written by [`five_faults`], as `path:line:column` with the rule before.
const FIVE: [(&str, &str); 5] = [
    // Two in one file.
    ("name-case", "skills/Bad-Name/SKILL.md:2:7"),
    ("unexpected-field", "skills/Bad-Name/SKILL.md:4:1"),
    // After Chinese text on the same line: columns count characters.
    ("yaml-syntax", "skills/chinese/SKILL.md:3:18"),
    ("description-empty", "skills/empty/SKILL.md:3:1"),
    ("name-directory-mismatch", "skills/empty/SKILL.md:2:7"),
];

fn five_faults(project: &Project) {
    project.write(
        "skills/Bad-Name/SKILL.md",
        "---\nname: Bad-Name\ndescription: Reads. Use when reading.\nversion: 1\n---\nText.\n",
    );
    project.write(
        "skills/chinese/SKILL.md",
        "---\nname: chinese\ndescription: 检查代码: 当需要时使用\n---\nText.\n",
    );
    project.write(
        "skills/empty/SKILL.md",
        "---\nname: emtpy\ndescription:\n---\nText.\n",
    );
}

#[test]
fn five_faults_in_three_skills_are_five_errors_of_one_build() {
    let project = Project::new("five-faults", false);
    project.write(
        "src/main.rs",
        "repertoire::skills!(\"skills/\", profile = \"strict\", untracked);\nfn main() {}\n",
    );
    five_faults(&project);
    let build = project.cargo("check");
    assert!(!build.success);
    let places: Vec<(&str, &str)> = build
        .errors
        .iter()
        .map(|error| {
            let rule = error.split(':').next().unwrap();
            let place = error.split("--> ").nth(1).unwrap_or_default();
            (rule, place.lines().next().unwrap())
        })
        .collect();
    for expected in FIVE {
        assert!(
            places.contains(&expected),
            "{expected:?} is not in {places:#?}\n{}",
            build.raw
        );
    }
    assert_eq!(places.len(), 5, "{places:#?}");
    assert!(
        build.errors.iter().all(|error| error.contains("help: ")),
        "{:#?}",
        build.errors
    );
    assert!(
        build.errors.iter().all(|error| error.contains('^')),
        "{:#?}",
        build.errors
    );
}

#[test]
fn what_is_not_utf8_and_what_is_twice_there_never_compiles() {
    let project = Project::new("other-faults", false);
    project.write_bytes(
        "skills/latin/SKILL.md",
        b"---\nname: latin\ndescription: caf\xe9\n---\nx\n",
    );
    project.skill("twin");
    project.write(
        "skills/again/twin/SKILL.md",
        "---\nname: twin\ndescription: Twice. Use when twice.\n---\nx\n",
    );
    let build = project.cargo("check");
    assert_eq!(build.errors.len(), 2, "{:#?}", build.errors);
    assert!(
        build.errors[0].starts_with("not-utf8"),
        "{:#?}",
        build.errors
    );
    let twin = &build.errors[1];
    assert!(
        twin.starts_with("duplicate-name")
            && twin.contains("`skills/again/twin/SKILL.md`")
            && twin.contains("`skills/twin/SKILL.md`"),
        "{twin}"
    );

    // A folder without a skill, a file in its place, nothing at all.
    project.remove("skills");
    for says in ["does not exist", "is not a folder", "holds no skill"] {
        match says {
            "is not a folder" => project.write("skills", "a file"),
            "holds no skill" => {
                project.remove("skills");
                project.write("skills/notes/README.md", "no skill");
            }
            _ => {}
        }
        let build = project.cargo("check");
        assert_eq!(build.errors.len(), 1, "{:#?}", build.errors);
        assert!(build.errors[0].contains(says), "{:#?}", build.errors);
    }
}

#[test]
fn what_names_no_folder_is_refused_in_our_words() {
    let project = Project::new("bad-folders", false);
    project.skill("first");
    project.write(
        "src/main.rs",
        "repertoire::skills!(\"\");\nrepertoire::skills!(\"/skills\");\n\
         repertoire::skills!(\"skills/\", \"skills/\");\n\
         repertoire::skills!(\"skills\\\\first\");\nfn main() {}\n",
    );
    let build = project.cargo("check");
    let says = [
        "expected a folder of skills",
        "relative to `Cargo.toml`",
        "given twice",
        // Elsewhere a backslash is a letter like others; on Windows the folder is one skill.
        "with `/` between its parts",
    ];
    let says = if cfg!(windows) { &says[..3] } else { &says[..] };
    assert_eq!(build.errors.len(), says.len(), "{:#?}", build.errors);
    for (error, says) in build.errors.iter().zip(says) {
        assert!(error.contains(says), "{error}");
    }
}

/// `lenient` takes what other profiles refuse: a `skill.md`, a name that is taken, a folder of another
/// name. The static may stand in a function, and the generated test knows what is embedded.
#[test]
fn what_lenient_takes_is_embedded_whole() {
    let project = Project::new("lenient", false);
    let skill = |name: &str| {
        format!("---\nname: {name}\ndescription: Helps. Use when asked.\n---\nDo it.\n")
    };
    project.write("skills/lower/skill.md", &skill("lower"));
    project.write("skills/a/twin/SKILL.md", &skill("twin"));
    project.write("skills/b/twin/SKILL.md", &skill("twin"));
    project.write("skills/folder/SKILL.md", &skill("other"));
    project.write(
        "skills/old/SKILL.md",
        "---\nname: old\ndescription: Helps. Use when asked.\nmetadata:\n  replaced-by: twin\n---\nDo it.\n",
    );
    // Elsewhere a backslash is a letter like others.
    #[cfg(unix)]
    project.write("skills/lower/a\\b.md", "Odd.");
    project.write(
        "src/main.rs",
        "repertoire::skills!(\"skills/\", profile = \"lenient\", untracked);\n\
         repertoire::skills!(\"skills\", profile = \"lenient\", untracked);\n\
         fn main() {\n    repertoire::skills!(static MINE = \"skills/\", profile = \"lenient\", untracked);\n    \
         for skill in repertoire::Skills::from(&MINE).iter() {\n        println!(\"{} {} {} {:?}\", \
         skill.name(), skill.body().unwrap(), skill.files().iter().filter(|file| skill\
         .read_file(file.path()).is_ok()).count(), skill.replaced_by());\n    }\n}\n",
    );
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    let taken = build
        .warnings
        .iter()
        .filter(|warning| warning.contains("duplicate-name"));
    assert_eq!(taken.count(), 3, "one for each call: {:#?}", build.warnings);
    assert_eq!(
        project.run(),
        if cfg!(unix) {
            "lower Do it. 1 None\nold Do it. 0 Some(\"twin\")\nother Do it. 0 None\ntwin Do it. 0 None\n"
        } else {
            "lower Do it. 0 None\nold Do it. 0 Some(\"twin\")\nother Do it. 0 None\ntwin Do it. 0 None\n"
        }
    );
    let tested = project.cargo("test");
    assert!(tested.success, "{}", tested.raw);
    project.write("skills/late/SKILL.md", &skill("late"));
    assert!(
        !project.cargo("test").success,
        "a skill that came later is missed"
    );
}

#[test]
fn skills_of_one_name_in_two_calls_are_found_when_the_agent_is_built() {
    let project = Project::new("two-calls", false);
    for folder in ["one", "two"] {
        project.write(
            &format!("{folder}/twin/SKILL.md"),
            "---\nname: twin\ndescription: Twice. Use when twice.\n---\nx\n",
        );
    }
    project.write(
        "src/main.rs",
        "repertoire::skills!(\"one/\", untracked);\nrepertoire::skills!(\"two/\", untracked);\n\
         mod again {\n    repertoire::skills!(static A = \"one/\", untracked);\n}\n\
         fn main() {\n    use repertoire::{Agent, Anthropic, testing::Script};\n    let agent = \
         Agent::builder(Script::new(Anthropic::new(\"m\"))).repertoire(repertoire::linked!());\n    \
         print!(\"{}\", agent.build().err().unwrap());\n}\n",
    );
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    let said = project.run();
    assert!(
        said.contains("two/twin (embedded)") && said.contains("one/twin (embedded)"),
        "{said}"
    );
}

#[test]
fn a_change_rebuilds_the_crate_that_embeds_it_and_nothing_else() {
    let project = Project::new("rebuild", true);
    project.skill("first");
    project.write("skills/first/notes.md", "Notes.\n");
    let build = project.cargo("build");
    assert!(build.success && build.warnings.is_empty(), "{}", build.raw);
    assert_eq!(project.run(), "first 11\n");

    let build = project.cargo("build");
    assert!(
        build.compiled.is_empty(),
        "nothing was touched: {:?}",
        build.compiled
    );

    wait_for_a_new_time_stamp();
    project.write(
        "skills/first/SKILL.md",
        "---\nname: first\ndescription: Helps. Use when asked.\n---\nDo it very well.\n",
    );
    let build = project.cargo("build");
    assert_eq!(build.compiled, ["rebuild"], "an edit");
    assert_eq!(project.run(), "first 16\n");

    wait_for_a_new_time_stamp();
    project.skill("second");
    let build = project.cargo("build");
    assert_eq!(build.compiled, ["rebuild"], "a new skill");
    assert_eq!(project.run(), "first 16\nsecond 11\n");

    wait_for_a_new_time_stamp();
    project.remove("skills/first/notes.md");
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    assert_eq!(build.compiled, ["rebuild"], "a deleted file");

    wait_for_a_new_time_stamp();
    project.remove("skills/second");
    let build = project.cargo("build");
    assert!(build.success, "{}", build.raw);
    assert_eq!(build.compiled, ["rebuild"], "a deleted skill");
    assert_eq!(project.run(), "first 16\n");

    let build = project.cargo("build");
    assert!(build.compiled.is_empty(), "{:?}", build.compiled);
}

#[test]
fn without_tracking_the_build_warns_with_the_lines_to_paste() {
    let project = Project::new("not-tracked", false);
    project.write(
        "src/main.rs",
        "repertoire::skills!(\"skills/\");\nfn main() {}\n",
    );
    project.skill("first");
    let build = project.cargo("check");
    assert!(build.success, "{}", build.raw);
    assert_eq!(build.warnings.len(), 1, "{:#?}", build.warnings);
    assert!(build.warnings[0].contains("repertoire_skillmd::build::track(\"skills/\");"));
}

/// Cargo compares times, and some file systems write down whole seconds.
fn wait_for_a_new_time_stamp() {
    std::thread::sleep(std::time::Duration::from_millis(1100));
}

/// A newcomer copies the program from the README; it has to build without a warning and print what
/// the README says.
#[test]
fn the_program_of_the_readme_works_as_it_stands() {
    let readme = include_str!("../../README.md");
    // The text of the code block that follows the name of a file.
    let file = |name: &str| -> &str {
        let start = readme
            .find(&format!("`{name}`"))
            .unwrap_or_else(|| panic!("no `{name}`"));
        let block = readme[start..].split_once("\n```").unwrap().1;
        let block = block.split_once('\n').unwrap().1;
        &block[..block.find("\n```").unwrap() + 1]
    };
    let project = Project::new("stock", true);
    project.write(
        "Cargo.toml",
        &format!("{}{}", file("Cargo.toml"), Project::patch()),
    );
    for name in ["skills/stock-questions/SKILL.md", "build.rs", "src/main.rs"] {
        project.write(name, file(name));
    }
    let build = project.cargo("build");
    assert!(build.success && build.warnings.is_empty(), "{}", build.raw);
    let output = project.run();
    assert_eq!(output, "215 pieces\n");
    assert!(readme.contains(&format!("It prints `{}`.", output.trim())));
}

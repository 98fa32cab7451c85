//! Files that other libraries drop, read wrongly or follow out of their folder.

use std::fs;

use repertoire::{
    Skills,
    skill::{Profile, SkillRoots},
};

use super::support::Folder;

repertoire::skills!(static OWN = "../skills", untracked);
repertoire::skills!(static OTHERS = "../skillmd/tests/traps/26-prefix-names/skills", untracked, allow(description-no-when));

fn names(skills: &Skills) -> Vec<&str> {
    skills.iter().map(|skill| skill.name()).collect()
}

/// mattpocock/skills#908, BuilderIO/skills#38, obra/superpowers#955, omnigent#6125
#[test]
fn an_unquoted_colon_drops_no_skill_in_silence() {
    let folder = Folder::new("public-colon");
    folder.write(
        "a/SKILL.md",
        "---\nname: a\ndescription: Use when: asked\n---\nx\n",
    );
    let skills = folder.load();
    assert_eq!(skills.get("a").unwrap().description(), "Use when: asked");
    let findings = skills.reports()[0].findings();
    assert_eq!(findings[0].kind().name(), "unquoted-colon");
    let strict = SkillRoots::new([&folder.0]).profile(Profile::Spec).load();
    let skipped = &strict.skipped()[0];
    assert_eq!((skipped.line(), skipped.column()), (3, 22));
    assert!(
        skipped.help().unwrap().contains("\"Use when: asked\""),
        "{skipped}"
    );
}

/// The same short skill, however it is written.
fn reads_as_text(test: &str, bytes: &str) {
    let folder = Folder::new(test);
    folder.write("a/SKILL.md", bytes);
    let skills = folder.load();
    let skill = skills.get("a").unwrap();
    assert_eq!(
        (skill.description(), skill.body().unwrap().as_ref()),
        ("Use when asked.", "Text.")
    );
}

/// agentscope#2732, cline#12151, deer-flow#5587: a byte-order mark.
#[test]
fn a_byte_order_mark_hides_no_skill() {
    reads_as_text(
        "public-bom",
        "\u{feff}---\nname: a\ndescription: Use when asked.\n---\nText.\n",
    );
}

/// SkVM#122, qwen-code#1512: CRLF.
#[test]
fn windows_line_ends_lose_nothing() {
    reads_as_text(
        "public-crlf",
        "---\r\nname: a\r\ndescription: Use when asked.\r\n---\r\nText.\r\n",
    );
}

/// kimi-code#3673
#[test]
fn a_skipped_skill_is_named_with_the_reason() {
    let folder = Folder::new("public-skipped");
    folder
        .write("bad/SKILL.md", "---\nname: bad\n---\nx\n")
        .skill("good", "", "x");
    let skills = folder.load();
    assert_eq!(names(&skills), ["good"]);
    let text = skills.skipped()[0].to_string();
    assert!(
        text.contains("bad/SKILL.md:3:1: missing-description"),
        "{text}"
    );
}

/// spring-ai-agent-utils#28, #50
#[test]
fn several_sets_are_in_the_binary_with_all_their_files() {
    let skills = Skills::from(&OWN).with(Skills::from(&OTHERS));
    assert!(
        names(&skills).contains(&"using-jj-workspaces"),
        "{:?}",
        names(&skills)
    );
    assert!(skills.skipped().is_empty());
    for skill in skills.iter() {
        assert!(!skill.body().unwrap().is_empty(), "{}", skill.name());
        for file in skill.files() {
            assert!(skill.read_file(file.path()).is_ok(), "{}", file.path());
        }
    }
    let dirs = OTHERS
        .dirs()
        .map(|(name, dir)| (name, dir.get_file("SKILL.md").is_some()));
    assert_eq!(
        dirs.collect::<Vec<_>>(),
        [("using-jj", true), ("using-jj-workspaces", true)]
    );
}

/// opencode#46327, hermes-agent#112179, codex#31592: symbolic links.
#[cfg(unix)]
#[test]
fn links_are_followed_once_and_never_out() {
    use std::os::unix::fs::symlink;

    let (folder, outside) = (
        Folder::new("public-links"),
        Folder::new("public-links-outside"),
    );
    outside.skill("secret", "", "x");
    folder.skill("real", "", "x").write(
        "shared/text.md",
        "---\nname: file\ndescription: Use when asked.\n---\nx\n",
    );
    symlink("real", folder.0.join("same")).unwrap();
    fs::create_dir(folder.0.join("file")).unwrap();
    symlink("../shared/text.md", folder.0.join("file/SKILL.md")).unwrap();
    symlink(outside.0.join("secret"), folder.0.join("secret")).unwrap();
    let skills = folder.load();
    assert_eq!(names(&skills), ["file", "real"]);
    let refused: Vec<String> = skills.skipped().iter().map(ToString::to_string).collect();
    assert!(
        refused
            .iter()
            .any(|text| text.contains("symlink-refused") && text.contains("secret")),
        "{refused:?}"
    );
    assert!(
        !refused.iter().any(|text| text.contains("is taken")),
        "seen twice: {refused:?}"
    );
    // A file that becomes a link out of the folder after it was found is not read.
    folder.write("real/a.md", "inside");
    let skills = folder.load();
    fs::remove_file(folder.0.join("real/a.md")).unwrap();
    symlink(
        outside.0.join("secret/SKILL.md"),
        folder.0.join("real/a.md"),
    )
    .unwrap();
    let error = skills.get("real").unwrap().read_file("a.md").unwrap_err();
    assert!(error.to_string().contains("a link out of"), "{error}");
}

/// OpenMontage#192
#[test]
fn a_name_in_another_spelling_is_told() {
    let folder = Folder::new("public-spelling");
    folder.write(
        "video_gen/SKILL.md",
        "---\nname: video-gen\ndescription: Use when asked.\n---\nSee [it](references/shot_list.md).\n",
    );
    folder.write("video_gen/references/shot-list.md", "x");
    let skills = folder.load();
    let kinds: Vec<&str> = skills.reports()[0]
        .findings()
        .iter()
        .map(|finding| finding.kind().name())
        .collect();
    assert_eq!(kinds, ["name-directory-mismatch", "link-missing"]);
}

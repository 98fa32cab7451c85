//! The cases under `ui/skills`: one for every kind of finding, with the folder of skills that it is
//! about beside it, and what the compiler prints.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use repertoire_skillmd::{
    CheckOptions, Kind, Profile,
    scan::{ScanOptions, folder},
};

const CASES: &str = "ui/skills";

/// Copies the folders of the cases to where trybuild compiles them, which is what `skills!` takes its
/// paths from. They are shown as `skills/<kind>/…`.
pub(super) fn lay_out() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let to = target.join("tests/trybuild/repertoire-tests/skills");
    let _ = fs::remove_dir_all(&to);
    for kind in Kind::ALL {
        copy_case(*kind, &to.join(kind.name()));
    }
}

fn copy_case(kind: Kind, to: &Path) {
    copy(&Path::new(CASES).join(kind.name()), to);
    if kind == Kind::SymlinkRefused {
        // No file of the repository is a link: not every system can check one out.
        #[cfg(unix)]
        std::os::unix::fs::symlink("/", to.join("shared")).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|e| (e.path(), e.file_name())).unwrap();
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(path, to.join(name)).unwrap();
        }
    }
}

/// A case as it was written down.
struct Case {
    kind: Kind,
    /// What stands in the `.rs` file.
    code: String,
    /// What the compiler prints.
    printed: String,
}

fn cases() -> impl Iterator<Item = Case> {
    Kind::ALL.iter().map(|kind| {
        let path = Path::new(CASES).join(kind.name());
        let read = |extension: &str| {
            let path = path.with_extension(extension);
            fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}", path.display()))
        };
        Case {
            kind: *kind,
            code: read("rs"),
            printed: read("stderr"),
        }
    })
}

impl Case {
    fn profile(&self) -> Profile {
        let named = self.code.split_once("profile = \"");
        named.map_or(Profile::Spec, |(_, rest)| {
            rest.split('"').next().unwrap().parse().unwrap()
        })
    }

    /// The line of the print that starts so, without that.
    fn line(&self, start: &str) -> Option<&str> {
        let mut lines = self.printed.lines().map(str::trim_start);
        lines.find_map(|line| line.strip_prefix(start))
    }

    /// File, line and column; without the last two for a file as a whole.
    fn place(&self) -> (&str, Option<(usize, usize)>) {
        let place = self.line("--> ").unwrap();
        let mut parts = place.split(':');
        let path = parts.next().unwrap();
        let mut number = || parts.next().map(|number| number.parse().unwrap());
        (path, number().zip(number()))
    }
}

/// A kind without a case fails above; here each case has its one error, with rule, place and help.
#[test]
fn each_kind_is_one_error_with_rule_place_and_help() {
    for case in cases() {
        let kind = case.kind;
        let errors: Vec<&str> = (case.printed.lines())
            .filter(|line| line.starts_with("error"))
            .collect();
        let [error] = errors[..] else {
            panic!("{kind}: {errors:?}");
        };
        // A warning reaches the compiler as the note of something deprecated.
        let warned = format!("error: use of deprecated constant `_::SKILL`: {kind}: ");
        assert!(
            error.starts_with(&format!("error: {kind}: ")) || error.starts_with(&warned),
            "{error}"
        );
        let (path, _) = case.place();
        assert!(path.starts_with(&format!("skills/{kind}/")), "{path}");
        assert!(case.line("= help: ").is_some(), "{kind}");
        // A lint is an error because all are denied, and for no other reason.
        let denied = case.code.contains("deny(lints)");
        assert_eq!(
            denied,
            kind.is_lint() && kind != Kind::UnexpectedField,
            "{kind}"
        );
    }
    let files = fs::read_dir(CASES).unwrap();
    let names: BTreeSet<PathBuf> = files.map(|e| e.unwrap().path()).collect();
    let surplus = names.iter().filter(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name != ".gitattributes" && name.parse::<Kind>().is_err()
    });
    assert_eq!(surplus.count(), 0, "{names:?}");
}

/// The first caret stands under the character that the place names.
#[test]
fn the_caret_stands_at_the_place() {
    let mut seen = 0;
    for case in cases() {
        let Some((line, column)) = case.place().1 else {
            continue;
        };
        let shown = case.printed.lines().skip_while(|shown| {
            let number = shown.trim_start().split(' ').next();
            number != Some(&line.to_string())
        });
        let [shown, marks] = shown.take(2).collect::<Vec<_>>()[..] else {
            panic!("{}", case.printed);
        };
        if marks.contains("| |") || shown.contains("| /") || shown.contains("...") {
            continue; // several lines, or a part of a long one
        }
        let at = marks.split_once("| ").unwrap().1.find('^').unwrap();
        let text = shown.split_once("| ").unwrap().1;
        let source = fs::read(Path::new("ui").join(case.place().0)).unwrap();
        let source = String::from_utf8_lossy(&source).replace('\u{feff}', "");
        let whole = source.lines().nth(line - 1).unwrap();
        assert_eq!(text.trim_end(), whole.trim_end(), "{}", case.kind);
        // A wide character takes two cells of a terminal, and its caret two.
        let before: String = whole.chars().take(column - 1).collect();
        let cells: usize = before
            .chars()
            .map(|c| if c > '\u{2e7f}' { 2 } else { 1 })
            .sum();
        assert_eq!(at, cells, "{}\n{}", case.kind, case.printed);
        seen += 1;
    }
    assert!(seen >= 30, "{seen}");
}

/// What a help tells to write, put in the place of the line it is about, mends the file.
#[test]
fn what_a_help_says_can_be_pasted() {
    let mut mended = BTreeSet::new();
    for case in cases() {
        let help = case.line("= help: ").unwrap();
        let (path, Some((line, _))) = case.place() else {
            continue;
        };
        // Lines of the frontmatter: `key: value` in backticks. What the author has to say is left open.
        let pasted = help.split('`').skip(1).step_by(2);
        let Some(pasted) = pasted
            .into_iter()
            .find(|text| text.contains(": ") && !text.contains('…'))
        else {
            continue;
        };
        let to = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("pasted")
            .join(case.kind.name());
        let _ = fs::remove_dir_all(&to);
        copy_case(case.kind, &to);
        let file = to.join(
            path.strip_prefix(&format!("skills/{}/", case.kind))
                .unwrap(),
        );
        let source = fs::read_to_string(&file).unwrap();
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        let old = lines[line - 1].clone();
        let indent = &old[..old.len() - old.trim_start().len()];
        if help.starts_with("add ") {
            lines.insert(line - 1, pasted.to_owned());
        } else if help.contains("move it under") {
            lines[line - 1] = format!("metadata:\n{pasted}");
        } else {
            lines[line - 1] = format!("{indent}{pasted}");
            // The rest of a value of several lines goes with its first.
            while lines.get(line).is_some_and(|next| next.starts_with("  ")) && indent.is_empty() {
                lines.remove(line);
            }
        }
        fs::write(&file, lines.join("\n") + "\n").unwrap();
        let options = CheckOptions::new().profile(case.profile());
        let checked = folder(&to, &ScanOptions::new()).check(&options);
        let kinds: Vec<Kind> = (checked.skills().iter())
            .flat_map(|skill| skill.checked().findings())
            .map(|finding| finding.kind())
            // The folder of a name that changes is renamed with it.
            .filter(|kind| *kind != Kind::NameDirectoryMismatch || case.kind == *kind)
            .collect();
        assert_eq!(kinds, [], "{}: {help}", case.kind);
        mended.insert(case.kind);
    }
    assert!(mended.len() >= 15, "{mended:?}");
}

//! Tools and the other keys of Claude Code.

use repertoire_skillmd::Profile;

use super::cases::*;
use super::support::{error_names, names};

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

//! The whole check of any bytes, under every profile, with rendering and fixes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use repertoire_skillmd::{CheckOptions, Profile, check, render};

fuzz_target!(|source: &[u8]| {
    let options = CheckOptions::new()
        .directory("invoices")
        .file_name("SKILL.md")
        .files(["SKILL.md", "references/a.md", "scripts/b.py"]);
    let mut loads = Vec::new();
    for profile in Profile::ALL {
        let options = options.clone().profile(profile);
        let checked = check(source, &options);
        if let Some(skill) = checked.skill() {
            assert!(!skill.name().is_empty() && !skill.description().is_empty());
            assert!(source.get(skill.body_span()).is_some());
            let _ = skill.body(source);
        }
        loads.push(checked.skill().is_some());
        assert_eq!(checked.skill().is_none(), checked.errors().next().is_some());
        for (index, finding) in checked.findings().iter().enumerate() {
            // Rendering and checking again are slow beside the check.
            if index < 4 {
                let text = render(finding, "SKILL.md", source);
                assert!(text.starts_with(finding.kind().name()));
            }
            if let Some(span) = finding.span() {
                assert!(source.get(span.bytes()).is_some());
                assert!(span.line() >= 1 && span.column() >= 1);
            }
            if let Some(fix) = finding.fix().filter(|_| index < 4) {
                let _ = check(&fix.apply(source), &options);
            }
        }
        if let Some(other) = checked.accepted_by() {
            assert!(
                check(source, &options.clone().profile(other))
                    .skill()
                    .is_some()
            );
        }
        // Lints are only left out; nothing else changes.
        let quiet = check(source, &options.without_lints());
        assert_eq!(quiet.skill(), checked.skill());
    }
    // In the order of `Profile::ALL`: what a strict profile takes, a laxer one takes.
    let [spec, strict, claude, lenient] = loads[..] else {
        unreachable!()
    };
    assert!(!strict || spec);
    assert!(!(spec || claude) || lenient);
});

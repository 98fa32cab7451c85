//! The frontmatter alone, between fences that are always right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use repertoire_skillmd::{Content, Entry, parse};

fuzz_target!(|header: &[u8]| {
    let source = [b"---\n", header, b"\n---\nbody\n"].concat();
    match parse(&source) {
        Ok(document) => {
            assert!(source.get(document.body_span()).is_some());
            entries(document.entries(), &source);
        }
        Err(findings) => {
            assert!(!findings.is_empty());
            for finding in &findings {
                let span = finding.span().expect("a fault of the text has a place");
                assert!(source.get(span.bytes()).is_some());
            }
        }
    }
});

/// Places lie in the file and inside each other, and no key stands twice.
fn entries(entries: &[Entry], source: &[u8]) {
    let mut keys = std::collections::HashSet::new();
    for entry in entries {
        assert!(keys.insert(entry.key()));
        assert!(source.get(entry.key_range()).is_some());
        value(entry.value(), source);
    }
}

fn value(value: &repertoire_skillmd::Value, source: &[u8]) {
    let range = value.range();
    assert!(source.get(range.clone()).is_some());
    match value.content() {
        Content::List(items) => items.iter().for_each(|item| {
            assert!(range.start <= item.range().start && item.range().end <= range.end);
            self::value(item, source);
        }),
        Content::Map(inner) => entries(inner, source),
        _ => {}
    }
}

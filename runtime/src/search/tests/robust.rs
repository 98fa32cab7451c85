//! No input makes it panic, or take long, or answer differently.

use std::process::Command;
use std::time::{Duration, Instant};

use super::super::{Document, Index};
use super::{found, index};

#[test]
fn nothing_in_nothing() {
    let empty = Index::new([]);
    assert!(empty.is_empty());
    assert!(found(&empty, "anything").is_empty());
    assert!(empty.search_many(&["a", "b"], 3).iter().all(Vec::is_empty));
    assert_eq!(empty.explain("a", 0), None);
    let blank = Index::new([Document::default(), Document::new("").description("")]);
    assert_eq!(blank.len(), 2);
    assert!(found(&blank, "").is_empty());
    assert!(found(&blank, "a b c").is_empty());
}

#[test]
fn one_document_is_found() {
    let one = index(&[("send_mail", "Sends mail.")]);
    assert_eq!(found(&one, "mails"), [0]);
    assert!(found(&one, "weather").is_empty());
}

#[test]
fn queries_without_words_find_nothing() {
    let index = index(&[("a_b", "Text with words."), ("-", "---")]);
    for query in [
        "",
        " ",
        "\n\t",
        "!!!",
        "___",
        "-",
        "\u{0}",
        "\u{301}",
        "\u{200D}\u{200D}",
        "🦀",
        "، ؟",
        "。、",
    ] {
        assert!(found(&index, query).is_empty(), "{query:?}");
    }
}

#[test]
fn strange_characters_do_no_harm() {
    let strange = [
        "\u{301}abc",
        "a\u{301}\u{301}\u{301}",
        "ǅUNGLA",
        "İSTANBUL",
        "ﬀﬁ",
        "\u{FFFD}\u{FFFF}",
        "\u{10FFFF}",
        "🇩🇪🏳️‍🌈",
        "ａＢｃ１２",
        "①②㊿㍿",
        "½⅓",
        "𝕳𝖊𝖑𝖑𝖔",
        "ก็",
        "เ",
        "্",
        "한\u{1100}\u{1161}",
        "ー",
        "゙",
        "々",
        "\u{202E}abc",
        "a\u{AD}b",
        "עִבְרִית",
        "دُ",
        "__init__",
        "A",
        "AA",
        "AAa",
        "aA1bB2",
        "1a2b",
        "é",
        "e\u{301}",
        "ß",
        "ẞ",
        "ΣΑΣ",
    ];
    let index = Index::new(strange.iter().map(|text| {
        Document::new(*text)
            .description(text)
            .schema_json("{}")
            .unwrap()
    }));
    for (position, text) in strange.iter().enumerate() {
        let hits = index.search(text, 100);
        if text.chars().any(char::is_alphanumeric) {
            assert!(hits.iter().any(|hit| hit.position == position), "{text:?}");
        }
        assert!(index.explain(text, position).is_some());
    }
}

/// Text of every kind without an end: words, one word, numbers, brackets, CJK, marks, case borders.
#[test]
fn a_megabyte_of_garbage_is_answered_soon() {
    let index = index(&[
        ("send_mail", "Sends mail to somebody."),
        ("库存", "查询库存"),
    ]);
    let mut number = 1u64;
    let mut random = move || {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as u32
    };
    let letters: String = (0..1 << 20)
        .map(|_| char::from(b'a' + (random() % 26) as u8))
        .collect();
    let words: String = letters
        .chars()
        .map(|c| if c == 'e' { ' ' } else { c })
        .collect();
    let any: String = (0..1 << 18)
        .filter_map(|_| char::from_u32(random() % 0x11_0000))
        .collect();
    let texts = [
        letters,
        words,
        any,
        "mail ".repeat(1 << 18),
        "库存".repeat(1 << 17),
        "aB".repeat(1 << 19),
        "a-".repeat(1 << 19),
        "1".repeat(1 << 20),
        "[{\"".repeat(1 << 18),
        "e\u{301}".repeat(1 << 18),
        "ไ".repeat(1 << 17),
        "a's".repeat(1 << 18),
    ];
    for text in &texts {
        let start = Instant::now();
        let hits = index.search(text, 5);
        assert!(start.elapsed() < Duration::from_secs(10), "{}", &text[..8]);
        assert!(hits.len() <= 2);
        let part: String = text.chars().take(1 << 16).collect();
        let start = Instant::now();
        let built = Index::new([Document::new(&part).description(&part)]);
        assert!(start.elapsed() < Duration::from_secs(20), "{}", &text[..8]);
        assert!(built.search(text, 5).len() <= 1);
    }
    assert_eq!(found(&index, "mail"), [0]);
}

#[test]
fn threads_share_an_index() {
    let index = index(&[
        ("send_mail", "Sends mail."),
        ("read_mail", "Reads mail."),
        ("weather", "Weather."),
    ]);
    let expected = index.search("mail weather", 5);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    assert_eq!(index.search("mail weather", 5), expected);
                }
            });
        }
    });
}

/// One line for each hit of a few queries, with all bits of the scores.
fn transcript() -> String {
    let names = [
        "stock_query",
        "getWeather",
        "send_mail",
        "Überweisung",
        "库存查询",
        "прогноз",
        "stock_price",
    ];
    let index = Index::new((0..200).map(|n| {
        let name = names[n % names.len()];
        Document::new(format!("{name}_{}", n % 13))
            .description(format!(
                "Tool {n} for {} and {}",
                names[(n * 3) % 7],
                names[(n * 5) % 7]
            ))
            .parameter("sku", names[(n * 11) % 7])
    }));
    let mut lines = String::new();
    for query in [
        "stock price 3",
        "wetter weather mial",
        "库存",
        "прогнозы stocks ueberweisung",
        "tool",
    ] {
        for hit in index.search(query, 20) {
            lines.push_str(&format!("{} {:08x}\n", hit.position, hit.score.to_bits()));
        }
    }
    lines
}

/// The order, and every bit of the scores, are the same in another process, where hashes differ.
#[test]
fn every_process_answers_alike() {
    const CHILD: &str = "REPERTOIRE_SEARCH_TRANSCRIPT";
    let lines = transcript();
    assert!(lines.lines().count() >= 80);
    assert_eq!(transcript(), lines);
    if std::env::var_os(CHILD).is_some() {
        println!("{lines}");
        return;
    }
    let myself = std::env::current_exe().unwrap();
    let child = Command::new(myself)
        .args([
            "--exact",
            "search::tests::robust::every_process_answers_alike",
            "--nocapture",
        ])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout);
    assert!(text.contains(&lines), "{text}");
}

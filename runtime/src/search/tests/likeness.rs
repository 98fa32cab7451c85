//! Words that are not there, but something like them.

use super::{found, index};

const TOOLS: [(&str, &str); 5] = [
    ("create_calendar_event", "Adds a meeting to the calendar."),
    (
        "weather_forecast",
        "Forecast for the next days, with temperature.",
    ),
    ("send_email", "Sends a message to a recipient."),
    (
        "translate_document",
        "Translates a document into another language.",
    ),
    (
        "lookup_timezone",
        "The timezone of a city, and the local file_name.",
    ),
];

#[test]
fn beginnings_of_words() {
    let index = index(&TOOLS);
    for (query, position) in [
        ("cal", 0),
        ("calend", 0),
        ("tempe", 1),
        ("recip", 2),
        ("docu", 3),
        ("transl", 3),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
    for query in ["ca", "x", "calx"] {
        assert!(found(&index, query).is_empty(), "{query}");
    }
}

#[test]
fn ends_of_compounds() {
    let index = index(&[
        ("a", "Prüft den Lagerbestand."),
        ("b", "Berechnet die Umsatzsteuer."),
    ]);
    assert_eq!(found(&index, "bestand"), [0]);
    assert_eq!(found(&index, "steuer"), [1]);
    assert_eq!(found(&super::index(&TOOLS), "mail")[0], 2);
}

#[test]
fn one_mistyped_letter() {
    let index = index(&TOOLS);
    for (query, position) in [
        ("calender", 0),
        ("calandar", 0),
        ("calnedar", 0),
        ("caleendar", 0),
        ("zalendar", 0),
        ("aclendar", 0),
        ("alendar", 0),
        ("ccalendar", 0),
        ("weatehr", 1),
        ("wether", 1),
        ("foreacst", 1),
        ("emial", 2),
        ("emaik", 2),
        ("docuemnt", 3),
        ("langauge", 3),
        ("timezonw", 4),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
    for query in ["caaldenar", "wxathre", "emxxl"] {
        assert!(found(&index, query).is_empty(), "{query}");
    }
}

#[test]
fn one_mistyped_letter_in_other_scripts() {
    let index = index(&[
        ("a", "Прогноз погоды"),
        ("b", "Πρόγνωση καιρού"),
        ("c", "تحويل العملات"),
    ]);
    assert_eq!(found(&index, "прогонз"), [0]);
    assert_eq!(found(&index, "погды"), [0]);
    assert_eq!(found(&index, "προγωνση"), [1]);
    assert_eq!(found(&index, "العلمات"), [2]);
}

#[test]
fn two_words_as_one_and_one_as_two() {
    let index = index(&TOOLS);
    for (query, position) in [
        ("time zone", 4),
        ("filename", 4),
        ("e-mail", 2),
        ("weatherforecast", 1),
        ("calendarevent", 0),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
    let brands = super::index(&[
        ("a", "Lists GitHub issues"),
        ("b", "Plays a Youtube video"),
        ("c", "Parses MP3"),
    ]);
    for (query, position) in [
        ("github", 0),
        ("git hub", 0),
        ("YouTube", 1),
        ("you tube", 1),
        ("mp3", 2),
        ("MP 3", 2),
    ] {
        assert_eq!(found(&brands, query).first(), Some(&position), "{query}");
    }
}

#[test]
fn a_guess_does_not_outrank_the_word_itself() {
    let index = index(&[
        ("form_a", "A form."),
        ("farm_b", "A farm."),
        ("formula", "A formula."),
    ]);
    assert_eq!(found(&index, "form"), [0]);
    assert_eq!(found(&index, "farms"), [1]);
}

/// A word that is taken for another must not take anything from the documents that hold the words
/// as they were typed.
#[test]
fn a_guess_lowers_no_score() {
    let index = index(&TOOLS);
    for query in [
        "calendar event",
        "weather for a city",
        "translate a message",
    ] {
        let clean = index.search(query, 10);
        for guess in ["emial", "docu", "timezonw", "weatherforecast", "qqqqq"] {
            let with_guess = index.search(&format!("{query} {guess}"), 10);
            for hit in &clean {
                let score = with_guess
                    .iter()
                    .find(|other| other.position == hit.position)
                    .unwrap()
                    .score;
                assert!(score >= hit.score, "{query} {guess}");
            }
        }
    }
}

#[test]
fn forms_that_the_stemmer_leaves_apart() {
    let index = index(&[
        ("a", "Compare prices"),
        ("b", "Notify the team"),
        ("c", "Pays a bill"),
        ("d", "Analyze a text"),
        ("e", "Registers a person"),
    ]);
    for (query, position) in [
        ("price comparison", 0),
        ("notification", 1),
        ("payment", 2),
        ("analysis", 3),
        ("analysing", 3),
        ("registration of people", 4),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
}

#[test]
fn spelling_without_accents_and_with_them() {
    let index = index(&[
        ("a", "Überweisung an die Straße"),
        ("b", "Canción y año nuevo"),
        ("c", "Résumé of a naïve café"),
        ("d", "Łódź"),
        ("e", "Đường phố"),
        ("f", "Счёт за ёлку"),
        ("g", "plain cafe"),
    ]);
    for (query, position) in [
        ("überweisung", 0),
        ("uberweisung", 0),
        ("ueberweisung", 0),
        ("UEBERWEISUNG", 0),
        ("strasse", 0),
        ("cancion", 1),
        ("canción", 1),
        ("resume", 2),
        ("résumé", 2),
        ("lodz", 3),
        ("duong pho", 4),
        ("счет", 5),
        ("счёт", 5),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
    assert_eq!(found(&index, "cafe").len(), 2);
    assert_eq!(found(&index, "café").len(), 2);
}

#[test]
fn widths_and_forms_of_characters() {
    let index = index(&[
        ("a", "ＰＤＦ　ﾌｧｲﾙ を開く"),
        ("b", "ﬁle №5 ②"),
        ("c", "السعر ٣٤"),
        ("d", "ราคา ๕"),
    ]);
    for (query, position) in [
        ("pdf", 0),
        ("ファイル", 0),
        ("file", 1),
        ("34", 2),
        ("②", 1),
    ] {
        assert_eq!(found(&index, query).first(), Some(&position), "{query}");
    }
    assert!(found(&index, "5").contains(&3));
}

#[test]
fn a_guess_comes_after_all_words_as_they_are_written() {
    let index = index(&[
        ("report_builder", "Builds a quarterly report."),
        ("stock_list", "Lists what is there, by stock."),
        ("stock_count", "Counts the stock, quarterly or monthly."),
        ("stocking", "Stocks shelves."),
    ]);
    for guess in ["stcok", "sto", "stok"] {
        let both = found(&index, &format!("quarterly {guess}"));
        assert_eq!(both[..2], [2, 0], "{guess}");
        assert_eq!(both.len(), 4, "{guess}");
        for limit in 1..5 {
            let hits = index.search(&format!("{guess} quarterly"), limit);
            let positions: Vec<usize> = hits.iter().map(|hit| hit.position).collect();
            assert_eq!(positions, both[..limit.min(4)], "{guess}");
            for hit in hits {
                let explanation = index.explain(&format!("{guess} quarterly"), hit.position);
                assert_eq!(explanation.unwrap().score().to_bits(), hit.score.to_bits());
            }
        }
        let odd = index.search_where(&format!("quarterly {guess}"), 9, |at| at % 2 == 1);
        assert_eq!(odd.len(), 2);
        // Alone it finds what it found before.
        assert_eq!(found(&index, guess).len(), 3, "{guess}");
    }
}

#[test]
fn forms_of_a_word_whose_umlauts_are_typed_as_two_letters() {
    let index = index(&[
        ("a", "Übersetzt einen Text in eine andere Sprache."),
        ("b", "Öffnet das Fenster und die Tür."),
    ]);
    assert_eq!(found(&index, "uebersetzen"), [0]);
    assert_eq!(found(&index, "oeffnen"), [1]);
}

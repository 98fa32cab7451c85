//! The same formula, written down slowly, must give the same scores in the same order.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::{Document, Hit, Index, Weights};

const FIELDS: usize = 5;

/// Words that are their own stems and no stop words, so that the reference needs no tokenizer.
const WORDS: [&str; 24] = [
    "stock", "mail", "invoic", "cat", "dog", "fox", "ant", "bird", "fish", "lamp", "desk", "chair",
    "road", "tree", "lake", "moon", "star", "rock", "sand", "wind", "iron", "gold", "silk", "salt",
];

/// The words of each field, as numbers into [`WORDS`].
type Text = [Vec<usize>; FIELDS];

#[derive(Clone, Debug)]
struct Settings {
    weights: [f32; FIELDS],
    k1: f32,
    b: f32,
    min_score: f32,
}

fn document(text: &Text) -> Document {
    let [name, description, usage, parameters, values] = text.each_ref().map(|words| {
        words
            .iter()
            .map(|word| WORDS[*word])
            .collect::<Vec<_>>()
            .join(" ")
    });
    Document::new(name)
        .description(description)
        .usage(usage)
        .parameter(parameters, "")
        .value(values)
}

/// The query as text. A number that no document holds keeps it from being a name, and its words
/// from being taken together as one.
fn question(query: &[usize]) -> String {
    query
        .iter()
        .map(|word| format!("{} 0 ", WORDS[*word]))
        .collect()
}

/// BM25F from its definition: one pass over all documents for each word of the query.
fn slow(texts: &[Text], query: &[usize], limit: usize, settings: &Settings) -> Vec<Hit> {
    let count = texts.len() as f32;
    let average: [f32; FIELDS] = std::array::from_fn(|field| {
        let lengths = texts
            .iter()
            .map(|text| text[field].len())
            .filter(|length| *length > 0);
        lengths.clone().sum::<usize>() as f32 / lengths.count().max(1) as f32
    });
    let frequency = |text: &Text, word: usize| -> f32 {
        let mut sum = 0.0;
        for field in 0..FIELDS {
            let times = text[field].iter().filter(|other| **other == word).count();
            if times > 0 {
                let length = text[field].len() as f32 / average[field];
                let norm = 1.0 - settings.b + settings.b * length;
                sum += settings.weights[field] * times as f32 / norm.max(f32::EPSILON);
            }
        }
        sum
    };
    let rarity = |word: usize| -> f32 {
        let holders = texts
            .iter()
            .filter(|text| frequency(text, word) > 0.0)
            .count() as f64;
        let idf = (1.0 + (f64::from(count) - holders + 0.5) / (holders + 0.5)).ln();
        idf.powf(0.75) as f32
    };
    let gain = |text: &Text, word: usize| -> f32 {
        let frequency = frequency(text, word);
        if frequency == 0.0 {
            return 0.0;
        }
        let saturation = frequency * (settings.k1 + 1.0) / (frequency + settings.k1);
        let share = if text[0].contains(&word) {
            let mut name: Vec<usize> = Vec::new();
            for part in &text[0] {
                if !name.contains(part) {
                    name.push(*part);
                }
            }
            rarity(word) / name.iter().map(|part| rarity(*part)).sum::<f32>()
        } else {
            0.0
        };
        rarity(word) * (saturation + 0.4) + 0.3 * settings.weights[0] * share
    };
    let words: BTreeSet<usize> = query.iter().copied().collect();
    let mut hits: Vec<Hit> = texts
        .iter()
        .enumerate()
        .map(|(position, text)| {
            Hit::new(position, words.iter().map(|word| gain(text, *word)).sum())
        })
        .filter(|hit| hit.score > settings.min_score)
        .collect();
    hits.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.position.cmp(&b.position))
    });
    hits.truncate(limit);
    hits
}

fn words(most: usize) -> impl Strategy<Value = Vec<usize>> {
    // Some words are frequent, most are rare.
    let word = prop_oneof![3 => 0..4usize, 2 => 4..12usize, 1 => 12..WORDS.len()];
    prop::collection::vec(word, 0..=most)
}

fn text() -> impl Strategy<Value = Text> {
    (words(3), words(12), words(6), words(6), words(4)).prop_map(|(a, b, c, d, e)| [a, b, c, d, e])
}

fn settings() -> impl Strategy<Value = Settings> {
    let weights = prop::array::uniform5(prop_oneof![1 => Just(0.0), 6 => 0.1f32..8.0]);
    let min_score = prop_oneof![3 => Just(0.0), 1 => 0.0f32..4.0];
    let all = (weights, 0.0f32..4.0, 0.0f32..=1.0, min_score);
    all.prop_map(|(weights, k1, b, min_score)| Settings {
        weights,
        k1,
        b,
        min_score,
    })
}

fn fast(texts: &[Text], settings: &Settings) -> Index {
    let [name, description, usage, parameters, values] = settings.weights;
    let weights = Weights::new().name(name).description(description);
    Index::builder()
        .weights(weights.usage(usage).parameters(parameters).values(values))
        .k1(settings.k1)
        .b(settings.b)
        .min_score(settings.min_score)
        .build(texts.iter().map(document))
}

/// The same hits, up to rounding: a sum in another order may differ in its last bits, and then
/// equal scores may change places.
fn assert_same(fast: &[Hit], slow: &[Hit]) -> Result<(), TestCaseError> {
    prop_assert_eq!(fast.len(), slow.len());
    for (at, (a, b)) in fast.iter().zip(slow).enumerate() {
        prop_assert!(
            (a.score - b.score).abs() <= 1e-4 * b.score.max(1.0),
            "{at}: {a:?} {b:?}"
        );
        if a.position != b.position {
            let twin = slow.iter().find(|hit| hit.position == a.position);
            let near = |hit: &Hit| (hit.score - b.score).abs() <= 1e-4 * b.score.max(1.0);
            prop_assert!(twin.is_none_or(near), "{at}: {a:?} {b:?}");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_fast_search_is_the_slow_one(
        texts in prop::collection::vec(text(), 1..60),
        query in words(12),
        limit in 1..15usize,
        settings in settings(),
    ) {
        let text = question(&query);
        let index = fast(&texts, &settings);
        assert_same(&index.search(&text, limit), &slow(&texts, &query, limit, &settings))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    /// Enough documents that frequent words are skipped: the answer must be the beginning of the
    /// one without a limit, to the last bit.
    #[test]
    fn skipping_changes_nothing(
        texts in prop::collection::vec(text(), 200..600),
        queries in prop::collection::vec(words(6), 1..6),
        limit in 1..12usize,
    ) {
        let settings = Settings { weights: [5.0, 1.0, 0.5, 0.6, 0.5], k1: 2.5, b: 0.75, min_score: 0.0 };
        let index = fast(&texts, &settings);
        for query in queries {
            let text = question(&query);
            let all = index.search(&text, usize::MAX);
            prop_assert_eq!(&index.search(&text, limit), &all[..limit.min(all.len())]);
            let odd: Vec<Hit> = all.iter().copied().filter(|hit| hit.position % 2 == 1).collect();
            let filtered = index.search_where(&text, limit, |position| position % 2 == 1);
            prop_assert_eq!(&filtered, &odd[..limit.min(odd.len())]);
        }
    }

    #[test]
    fn any_text_is_searched_without_panic(texts in prop::collection::vec(any::<String>(), 0..8), query in any::<String>()) {
        let index = Index::new(texts.iter().map(|text| Document::new(text).description(text)));
        for query in texts.iter().chain([&query]) {
            let hits = index.search(query, 5);
            prop_assert!(hits.iter().all(|hit| hit.score.is_finite() && hit.score > 0.0));
            prop_assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
            for hit in hits {
                prop_assert!(index.explain(query, hit.position).is_some());
            }
        }
    }
}

//! Builds an index: collects words, learns the languages, computes the impact of every posting.

use super::document::{Document, FIELDS};
use super::index::{Index, Posting, Word};
use super::names::Names;
use super::options::Scoring;
use super::tokenize::fold::{fold, transliterate};
use super::tokenize::{
    Kind, Language, LanguageSet, Scanner, Script, by_letters, grams, phrases, stop_languages,
};
use super::vocabulary::Vocabulary;

/// What a word of the catalog is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Word(Script),
    Number,
    Gram(Script),
}

/// The field whose words are names that programmers chose, not prose.
const NAME: usize = 0;

/// The documents as numbers, before anything is known about the catalog as a whole.
#[derive(Default)]
pub(crate) struct Collector {
    scanner: Scanner,
    words: Vocabulary,
    forms: Vec<Form>,
    /// Word numbers of all fields of all documents, one after the other.
    tokens: Vec<u32>,
    /// For each document, where its fields end in `tokens`.
    ends: Vec<[usize; FIELDS]>,
    /// For each document, the lengths of its fields; compounds do not count twice.
    lengths: Vec<[u32; FIELDS]>,
    names: Vec<String>,
}

impl Collector {
    pub(crate) fn add(&mut self, document: &Document) {
        let Self {
            scanner,
            words,
            forms,
            tokens,
            ..
        } = self;
        let mut ends = [0; FIELDS];
        let mut lengths = [0u32; FIELDS];
        for (field, text) in document.fields().into_iter().enumerate() {
            let length = &mut lengths[field];
            scanner.scan(text, &mut |piece, kind| {
                let mut push = |piece: &str, form: Form| {
                    let id = words.intern(piece);
                    if id as usize == forms.len() {
                        forms.push(form);
                    }
                    tokens.push(id);
                };
                match kind {
                    Kind::Word(script) => push(piece, Form::Word(script)),
                    Kind::Number => push(piece, Form::Number),
                    Kind::Joined => {
                        let script = piece.chars().next().map_or(Script::Other, Script::of);
                        push(piece, Form::Word(script));
                        return;
                    }
                    Kind::Run(script) => grams(piece, script, &mut |gram| {
                        *length = length.saturating_add(1);
                        push(gram, Form::Gram(script));
                    }),
                }
                if !matches!(kind, Kind::Run(_)) {
                    *length = length.saturating_add(1);
                }
            });
            ends[field] = tokens.len();
        }
        self.ends.push(ends);
        self.lengths.push(lengths);
        self.names.push(document.name().to_owned());
    }

    pub(crate) fn finish(self, scoring: &Scoring) -> Index {
        let languages = Languages::learn(&self);
        let Self {
            mut words,
            forms,
            tokens,
            ends,
            lengths,
            names,
            ..
        } = self;
        let mut stems = Vocabulary::default();
        let mut table: Vec<Word> = Vec::with_capacity(words.len());
        let mut key = String::new();
        for (id, form) in forms.iter().enumerate() {
            let word = words.text(id as u32);
            let stop = match form {
                Form::Word(_) => stop_languages(word).meets(languages.in_use),
                Form::Gram(script) => phrases::is_stop_gram(word, *script),
                Form::Number => false,
            };
            match (form, languages.of_word(id, *form)) {
                (Form::Word(script), Some(language)) => {
                    fold(&language.stem(word), *script, &mut key);
                }
                (Form::Word(script), None) => fold(word, *script, &mut key),
                _ => {
                    key.clear();
                    key.push_str(word);
                }
            }
            table.push(Word::new(stems.intern(&key), stop));
        }
        add_spellings(&mut words, &mut table, &forms);
        let matrix = Matrix::new(&table, stems.len(), &tokens, &ends, &lengths, scoring);
        let spelled = (0..words.len() as u32)
            .filter(|id| !matches!(forms.get(*id as usize), Some(Form::Number | Form::Gram(_))));
        let spelled: Vec<u32> = spelled.collect();
        words.shrink();
        stems.shrink();
        table.shrink_to_fit();
        Index {
            names: Names::new(names.iter().map(String::as_str)),
            by_start: sorted(&spelled, |a, b| words.text(*a).cmp(words.text(*b))),
            by_end: sorted(&spelled, |a, b| {
                words
                    .text(*a)
                    .chars()
                    .rev()
                    .cmp(words.text(*b).chars().rev())
            }),
            words,
            table,
            stems,
            languages: languages.in_use,
            starts: matrix.starts,
            postings: matrix.postings,
            fields: matrix.fields,
            best: matrix.best,
            documents: ends.len(),
            min_score: scoring.min_score,
        }
    }
}

fn sorted(ids: &[u32], order: impl Fn(&u32, &u32) -> std::cmp::Ordering) -> Vec<u32> {
    let mut ids = ids.to_vec();
    ids.sort_unstable_by(order);
    ids
}

/// Makes words findable in the spelling without accents as well.
fn add_spellings(words: &mut Vocabulary, table: &mut Vec<Word>, forms: &[Form]) {
    let mut spelling = String::new();
    for (id, form) in forms.iter().enumerate() {
        let Form::Word(script) = form else { continue };
        let word = words.text(id as u32);
        if word.is_ascii() {
            continue;
        }
        let (word, entry) = (word.to_owned(), table[id]);
        fold(&word, *script, &mut spelling);
        add_spelling(words, table, &spelling, entry);
        if transliterate(&word, &mut spelling) {
            add_spelling(words, table, &spelling, entry);
        }
    }
}

fn add_spelling(words: &mut Vocabulary, table: &mut Vec<Word>, spelling: &str, entry: Word) {
    if words.intern(spelling) as usize == table.len() {
        table.push(entry);
    }
}

/// The languages of the catalog, and of each word.
struct Languages {
    in_use: LanguageSet,
    /// For each word, votes of the documents that hold it, by language; empty when every script
    /// has only its default language.
    votes: Vec<[u16; Language::COUNT]>,
}

impl Languages {
    /// Reads the language of each document off its function words and special letters.
    fn learn(collected: &Collector) -> Self {
        let Collector {
            words,
            forms,
            tokens,
            ends,
            ..
        } = collected;
        let signs: Vec<LanguageSet> = forms
            .iter()
            .enumerate()
            .map(|(id, form)| match form {
                Form::Word(script) if Language::of_script(*script).len() > 1 => {
                    let word = words.text(id as u32);
                    stop_languages(word).union(by_letters(word, *script))
                }
                _ => LanguageSet::default(),
            })
            .collect();
        let mut in_use = LanguageSet::default();
        for script in [
            Script::Latin,
            Script::Cyrillic,
            Script::Arabic,
            Script::Greek,
            Script::Hebrew,
            Script::Devanagari,
            Script::Tamil,
            Script::Armenian,
        ] {
            if let Some(default) = Language::of_script(script).first() {
                in_use = in_use.union(default.set());
            }
        }
        // Two signs make a language certain; then one is enough in the other documents.
        let mut prose: Vec<[Option<(Language, u32)>; 3]> = Vec::with_capacity(ends.len());
        let mut start = 0;
        for ends in ends {
            let text = &tokens[ends[NAME].max(start)..ends[FIELDS - 1]];
            start = ends[FIELDS - 1];
            let found = [Script::Latin, Script::Cyrillic, Script::Arabic]
                .map(|script| language_of(text, &signs, Language::of_script(script)));
            for (language, count) in found.iter().flatten() {
                if *count > 1 {
                    in_use = in_use.union(language.set());
                }
            }
            prose.push(found);
        }
        let defaults_only = prose
            .iter()
            .flatten()
            .flatten()
            .all(|(language, _)| !in_use.contains(*language) || is_default(*language));
        let mut votes = Vec::new();
        if !defaults_only {
            votes = vec![[0u16; Language::COUNT]; forms.len()];
            let mut start = 0;
            for (found, ends) in prose.iter().zip(ends) {
                for (language, _) in found.iter().flatten().filter(|(l, _)| in_use.contains(*l)) {
                    for token in &tokens[ends[NAME].max(start)..ends[FIELDS - 1]] {
                        let vote = &mut votes[*token as usize][*language as usize];
                        *vote = vote.saturating_add(1);
                    }
                }
                start = ends[FIELDS - 1];
            }
        }
        Self { in_use, votes }
    }

    /// The language by whose rules a word is reduced to its stem.
    fn of_word(&self, id: usize, form: Form) -> Option<Language> {
        let Form::Word(script) = form else {
            return None;
        };
        let languages = Language::of_script(script);
        let default = languages.first().copied()?;
        let Some(votes) = self.votes.get(id) else {
            return Some(default);
        };
        // The earlier language wins a tie, the default first of all.
        let best = languages
            .iter()
            .rev()
            .max_by_key(|language| votes[**language as usize])?;
        Some(if votes[*best as usize] == 0 {
            default
        } else {
            *best
        })
    }
}

fn is_default(language: Language) -> bool {
    matches!(
        language,
        Language::English | Language::Russian | Language::Arabic
    )
}

/// The language of which a text shows the most different signs, and how many.
fn language_of(
    text: &[u32],
    signs: &[LanguageSet],
    languages: &[Language],
) -> Option<(Language, u32)> {
    let mut counts = [0u32; Language::COUNT];
    let mut distinct: Vec<u32> = text
        .iter()
        .copied()
        .filter(|token| !signs[*token as usize].is_empty())
        .collect();
    distinct.sort_unstable();
    distinct.dedup();
    for token in distinct {
        for language in languages {
            if signs[token as usize].contains(*language) {
                counts[*language as usize] += 1;
            }
        }
    }
    let best = languages
        .iter()
        .rev()
        .max_by_key(|language| counts[**language as usize])?;
    let count = counts[*best as usize];
    (count > 0).then_some((*best, count))
}

/// The postings of all terms.
struct Matrix {
    starts: Vec<u32>,
    postings: Vec<Posting>,
    fields: Vec<u8>,
    best: Vec<f32>,
}

/// One term of one document, before its impact is known.
struct Cell {
    term: u32,
    document: u32,
    frequency: f32,
    fields: u8,
}

impl Matrix {
    fn new(
        table: &[Word],
        terms: usize,
        tokens: &[u32],
        ends: &[[usize; FIELDS]],
        lengths: &[[u32; FIELDS]],
        scoring: &Scoring,
    ) -> Self {
        let averages = averages(lengths);
        let mut cells: Vec<Cell> = Vec::with_capacity(tokens.len() / 2);
        let mut counts: Vec<[u16; FIELDS]> = Vec::new();
        let mut slots = vec![u32::MAX; terms];
        let mut present: Vec<u32> = Vec::new();
        let mut spread = vec![0u32; terms];
        let mut start = 0;
        for (document, (ends, lengths)) in ends.iter().zip(lengths).enumerate() {
            for (field, end) in ends.iter().enumerate() {
                for token in &tokens[start..*end] {
                    let term = table[*token as usize].term();
                    let slot = &mut slots[term as usize];
                    if *slot == u32::MAX {
                        *slot = present.len() as u32;
                        present.push(term);
                        counts.push([0; FIELDS]);
                    }
                    let count = &mut counts[*slot as usize][field];
                    *count = count.saturating_add(1);
                }
                start = *end;
            }
            for (term, counts) in present.drain(..).zip(counts.drain(..)) {
                slots[term as usize] = u32::MAX;
                spread[term as usize] += 1;
                cells.push(Cell {
                    term,
                    document: document as u32,
                    frequency: scoring.frequency(&counts, lengths, &averages),
                    fields: (0..FIELDS)
                        .filter(|f| counts[*f] > 0)
                        .fold(0, |mask, f| mask | 1 << f),
                });
            }
        }
        Self::lay_out(cells, &spread, ends.len(), scoring)
    }

    fn lay_out(cells: Vec<Cell>, spread: &[u32], documents: usize, scoring: &Scoring) -> Self {
        let mut starts = Vec::with_capacity(spread.len() + 1);
        let mut total = 0u32;
        starts.push(0);
        for count in spread {
            total += count;
            starts.push(total);
        }
        let rarity: Vec<f32> = spread
            .iter()
            .map(|count| scoring.rarity(*count as usize, documents))
            .collect();
        let names = name_rarity(&cells, &rarity, documents);
        let mut next = starts.clone();
        let mut postings = vec![Posting::default(); cells.len()];
        let mut fields = vec![0u8; cells.len()];
        let mut best = vec![0f32; spread.len()];
        for cell in cells {
            let term = cell.term as usize;
            let rarity = rarity[term];
            let in_name = cell.fields & 1 << NAME != 0;
            let share = if in_name {
                rarity / names[cell.document as usize]
            } else {
                0.0
            };
            let impact = scoring.impact(rarity, cell.frequency, share);
            let at = next[term] as usize;
            next[term] += 1;
            postings[at] = Posting {
                document: cell.document,
                impact,
            };
            fields[at] = cell.fields;
            best[term] = best[term].max(impact);
        }
        Self {
            starts,
            postings,
            fields,
            best,
        }
    }
}

/// For each document, the sum of the rarities of the terms of its name.
fn name_rarity(cells: &[Cell], rarity: &[f32], documents: usize) -> Vec<f32> {
    let mut sums = vec![0f32; documents];
    for cell in cells.iter().filter(|cell| cell.fields & 1 << NAME != 0) {
        sums[cell.document as usize] += rarity[cell.term as usize];
    }
    sums
}

fn averages(lengths: &[[u32; FIELDS]]) -> [f32; FIELDS] {
    let mut sums = [0u64; FIELDS];
    for lengths in lengths {
        for (sum, length) in sums.iter_mut().zip(lengths) {
            *sum += u64::from(*length);
        }
    }
    sums.map(|sum| sum as f32 / lengths.len().max(1) as f32)
}

//! Builds an index: collects the words of all documents, then finds their terms and impacts.

use super::document::{Document, FIELDS};
use super::index::{Index, Word};
use super::languages::Languages;
use super::matrix::Matrix;
use super::names::Names;
use super::options::Scoring;
use super::order::Order;
use super::tokenize::fold::{fold, transliterate};
use super::tokenize::{Kind, Scanner, Script, grams, phrases, stop_languages};
use super::vocabulary::Vocabulary;

/// What a word of the catalog is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Word(Script),
    Number,
    Gram(Script),
}

/// The field whose words are names that programmers chose, not prose.
pub(super) const NAME: usize = 0;
/// What the stems of stop words begin with: `nächste` has the stem of `nach` and is not that word.
pub(super) const STOP_MARK: char = '\u{1}';

/// A word of a text, and whether it is a compound of words that the text counts already.
#[derive(Clone, Copy)]
pub(super) struct Token(u32);

impl Token {
    const COMPOUND: u32 = 1 << 31;

    pub(super) fn word(self) -> usize {
        (self.0 & !Self::COMPOUND) as usize
    }

    pub(super) fn is_compound(self) -> bool {
        self.0 & Self::COMPOUND != 0
    }
}

/// The documents as numbers, before anything is known about the catalog as a whole.
#[derive(Default)]
pub(super) struct Collector {
    scanner: Scanner,
    pub(super) words: Vocabulary,
    pub(super) forms: Vec<Form>,
    /// For each word, whether some text has it as one word, not only as a compound of several.
    solid: Vec<bool>,
    /// Words of all fields of all documents, one after the other.
    pub(super) tokens: Vec<Token>,
    /// For each document, where its fields end in `tokens`.
    pub(super) ends: Vec<[usize; FIELDS]>,
    /// For each document, the lengths of its fields; compounds do not count twice.
    lengths: Vec<[u32; FIELDS]>,
    names: Vec<String>,
}

impl Collector {
    pub(super) fn add(&mut self, document: &Document) {
        let mut ends = [0; FIELDS];
        let mut lengths = [0u32; FIELDS];
        for (field, text) in document.fields().into_iter().enumerate() {
            lengths[field] = self.read(text);
            ends[field] = self.tokens.len();
        }
        self.ends.push(ends);
        self.lengths.push(lengths);
        self.names.push(document.name().to_owned());
    }

    /// Adds the tokens of a field, and returns its length; compounds do not count.
    fn read(&mut self, text: &str) -> u32 {
        let Self {
            scanner,
            words,
            forms,
            solid,
            tokens,
            ..
        } = self;
        let mut length = 0u32;
        scanner.scan(text, &mut |piece, kind| {
            let mut push = |piece: &str, form: Form, mark: u32| {
                let id = words.intern(piece);
                if id as usize == forms.len() {
                    forms.push(form);
                    solid.push(false);
                }
                solid[id as usize] |= mark == 0;
                tokens.push(Token(id | mark));
                length = length.saturating_add(u32::from(mark == 0));
            };
            match kind {
                Kind::Word(script) => push(piece, Form::Word(script), 0),
                Kind::Number => push(piece, Form::Number, 0),
                Kind::Joined => {
                    let script = piece.chars().next().map_or(Script::Other, Script::of);
                    push(piece, Form::Word(script), Token::COMPOUND);
                }
                Kind::Run(script) => {
                    grams(piece, script, &mut |gram| push(gram, Form::Gram(script), 0));
                }
            }
        });
        length
    }

    pub(super) fn finish(self, scoring: &Scoring) -> Index {
        let languages = Languages::learn(&self);
        let Self {
            mut words,
            forms,
            solid,
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
            if stop {
                key.insert(0, STOP_MARK);
            }
            table.push(Word::new(stems.intern(&key), stop, solid[id]));
        }
        add_spellings(&mut words, &mut table, &forms);
        let matrix = Matrix::new(&table, stems.len(), &tokens, &ends, &lengths, scoring);
        let spelled = (0..words.len() as u32)
            .filter(|id| !matches!(forms.get(*id as usize), Some(Form::Number | Form::Gram(_))));
        let spelled: Vec<u32> = spelled.collect();
        words.set_labels(|id| table[id as usize].to_bits());
        words.shrink();
        stems.shrink();
        table.shrink_to_fit();
        Index {
            names: Names::new(names.iter().map(String::as_str)),
            by_start: Order::by_start(&spelled, |id| words.text(id)),
            by_end: Order::by_end(&spelled, |id| words.text(id)),
            by_ends: Order::by_ends(&spelled, |id| words.text(id)),
            words,
            table,
            stems,
            languages: languages.in_use,
            terms: matrix.terms,
            postings: matrix.postings,
            fields: matrix.fields,
            documents: ends.len(),
            min_score: scoring.min_score,
        }
    }
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

//! Why a document fits a query, for people.

use std::fmt;

use super::analyze::Match;
use super::build::STOP_MARK;
use super::document::FIELD_NAMES;
use super::index::{Index, QueryTerm, lift};
use super::scratch::Scratch;

/// Why a document fits a query: what each word of the query contributes to the score.
///
/// Made by [`Index::explain`], for people who wonder about a ranking: it is printed as lines of
/// text.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    position: usize,
    score: f32,
    named: bool,
    words: Vec<Word>,
}

/// One word of the query.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    text: String,
    outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    /// The document holds the term.
    Counts {
        stem: String,
        how: Match,
        gain: f32,
        fields: Vec<&'static str>,
    },
    /// Only other documents hold the term.
    Elsewhere { stem: String, how: Match },
    /// Another word of the query stands for the same term.
    Repeated { stem: String },
    /// It says how something is asked.
    Stop,
    /// Nothing in the catalog resembles it.
    Unknown,
}

impl Explanation {
    /// The position of the document.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The sum of what the words contribute, and of what moves a document that holds one of them as
    /// it was written above those that hold guesses only. A search adds to this what moves a
    /// document that is [named](Self::is_named) to the front.
    pub fn score(&self) -> f32 {
        self.score
    }

    /// Whether the query is the document's name, or holds it as an identifier, so that the
    /// document comes first.
    pub fn is_named(&self) -> bool {
        self.named
    }
}

impl Index {
    /// Why the document at a position fits a query, or does not; `None` for a position that the
    /// index does not have.
    ///
    /// ```
    /// use repertoire::search::{Document, Index};
    ///
    /// let index = Index::new([Document::new("warehouse_stock").description("Look up a SKU.")]);
    /// let text = index.explain("please check the stocks", 0).unwrap().to_string();
    /// assert!(text.contains("stocks (stem `stock`)"));
    /// assert!(text.contains("please: dropped, says how something is asked"));
    /// ```
    pub fn explain(&self, query: &str, position: usize) -> Option<Explanation> {
        let document = u32::try_from(position)
            .ok()
            .filter(|_| position < self.documents)?;
        Some(Scratch::with(|scratch| {
            self.analyze(query, scratch);
            let terms = scratch.terms.clone();
            let mut words = Vec::new();
            let mut seen: Vec<u32> = Vec::new();
            self.each_term(query, scratch, &mut |text, term, how, _| {
                let outcome = self.outcome(document, &terms, &mut seen, term, how);
                words.push(Word {
                    text: text.to_owned(),
                    outcome,
                });
            });
            self.find_named(query, scratch);
            Explanation {
                position,
                score: self.score_of(document, &terms) + self.lifted(document, &terms),
                named: scratch.named.contains(&document),
                words,
            }
        }))
    }

    /// What moves a document above those that hold guesses only.
    fn lifted(&self, document: u32, terms: &[QueryTerm]) -> f32 {
        let words = terms.iter().take_while(|term| !term.guess);
        let held = words
            .map(|term| term.term)
            .any(|term| self.posting(term, document).is_some());
        if held { lift(self, terms) } else { 0.0 }
    }

    fn outcome(
        &self,
        document: u32,
        terms: &[QueryTerm],
        seen: &mut Vec<u32>,
        term: Option<u32>,
        how: Match,
    ) -> Outcome {
        let Some(term) = term else {
            return if how == Match::Stop {
                Outcome::Stop
            } else {
                Outcome::Unknown
            };
        };
        let Some(counted) = terms.iter().find(|counted| counted.term == term) else {
            return Outcome::Stop;
        };
        let stem = self
            .stems
            .text(term)
            .trim_start_matches(STOP_MARK)
            .to_owned();
        if seen.contains(&term) {
            return Outcome::Repeated { stem };
        }
        seen.push(term);
        match self.posting(term, document) {
            Some((at, impact)) => {
                let bits = self.fields.get(at).copied().unwrap_or(0);
                let held = FIELD_NAMES
                    .iter()
                    .enumerate()
                    .filter(|(field, _)| bits & 1 << field != 0);
                let fields = held.map(|(_, name)| *name).collect();
                Outcome::Counts {
                    stem,
                    how,
                    gain: impact * counted.weight,
                    fields,
                }
            }
            None => Outcome::Elsewhere { stem, how },
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "score {:.3} of the document at position {}",
            self.score, self.position
        )?;
        if self.named {
            f.write_str(", which comes first because the query names it")?;
        }
        for Word { text, outcome } in &self.words {
            write!(f, "\n  {text}")?;
            match outcome {
                Outcome::Counts {
                    stem,
                    how,
                    gain,
                    fields,
                } => {
                    write!(
                        f,
                        "{}: +{gain:.3}, in {}",
                        Meaning(text, stem, *how),
                        fields.join(", ")
                    )?;
                }
                Outcome::Elsewhere { stem, how } => {
                    write!(f, "{}: not in this document", Meaning(text, stem, *how))?;
                }
                Outcome::Repeated { stem } => {
                    write!(f, "{}: counted already", Meaning(text, stem, Match::Word))?;
                }
                Outcome::Stop => f.write_str(": dropped, says how something is asked")?,
                Outcome::Unknown => f.write_str(": not in the catalog")?,
            }
        }
        Ok(())
    }
}

/// What a word was taken for.
struct Meaning<'a>(&'a str, &'a str, Match);

impl fmt::Display for Meaning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(word, stem, how) = self;
        let guess = match how {
            Match::Word | Match::Number | Match::Stop if word == stem => return Ok(()),
            Match::Word | Match::Number | Match::Stop => "stem",
            Match::Pair => "two words as one, stem",
            Match::Beginning => "beginning of",
            Match::End => "end of",
            Match::Longer => "other form of",
            Match::Typo => "misspelled for",
            Match::Parts => "made of",
        };
        write!(f, " ({guess} `{stem}`)")
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::*;

    fn index() -> Index {
        Index::new([
            Document::new("warehouse_stock").description("Look up stock of a product."),
            Document::new("get_forecast")
                .description("Tells the weather.")
                .usage("by product region"),
        ])
    }

    #[test]
    fn every_word_is_accounted_for() {
        let text = index().explain(
            "please find stocks in the waerhouse for a prod today, stock",
            0,
        );
        let lines = text.unwrap().to_string();
        for expected in [
            "please: dropped, says how something is asked",
            "stocks (stem `stock`): +",
            "in name, description",
            "waerhouse (misspelled for `warehous`): +",
            "prod (beginning of `product`): +",
            "today: not in the catalog",
            "stock: counted already",
        ] {
            assert!(lines.contains(expected), "{expected}\n{lines}");
        }
        let other = index().explain("stock by region", 1).unwrap().to_string();
        assert!(other.contains("stock: not in this document"), "{other}");
        assert!(other.contains("region: +"), "{other}");
        assert!(other.contains("in usage"), "{other}");
    }

    #[test]
    fn the_score_is_that_of_the_search() {
        let index = index();
        for query in [
            "stock of a product",
            "waerhouse weather",
            "product region forecast",
        ] {
            for hit in index.search(query, 10) {
                let explanation = index.explain(query, hit.position).unwrap();
                assert_eq!(
                    explanation.score().to_bits(),
                    hit.score.to_bits(),
                    "{query}"
                );
                assert!(!explanation.is_named());
            }
        }
    }

    #[test]
    fn a_name_is_said_to_be_one() {
        let explanation = index().explain("WarehouseStock", 0).unwrap();
        assert!(explanation.is_named());
        assert!(explanation.to_string().contains("the query names it"));
        assert!(!index().explain("WarehouseStock", 1).unwrap().is_named());
    }

    #[test]
    fn positions_outside_have_no_explanation() {
        assert_eq!(index().explain("stock", 2), None);
        assert_eq!(index().explain("stock", usize::MAX), None);
    }
}

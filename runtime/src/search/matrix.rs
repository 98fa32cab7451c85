//! The postings of all terms, with their impacts.

use super::build::{NAME, Token};
use super::document::FIELDS;
use super::index::{Posting, Word};
use super::options::Scoring;
use super::term::Term;

/// The documents of every term, one term after the other.
pub(super) struct Matrix {
    pub(super) terms: Vec<Term>,
    pub(super) postings: Vec<Posting>,
    /// For each posting, the fields that hold the term, one bit each.
    pub(super) fields: Vec<u8>,
}

/// One term of one document, before its impact is known.
struct Cell {
    term: u32,
    document: u32,
    frequency: f32,
    fields: u8,
}

/// Bit of [`Cell::fields`]: the term is a word of the name, not only a compound of its words.
const COVERED: u8 = 1 << 7;

/// How often a term occurs in each field of one document.
#[derive(Clone, Copy, Default)]
struct Count {
    fields: [u16; FIELDS],
    covered: bool,
}

impl Count {
    fn bits(&self) -> u8 {
        let held = (0..FIELDS).filter(|field| self.fields[*field] > 0);
        held.fold(if self.covered { COVERED } else { 0 }, |bits, field| {
            bits | 1 << field
        })
    }
}

impl Matrix {
    /// Counts the terms of each document. `ends` says where the fields of each end in `tokens`.
    pub(super) fn new(
        table: &[Word],
        terms: usize,
        tokens: &[Token],
        ends: &[[usize; FIELDS]],
        lengths: &[[u32; FIELDS]],
        scoring: &Scoring,
    ) -> Self {
        let averages = averages(lengths);
        let mut cells: Vec<Cell> = Vec::with_capacity(tokens.len() / 2);
        // The terms of the document at hand, and where each is among them.
        let mut present: Vec<(u32, Count)> = Vec::new();
        let mut slots = vec![u32::MAX; terms];
        let mut spread = vec![0u32; terms];
        let mut start = 0;
        for (document, (ends, lengths)) in ends.iter().zip(lengths).enumerate() {
            for (field, end) in ends.iter().enumerate() {
                for token in &tokens[start..*end] {
                    let term = table[token.word()].term();
                    let slot = &mut slots[term as usize];
                    if *slot == u32::MAX {
                        *slot = present.len() as u32;
                        present.push((term, Count::default()));
                    }
                    let count = &mut present[*slot as usize].1;
                    count.fields[field] = count.fields[field].saturating_add(1);
                    count.covered |= field == NAME && !token.is_compound();
                }
                start = *end;
            }
            for (term, count) in present.drain(..) {
                slots[term as usize] = u32::MAX;
                let frequency = scoring.frequency(&count.fields, lengths, &averages);
                if frequency > 0.0 {
                    spread[term as usize] += 1;
                    let document = document as u32;
                    cells.push(Cell {
                        term,
                        document,
                        frequency,
                        fields: count.bits(),
                    });
                }
            }
        }
        Self::lay_out(&cells, &spread, ends.len(), scoring)
    }

    fn lay_out(cells: &[Cell], spread: &[u32], documents: usize, scoring: &Scoring) -> Self {
        let mut start = 0;
        let mut terms: Vec<Term> = Vec::with_capacity(spread.len());
        for count in spread {
            // The count grows as the postings are written.
            terms.push(Term::starting(start));
            start += count;
        }
        let rarity: Vec<f32> = spread
            .iter()
            .map(|count| scoring.rarity(*count as usize, documents))
            .collect();
        let names = name_rarity(cells, &rarity, documents);
        let mut postings = vec![Posting::default(); cells.len()];
        let mut fields = vec![0u8; cells.len()];
        for cell in cells {
            let rarity = rarity[cell.term as usize];
            let covers = cell.fields & COVERED != 0;
            let share = if covers {
                rarity / names[cell.document as usize]
            } else {
                0.0
            };
            let impact = scoring.impact(rarity, cell.frequency, share);
            let term = &mut terms[cell.term as usize];
            let at = (term.start + term.count) as usize;
            term.count += 1;
            postings[at] = Posting {
                document: cell.document,
                impact,
            };
            fields[at] = cell.fields & !COVERED;
        }
        let mut impacts: Vec<f32> = Vec::new();
        for term in &mut terms {
            let start = term.start as usize;
            let of_term = &postings[start..start + term.count as usize];
            impacts.clear();
            impacts.extend(of_term.iter().map(|posting| posting.impact));
            term.measure(&mut impacts);
        }
        Self {
            terms,
            postings,
            fields,
        }
    }
}

/// For each document, the sum of the rarities of the words of its name.
fn name_rarity(cells: &[Cell], rarity: &[f32], documents: usize) -> Vec<f32> {
    let mut sums = vec![0f32; documents];
    for cell in cells.iter().filter(|cell| cell.fields & COVERED != 0) {
        sums[cell.document as usize] += rarity[cell.term as usize];
    }
    sums
}

/// The average lengths of the fields, over the documents in which they are not empty.
fn averages(lengths: &[[u32; FIELDS]]) -> [f32; FIELDS] {
    let mut sums = [0u64; FIELDS];
    let mut counts = [0u64; FIELDS];
    for lengths in lengths {
        for field in 0..FIELDS {
            sums[field] += u64::from(lengths[field]);
            counts[field] += u64::from(lengths[field] > 0);
        }
    }
    std::array::from_fn(|field| sums[field] as f32 / counts[field].max(1) as f32)
}

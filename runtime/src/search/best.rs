//! The best of many scores.

use super::index::Hit;

/// Fewest documents that are kept before the worse ones are sorted out.
const ROOM: usize = 64;

/// Documents with their scores, of which the best are wanted.
///
/// Each is one number that is lower for a higher score and, of equal scores, for the document that
/// comes first in the catalog. So they are compared without a branch, and sorted quickly.
#[derive(Debug, Default)]
pub(super) struct Best {
    keys: Vec<u64>,
    limit: usize,
    /// The score that a document needs.
    bar: f32,
}

impl Best {
    /// Wants the best `limit` of the documents with a score of at least `bar`, which is above 0.
    pub(super) fn start(&mut self, limit: usize, bar: f32) {
        self.keys.clear();
        self.limit = limit;
        self.bar = bar;
    }

    /// The score that a document needs to be among the best of those so far.
    pub(super) fn bar(&self) -> f32 {
        self.bar
    }

    /// Takes a document in, if its score reaches the bar.
    pub(super) fn offer(&mut self, document: u32, score: f32) {
        if score >= self.bar {
            self.keys.push(key(document, score));
            if self.keys.len() >= self.limit.saturating_mul(2).max(ROOM) {
                self.sort_out();
            }
        }
    }

    /// Forgets all but the best, and raises the bar to the last of them.
    fn sort_out(&mut self) {
        if let Some(last) = self.limit.checked_sub(1)
            && last < self.keys.len()
        {
            let (_, last, _) = self.keys.select_nth_unstable(last);
            self.bar = score(*last).max(self.bar);
            self.keys.truncate(self.limit);
        }
    }

    /// Adds the best to `hits`, the best first.
    pub(super) fn finish(&mut self, hits: &mut Vec<Hit>) {
        if self.keys.len() > ROOM {
            self.sort_out();
        }
        self.keys.sort_unstable();
        self.keys.truncate(self.limit);
        hits.extend(
            self.keys
                .drain(..)
                .map(|key| Hit::new(key as u32 as usize, score(key))),
        );
    }
}

/// Scores are above 0, where numbers compare as their bits do.
fn key(document: u32, score: f32) -> u64 {
    u64::from(!score.to_bits()) << 32 | u64::from(document)
}

fn score(key: u64) -> f32 {
    f32::from_bits(!((key >> 32) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(scores: &[f32], limit: usize, bar: f32) -> Vec<usize> {
        let mut best = Best::default();
        best.start(limit, bar);
        for (position, score) in scores.iter().enumerate().rev() {
            best.offer(position as u32, *score);
        }
        let mut hits = Vec::new();
        best.finish(&mut hits);
        assert!(hits.iter().all(|hit| hit.score == scores[hit.position]));
        hits.iter().map(|hit| hit.position).collect()
    }

    #[test]
    fn the_best_come_first_and_equals_in_order() {
        let scores = [3.0, 9.0, 1.0, 7.0, 7.0, 2.0, 9.0, 8.0, 0.5];
        assert_eq!(best(&scores, 5, 0.1), [1, 6, 7, 3, 4]);
        assert_eq!(best(&scores, 4, 0.1), [1, 6, 7, 3]);
        assert_eq!(best(&scores, 5, 7.5), [1, 6, 7]);
        assert!(best(&scores, 0, 0.1).is_empty());
        assert_eq!(best(&scores, usize::MAX, 0.1).len(), scores.len());
    }

    #[test]
    fn sorting_out_in_between_loses_none() {
        let scores: Vec<f32> = (0..5_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 20) as f32 + 1.0)
            .collect();
        for limit in [1, 10, 100, 4_999] {
            let mut sorted: Vec<usize> = (0..scores.len()).collect();
            sorted.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
            assert_eq!(best(&scores, limit, 0.5), sorted[..limit], "{limit}");
        }
    }
}

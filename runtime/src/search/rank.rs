//! Rankings of other kinds, and their fusion with the index.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::future::ready;
use std::sync::Arc;

use futures_util::future::join_all;

use super::index::{Hit, Index, by_rank};
use crate::{BoxFuture, MaybeSend, MaybeSync};

/// Ranks the documents of a catalog for a query.
///
/// The [`Index`] is one. Implement this for embeddings, for instance: the positions of the hits
/// are those of the documents in the order in which the index was given them.
///
/// ```
/// use repertoire::BoxFuture;
/// use repertoire::search::{Hit, Ranker, RankerError};
///
/// struct Embeddings { /* one vector for each tool */ }
///
/// impl Ranker for Embeddings {
///     fn rank<'a>(&'a self, query: &'a str, limit: usize) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
///         Box::pin(async move {
///             // Ask a service for the vector of `query`, compare it with those of the tools.
///             # let _ = (query, limit);
///             Ok(vec![Hit::new(3, 0.81), Hit::new(0, 0.65)])
///         })
///     }
/// }
/// ```
pub trait Ranker: MaybeSend + MaybeSync {
    /// The best `limit` documents for a query, the best first.
    ///
    /// # Errors
    ///
    /// Whatever keeps the ranker from answering.
    fn rank<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>>;

    /// The documents that the query names, by their exact name. [`Fusion`] puts them first,
    /// whatever the other rankers say. Empty by default.
    fn named(&self, query: &str) -> Vec<usize> {
        let _ = query;
        Vec::new()
    }

    /// How many documents there are, if the ranker knows. [`Fusion`] drops positions beyond it.
    fn size(&self) -> Option<usize> {
        None
    }
}

/// What keeps a [`Ranker`] from answering.
pub type RankerError = Box<dyn Error + Send + Sync>;

impl Ranker for Index {
    /// Never fails.
    fn rank<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
        Box::pin(ready(Ok(self.search(query, limit))))
    }

    fn named(&self, query: &str) -> Vec<usize> {
        Index::named(self, query)
    }

    fn size(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl<R: Ranker + ?Sized> Ranker for Arc<R> {
    fn rank<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
        (**self).rank(query, limit)
    }

    fn named(&self, query: &str) -> Vec<usize> {
        (**self).named(query)
    }

    fn size(&self) -> Option<usize> {
        (**self).size()
    }
}

/// Several rankers as one, by reciprocal rank fusion.
///
/// A document scores `weight / (60 + rank)` with each ranker, with ranks from 1, so that the
/// scores of the rankers need not be comparable. All are asked at once, for at least 50 documents
/// each. A ranker that fails is passed over as long as another answers: a search goes on while an
/// embedding service is down.
///
/// ```
/// use repertoire::search::{Document, Fusion, Index, Ranker};
///
/// # async fn example(embeddings: impl Ranker + 'static) -> Result<(), repertoire::search::RankerError> {
/// let index = Index::new([Document::new("read_mail"), Document::new("play_music")]);
/// let fusion = Fusion::new().with(index, 1.0).with(embeddings, 1.0);
/// let hits = fusion.rank("something to listen to", 5).await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
pub struct Fusion {
    rankers: Vec<(Arc<dyn Ranker>, f32)>,
}

/// Dampens the difference between the first ranks.
const RANK_OFFSET: f32 = 60.0;
/// The fewest documents that each ranker is asked for.
const DEPTH: usize = 50;

impl Fusion {
    /// No ranker yet, which finds nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a ranker. One of weight 2 counts as much as two that agree; one of weight 0, or of a
    /// negative or undefined one, is not asked.
    #[must_use]
    pub fn with(mut self, ranker: impl Ranker + 'static, weight: f32) -> Self {
        if weight > 0.0 {
            self.rankers.push((Arc::new(ranker), weight.min(1e6)));
        }
        self
    }
}

impl Ranker for Fusion {
    /// Fails with the error of the first ranker when all of them fail.
    fn rank<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
        Box::pin(async move {
            let depth = limit.max(DEPTH);
            let answers = join_all(
                self.rankers
                    .iter()
                    .map(|(ranker, _)| ranker.rank(query, depth)),
            );
            let mut rankings = Vec::new();
            let mut failure = None;
            for (answer, (_, weight)) in answers.await.into_iter().zip(&self.rankers) {
                match answer {
                    Ok(hits) => rankings.push((hits, *weight)),
                    Err(error) => failure = failure.or(Some(error)),
                }
            }
            match failure {
                Some(error) if rankings.is_empty() => Err(error),
                _ => Ok(fuse(&rankings, &self.named(query), self.size(), limit)),
            }
        })
    }

    fn named(&self, query: &str) -> Vec<usize> {
        self.rankers
            .iter()
            .flat_map(|(ranker, _)| ranker.named(query))
            .collect()
    }

    fn size(&self) -> Option<usize> {
        let sizes = self.rankers.iter().filter_map(|(ranker, _)| ranker.size());
        sizes.max()
    }
}

fn fuse(
    rankings: &[(Vec<Hit>, f32)],
    named: &[usize],
    size: Option<usize>,
    limit: usize,
) -> Vec<Hit> {
    let exists = |position: usize| size.is_none_or(|size| position < size);
    let mut scores: HashMap<usize, f32> = HashMap::new();
    for (hits, weight) in rankings {
        let mut rank = RANK_OFFSET;
        let mut seen = HashSet::new();
        // A ranker that names a document twice means the better place.
        let known = hits.iter().filter(|hit| exists(hit.position));
        for hit in known.filter(|hit| seen.insert(hit.position)) {
            rank += 1.0;
            *scores.entry(hit.position).or_default() += weight / rank;
        }
    }
    // More than all rankers together can give.
    let first: f32 = rankings.iter().map(|(_, weight)| weight).sum();
    let mut seen = HashSet::new();
    let known = named.iter().filter(|position| exists(**position));
    for position in known.filter(|position| seen.insert(**position)) {
        *scores.entry(*position).or_default() += first;
    }
    let mut fused: Vec<Hit> = scores
        .into_iter()
        .map(|(position, score)| Hit::new(position, score))
        .collect();
    fused.sort_unstable_by(by_rank);
    fused.truncate(limit);
    fused
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::document::Document;
    use super::*;

    /// Answers every query with the same ranking, or not at all.
    struct Fixed(Option<Vec<usize>>);

    impl Ranker for Fixed {
        fn rank<'a>(
            &'a self,
            _: &'a str,
            limit: usize,
        ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
            let answer = match &self.0 {
                Some(positions) => Ok(positions
                    .iter()
                    .take(limit)
                    .map(|position| Hit::new(*position, 0.5))
                    .collect()),
                None => Err("the service is down".into()),
            };
            Box::pin(ready(answer))
        }
    }

    fn ranked(fusion: &Fusion, query: &str, limit: usize) -> Result<Vec<usize>, RankerError> {
        let hits = fusion
            .rank(query, limit)
            .now_or_never()
            .expect("nothing to wait for")?;
        Ok(hits.iter().map(|hit| hit.position).collect())
    }

    fn fixed(positions: &[usize]) -> Fixed {
        Fixed(Some(positions.to_vec()))
    }

    #[test]
    fn agreement_wins() {
        let fusion = Fusion::new()
            .with(fixed(&[0, 1, 2]), 1.0)
            .with(fixed(&[3, 1, 4]), 1.0);
        assert_eq!(ranked(&fusion, "", 10).unwrap(), [1, 0, 3, 2, 4]);
        assert_eq!(ranked(&fusion, "", 2).unwrap(), [1, 0]);
    }

    #[test]
    fn weights_count() {
        let fusion = Fusion::new()
            .with(fixed(&[0, 1]), 1.0)
            .with(fixed(&[2, 3]), 2.0);
        assert_eq!(ranked(&fusion, "", 10).unwrap(), [2, 3, 0, 1]);
        let fusion = Fusion::new()
            .with(fixed(&[0]), f32::NAN)
            .with(fixed(&[1]), -1.0);
        assert!(ranked(&fusion, "", 10).unwrap().is_empty());
    }

    #[test]
    fn a_document_named_twice_has_its_better_place() {
        let fusion = Fusion::new()
            .with(fixed(&[5, 5, 6]), 1.0)
            .with(fixed(&[6, 5]), 1.0);
        let hits = fusion.rank("", 10).now_or_never().unwrap().unwrap();
        assert_eq!(hits[0].score.to_bits(), hits[1].score.to_bits());
        assert_eq!(ranked(&fusion, "", 10).unwrap(), [5, 6]);
    }

    #[test]
    fn a_ranker_that_fails_is_passed_over() {
        let fusion = Fusion::new().with(Fixed(None), 1.0).with(fixed(&[7]), 1.0);
        assert_eq!(ranked(&fusion, "", 10).unwrap(), [7]);
        let fusion = Fusion::new().with(Fixed(None), 1.0);
        assert_eq!(
            ranked(&fusion, "", 10).unwrap_err().to_string(),
            "the service is down"
        );
        assert!(ranked(&Fusion::new(), "", 10).unwrap().is_empty());
    }

    #[test]
    fn a_name_is_first_whatever_others_say() {
        let index = Index::new(["read_mail", "send_mail", "play_music"].map(Document::new));
        let others = fixed(&[1, 2, 0]);
        let fusion = Fusion::new().with(index, 1.0).with(others, 1e9);
        assert_eq!(ranked(&fusion, "read mail", 10).unwrap()[0], 0);
    }

    /// Names one document and ranks none.
    struct Namer;

    impl Ranker for Namer {
        fn rank<'a>(
            &'a self,
            _: &'a str,
            _: usize,
        ) -> BoxFuture<'a, Result<Vec<Hit>, RankerError>> {
            Box::pin(ready(Ok(Vec::new())))
        }

        fn named(&self, _: &str) -> Vec<usize> {
            vec![7, 7]
        }
    }

    #[test]
    fn a_name_that_no_ranker_ranks_is_first_all_the_same() {
        let fusion = Fusion::new().with(Namer, 1.0).with(fixed(&[1, 2]), 1.0);
        assert_eq!(ranked(&fusion, "x", 10).unwrap(), [7, 1, 2]);
    }

    #[test]
    fn of_names_that_are_one_the_written_one_is_first() {
        let index = || Index::new(["readMail", "read_mail", "other"].map(Document::new));
        for (query, first) in [("read_mail", 1), ("readMail", 0), ("read mail", 0)] {
            let fusion = Fusion::new()
                .with(index(), 1.0)
                .with(fixed(&[2, 0, 1]), 9.0);
            assert_eq!(ranked(&fusion, query, 10).unwrap()[0], first, "{query}");
        }
    }

    #[test]
    fn positions_that_do_not_exist_are_dropped() {
        let index = Index::new(["read_mail", "send_mail"].map(Document::new));
        let fusion = Fusion::new()
            .with(index, 1.0)
            .with(fixed(&[99, 1, usize::MAX]), 1.0);
        assert_eq!(ranked(&fusion, "read", 10).unwrap(), [0, 1]);
    }
}

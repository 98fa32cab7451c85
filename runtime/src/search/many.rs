//! Several queries at once.

use std::collections::HashSet;

use super::index::{Hit, Index};
use super::top::Filter;

impl Index {
    /// The best documents for several queries, shared out fairly: one list for each query, in
    /// their order.
    ///
    /// `limit` counts the different documents of all lists together. Places are given rank by
    /// rank, to the first query first, so that no query takes the places of another; the best hit
    /// of each query has a place even when there are more queries than `limit`. A document that
    /// several queries find is in each of their lists and takes one place.
    ///
    /// ```
    /// use repertoire::search::{Document, Index};
    ///
    /// let index = Index::new(["read_mail", "send_mail", "delete_mail", "play_music"].map(Document::new));
    /// let lists = index.search_many(&["mail", "music", "poetry"], 3);
    /// assert_eq!(lists[0].len(), 2);
    /// assert_eq!(lists[1][0].position, 3);
    /// assert!(lists[2].is_empty());
    /// ```
    pub fn search_many<Q: AsRef<str>>(&self, queries: &[Q], limit: usize) -> Vec<Vec<Hit>> {
        self.share(queries, limit, None)
    }

    /// The same as [`search_many`](Self::search_many), among the documents whose position `keep`
    /// accepts.
    pub fn search_many_where<Q: AsRef<str>>(
        &self,
        queries: &[Q],
        limit: usize,
        keep: impl Fn(usize) -> bool,
    ) -> Vec<Vec<Hit>> {
        self.share(queries, limit, Some(&keep))
    }

    fn share<Q: AsRef<str>>(&self, queries: &[Q], limit: usize, keep: Filter<'_>) -> Vec<Vec<Hit>> {
        let found: Vec<Vec<Hit>> = queries
            .iter()
            .map(|query| self.answer(query.as_ref(), limit, keep))
            .collect();
        let deepest = found.iter().map(Vec::len).max().unwrap_or(0);
        let mut placed: HashSet<usize> = HashSet::new();
        for rank in 0..deepest {
            for hit in found.iter().filter_map(|hits| hits.get(rank)) {
                if rank == 0 || placed.len() < limit {
                    placed.insert(hit.position);
                }
            }
        }
        let keep_placed = |mut hits: Vec<Hit>| {
            hits.retain(|hit| placed.contains(&hit.position));
            hits
        };
        found.into_iter().map(keep_placed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Document;
    use super::*;

    fn index() -> Index {
        let mail = (0..8).map(|n| Document::new(format!("mail_{n}")));
        Index::new(mail.chain(["play_music", "stop_music"].map(Document::new)))
    }

    fn positions(lists: &[Vec<Hit>]) -> Vec<Vec<usize>> {
        lists
            .iter()
            .map(|hits| hits.iter().map(|hit| hit.position).collect())
            .collect()
    }

    #[test]
    fn places_are_given_rank_by_rank() {
        let lists = index().search_many(&["mail", "music"], 4);
        assert_eq!(positions(&lists), [[0, 1], [8, 9]]);
        let lists = index().search_many(&["mail", "music"], 6);
        assert_eq!(positions(&lists), [vec![0, 1, 2, 3], vec![8, 9]]);
    }

    #[test]
    fn the_best_of_each_query_has_a_place() {
        let lists = index().search_many(&["mail 7", "mail 6", "music", "stop music"], 1);
        assert_eq!(positions(&lists), [[7], [6], [8], [9]]);
    }

    #[test]
    fn a_document_takes_one_place() {
        let lists = index().search_many(&["play music", "music", "music"], 2);
        assert_eq!(positions(&lists), [[8, 9], [8, 9], [8, 9]]);
    }

    #[test]
    fn nothing_is_found_for_nothing() {
        assert_eq!(index().search_many::<&str>(&[], 5), Vec::<Vec<Hit>>::new());
        assert_eq!(index().search_many(&["mail", ""], 0), [vec![], vec![]]);
        assert_eq!(index().search_many(&["", "poetry"], 5), [vec![], vec![]]);
    }

    #[test]
    fn filtered_documents_take_no_place() {
        let lists = index().search_many_where(&["mail", "music"], 3, |position| position != 0);
        assert_eq!(positions(&lists), [vec![1, 2], vec![8]]);
    }
}

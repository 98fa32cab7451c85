//! Adds up the impacts of a query's terms and selects the best documents.

use super::index::{Hit, Index, by_rank};
use super::scratch::Scratch;

/// How many scores are looked at together.
const BLOCK: usize = 32;

/// The best `limit` documents above the index's minimum score, among those that `keep` accepts.
///
/// For each document the impacts are added in the order of `scratch.terms`, so that a score is the
/// same to the last bit however it is computed.
pub(super) fn select(
    index: &Index,
    scratch: &mut Scratch,
    limit: usize,
    keep: &impl Fn(usize) -> bool,
) -> Vec<Hit> {
    if scratch.terms.is_empty() {
        return Vec::new();
    }
    let Scratch {
        terms,
        scores,
        heap,
        ..
    } = scratch;
    if scores.len() < index.documents {
        scores.resize(index.documents, 0.0);
    }
    let scores = &mut scores[..index.documents];
    for term in terms.iter() {
        for posting in index.postings(term.term) {
            if let Some(score) = scores.get_mut(posting.document as usize) {
                *score += posting.impact * term.weight;
            }
        }
    }
    heap.clear();
    let mut bar = index.min_score;
    for (block, scores) in scores.chunks_mut(BLOCK).enumerate() {
        let best = scores.iter().copied().fold(0.0, f32::max);
        if best > bar {
            for (offset, score) in scores.iter().enumerate() {
                let position = block * BLOCK + offset;
                if *score > bar && keep(position) {
                    push(heap, Hit::new(position, *score), limit);
                    if heap.len() == limit {
                        bar = heap.first().map_or(bar, |worst| worst.score);
                    }
                }
            }
        }
        scores.fill(0.0);
    }
    heap.sort_unstable_by(by_rank);
    heap.as_slice().to_vec()
}

/// Adds a hit to a heap of at most `limit`, whose first is the worst.
fn push(heap: &mut Vec<Hit>, hit: Hit, limit: usize) {
    if heap.len() < limit {
        heap.push(hit);
        let mut child = heap.len() - 1;
        while child > 0 {
            let parent = (child - 1) / 2;
            if by_rank(&heap[parent], &heap[child]).is_ge() {
                break;
            }
            heap.swap(parent, child);
            child = parent;
        }
        return;
    }
    let Some(worst) = heap.first_mut() else {
        return;
    };
    *worst = hit;
    let mut parent = 0;
    loop {
        let worse = |a: usize, b: usize| {
            if by_rank(&heap[a], &heap[b]).is_ge() {
                a
            } else {
                b
            }
        };
        let left = 2 * parent + 1;
        if left >= heap.len() {
            break;
        }
        let child = if left + 1 < heap.len() {
            worse(left, left + 1)
        } else {
            left
        };
        if by_rank(&heap[parent], &heap[child]).is_ge() {
            break;
        }
        heap.swap(parent, child);
        parent = child;
    }
}

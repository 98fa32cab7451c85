//! Terms: what the words of the catalog come down to.

/// The documents that hold a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// Where its postings start, and how many there are.
    pub(super) start: u32,
    pub(super) count: u32,
    /// The highest impact of its postings.
    pub(super) best: f32,
    /// The lowest of its best impacts, for each [`Reach`]; 0 where it has fewer postings.
    lowest: [f32; REACHES.len()],
}

/// How many of the best are looked at.
const REACHES: [usize; 2] = [5, 10];

/// Which of [`REACHES`].
#[derive(Clone, Copy)]
pub(super) struct Reach(usize);

impl Reach {
    /// The shortest that holds as many as are wanted, if one does.
    pub(super) fn of(limit: usize) -> Option<Self> {
        REACHES.iter().position(|reach| limit <= *reach).map(Self)
    }
}

impl Term {
    /// No documents.
    pub(super) const NONE: Self = Self {
        start: 0,
        count: 0,
        best: 0.0,
        lowest: [0.0; REACHES.len()],
    };

    /// No documents yet, with the place where the first will be.
    pub(super) fn starting(start: u32) -> Self {
        Self {
            start,
            ..Self::NONE
        }
    }

    /// The lowest of the best impacts.
    pub(super) fn reach(&self, reach: Reach) -> f32 {
        self.lowest.get(reach.0).copied().unwrap_or(0.0)
    }

    /// Notes the best of its impacts, whose order is lost.
    pub(super) fn measure(&mut self, impacts: &mut [f32]) {
        self.best = impacts.iter().copied().fold(0.0, f32::max);
        for (lowest, reach) in self.lowest.iter_mut().zip(REACHES) {
            if let Some(last) = reach.checked_sub(1).filter(|last| *last < impacts.len()) {
                *lowest = *impacts
                    .select_nth_unstable_by(last, |a, b| b.total_cmp(a))
                    .1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_of_the_best() {
        let measured = |impacts: &mut [f32]| {
            let mut term = Term::NONE;
            term.measure(impacts);
            let reach = |limit: usize| Reach::of(limit).map(|reach| term.reach(reach));
            (term.best, [1, 5, 6, 10, 11].map(reach))
        };
        let mut impacts: Vec<f32> = (1..=20).map(|n| (n * 7 % 20) as f32 + 1.0).collect();
        let lowest = [Some(16.0), Some(16.0), Some(11.0), Some(11.0), None];
        assert_eq!(measured(&mut impacts), (20.0, lowest));
        let lowest = [Some(2.0), Some(2.0), Some(0.0), Some(0.0), None];
        assert_eq!(measured(&mut [3.0, 5.0, 2.0, 4.0, 6.0]), (6.0, lowest));
        assert_eq!(measured(&mut []).0, 0.0);
    }
}

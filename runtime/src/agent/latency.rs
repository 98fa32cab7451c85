//! How long things took, in little memory.

use std::time::Duration;

use serde::Serialize;

/// How long things took: their number, sum, least and most, and a histogram of thirteen buckets.
///
/// ```
/// use repertoire::agent::Latency;
///
/// let latency = Latency::default();
/// assert_eq!((latency.count(), latency.mean(), latency.quantile(0.5)), (0, None, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Latency {
    count: u64,
    total_micros: u64,
    min_micros: u64,
    max_micros: u64,
    buckets: [u64; Self::BOUNDS_MICROS.len() + 1],
}

impl Latency {
    /// The upper bounds of all buckets but the last, in microseconds: from 100 µs to 7 minutes, each
    /// four times the one before.
    pub const BOUNDS_MICROS: [u64; 12] = [
        100,
        400,
        1_600,
        6_400,
        25_600,
        102_400,
        409_600,
        1_638_400,
        6_553_600,
        26_214_400,
        104_857_600,
        419_430_400,
    ];

    pub(super) fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.min_micros = match self.count {
            0 => micros,
            _ => self.min_micros.min(micros),
        };
        self.max_micros = self.max_micros.max(micros);
        self.total_micros = self.total_micros.saturating_add(micros);
        self.count += 1;
        let bucket = Self::BOUNDS_MICROS.partition_point(|bound| *bound < micros);
        if let Some(bucket) = self.buckets.get_mut(bucket) {
            *bucket += 1;
        }
    }

    /// How many were measured.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The shortest.
    #[must_use]
    pub fn min(&self) -> Option<Duration> {
        (self.count > 0).then_some(Duration::from_micros(self.min_micros))
    }

    /// The average.
    #[must_use]
    pub fn mean(&self) -> Option<Duration> {
        let mean = self.total_micros.checked_div(self.count)?;
        Some(Duration::from_micros(mean))
    }

    /// The longest.
    #[must_use]
    pub fn max(&self) -> Option<Duration> {
        (self.count > 0).then_some(Duration::from_micros(self.max_micros))
    }

    /// How many lie in each bucket: above the bound before it, up to and with its own.
    #[must_use]
    pub fn buckets(&self) -> &[u64] {
        &self.buckets
    }

    /// A time that this part of all, from 0 to 1, did not exceed: the bound of a bucket, or the
    /// longest.
    #[must_use]
    pub fn quantile(&self, part: f64) -> Option<Duration> {
        if self.count == 0 {
            return None;
        }
        let wanted = (part.clamp(0.0, 1.0) * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let bucket = self.buckets.iter().position(|bucket| {
            seen += bucket;
            seen >= wanted
        });
        let bound = bucket.and_then(|bucket| Self::BOUNDS_MICROS.get(bucket));
        let micros = bound.map_or(self.max_micros, |bound| self.max_micros.min(*bound));
        Some(Duration::from_micros(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Latency};

    #[test]
    fn times_fall_into_buckets() {
        let mut latency = Latency::default();
        for micros in [100, 101, 5_000, 1_000_000_000] {
            latency.add(Duration::from_micros(micros));
        }
        assert_eq!(latency.buckets()[..4], [1, 1, 0, 1]);
        assert_eq!(latency.buckets()[12], 1);
        assert_eq!(latency.count(), 4);
        let micros = |time: Option<Duration>| time.unwrap().as_micros();
        assert_eq!(micros(latency.min()), 100);
        assert_eq!(micros(latency.max()), 1_000_000_000);
        assert_eq!(
            micros(latency.mean()),
            (100 + 101 + 5_000 + 1_000_000_000) / 4
        );
        assert_eq!(micros(latency.quantile(0.0)), 100);
        assert_eq!(micros(latency.quantile(0.5)), 400);
        assert_eq!(micros(latency.quantile(0.75)), 6_400);
        assert_eq!(micros(latency.quantile(1.0)), 1_000_000_000);
        latency.add(Duration::MAX);
        assert_eq!(micros(latency.max()), u128::from(u64::MAX));
    }
}

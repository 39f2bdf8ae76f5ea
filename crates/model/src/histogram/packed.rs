//! The counts of a histogram in few bytes, for histograms that are kept and no longer counted in: two or three bytes for each
//! bucket that is not empty, instead of eight for each that there could be. Everything read from it is what the open histogram
//! gives, bit by bit.

use super::{HIGHEST_NS, LOWEST_NS, MOST_COUNTS};
use crate::packed::{read_number, write_number};

/// Steps per doubling of the value: three significant digits.
const HALF: u64 = 1024;
const UNIT_BITS: u32 = LOWEST_NS.trailing_zeros();

/// Buckets in ascending order: the difference of its place to that of the bucket before, and its count.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct PackedCounts {
    bytes: Box<[u8]>,
    count: u64,
    /// The place of the last bucket.
    last: u64,
}

/// A bucket that is not empty.
#[derive(Clone, Copy)]
pub(super) struct Bucket {
    /// Its lowest value, nanoseconds.
    pub lowest_ns: u64,
    /// How many values it has.
    width: u64,
    pub count: u64,
}

impl Bucket {
    /// The highest value.
    pub fn highest_ns(self) -> u64 {
        self.lowest_ns + (self.width - 1)
    }

    /// The value in the middle.
    fn median_ns(self) -> u64 {
        self.lowest_ns + self.width / 2
    }
}

/// The place of a value's bucket: see Tene's HdrHistogram, `countsArrayIndex`.
fn place(ns: u64) -> u64 {
    let doublings = u64::from((u64::BITS - ns.leading_zeros()).saturating_sub(UNIT_BITS + 11));
    doublings * HALF + (ns >> (doublings as u32 + UNIT_BITS))
}

fn bucket(place: u64, count: u64) -> Bucket {
    let doublings = (place / HALF).saturating_sub(1);
    let bits = doublings as u32 + UNIT_BITS;
    Bucket { lowest_ns: (place - doublings * HALF) << bits, width: 1 << bits, count }
}

impl PackedCounts {
    /// Packs buckets given by any of their values, ascending.
    pub fn of(buckets: impl Iterator<Item = (u64, u64)>) -> PackedCounts {
        let (mut bytes, mut last, mut all) = (Vec::new(), 0, 0u64);
        for (ns, count) in buckets {
            let at = place(ns);
            write_number(&mut bytes, at - last);
            write_number(&mut bytes, count);
            (last, all) = (at, all.saturating_add(count));
        }
        PackedCounts { bytes: bytes.into(), count: all, last }
    }

    /// Reads foreign bytes; `None` if they are no such counts.
    pub fn from_bytes(bytes: Box<[u8]>) -> Option<PackedCounts> {
        let (mut rest, mut last, mut all) = (&*bytes, 0u64, 0u64);
        while !rest.is_empty() {
            let (step, count) = (read_number(&mut rest)?, read_number(&mut rest)?);
            let first = all == 0;
            last = last.checked_add(step).filter(|at| *at <= place(HIGHEST_NS) && (first || step > 0))?;
            all = all.checked_add(count).filter(|all| count > 0 && *all <= MOST_COUNTS)?;
        }
        Some(PackedCounts { bytes, count: all, last })
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + use<'_> {
        let (mut rest, mut at) = (&*self.bytes, 0);
        std::iter::from_fn(move || {
            at += read_number(&mut rest)?;
            Some(bucket(at, read_number(&mut rest)?))
        })
    }

    /// Buckets up to that of the largest value.
    pub fn places(&self) -> u64 {
        self.last + 1
    }

    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        let least = ((quantile.min(1.0) * self.count as f64).ceil() as u64).max(1);
        let mut so_far = 0u64;
        let reached = self.buckets().find(|bucket| {
            so_far += bucket.count;
            so_far >= least
        });
        reached.map_or(0, |bucket| if quantile == 0.0 { bucket.lowest_ns } else { bucket.highest_ns() })
    }

    pub fn mean_ns(&self) -> f64 {
        self.buckets().fold(0.0, |sum, b| sum + b.median_ns() as f64 * b.count as f64 / self.count as f64)
    }

    pub fn min_ns(&self) -> u64 {
        self.buckets().next().map_or(0, |bucket| bucket.lowest_ns)
    }

    pub fn max_ns(&self) -> u64 {
        if self.count == 0 { 0 } else { bucket(self.last, 0).highest_ns() }
    }
}

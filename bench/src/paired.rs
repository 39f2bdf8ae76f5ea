//! Pairs of runs and what they come to: a ratio for each pair, then the median and the spread over pairs. Pure.

use serde::Serialize;
use std::collections::BTreeMap;

/// What one run came to, by name; names end in their unit.
pub type Figures = BTreeMap<&'static str, f64>;

/// The peer and the one under test at the same point, one right after the other.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// Which repeat, from 1.
    pub repeat: u32,
    /// Whether the peer went first.
    pub peer_first: bool,
    /// The peer's figures.
    pub peer: Figures,
    /// Ours.
    pub ours: Figures,
}

/// One thing varied to one value, measured in several pairs.
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// As a reader names it: `point select, 64 clients`.
    pub name: String,
    /// The pairs in order.
    pub pairs: Vec<Pair>,
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// CPU, time.
    Less,
    /// Throughput.
    More,
}

/// Median and spread of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

impl Point {
    /// How many times better we are than the peer in that figure, pair by pair; `None` when nothing was measured.
    pub fn ratio(&self, figure: &str, better: Better) -> Option<Spread> {
        spread(self.pairs.iter().filter_map(|p| {
            let (peer, ours) = (*p.peer.get(figure)?, *p.ours.get(figure)?);
            Some(match better {
                Better::Less => peer / ours,
                Better::More => ours / peer,
            })
        }))
    }

    /// The peer's figure over the pairs.
    pub fn peer(&self, figure: &str) -> Option<Spread> {
        spread(self.pairs.iter().filter_map(|p| p.peer.get(figure).copied()))
    }

    /// Our figure over the pairs.
    pub fn ours(&self, figure: &str) -> Option<Spread> {
        spread(self.pairs.iter().filter_map(|p| p.ours.get(figure).copied()))
    }
}

/// Median, smallest and largest of what is finite; `None` of nothing.
pub fn spread(all: impl Iterator<Item = f64>) -> Option<Spread> {
    let mut all: Vec<f64> = all.filter(|x| x.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    let (min, max) = (*all.first()?, *all.last()?);
    let middle = all.len() / 2;
    let median = if all.len().is_multiple_of(2) { (all[middle - 1] + all[middle]) / 2.0 } else { all[middle] };
    Some(Spread { median, min, max })
}

/// Whether the peer goes first in a pair: alternating from repeat to repeat, the start drawn for each point, so that
/// neither a drift within the minute nor one over the hour favours a side.
pub fn peer_first(seed: u64, point: usize, repeat: u32) -> bool {
    let drawn =
        (seed ^ (point as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 63;
    (drawn + u64::from(repeat)).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(peer: f64, ours: f64) -> Pair {
        let figures = |x| Figures::from([("cpu_us", x)]);
        Pair { repeat: 1, peer_first: true, peer: figures(peer), ours: figures(ours) }
    }

    #[test]
    fn ratios_are_taken_within_pairs() {
        // The machine is twice as slow in the second pair; the ratio does not notice.
        let point = Point { name: "x".into(), pairs: vec![pair(10.0, 5.0), pair(20.0, 10.0), pair(9.0, 3.0)] };
        assert_eq!(point.ratio("cpu_us", Better::Less), Some(Spread { median: 2.0, min: 2.0, max: 3.0 }));
        assert_eq!(point.ratio("cpu_us", Better::More).unwrap().median, 0.5);
        assert_eq!(point.ratio("qps", Better::More), None);
    }

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(spread([4.0, 1.0, 3.0, f64::NAN, 2.0].into_iter()).unwrap().median, 2.5);
    }

    #[test]
    fn order_alternates_at_every_point() {
        for point in 0..10 {
            for repeat in 1..5 {
                assert_ne!(peer_first(7, point, repeat), peer_first(7, point, repeat + 1));
            }
        }
        let starts: Vec<bool> = (0..20).map(|p| peer_first(7, p, 1)).collect();
        assert!(starts.contains(&true) && starts.contains(&false));
    }
}

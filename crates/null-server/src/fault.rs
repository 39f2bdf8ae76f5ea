//! What goes wrong on purpose, as pure functions of time and number: delays, stalls, errors, dropped connections.

use crate::Options;

/// The injected faults, resolved.
#[derive(Debug, Clone)]
pub struct Faults {
    delay_ns: u64,
    /// `(every, for)` in nanoseconds.
    stall: Option<(u64, u64)>,
    /// An error falls where a random 64-bit number is below this; `None`: never.
    error_below: Option<u64>,
    drop_every: Option<u64>,
    seed: u64,
}

/// What becomes of one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultAction {
    /// It is answered.
    Answer,
    /// It ends with the injected error.
    Error,
    /// Its connection is closed.
    Drop,
}

impl Faults {
    /// Takes them from the options.
    pub fn new(options: &Options) -> Faults {
        let stall = options.stall_every.zip(options.stall_for).map(|(every, long)| {
            let every = (every.as_nanos() as u64).max(1);
            // A stall as long as its period would never end.
            (every, (long.as_nanos() as u64).min(every - 1))
        });
        Faults {
            delay_ns: options.delay.as_nanos() as u64,
            stall,
            error_below: (options.error_rate > 0.0).then_some((options.error_rate * u64::MAX as f64) as u64),
            drop_every: options.drop_every,
            seed: options.seed,
        }
    }

    /// When the answer to a request that arrived at `at_ns` may go; nanoseconds since the server's start. Never
    /// decreases as `at_ns` grows, so waiting answers form a queue. Stalls lie at the start of each period but the
    /// first.
    #[inline]
    pub fn release_ns(&self, at_ns: u64) -> u64 {
        let due = at_ns + self.delay_ns;
        match self.stall {
            Some((every, long)) if due >= every && due % every < long => due - due % every + long,
            _ => due,
        }
    }

    /// What becomes of statement `nth` (from 1) of connection `connection`, which is number `overall` (from 1) of all.
    #[inline]
    pub fn action(&self, connection: u64, nth: u64, overall: u64) -> FaultAction {
        if self.drop_every.is_some_and(|n| overall.is_multiple_of(n)) {
            FaultAction::Drop
        } else if self.error_below.is_some_and(|below| scramble(self.seed, connection, nth) <= below) {
            FaultAction::Error
        } else {
            FaultAction::Answer
        }
    }
}

/// SplitMix64's finaliser over the three numbers: one connection's fate does not depend on how others interleave with
/// it.
fn scramble(seed: u64, connection: u64, nth: u64) -> u64 {
    let mut z = seed ^ connection.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ nth.wrapping_mul(0xD1B5_4A32_D192_ED03);
    for _ in 0..2 {
        z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Duration;

    fn faults(change: impl FnOnce(&mut Options)) -> Faults {
        let mut options = Options::default();
        change(&mut options);
        Faults::new(&options)
    }

    fn stalling() -> Faults {
        faults(|o| {
            o.delay = Duration::from_nanos(7);
            o.stall_every = Some(Duration::from_nanos(100));
            o.stall_for = Some(Duration::from_nanos(30));
        })
    }

    #[test]
    fn a_stall_holds_answers_until_its_end() {
        let f = stalling();
        assert_eq!(f.release_ns(0), 7, "no stall at the start");
        assert_eq!(f.release_ns(92), 99);
        assert_eq!(f.release_ns(93), 130, "due as the stall begins");
        assert_eq!(f.release_ns(122), 130);
        assert_eq!(f.release_ns(123), 130, "due as it ends");
        assert_eq!(f.release_ns(193), 230);
    }

    proptest! {
        #[test]
        fn answers_leave_in_the_order_of_requests(a in 0u64..10_000, b in 0u64..10_000) {
            let f = stalling();
            prop_assert!(f.release_ns(a.min(b)) <= f.release_ns(a.max(b)));
        }
    }

    #[test]
    fn the_share_of_errors_is_as_asked_and_repeatable() {
        let f = faults(|o| o.error_rate = 0.01);
        let hits =
            |f: &Faults| (1..=100_000).filter(|n| f.action(3, *n, *n) == FaultAction::Error).collect::<Vec<u64>>();
        let first = hits(&f);
        assert!((850..1150).contains(&first.len()), "{} of 100000", first.len());
        assert_eq!(first, hits(&f));
        assert_ne!(first, hits(&faults(|o| (o.error_rate, o.seed) = (0.01, 2))), "another seed, other statements");
        assert!((1..1000).all(|n| faults(|_| ()).action(1, n, n) == FaultAction::Answer));
        assert!((1..1000).all(|n| faults(|o| o.error_rate = 1.0).action(1, n, n) == FaultAction::Error));
    }

    #[test]
    fn every_nth_statement_of_all_drops_its_connection() {
        let f = faults(|o| o.drop_every = Some(3));
        let fates: Vec<bool> = (1..=6).map(|n| f.action(1, 1, n) == FaultAction::Drop).collect();
        assert_eq!(fates, [false, false, true, false, false, true]);
    }
}

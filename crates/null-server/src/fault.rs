//! What goes wrong on purpose, as pure functions of time and number: delays, stalls, errors, dropped connections.

use crate::Options;

/// The injected faults, resolved.
#[derive(Debug, Clone)]
pub struct Faults {
    delay_ns: u64,
    /// The shape of the distribution of delays; `None`: all are alike.
    delay_tail: Option<f64>,
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
            delay_tail: options.delay_tail,
            stall,
            error_below: (options.error_rate > 0.0).then_some((options.error_rate * u64::MAX as f64) as u64),
            drop_every: options.drop_every,
            seed: options.seed,
        }
    }

    /// When the answer to request `nth` of `connection`, which arrived at `at_ns`, may go; nanoseconds since the server's
    /// start. Stalls lie at the start of each period but the first.
    #[inline]
    pub fn release_ns(&self, at_ns: u64, connection: u64, nth: u64) -> u64 {
        let delay_ns = self.delay_tail.map_or(self.delay_ns, |shape| self.random_delay_ns(shape, connection, nth));
        self.after_stall_ns(at_ns + delay_ns)
    }

    /// When an answer that is due at this time may go: after the stall in which it is due.
    #[inline]
    pub fn after_stall_ns(&self, due: u64) -> u64 {
        match self.stall {
            Some((every, long)) if due >= every && due % every < long => due - due % every + long,
            _ => due,
        }
    }

    /// A value of the Pareto distribution of this shape whose mean is the delay.
    fn random_delay_ns(&self, shape: f64, connection: u64, nth: u64) -> u64 {
        // The statement's fate is decided by the same numbers: another seed, so that the two are independent.
        let random = scramble(!self.seed, connection, nth);
        let unit = ((random >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        let least = self.delay_ns as f64 * (shape - 1.0) / shape;
        (least * unit.powf(-1.0 / shape)) as u64
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
        assert_eq!(f.release_ns(0, 1, 1), 7, "no stall at the start");
        assert_eq!(f.release_ns(92, 1, 1), 99);
        assert_eq!(f.release_ns(93, 1, 1), 130, "due as the stall begins");
        assert_eq!(f.release_ns(122, 1, 1), 130);
        assert_eq!(f.release_ns(123, 1, 1), 130, "due as it ends");
        assert_eq!(f.release_ns(193, 1, 1), 230);
    }

    #[test]
    fn random_delays_have_the_mean_that_is_asked_for_and_a_long_tail() {
        let f = faults(|o| (o.delay, o.delay_tail) = (Duration::from_micros(100), Some(2.5)));
        let delays: Vec<f64> = (1..=200_000).map(|n| f.release_ns(0, n % 7, n) as f64).collect();
        let mean = delays.iter().sum::<f64>() / delays.len() as f64;
        // The standard deviation of one is 0.89 of the mean.
        assert!((99_000.0..101_000.0).contains(&mean), "{mean}");
        assert!(delays.iter().all(|d| *d >= 59_999.0), "the least is 0.6 of the mean");
        // Beyond ten times the least: 10^-2.5, one in 316.
        let far = delays.iter().filter(|d| **d > 600_000.0).count();
        assert!((540..=730).contains(&far), "{far} of 632");
        assert_eq!(f.release_ns(0, 3, 5), f.release_ns(0, 3, 5), "repeatable");
    }

    proptest! {
        #[test]
        fn answers_leave_in_the_order_of_requests(a in 0u64..10_000, b in 0u64..10_000) {
            let f = stalling();
            prop_assert!(f.release_ns(a.min(b), 1, 1) <= f.release_ns(a.max(b), 1, 1));
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

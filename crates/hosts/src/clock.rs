//! The clock of a load host, followed by exchanges: the coordinator sends its time, and the host answers with its own.
//!
//! The host read its clock between the two ends of the exchange, so that half of the round trip bounds the error (Cristian 1989). Of
//! several exchanges the one with the smallest round trip is the most certain. Offsets of earlier and of later exchanges give the
//! drift. An offset that no drift explains is a step: somebody has set the clock, or the machine was suspended.

use std::collections::VecDeque;
use tenbin_model::load_host::ClockSteps;

/// This many of the latest exchanges are considered, …
const RECENT: usize = 16;
/// … and this many from the beginning, for the drift.
const FIRST: usize = 16;

/// Clocks drift by less than this against each other: the kernel slews each by up to 500 ppm (`adjtimex(2)`), and oscillators are off by
/// up to 100.
const DRIFT_PPM: u64 = 1200;

/// One exchange; nanoseconds, each on its own clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// When the coordinator sent its time.
    pub sent_ns: u64,
    /// The host's time.
    pub host_ns: u64,
    /// When the coordinator had the answer.
    pub received_ns: u64,
}

/// A host's time less the coordinator's, with the bound of its error; nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offset {
    /// To be added to the coordinator's time.
    pub ns: i64,
    /// The true one is no further away.
    pub error_ns: u64,
}

impl Exchange {
    fn round_trip_ns(&self) -> u64 {
        self.received_ns.saturating_sub(self.sent_ns)
    }

    fn middle_ns(&self) -> u64 {
        self.sent_ns + self.round_trip_ns() / 2
    }

    fn offset(&self) -> Offset {
        let ns = i128::from(self.host_ns) - i128::from(self.middle_ns());
        Offset { ns: ns as i64, error_ns: self.round_trip_ns().div_ceil(2) }
    }
}

/// The offset, as far as all exchanges together bound it, when the last of them was sent.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    sent_ns: u64,
    from_ns: i128,
    to_ns: i128,
}

/// The clock of one host.
#[derive(Debug, Clone, Default)]
pub struct HostClock {
    first: Vec<Exchange>,
    recent: VecDeque<Exchange>,
    taken: u64,
    bounds: Option<Bounds>,
    steps: ClockSteps,
}

impl HostClock {
    /// Takes another exchange.
    pub fn take(&mut self, exchange: Exchange) {
        self.taken += 1;
        self.notice_step(&exchange);
        if self.first.len() < FIRST {
            self.first.push(exchange);
        }
        self.recent.push_back(exchange);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    /// Narrows the bounds of the offset. If nothing is left of them, the clock was stepped, and earlier exchanges say nothing about it
    /// any more.
    fn notice_step(&mut self, exchange: &Exchange) {
        let Exchange { sent_ns, host_ns, received_ns } = *exchange;
        let mut now = Bounds {
            sent_ns,
            from_ns: i128::from(host_ns) - i128::from(received_ns),
            to_ns: i128::from(host_ns) - i128::from(sent_ns),
        };
        if let Some(before) = self.bounds {
            let drift_ns = i128::from(received_ns.saturating_sub(before.sent_ns)) * i128::from(DRIFT_PPM) / 1_000_000;
            let (from_ns, to_ns) = (before.from_ns - drift_ns, before.to_ns + drift_ns);
            let step_ns = (now.from_ns - to_ns).max(0) + (now.to_ns - from_ns).min(0);
            if step_ns == 0 {
                (now.from_ns, now.to_ns) = (now.from_ns.max(from_ns), now.to_ns.min(to_ns));
            } else {
                let step_ns = step_ns as i64;
                self.steps.count += 1;
                if step_ns.unsigned_abs() > self.steps.largest_ns.unsigned_abs() {
                    self.steps.largest_ns = step_ns;
                }
                self.first.clear();
                self.recent.clear();
            }
        }
        self.bounds = Some(now);
    }

    /// Steps since [`Self::forget_steps`].
    pub fn steps(&self) -> ClockSteps {
        self.steps
    }

    /// Steps until now are of no interest.
    pub fn forget_steps(&mut self) {
        self.steps = ClockSteps::default();
    }

    /// How many exchanges there were.
    pub fn exchanges(&self) -> u64 {
        self.taken
    }

    fn best(&self) -> Option<&Exchange> {
        self.recent.iter().min_by_key(|exchange| exchange.round_trip_ns())
    }

    /// The offset by the most certain of the latest exchanges; `None` before the first.
    pub fn offset(&self) -> Option<Offset> {
        self.best().map(Exchange::offset)
    }

    /// The host's time at this time of the coordinator.
    pub fn host_ns(&self, coordinator_ns: u64) -> Option<u64> {
        let at = i128::from(coordinator_ns) + i128::from(self.offset()?.ns);
        Some(u64::try_from(at).unwrap_or(0))
    }

    /// The coordinator's time at this time of the host.
    pub fn coordinator_ns(&self, host_ns: u64) -> Option<u64> {
        let at = i128::from(host_ns) - i128::from(self.offset()?.ns);
        Some(u64::try_from(at).unwrap_or(0))
    }

    /// By how much the offset has changed from the first exchanges to the latest, nanoseconds, with the bound of its error.
    pub fn drifted(&self) -> Option<Offset> {
        let first = self.first.iter().min_by_key(|exchange| exchange.round_trip_ns())?.offset();
        let last = self.offset()?;
        Some(Offset { ns: last.ns - first.ns, error_ns: first.error_ns + last.error_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Delays of both directions are arbitrary and the host's clock is off by anything: the truth is within the bound.
        #[test]
        fn the_error_is_bounded(off in -1_000_000_000_000_i64..1_000_000_000_000, delays in prop::collection::vec((0_u64..50_000_000, 0_u64..50_000_000), 1..40)) {
            let mut clock = HostClock::default();
            let mut now_ns = 2_000_000_000_000_u64;
            for (there, back) in delays {
                let sent_ns = now_ns;
                let host_ns = (i128::from(sent_ns + there) + i128::from(off)) as u64;
                let received_ns = sent_ns + there + back;
                clock.take(Exchange { sent_ns, host_ns, received_ns });
                now_ns = received_ns + 500_000_000;
            }
            let offset = clock.offset().expect("there was an exchange");
            prop_assert!(offset.ns.abs_diff(off) <= offset.error_ns, "{offset:?} of {off}");
            let drifted = clock.drifted().expect("there was one");
            prop_assert!(drifted.ns.unsigned_abs() <= drifted.error_ns, "no drift: {drifted:?}");
            let there = clock.host_ns(now_ns).expect("known");
            prop_assert_eq!(clock.coordinator_ns(there), Some(now_ns));
            prop_assert_eq!(clock.steps(), ClockSteps::default());
        }
    }

    #[test]
    fn the_smallest_round_trip_counts_and_drift_is_seen() {
        let mut clock = HostClock::default();
        // 1 ms there and back; now and then 40 ms on the way back only, which alone would be an error of 20 ms.
        for i in 0..100_u64 {
            let (sent_ns, back) = (i * 500_000_000, if i % 3 == 0 { 40_000_000 } else { 500_000 });
            // 100 ppm fast, and 7 s ahead.
            let host_ns = 7_000_000_000 + (sent_ns + 500_000) / 10_000 * 10_001;
            clock.take(Exchange { sent_ns, host_ns, received_ns: sent_ns + 500_000 + back });
        }
        let drifted = clock.drifted().expect("known");
        assert!((4_000_000..5_000_000).contains(&drifted.ns) && drifted.error_ns <= 1_000_000, "{drifted:?}");
        assert_eq!(clock.offset().expect("known").error_ns, 500_000);
        assert_eq!(clock.steps(), ClockSteps::default(), "it drifted, and was not stepped");
    }

    #[test]
    fn a_step_is_noticed_and_what_was_before_is_forgotten() {
        for step_ns in [4_000_000_000_i64, -4_000_000_000, 3_000_000, -3_000_000] {
            let mut clock = HostClock::default();
            for i in 0..40_u64 {
                let sent_ns = 1_000_000_000 + i * 500_000_000;
                let stepped = if i >= 20 { step_ns } else { 0 };
                let host_ns = (9_000_000_000 + sent_ns as i64 + stepped) as u64;
                // The round trips from before the step are shorter.
                let received_ns = sent_ns + if i >= 20 { 900_000 } else { 300_000 };
                clock.take(Exchange { sent_ns, host_ns, received_ns });
                assert_eq!(clock.steps().count, u32::from(i >= 20), "{i}");
            }
            let found_ns = clock.steps().largest_ns;
            assert!(found_ns.abs_diff(step_ns) < 2_000_000 && found_ns.abs() <= step_ns.abs(), "{found_ns}");
            let offset = clock.offset().expect("known");
            assert!(offset.ns.abs_diff(9_000_000_000 + step_ns) <= offset.error_ns, "{offset:?}");
            assert!(clock.drifted().expect("known").ns.unsigned_abs() < 1_000_000, "a step is no drift");
            clock.forget_steps();
            assert_eq!(clock.steps(), ClockSteps::default());
        }
    }
}

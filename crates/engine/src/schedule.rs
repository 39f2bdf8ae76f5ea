//! The open loop's arrivals: when transactions are meant to start, whether or not a client is free.
//!
//! One schedule for all clients, a pure function of rate, kind and seed. A free client takes the longest waiting start, or a
//! ticket for the next one to come. Arrivals are admitted lazily but exactly: nobody leaves the queue between two
//! calls, so what each arrival found when it fell due is known.

use std::collections::VecDeque;
use tenbin_model::event::Phase;
use tenbin_model::tally::Accounting;
use tenbin_model::trial::{Arrivals, Overload, Schedule};

/// The schedule and its queue.
#[derive(Debug)]
pub struct Cursor {
    gap_ns: f64,
    arrivals: Arrivals,
    overload: Overload,
    state: u64,
    /// The next arrival, in nanoseconds since the start: kept as a fraction so that rounding does not add up.
    next: f64,
    start_ns: u64,
    measure_from_ns: u64,
    /// Nothing falls due from here on.
    end_ns: u64,
    queue: VecDeque<u64>,
    /// Tickets given out for starts to come, that were not due at the last admission.
    reserved: Vec<u64>,
    warm_up: Accounting,
    measure: Accounting,
    /// The queue was full under [`Overload::Stop`].
    overloaded: bool,
}

impl Cursor {
    /// `None` for the closed loop.
    pub fn new(schedule: Schedule, seed: u64) -> Option<Self> {
        let Schedule::Open { rate, arrivals, overload } = schedule else { return None };
        Some(Cursor {
            gap_ns: 1e9 / rate,
            arrivals,
            overload,
            state: seed ^ 0x9e37_79b9_7f4a_7c15,
            next: 0.0,
            start_ns: 0,
            measure_from_ns: 0,
            end_ns: u64::MAX,
            queue: VecDeque::new(),
            reserved: Vec::new(),
            warm_up: Accounting::default(),
            measure: Accounting::default(),
            overloaded: false,
        })
    }

    /// The course opens at `start_ns`.
    pub fn begin(&mut self, start_ns: u64, measure_from_ns: u64, end_ns: u64) {
        (self.start_ns, self.measure_from_ns, self.end_ns) = (start_ns, measure_from_ns, end_ns);
        if self.arrivals == Arrivals::Poisson {
            self.next = self.gap();
        }
    }

    /// A start for a client that is free at `now_ns`: one that waits, or a ticket for the next to come.
    pub fn ticket(&mut self, now_ns: u64) -> u64 {
        self.admit(now_ns);
        if let Some(due_ns) = self.queue.pop_front() {
            return due_ns;
        }
        let due_ns = self.advance();
        self.reserved.push(due_ns);
        due_ns
    }

    /// The client with the ticket `due_ns` begins.
    pub fn taken(&mut self, due_ns: u64, now_ns: u64) {
        self.admit(now_ns.max(due_ns));
        self.of(due_ns).open -= 1;
    }

    /// Lets everything that is due by `now_ns` fall due.
    pub fn admit(&mut self, now_ns: u64) {
        let now_ns = now_ns.min(self.end_ns - 1);
        let mut i = 0;
        while i < self.reserved.len() {
            if self.reserved[i] <= now_ns {
                let due_ns = self.reserved.swap_remove(i);
                let accounting = self.of(due_ns);
                accounting.scheduled += 1;
                accounting.open += 1;
            } else {
                i += 1;
            }
        }
        while self.start_ns + self.next as u64 <= now_ns {
            let due_ns = self.advance();
            let waiting = self.queue.len() as u64;
            let room = match self.overload {
                Overload::Queue { limit } => waiting < limit,
                Overload::Skip => false,
                Overload::Stop { limit } => {
                    self.overloaded |= waiting >= limit;
                    waiting < limit
                }
            };
            let accounting = self.of(due_ns);
            accounting.scheduled += 1;
            if room {
                accounting.open += 1;
                self.queue.push_back(due_ns);
            } else {
                accounting.skipped += 1;
            }
        }
    }

    /// What became of starts of `phase` since the last call: scheduled, skipped, and the change in those waiting.
    pub fn take(&mut self, phase: Phase) -> Accounting {
        std::mem::take(if phase == Phase::WarmUp { &mut self.warm_up } else { &mut self.measure })
    }

    /// Whether more starts waited than the plan allows.
    pub fn overloaded(&self) -> bool {
        self.overloaded
    }

    fn of(&mut self, due_ns: u64) -> &mut Accounting {
        if due_ns < self.measure_from_ns { &mut self.warm_up } else { &mut self.measure }
    }

    fn advance(&mut self) -> u64 {
        let due_ns = self.start_ns + self.next as u64;
        self.next += self.gap();
        due_ns
    }

    fn gap(&mut self) -> f64 {
        match self.arrivals {
            Arrivals::Even => self.gap_ns,
            // Exponential by inversion; 1 − u is never 0.
            Arrivals::Poisson => -self.gap_ns * (1.0 - self.uniform()).ln(),
        }
    }

    /// SplitMix64 (Steele, Lea & Flood 2014), as a fraction of 53 bits.
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(rate: f64, arrivals: Arrivals, overload: Overload) -> Cursor {
        let mut c = Cursor::new(Schedule::Open { rate, arrivals, overload }, 7).unwrap();
        c.begin(1_000, 0, u64::MAX);
        c
    }

    #[test]
    fn even_arrivals_do_not_drift() {
        let mut c = cursor(3.0, Arrivals::Even, Overload::Queue { limit: 10 });
        let dues: Vec<u64> = (0..4).map(|_| c.ticket(0)).collect();
        assert_eq!(dues, [1_000, 333_334_333, 666_667_666, 1_000_001_000]);
    }

    #[test]
    fn poisson_gaps_have_their_mean_and_their_seed() {
        let draw = || {
            let mut c = cursor(1000.0, Arrivals::Poisson, Overload::Queue { limit: 10 });
            (0..20_000).map(|_| c.ticket(0)).collect::<Vec<u64>>()
        };
        let dues = draw();
        assert_eq!(dues, draw());
        let gaps: Vec<f64> = dues.windows(2).map(|w| (w[1] - w[0]) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        // The standard error of 20,000 exponential gaps is 0.7 %.
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
        let longer_than_mean = gaps.iter().filter(|g| **g > 1.0).count() as f64 / gaps.len() as f64;
        assert!((longer_than_mean - (-1f64).exp()).abs() < 0.015, "{longer_than_mean}");
    }

    #[test]
    fn a_full_queue_skips_and_counts() {
        let mut c = cursor(1000.0, Arrivals::Even, Overload::Queue { limit: 2 });
        c.admit(1_000 + 4_500_000);
        let a = c.take(Phase::Measure);
        assert_eq!((a.scheduled, a.skipped, a.open), (5, 3, 2));
        assert_eq!(c.ticket(1_000 + 4_600_000), 1_000);
        c.taken(1_000, 1_000 + 4_600_000);
        assert_eq!(c.take(Phase::Measure).open, -1);
    }

    #[test]
    fn skip_keeps_nothing_waiting_and_stop_says_so() {
        let mut c = cursor(1000.0, Arrivals::Even, Overload::Skip);
        c.admit(1_000 + 2_500_000);
        assert_eq!(c.take(Phase::Measure).skipped, 3);
        assert_eq!(c.ticket(1_000 + 2_500_000), 1_000 + 3_000_000);
        let mut c = cursor(1000.0, Arrivals::Even, Overload::Stop { limit: 1 });
        c.admit(1_000);
        assert!(!c.overloaded());
        c.admit(2_000_000);
        assert!(c.overloaded());
    }
}

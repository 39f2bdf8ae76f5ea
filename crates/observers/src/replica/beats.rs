//! The times of all heartbeats of one source, and how old a replica is that shows one of them.

/// Times in nanoseconds since the origin of the run's clock. Heartbeats are numbered from 1.
#[derive(Debug, Default)]
pub(super) struct Beats {
    /// When each was sent, and when the source confirmed it; `None` if it has not.
    all: Vec<(u64, Option<u64>)>,
}

/// How far a replica was behind when it was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Behind {
    /// At least this many seconds.
    pub at_least_s: f64,
    /// At most this many seconds; `None` if it has not shown any heartbeat yet.
    pub at_most_s: Option<f64>,
}

impl Beats {
    /// The next heartbeat is sent; returns its number.
    pub fn sent(&mut self, at_ns: u64) -> u64 {
        self.all.push((at_ns, None));
        self.all.len() as u64
    }

    /// The source has confirmed it.
    pub fn confirmed(&mut self, number: u64, at_ns: u64) {
        if let Some(beat) = (number as usize).checked_sub(1).and_then(|at| self.all.get_mut(at)) {
            beat.1 = Some(at_ns);
        }
    }

    /// How many were confirmed.
    pub fn count(&self) -> u64 {
        self.all.iter().filter(|(_, confirmed)| confirmed.is_some()).count() as u64
    }

    /// A replica was asked and has answered with heartbeat `seen` (0: none yet). What was committed before `seen` was
    /// sent is there, so it is not older than that; the next confirmed one was committed and is missing, so it is not
    /// younger than its confirmation.
    pub fn behind(&self, seen: u64, asked_ns: u64, answered_ns: u64) -> Behind {
        let seconds = |from: u64, to: u64| to.saturating_sub(from) as f64 / 1e9;
        let later = self.all.get(seen as usize..).unwrap_or_default();
        let missing = later.iter().find_map(|(_, confirmed)| *confirmed);
        let last = (seen as usize).checked_sub(1).and_then(|at| self.all.get(at));
        Behind {
            at_least_s: missing.map_or(0.0, |confirmed| seconds(confirmed, asked_ns)),
            at_most_s: last.map(|(sent, _)| seconds(*sent, answered_ns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// Heartbeats every 200 ms, confirmed after 10 ms, the first at 1 s.
    fn beats(count: u64) -> Beats {
        let mut beats = Beats::default();
        for n in 0..count {
            let number = beats.sent((1000 + 200 * n) * MS);
            beats.confirmed(number, (1010 + 200 * n) * MS);
        }
        beats
    }

    #[test]
    fn the_bounds_hold_the_true_lag() {
        let beats = beats(50);
        // A replica that has everything until 5 s shows the heartbeat of 5 s; it is asked at 8 s: 3 s behind.
        let behind = beats.behind(21, 8000 * MS, 8001 * MS);
        assert_eq!(behind, Behind { at_least_s: 2.79, at_most_s: Some(3.001) });
        // It has everything.
        assert_eq!(beats.behind(50, 10_850 * MS, 10_851 * MS), Behind { at_least_s: 0.0, at_most_s: Some(0.051) });
        // It has nothing yet.
        assert_eq!(beats.behind(0, 6010 * MS, 6011 * MS), Behind { at_least_s: 5.0, at_most_s: None });
        // It shows one of which the source did not say that it was committed.
        assert_eq!(beats.behind(99, 6000 * MS, 6001 * MS), Behind { at_least_s: 0.0, at_most_s: None });
    }

    #[test]
    fn a_heartbeat_that_was_not_confirmed_says_nothing() {
        let mut beats = beats(3);
        let lost = beats.sent(1600 * MS);
        assert_eq!(beats.behind(3, 9000 * MS, 9000 * MS).at_least_s, 0.0, "nothing may have been written since");
        let next = beats.sent(2000 * MS);
        beats.confirmed(next, 2010 * MS);
        assert_eq!(beats.behind(3, 3010 * MS, 3010 * MS).at_least_s, 1.0);
        assert_eq!(beats.behind(lost, 3010 * MS, 3010 * MS).at_most_s, Some(1.41));
        assert_eq!(beats.count(), 4);
        beats.confirmed(0, 1);
        beats.confirmed(99, 1);
    }
}

//! Sees when this process did not run: it was stopped, frozen, or the machine was.
//!
//! The collector sleeps for 50 ms at most. It wakes late if the process does not run, and also if the processors are busy; but of the latter the
//! kernel says how long the thread has waited for one (`schedstat`, Documentation/scheduler/sched-stats.rst). What is left is a halt, if no transaction
//! ended meanwhile.

use crate::processor_queue::ProcessorQueue;
use crate::run::{Clock, DriveState};
use std::time::Duration;
use tokio::time::Instant;

/// A delay that is not explained by scheduling, whatever the kernel says.
const LONG: Duration = Duration::from_millis(500);
/// The shortest delay that is looked at.
const SHORT: Duration = Duration::from_millis(100);

/// When the collector was last seen running.
#[derive(Debug)]
pub struct HaltWatch {
    awake: Instant,
    /// Short halts are looked for since then.
    from: Instant,
    queue: Option<ProcessorQueue>,
    /// Short halts that are not taken yet: their sum, the longest, and the end of the last one since the common start.
    short_ns: u64,
    longest_ns: u64,
    over_ns: u64,
}

impl HaltWatch {
    /// The calling thread runs now. All other functions are for the same thread.
    pub fn new() -> HaltWatch {
        let now = Instant::now();
        HaltWatch { awake: now, from: now, queue: ProcessorQueue::open(), short_ns: 0, longest_ns: 0, over_ns: 0 }
    }

    /// When it was last seen running.
    pub fn awake(&self) -> Instant {
        self.awake
    }

    /// It is seen running now. Returns how long the process did not run since it was last seen, of long halts only and as far as that lies in the
    /// measured window: it may have lasted over several intervals. The others are [taken](Self::take_short) at the end of an interval.
    pub fn seen(&mut self, run: &DriveState, clock: Clock) -> u64 {
        let (last, from, now) = (self.awake, self.from, Instant::now());
        (self.awake, self.from) = (now, now);
        let within = |halted_ns: u64, since: Instant| {
            let window_ns =
                clock.ns(now).min(run.end_ns()).saturating_sub(clock.ns(since).max(run.timeline.warmup_ns()));
            halted_ns.min(window_ns)
        };
        if now.saturating_duration_since(last) > LONG {
            return within(u64::MAX, last);
        }
        let delay = now.saturating_duration_since(from);
        if delay > SHORT
            && let Some(queued) = self.queue.as_mut().and_then(ProcessorQueue::waited)
            && let Some(halted) = delay.checked_sub(queued).filter(|halted| *halted > SHORT)
        {
            let halted_ns = within(halted.as_nanos() as u64, from);
            self.short_ns += halted_ns;
            self.longest_ns = self.longest_ns.max(halted_ns);
            self.over_ns = clock.ns(now);
        }
        0
    }

    /// After a sleep that was asked to last until then: it is not a part of the delay.
    pub fn slept_until(&mut self, until: Instant) {
        self.awake = until.min(Instant::now());
        self.from = self.awake;
    }

    /// Before a sleep: what the thread waits for a processor from now on explains delays of it.
    pub fn sleeps(&mut self) {
        if let Some(queue) = &mut self.queue {
            queue.waited();
        }
    }

    /// After something else that takes time: it is not a halt unless it was long.
    pub fn was_elsewhere(&mut self) {
        self.from = Instant::now();
    }

    /// It ran all the time.
    pub fn ran(&mut self) {
        self.awake = Instant::now();
        self.from = self.awake;
    }

    /// The short halts that are not taken yet, if the clients stood still too in this interval: `without_completions_ns` is the longest time in it in
    /// which none of their transactions ended. Those that have not ended with it are left for the next one, which may show it.
    pub fn take_short(&mut self, without_completions_ns: u64, (from_ns, to_ns): (u64, u64)) -> u64 {
        // The end of an interval may divide a halt.
        let stood_still = without_completions_ns >= self.longest_ns.min(to_ns.saturating_sub(from_ns)) / 2;
        if !stood_still && to_ns < self.over_ns {
            return 0;
        }
        let short_ns = std::mem::take(&mut self.short_ns);
        self.longest_ns = 0;
        if stood_still { short_ns } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_halts_count_where_nothing_completed() {
        let halted = || HaltWatch { short_ns: 900, longest_ns: 450, over_ns: 900, ..HaltWatch::new() };
        let mut watch = halted();
        assert_eq!((watch.take_short(230, (0, 1000)), watch.take_short(230, (1000, 2000))), (900, 0));
        assert_eq!(halted().take_short(200, (0, 1000)), 0, "the clients went on");
        // Of several intervals the first one may be too short to show it, or have completions before it.
        let mut watch = halted();
        assert_eq!((watch.take_short(40, (400, 500)), watch.take_short(100, (500, 600))), (0, 900));
        // Over, and nothing has shown it.
        let mut watch = halted();
        assert_eq!((watch.take_short(40, (800, 900)), watch.take_short(100, (900, 1000))), (0, 0));
    }
}

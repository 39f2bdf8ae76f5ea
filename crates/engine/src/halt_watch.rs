//! Sees when this process did not run: it was stopped, frozen, or the machine was.
//!
//! A thread of its own does nothing but sleep, for 20 ms at a time. It wakes late if the process does not run, and also if the processors are busy; but
//! of the latter the kernel says how long the thread has waited for one (`schedstat`, Documentation/scheduler/sched-stats.rst). What is left is a halt.
//! A short one counts as far as no transaction completed meanwhile.

use crate::processor_queue::ProcessorQueue;
use crate::run::Clock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_model::event::Halts;
use tenbin_model::idle::Period;

/// How long the thread sleeps at a time.
const SLEEP: Duration = Duration::from_millis(20);
/// The shortest delay that is looked at.
const SHORT_NS: u64 = 100_000_000;
/// A delay that is longer is not explained by scheduling, whatever the kernel says.
const LONG_NS: u64 = 500_000_000;
/// For how long after its end a period without completions is kept: the thread may be the last one that gets a processor.
const KEPT_NS: u64 = 60_000_000_000;

/// A delay of the thread beyond its sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Delay {
    /// From when to when, nanoseconds since the common start.
    at: Period,
    /// What is left of it without the wait for a processor, nanoseconds; `None`: the kernel does not say.
    halted_ns: Option<u64>,
}

impl Delay {
    fn ns(&self) -> u64 {
        self.at.1 - self.at.0
    }

    /// How long the process halted, if that was a short halt. The thread may have waited for a processor too, and as long as it likes.
    fn short_halt(&self) -> Option<u64> {
        self.halted_ns.filter(|halted_ns| (SHORT_NS..=LONG_NS).contains(halted_ns))
    }

    fn is_worth_a_look(&self) -> bool {
        self.short_halt().is_some() || self.ns() > LONG_NS
    }
}

/// The delays of the thread, and when no transaction completed.
#[derive(Debug)]
pub struct HaltWatch {
    /// `None` under a simulated clock, which stands still while the process does.
    thread: Option<WatchThread>,
    /// Those that have not been [taken](HaltWatch::take).
    delays: Vec<Delay>,
    /// Periods in which no transaction completed, ascending.
    idle: Vec<Period>,
}

#[derive(Debug)]
struct WatchThread {
    delays: Arc<Mutex<Vec<Delay>>>,
    /// Dropped to end it.
    ends: SyncSender<()>,
    handle: JoinHandle<()>,
}

impl HaltWatch {
    /// Watches from now on, by this clock. Fails if no thread can be started.
    pub fn begin(clock: Clock) -> std::io::Result<HaltWatch> {
        let (ends, ended) = sync_channel(0);
        let delays = Arc::new(Mutex::new(Vec::new()));
        let shared = delays.clone();
        let thread = std::thread::Builder::new().name("halt-watch".into());
        let handle = thread.spawn(move || watch(clock, &ended, &shared))?;
        Ok(HaltWatch { thread: Some(WatchThread { delays, ends, handle }), ..HaltWatch::blind() })
    }

    /// Watches nothing.
    pub fn blind() -> HaltWatch {
        HaltWatch { thread: None, delays: Vec::new(), idle: Vec::new() }
    }

    /// An interval ended, with these periods without completions, all in nanoseconds since the common start. Returns the halts that have become known
    /// since the last call, as far as they lie in `window`.
    pub fn take(&mut self, to_ns: u64, idle: impl IntoIterator<Item = Period>, window: Period) -> Halts {
        for (from, to) in idle {
            match self.idle.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => self.idle.push((from, to)),
            }
        }
        self.idle.retain(|period| period.1.saturating_add(KEPT_NS) > to_ns);
        if let Some(thread) = &self.thread {
            self.delays.append(&mut thread.delays.lock().unwrap_or_else(PoisonError::into_inner));
        }
        // What completed at the end of the others is not known yet.
        let (known, later) = self.delays.iter().partition(|delay| delay.at.1 <= to_ns);
        self.delays = later;
        self.halts(&known, window)
    }

    /// Ends the watch. Returns the halts that have not been taken, as far as they lie in `window`.
    pub fn end(mut self, window: Period) -> Halts {
        let Some(WatchThread { delays: shared, ends, handle }) = self.thread.take() else { return Halts::default() };
        drop(ends);
        // It looks for the last time: this process may have halted just now.
        let _ = handle.join();
        let mut delays = std::mem::take(&mut self.delays);
        delays.append(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
        self.halts(&delays, window)
    }

    fn halts(&self, delays: &[Delay], window: Period) -> Halts {
        let mut halts = Halts::default();
        for delay in delays {
            let in_window = common_ns(delay.at, window);
            match delay.short_halt() {
                Some(halted_ns) => {
                    let halted_ns = halted_ns.min(in_window);
                    let idle_ns = self.idle.iter().map(|period| common_ns(delay.at, *period)).sum::<u64>();
                    // Of those that went on meanwhile, the clients, this is not the halt.
                    if idle_ns >= halted_ns / 2 {
                        halts.briefly_ns += halted_ns;
                    }
                }
                None => halts.stopped_ns += in_window,
            }
        }
        halts
    }
}

/// How long two periods have in common.
fn common_ns(a: Period, b: Period) -> u64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
}

/// The main function of the thread.
fn watch(clock: Clock, ended: &Receiver<()>, shared: &Mutex<Vec<Delay>>) {
    let mut queue = ProcessorQueue::open();
    loop {
        if let Some(queue) = &mut queue {
            queue.waited();
        }
        let until = Instant::now() + SLEEP;
        let end = ended.recv_timeout(SLEEP);
        let (from_ns, now_ns) = (clock.ns(until.into()), clock.now_ns());
        if now_ns.saturating_sub(from_ns) >= SHORT_NS {
            let queued = queue.as_mut().and_then(ProcessorQueue::waited);
            let halted_ns = queued.map(|queued| (now_ns - from_ns).saturating_sub(queued.as_nanos() as u64));
            let delay = Delay { at: (from_ns, now_ns), halted_ns };
            if delay.is_worth_a_look() {
                shared.lock().unwrap_or_else(PoisonError::into_inner).push(delay);
            }
        }
        if end != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn of(from_ms: u64, to_ms: u64, queued_ms: u64) -> Delay {
        let ms = to_ms - from_ms;
        Delay { at: (from_ms * MS, to_ms * MS), halted_ns: Some(ms.saturating_sub(queued_ms) * MS) }
    }

    #[test]
    fn a_halt_is_what_the_wait_for_a_processor_does_not_explain() {
        let short = |ms, queued_ms| of(0, ms, queued_ms).short_halt();
        assert_eq!((short(400, 0), short(410, 10)), (Some(400 * MS), Some(400 * MS)));
        assert_eq!(short(900, 500), Some(400 * MS), "the delay is long, the halt is not");
        assert_eq!((short(900, 10), short(900, 850), short(400, 350), short(110, 120)), (None, None, None, None));
        assert!(of(0, 900, 850).is_worth_a_look() && !of(0, 400, 350).is_worth_a_look());
        let untold = |ms| Delay { at: (0, ms * MS), halted_ns: None };
        assert!(untold(501).is_worth_a_look() && !untold(400).is_worth_a_look());
    }

    #[test]
    fn short_halts_count_where_nothing_completed() {
        const ALL: Period = (0, u64::MAX);
        let halted = |delays: &[Delay]| HaltWatch { delays: delays.to_vec(), ..HaltWatch::blind() };
        let briefly = |ms: u64| Halts { briefly_ns: ms * MS, ..Halts::default() };
        let mut watch = halted(&[of(100, 500, 0)]);
        assert_eq!(watch.take(1000 * MS, [(100 * MS, 510 * MS)], ALL), briefly(400));
        assert_eq!(watch.take(2000 * MS, [(100 * MS, 510 * MS)], ALL), briefly(0), "once");
        assert_eq!(
            halted(&[of(100, 500, 0)]).take(1000 * MS, [(100 * MS, 250 * MS)], ALL),
            briefly(0),
            "the clients went on"
        );
        // Over the ends of intervals, and known before the last of them has ended.
        let mut watch = halted(&[of(100, 500, 0)]);
        assert_eq!(watch.take(200 * MS, [(90 * MS, 200 * MS)], ALL), briefly(0));
        assert_eq!(watch.take(400 * MS, [(200 * MS, 400 * MS)], ALL), briefly(0));
        assert_eq!(watch.take(600 * MS, [(400 * MS, 520 * MS)], ALL), briefly(400));
        // Only what lies in the window.
        let watch = |delay| halted(&[delay]).take(2000 * MS, [(0, 2000 * MS)], (300 * MS, 1000 * MS));
        assert_eq!((watch(of(100, 500, 0)), watch(of(900, 1300, 0))), (briefly(200), briefly(100)));
        assert_eq!(watch(of(0, 800, 0)), Halts { stopped_ns: 500 * MS, ..Halts::default() }, "a long one");
    }

    #[test]
    fn a_process_that_runs_does_not_halt() {
        let watch = HaltWatch::begin(Clock { start: tokio::time::Instant::now() }).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(watch.end((0, u64::MAX)).briefly_ns, 0);
    }
}

//! Our own threads: how long they were ready to run and waited for a processor, and how often the quota of our control group was used
//! up. And our own clocks: whether somebody sets the clock of this machine, by which exports and the figures of others are put in order.

use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Instant, SystemTime};
use tenbin_model::names::client_process;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_servers::machine::{Here, MachineFiles, ProcessorQuota};
use tenbin_servers::proc;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: client_process::OBSERVER,
    readings,
    connects: false,
    make: |_| {
        // This machine can always be reached.
        let quota = ProcessorQuota::find(&Here, std::process::id()).unwrap_or_default();
        Some(Box::new(Own { quota, ..Own::default() }))
    },
    ..ObserverEntry::REGULAR
};

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let delay = ReadingSpec::counter("run_delay_s", "s", Whose::Client);
    let of_workers = ReadingSpec::counter(client_process::WORKERS_DELAY, "s", Whose::Client);
    let step = ReadingSpec::gauge("clock_step_s", "s", Whose::Client);
    let counter = |name, unit| ReadingSpec::counter(name, unit, Whose::Client);
    let quota = ReadingSpec::gauge(client_process::QUOTA, "", Whose::Client);
    vec![
        quota.label(
            "processors by the quota of Tenbin's control group",
            "Tenbin の cgroup のクォータによるプロセッサー数",
        ),
        counter(client_process::PERIODS, "").label("periods of this quota", "同クォータの周期数"),
        counter(client_process::THROTTLED_PERIODS, "")
            .label("periods in which this quota was used up", "同クォータを使い切った周期数"),
        counter("cpu_throttled_s", "s")
            .label("time in which Tenbin was throttled, added up", "Tenbin がスロットリングされた時間(合計)"),
        step.label("the clock set ahead since the start of the trial", "試行の開始から時計が進められた時間"),
        delay.label("Tenbin's threads ready to run, waiting for a processor", "Tenbin のスレッドの CPU 待ち時間"),
        of_workers.label(
            "those of these threads that run clients, waiting for a processor",
            "そのうちクライアントを動かすスレッドの CPU 待ち時間",
        ),
    ]
}

/// At most this many threads are read, because each needs a file to be read.
const MOST: usize = 256;

/// This process.
#[derive(Debug, Default)]
struct Own {
    /// The waiting time of each thread at the last sample, nanoseconds.
    waited: BTreeMap<u64, u64>,
    /// The threads that run clients.
    workers: BTreeSet<u64>,
    /// The total waiting time since the first sample, including threads that have ended.
    sum_ns: u64,
    /// The part of it of the threads that run clients.
    workers_ns: u64,
    /// The quota of its control group.
    quota: ProcessorQuota,
    /// Both clocks at the first sample.
    began: Option<(SystemTime, Instant)>,
}

impl Observer for Own {
    fn read(&mut self) -> Result<Sample, Problem> {
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let threads = threads.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).take(MOST);
        let waited = threads.filter_map(|thread: u64| {
            Some((thread, proc::run_delay_ns(&proc::read(&format!("/proc/self/task/{thread}/schedstat")))?))
        });
        let waited: BTreeMap<u64, u64> = waited.collect();
        let mut values = self.took(waited, |thread| proc::read(&format!("/proc/self/task/{thread}/comm")));
        let files = self.quota.files();
        values.extend(self.quota.values(&Here.files(&files.iter().map(String::as_str).collect::<Vec<_>>())?));
        values.insert("clock_step_s".to_owned(), self.step_s(SystemTime::now(), Instant::now()));
        Ok(values.into())
    }
}

impl Own {
    /// How much further the clock has gone than time since the first sample, seconds; negative if it was set back.
    fn step_s(&mut self, clock: SystemTime, now: Instant) -> f64 {
        let (clock_began, began) = *self.began.get_or_insert((clock, now));
        let shown = match clock.duration_since(clock_began) {
            Ok(ahead) => ahead.as_secs_f64(),
            Err(behind) => -behind.duration().as_secs_f64(),
        };
        shown - now.duration_since(began).as_secs_f64()
    }

    /// The readings for these waiting times; nothing if the kernel does not count them. `name`: that of a thread.
    fn took(&mut self, now: BTreeMap<u64, u64>, name: impl Fn(u64) -> String) -> BTreeMap<String, f64> {
        self.workers.retain(|thread| now.contains_key(thread));
        for (thread, ns) in &now {
            let before = self.waited.get(thread).copied().unwrap_or(0);
            let more = ns.saturating_sub(before);
            self.sum_ns += more;
            // A thread gives itself its name when it runs for the first time: one that waits for that has the name of another until then.
            if self.workers.contains(thread) {
                self.workers_ns += more;
            } else if name(*thread).starts_with(client_process::WORKERS) {
                self.workers.insert(*thread);
                self.workers_ns += before + more;
            }
        }
        let has_threads = !now.is_empty();
        self.waited = now;
        let values = [("run_delay_s", self.sum_ns), (client_process::WORKERS_DELAY, self.workers_ns)];
        let values = values.map(|(name, ns)| (name.to_owned(), ns as f64 / 1e9));
        values.into_iter().filter(|_| has_threads).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn threads_come_and_go_and_the_sum_only_grows() {
        let mut own = Own::default();
        let mut look = |all: &[(u64, u64)], name: fn(u64) -> &'static str| {
            let values = own.took(all.iter().copied().collect(), |thread| name(thread).to_owned());
            Some((*values.get("run_delay_s")?, *values.get(client_process::WORKERS_DELAY)?))
        };
        let not_yet = |_| "tenbin";
        let named = |thread| if thread == 3 { "worker-0" } else { "tenbin" };
        assert_eq!(look(&[(1, 2_000_000_000), (2, 0)], named), Some((2.0, 0.0)));
        assert_eq!(look(&[(1, 3_000_000_000), (3, 500_000_000)], not_yet), Some((3.5, 0.0)));
        assert_eq!(look(&[(1, 3_000_000_000), (3, 750_000_000)], named), Some((3.75, 0.75)), "it waited for its name");
        assert_eq!(look(&[(3, 1_000_000_000)], not_yet), Some((4.0, 1.0)), "known by then");
    }

    #[test]
    fn a_clock_that_is_set_is_seen() {
        let (mut own, clock, now) = (Own::default(), SystemTime::now(), Instant::now());
        let after = |seconds: u64| Duration::from_secs(seconds);
        assert_eq!(own.step_s(clock, now), 0.0);
        assert_eq!(own.step_s(clock + after(10), now + after(10)), 0.0);
        assert_eq!(own.step_s(clock + after(3620), now + after(20)), 3600.0);
        assert_eq!(own.step_s(clock - after(30), now + after(30)), -60.0);
    }
}

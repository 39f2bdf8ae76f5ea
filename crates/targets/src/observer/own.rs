//! Our own threads: how long they were ready to run and waited for a processor.

use super::{Observer, ObserverEntry, PATIENCE, Sample, Subject};
use crate::proc;
use std::collections::BTreeMap;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "client.process",
    readings,
    period: None,
    patience: PATIENCE,
    connects: false,
    edges: false,
    each: None,
    make: |_| Some(Box::new(Own::default())),
};

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let delay = ReadingSpec::counter("run_delay_s", "s", Whose::Client);
    vec![delay.label("Tenbin's threads ready to run, waiting for a processor", "Tenbin のスレッドの CPU 待ち時間")]
}

/// At most so many threads are read, because each needs a file to be read.
const MOST: usize = 256;

/// This process.
#[derive(Debug, Default)]
struct Own {
    /// The waiting time of each thread at the last sample, nanoseconds.
    waited: BTreeMap<u64, u64>,
    /// The total waiting time since the first sample, including threads that have ended.
    sum_ns: u64,
}

impl Observer for Own {
    fn read(&mut self) -> Result<Sample, Problem> {
        let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let threads = threads.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).take(MOST);
        let waited = threads.filter_map(|thread: u64| {
            Some((thread, proc::run_delay_ns(&proc::read(&format!("/proc/self/task/{thread}/schedstat")))?))
        });
        Ok(self.took(waited.collect()).into())
    }
}

impl Own {
    /// The readings for these waiting times; nothing if the kernel does not count them.
    fn took(&mut self, now: BTreeMap<u64, u64>) -> BTreeMap<String, f64> {
        for (thread, ns) in &now {
            self.sum_ns += ns.saturating_sub(self.waited.get(thread).copied().unwrap_or(0));
        }
        let seen = !now.is_empty();
        self.waited = now;
        seen.then(|| ("run_delay_s".to_owned(), self.sum_ns as f64 / 1e9)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_come_and_go_and_the_sum_only_grows() {
        let mut own = Own::default();
        let mut look = |all: &[(u64, u64)]| own.took(all.iter().copied().collect()).into_values().next();
        assert_eq!(look(&[(1, 2_000_000_000), (2, 0)]), Some(2.0));
        assert_eq!(look(&[(1, 3_000_000_000), (3, 500_000_000)]), Some(3.5));
        assert_eq!(look(&[(3, 500_000_000)]), Some(3.5));
        assert_eq!(look(&[]), None);
        assert!(Own::default().read().unwrap().values["run_delay_s"] >= 0.0, "this kernel counts it");
    }
}

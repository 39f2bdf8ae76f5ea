//! `mutex`: one event per client, which takes random locks many times with some work in between, as sysbench does.

use super::raw::opaque;
use super::{HostTask, Test};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_driver::Error;
use tenbin_model::workload::{Ends, NO_DATA};
use tenbin_workload::options::{Resolved, ValueType, row};
use tenbin_workload::{Random, RunsOn, TransactionContext, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "mutex",
    about: "locks random mutexes out of many; one event per client; needs no database (host:)",
    family: "sysbench",
    runs_on: RunsOn::Host,
    dataset: NO_DATA,
    ends: Ends::Always,
    options: &[&[
        row("mutex_num", "4096", ValueType::Count(1, 1 << 24), "number of mutexes, each on its own cache line"),
        row("mutex_locks", "50000", ValueType::Count(0, 1 << 40), "how many times each client locks a mutex"),
        row(
            "mutex_loops",
            "10000",
            ValueType::Count(0, 1 << 40),
            "iterations of an empty loop before each lock is taken",
        ),
    ]],
    ..WorkloadEntry::made_by(|name, options, _| {
        let options = Resolved(options);
        let (times, loops) = (options.count("mutex_locks"), options.count("mutex_loops"));
        let shared = Arc::new(Shared {
            locks: (0..options.count("mutex_num")).map(|_| Line(Mutex::new(()))).collect(),
            taken: AtomicU64::new(0),
        });
        Ok(Test::boxed(name, move |number, _, seed| Taker {
            times,
            loops,
            shared: shared.clone(),
            random: Random::new(seed, u64::from(number)),
        }))
    })
};

/// A lock on its own cache line.
#[repr(align(128))]
struct Line(Mutex<()>);

struct Shared {
    locks: Vec<Line>,
    taken: AtomicU64,
}

struct Taker {
    times: u64,
    loops: u64,
    shared: Arc<Shared>,
    random: Random,
}

impl HostTask for Taker {
    fn event(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        let Shared { locks, taken } = &*self.shared;
        for _ in 0..self.times {
            let at = self.random.below(locks.len() as u64) as usize;
            for _ in 0..self.loops {
                opaque(0);
            }
            let held = locks[at].0.lock().unwrap_or_else(PoisonError::into_inner);
            // A non-atomic sum, as in sysbench: two clients under different locks may lose one.
            taken.store(taken.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            drop(held);
        }
        context.last = true;
        Ok(())
    }
}

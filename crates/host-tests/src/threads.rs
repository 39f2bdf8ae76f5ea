//! `threads`: clients acquire a few locks in turn and yield while they hold one, as sysbench does.

use super::{HostTask, Test};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_driver::Error;
use tenbin_model::workload::NO_DATA;
use tenbin_workload::options::{Resolved, ValueType, row};
use tenbin_workload::{RunsOn, TransactionContext, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "threads",
    about: "clients take shared locks and yield the CPU while they hold them: measures the scheduler; needs no database (host:)",
    family: "sysbench",
    runs_on: RunsOn::Host,
    dataset: NO_DATA,
    options: &[&[
        row(
            "thread_yields",
            "1000",
            ValueType::Count(0, 1_000_000_000),
            "how many times an event takes a lock and yields the CPU",
        ),
        row("thread_locks", "8", ValueType::Count(1, 1_000_000), "number of locks, which the clients take in turn"),
    ]],
    ..WorkloadEntry::made_by(|name, options, _| {
        let options = Resolved(options);
        let yields = options.count("thread_yields");
        let locks = Arc::new(Locks {
            all: (0..options.count("thread_locks")).map(|_| Mutex::new(())).collect(),
            next: AtomicUsize::new(0),
        });
        Ok(Test::boxed(name, move |_, _, _| Turns { yields, locks: locks.clone() }))
    })
};

struct Locks {
    all: Vec<Mutex<()>>,
    next: AtomicUsize,
}

struct Turns {
    yields: u64,
    locks: Arc<Locks>,
}

impl HostTask for Turns {
    fn event(&mut self, _: &mut TransactionContext) -> Result<(), Error> {
        let Locks { all, next } = &*self.locks;
        for _ in 0..self.yields {
            let lock = &all[next.fetch_add(1, Ordering::Relaxed) % all.len()];
            let held = lock.lock().unwrap_or_else(PoisonError::into_inner);
            std::thread::yield_now();
            drop(held);
        }
        Ok(())
    }
}

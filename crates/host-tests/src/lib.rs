//! sysbench's tests of CPU, memory, threads and storage as workloads: `cpu`, `memory`, `threads`, `mutex`, `fileio`.
//! They need no database; their target is `host:` or `host:DIRECTORY`.
//!
//! One event of sysbench is one transaction here, with the test's name. Accesses to memory and storage are
//! statements as well, and their `rows` are **bytes**.
//!
//! # What a report in sysbench's form needs
//!
//! From the trial's options and the tally merged over the measured window of `s` seconds (`completed` of the
//! transaction, `completed` and `rows` of statements):
//!
//! | test | transaction | statements | sysbench's lines |
//! |---|---|---|---|
//! | `cpu` | `cpu` | – | `events per second` = completed / s |
//! | `memory` | `memory` | `write` (Write) or `read` (Read); none with `memory_oper=none` | `Total operations` = completed (completed / s per second); `MiB transferred` = rows / 2²⁰ (/ s), not printed for `none` |
//! | `threads` | `threads` | – | the general blocks only |
//! | `mutex` | `mutex` | – | the general blocks only; one event per thread |
//! | `fileio` | `fileio` | `read` (Read), `write` (Write), `fsync` (Other) | `reads/s`, `writes/s`, `fsyncs/s` = completed / s; `read, MiB/s`, `written, MiB/s` = rows / 2²⁰ / s |
//!
//! `total number of events` is the accounting's `completed`, latency the transaction's `response`. `cpu` and `threads`
//! end by time or by number, `mutex` after one event of each client, `memory` when its clients have transferred
//! `memory_total_size` (each its share of whole blocks): for these two sysbench ignores `--events`, so the front end
//! sets no `operations`, and for `mutex` no end by time.
//!
//! An event of `fileio` is a read, a write (with its fsync, if `file_fsync_all`) or the fsync of one file, as in
//! sysbench. Differences: the fsyncs of `file_fsync_end` come after the measured window and are in no count; with
//! `file_io_mode=async` a statement's time is that of its own request, where sysbench reports how long submitting took,
//! and an event's is the time from one completion to the next.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod cpu;
mod fileio;
mod memory;
mod mutex;
mod raw;
mod threads;

use tenbin_driver::{Error, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_workload::{BoxFuture, Client, DatasetEntry, TargetReach, TransactionContext, Workload, WorkloadEntry};

/// The workloads of this family. A new one is one new file and one line here.
pub const WORKLOADS: &[WorkloadEntry] = &[cpu::ENTRY, memory::ENTRY, threads::ENTRY, mutex::ENTRY, fileio::ENTRY];

/// The kinds of data sets of this family.
pub const DATASETS: &[DatasetEntry] = &[fileio::dataset::ENTRY];

/// The work of one thread of a test.
trait HostTask {
    /// Acquires resources, outside of the measured time.
    fn open(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// One event, or a burst of them.
    fn event(&mut self, context: &mut TransactionContext) -> Result<(), Error>;
    /// Releases resources, outside of the measured time.
    fn close(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Creates the work of thread `number` of `of`; `seed` is the trial's.
type Make<W> = Box<dyn Fn(u32, u32, u64) -> W + Send + Sync>;

/// One test, resolved and ready.
struct Test<W> {
    name: &'static str,
    statements: Vec<(String, StatementKind)>,
    burst: u32,
    make: Make<W>,
}

impl<W: HostTask + 'static> Test<W> {
    fn boxed(name: &'static str, make: impl Fn(u32, u32, u64) -> W + Send + Sync + 'static) -> Box<dyn Workload> {
        Box::new(Test { name, statements: Vec::new(), burst: 1, make: Box::new(make) })
    }
}

impl<W: HostTask + 'static> Workload for Test<W> {
    fn name(&self) -> &str {
        self.name
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.statements.clone()
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn connections(&self, _: u32) -> u32 {
        0
    }

    fn reach(&self) -> TargetReach {
        TargetReach { blocks: true, ..TargetReach::default() }
    }

    fn burst(&self) -> u32 {
        self.burst
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(Thread((self.make)(number, of, seed)))
    }
}

/// A client with its own thread, which never waits on a runtime.
struct Thread<W>(W);

impl<W: HostTask> Client for Thread<W> {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async { self.0.open() })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async { self.0.event(context).map(|()| 0) })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { self.0.close() })
    }
}

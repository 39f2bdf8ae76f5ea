//! How clients are distributed over threads, and why.
//!
//! An event loop needs the least CPU time (6 to 8 µs per query with any number of clients, where a thread per client needs
//! 9 to 14). If the client has its own cores, or the server is on another machine, few loops are best. On cores shared
//! with the server, a single loop is one runnable task among hundreds of the server's threads, so replies accumulate
//! until the scheduler lets it run; several per core get their share. A few clients get a thread each: it may run on
//! the core of the server's thread that it waits for, and then no other core is interrupted. Point select of MariaDB on
//! two cores, throughput relative to sysbench, in turns: 16 clients: a thread each 1.06×, 2 loops 1.07×; 64: a thread
//! each 1.12×, 2 loops 1.08×, 12 loops 1.23×. PostgreSQL, whose connections are processes, keeps threads: loops have not
//! been compared there. See `doc/performance.md`.

use std::ops::Range;
use tenbin_client::{Transport, Workload};
use tenbin_model::trial::Workers;

/// Up to so many clients per core get a thread each if the server shares the cores and has a thread for each connection.
const FEW_PER_CORE: u32 = 4;
/// The same if it has a process for each connection.
const FEW_PROCESSES_PER_CORE: u32 = 32;
/// With more clients, a loop per core, and more as soon as each has so many clients, up to so many per core.
const HANDFUL: u32 = 8;
const LOOPS_PER_CORE: u32 = 6;
/// With a remote server one loop runs at least so many clients before another is started.
const CROWD: u32 = 128;

/// Whether the server shares the cores with the clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    No,
    /// It has a thread for each connection.
    Threads,
    /// It has a process for each connection.
    Processes,
}

impl Sharing {
    /// As the workload has it.
    pub fn of(workload: &dyn Workload) -> Sharing {
        match (workload.local(), workload.process_per_connection()) {
            (false, _) => Sharing::No,
            (true, false) => Sharing::Threads,
            (true, true) => Sharing::Processes,
        }
    }
}

/// The threads of a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    pub workers: u32,
    pub transport: Transport,
}

/// Decides from what the trial requests, whether clients block, whether the server shares the cores, and how many of
/// those this process may use.
pub fn spread(clients: u32, asked: Workers, blocks: bool, sharing: Sharing, cores: u32) -> Spread {
    let local = sharing != Sharing::No;
    let few = cores * if sharing == Sharing::Processes { FEW_PROCESSES_PER_CORE } else { FEW_PER_CORE };
    let alone = Spread { workers: clients, transport: Transport::Alone };
    let loops = |n: u32| Spread { workers: n.clamp(1, clients.max(1)), transport: Transport::Shared };
    match asked {
        _ if blocks => alone,
        Workers::PerClient => alone,
        Workers::Count(n) => loops(n),
        // A single client on its own thread needs two system calls per statement instead of three.
        Workers::Auto if clients == 1 => alone,
        Workers::Auto if local && cores > 1 && clients <= few => alone,
        // One core for both: a second loop would only alternate with the first.
        Workers::Auto if local && cores == 1 => loops(1),
        Workers::Auto if local => loops((clients / HANDFUL).clamp(cores, cores * LOOPS_PER_CORE)),
        Workers::Auto => loops(cores.min(clients.div_ceil(CROWD))),
    }
}

/// The clients of worker `n` of `workers`: divided as equally as possible, in order.
pub fn share(clients: u32, workers: u32, n: u32) -> Range<u32> {
    let cut = |i: u32| (u64::from(clients) * u64::from(i) / u64::from(workers)) as u32;
    cut(n)..cut(n + 1)
}

/// Number of shards: one for each event loop, a few per core for many threads.
pub fn shards(spread: &Spread, cores: u32) -> usize {
    spread.workers.min(cores.saturating_mul(2)).max(1) as usize
}

/// Cores that this process may use (`taskset`, cgroups' cpusets).
pub fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_as_a_table() {
        use Sharing::{No, Processes, Threads};
        let said = |clients, asked, blocks, sharing, cores| {
            let Spread { workers, transport } = spread(clients, asked, blocks, sharing, cores);
            format!("{workers} {transport:?}")
        };
        let auto = Workers::Auto;
        assert_eq!(said(16, auto, true, Threads, 1), "16 Alone", "blocking clients cannot share");
        assert_eq!(said(512, Workers::PerClient, false, No, 8), "512 Alone");
        assert_eq!(said(512, Workers::Count(3), false, No, 8), "3 Shared");
        assert_eq!(said(2, Workers::Count(3), false, No, 8), "2 Shared", "no worker without a client");
        assert_eq!(said(8, auto, false, Threads, 2), "8 Alone");
        assert_eq!(said(9, auto, false, Threads, 2), "2 Shared", "a loop per core");
        assert_eq!(said(64, auto, false, Threads, 2), "8 Shared", "each with a handful of clients");
        assert_eq!(said(512, auto, false, Threads, 2), "12 Shared", "at most so many");
        assert_eq!(said(32, auto, false, Threads, 8), "32 Alone");
        assert_eq!(said(64, auto, false, Threads, 8), "8 Shared");
        assert_eq!(said(512, auto, false, Threads, 8), "48 Shared");
        assert_eq!(said(64, auto, false, Processes, 2), "64 Alone", "a process for each connection");
        assert_eq!(said(65, auto, false, Processes, 2), "8 Shared");
        assert_eq!(said(64, auto, false, Threads, 1), "1 Shared", "one core");
        assert_eq!(said(1, auto, false, Threads, 1), "1 Alone", "one client, one core");
        assert_eq!(said(1, auto, false, No, 8), "1 Alone", "one client, remote");
        assert_eq!(said(2, auto, false, No, 8), "1 Shared", "two, remote");
        assert_eq!(said(64, auto, false, No, 2), "1 Shared", "remote");
        assert_eq!(said(1000, auto, false, No, 8), "8 Shared", "remote, a crowd");
    }

    #[test]
    fn shares_are_equal_and_complete() {
        for (clients, workers) in [(10, 3), (7, 7), (10_000, 8), (1, 1)] {
            let shares: Vec<_> = (0..workers).map(|n| share(clients, workers, n)).collect();
            assert_eq!(shares.iter().cloned().flatten().collect::<Vec<_>>(), (0..clients).collect::<Vec<_>>());
            let sizes = shares.iter().map(ExactSizeIterator::len);
            assert!(sizes.clone().max() <= sizes.min().map(|m| m + 1), "{shares:?}");
        }
    }
}

//! How clients are distributed over threads, and why.
//!
//! An event loop needs the least CPU time, with any number of clients. If the client has its own cores, or the server is on another
//! machine, few loops are best.
//!
//! On cores shared with the server, up to eight clients per core get a thread each: the kernel lets such a thread run on the core of
//! the server's thread that it waits for, and then no other core is interrupted. With more clients, loops are better, and how many
//! depends on how the kernel divides the processors. If server and clients are in different scheduling groups, which they are if they
//! were started from different sessions or services, each program gets its share, whatever number of threads it has: a loop per
//! core is best. In the same group, each *thread* gets its share, and few loops would get too little among hundreds of threads of
//! the server. Clients that mostly wait for one another ([`Workload::contends`]) get a thread each up to 32 per core, because a loop would wake
//! for each of their replies. All these threads have the scheduling class for batch work (`scheduling.rs`).
//!
//! The measurements are in `doc/decision/0030-fewer-threads-beside-the-server.md`.

use crate::scheduling::SchedulingClass;
use std::ops::Range;
use tenbin_client::{Transport, Workload};
use tenbin_model::trial::Workers;

/// Up to this many clients per core get a thread each if the server shares the cores.
const FEW_PER_CORE: u32 = 8;
/// The same if clients mostly wait for one another.
const FEW_THAT_CONTEND_PER_CORE: u32 = 32;
/// With more, this many loops per core if server and clients are in the same scheduling group, otherwise one.
const LOOPS_PER_CORE: u32 = 3;
/// With a remote server one loop runs at least this many clients before another is started.
const CROWD: u32 = 128;

/// Where the server runs, as seen from the clients.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ServerPlace {
    /// On other cores, or there is no server.
    #[default]
    Apart,
    /// On the same cores, in another scheduling group or in an unknown one: Linux divides the processors first between the two programs.
    SameCores,
    /// On the same cores, in the same scheduling group: Linux divides the processors among all threads of both alike.
    SameGroup,
}

impl ServerPlace {
    /// Of a process on this machine: whether it is in the same scheduling group; `None` if no such process is known.
    pub fn of_process(same_group: Option<bool>) -> ServerPlace {
        match same_group {
            None => ServerPlace::Apart,
            Some(false) => ServerPlace::SameCores,
            Some(true) => ServerPlace::SameGroup,
        }
    }

    /// If the process is not known, what the address says.
    pub(crate) fn or(self, shares_cores: bool) -> ServerPlace {
        match self {
            ServerPlace::Apart if shares_cores => ServerPlace::SameCores,
            known => known,
        }
    }
}

/// What decides about their threads of a workload's clients.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClientNature {
    /// Calls block the thread.
    pub blocks: bool,
    /// See [`Workload::contends`].
    pub contends: bool,
    /// See [`Workload::most_threads`].
    pub most_threads: Option<u32>,
}

impl ClientNature {
    /// `clients`: those of all load hosts together.
    pub fn of(workload: &dyn Workload, clients: u32) -> ClientNature {
        let most_threads = workload.most_threads(clients);
        ClientNature { blocks: workload.reach().blocks, contends: workload.contends(), most_threads }
    }
}

/// The threads of a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    pub workers: u32,
    pub transport: Transport,
    /// Unless starts have intended times.
    pub class: SchedulingClass,
}

/// Decides from what the trial requests, what clients are like, where the server runs, and how many cores this process may use.
pub fn spread(clients: u32, workers: Workers, nature: ClientNature, server: ServerPlace, cores: u32) -> Spread {
    let local = server != ServerPlace::Apart;
    let few = cores * if nature.contends { FEW_THAT_CONTEND_PER_CORE } else { FEW_PER_CORE };
    let class = if local { SchedulingClass::Batch } else { SchedulingClass::Inherited };
    let alone = Spread { workers: clients, transport: Transport::Alone, class };
    let loops = |n: u32| Spread { workers: n.clamp(1, clients.max(1)), transport: Transport::Shared, class };
    let as_many = match server {
        // One core for both: a second loop would only alternate with the first.
        _ if local && cores == 1 => 1,
        ServerPlace::SameGroup => cores * LOOPS_PER_CORE,
        ServerPlace::SameCores => cores,
        ServerPlace::Apart => cores.min(clients.div_ceil(CROWD)),
    };
    match (workers, nature.most_threads) {
        _ if nature.blocks => alone,
        (Workers::PerClient, _) => alone,
        // As many threads as clients: each has its own, and two system calls per statement instead of three.
        (Workers::Count(n), None) if n >= clients => alone,
        (Workers::Count(n), _) => loops(n),
        (Workers::Auto, Some(most)) => loops(as_many.min(most)),
        // A single client on its own thread needs two system calls per statement instead of three.
        (Workers::Auto, None) if clients == 1 => alone,
        (Workers::Auto, None) if local && cores > 1 && clients <= few => alone,
        (Workers::Auto, None) => loops(as_many),
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
        use ServerPlace::{Apart, SameCores, SameGroup};
        let of = |clients, asked, nature, server, cores| {
            let Spread { workers, transport, class } = spread(clients, asked, nature, server, cores);
            assert_eq!(class == SchedulingClass::Batch, server != Apart, "only beside a server");
            format!("{workers} {transport:?}")
        };
        let choice = |clients, asked, blocks, server, cores| {
            of(clients, asked, ClientNature { blocks, ..ClientNature::default() }, server, cores)
        };
        let auto = Workers::Auto;
        assert_eq!(choice(16, auto, true, SameCores, 1), "16 Alone", "blocking clients cannot share");
        assert_eq!(choice(512, Workers::PerClient, false, Apart, 8), "512 Alone");
        assert_eq!(choice(512, Workers::Count(3), false, Apart, 8), "3 Shared");
        assert_eq!(choice(2, Workers::Count(3), false, Apart, 8), "2 Alone", "no worker without a client");
        assert_eq!(choice(1, Workers::Count(1), false, SameCores, 2), "1 Alone", "pgbench -c 1 -j 1");
        for server in [SameCores, SameGroup] {
            assert_eq!(choice(16, auto, false, server, 2), "16 Alone");
            assert_eq!(choice(16, auto, false, server, 1), "1 Shared", "one core");
            assert_eq!(choice(1, auto, false, server, 1), "1 Alone", "one client, one core");
            let contends = ClientNature { contends: true, ..ClientNature::default() };
            assert_eq!(of(64, auto, contends, server, 2), "64 Alone", "replies one at a time");
            assert_ne!(of(65, auto, contends, server, 2), "65 Alone");
            // The terminals of one thread share its connections.
            let shared = |most| ClientNature { most_threads: Some(most), ..contends };
            let choices = [1, 30].map(|clients| of(clients, auto, shared(1), server, 2));
            assert_eq!(choices, ["1 Shared", "1 Shared"]);
            assert_eq!(of(30, auto, shared(2), server, 2), "2 Shared");
            assert_eq!(of(30, Workers::Count(4), shared(2), server, 2), "4 Shared", "as asked");
        }
        assert_eq!(choice(17, auto, false, SameCores, 2), "2 Shared", "a loop per core");
        assert_eq!(choice(17, auto, false, SameGroup, 2), "6 Shared", "each has the share of a thread");
        assert_eq!(choice(512, auto, false, SameGroup, 8), "24 Shared");
        assert_eq!(choice(1, auto, false, Apart, 8), "1 Alone", "one client, remote");
        assert_eq!(choice(2, auto, false, Apart, 8), "1 Shared", "two, remote");
        assert_eq!(choice(64, auto, false, Apart, 2), "1 Shared", "remote");
        assert_eq!(choice(1000, auto, false, Apart, 8), "8 Shared", "remote, a crowd");
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

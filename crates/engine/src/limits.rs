//! Resources of this process: open files, processor time.

use crate::workers::Spread;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use tenbin_client::Transport;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Open files in addition to the clients' connections, as far as they are known before a run: the standard ones, those of signals and of the run directory,
/// the connection of the lock on the tables with its event loop, and some that are read for a moment.
const OTHERS: u64 = 18;

/// Of each core, which has event loops.
const OF_A_CORE: u64 = 3;

/// Of an event loop with a poller.
const OF_A_LOOP: u64 = 4;

/// Of a client with a thread of its own, which has an event loop to connect in.
const OF_A_THREAD: u64 = 3;

/// Of what observes a server on connections of its own.
const OF_OBSERVERS: u64 = 12;

/// Raises the soft limit of open files to the hard one; fails if even that is too low for this many clients, as far as is known before a run.
pub fn enough_files(clients: u32) -> Result<(), Problem> {
    let (allowed, others) = (raised(), others());
    if u64::from(clients) + others <= allowed { Ok(()) } else { Err(too_few(clients, others, allowed)) }
}

/// The threads with which this many connections fit into the limit of open files: fewer event loops than are wanted, if they do not fit otherwise. Fails if
/// even one is too many. `observed`: what observes the server connects too.
pub fn fit(wanted: Spread, connections: u32, (observed, blocks): (bool, bool)) -> Result<Spread, Problem> {
    if connections == 0 {
        return Ok(wanted);
    }
    if blocks {
        return enough_files(connections).map(|()| wanted);
    }
    let allowed = raised();
    let mut looks = 0;
    loop {
        let beside = open_now(allowed) + if observed { OF_OBSERVERS } else { 0 };
        let fits = fitted(wanted, connections, beside, allowed);
        looks += 1;
        if fits.is_ok() || looks == LOOKS {
            return fits;
        }
        // What is read for a moment is counted too, and closed soon.
        std::thread::sleep(PAUSE);
    }
}

/// How often open files are counted before there are too many, and after which pause.
const LOOKS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(5);

fn fitted(wanted: Spread, connections: u32, beside: u64, allowed: u64) -> Result<Spread, Problem> {
    let of_each = if wanted.transport == Transport::Alone { OF_A_THREAD } else { OF_A_LOOP };
    let free = allowed.saturating_sub(beside + u64::from(connections));
    if u64::from(wanted.workers) * of_each <= free {
        return Ok(wanted);
    }
    match u32::try_from(free / OF_A_LOOP).unwrap_or(u32::MAX).min(wanted.workers) {
        0 => Err(too_few(connections, beside + OF_A_LOOP, allowed)),
        workers => Ok(Spread { workers, transport: Transport::Shared, ..wanted }),
    }
}

/// Whether there is room for a connection with an event loop of its own, beside those of this many clients.
pub fn leave_room(clients: u32) -> bool {
    let allowed = raised();
    open_now(allowed) + 2 * OF_A_LOOP + u64::from(clients) <= allowed
}

fn too_few(clients: u32, others: u64, allowed: u64) -> Problem {
    let wanted = u64::from(clients) + others;
    Problem::new(msg!("not-enough-open-files", clients))
        .evidence(msg!("open-files-wanted", clients, others, wanted, allowed))
        .hint(msg!("raise-ulimit-or-fewer-clients", wanted, allowed = allowed.saturating_sub(others)))
}

/// The limit, after the soft one was raised to the hard one.
fn raised() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        // Whether it succeeded is seen by what is returned.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// How many of the files that the limit is about this process has open: those with numbers below it. Without the kernel's list, as many as are usual.
fn open_now(allowed: u64) -> u64 {
    let Ok(all) = std::fs::read_dir("/proc/self/fd") else { return OTHERS };
    let numbers = all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
    // The list is an open file itself while it is read.
    (numbers.filter(|number| *number < allowed).count() as u64).saturating_sub(1)
}

fn others() -> u64 {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    OTHERS + OF_A_CORE * cores
}

/// Processor time of this process since its start, nanoseconds.
pub fn process_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// How long this machine has been suspended since it was started, in nanoseconds: the difference of the clocks that do
/// and do not count it.
pub fn suspended_ns() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let ns = |clock| {
            let time = clock_gettime(clock);
            time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
        };
        // In this order: the time between the two readings does not count as suspended.
        let counting = ns(ClockId::Boottime);
        counting.saturating_sub(ns(ClockId::Monotonic))
    }
    #[cfg(not(target_os = "linux"))]
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduling::SchedulingClass;

    #[test]
    fn too_many_clients_are_told_beforehand() {
        assert_eq!(enough_files(10), Ok(()));
        let problem = enough_files(u32::MAX).expect_err("no process may open four billion files");
        assert!(problem.what.contains("4294967295 clients"), "{problem}");
        let wanted = u64::from(u32::MAX) + others();
        assert!(problem.hint.is_some_and(|m| m.starts_with(&format!("ulimit -Hn {wanted}"))));
    }

    #[test]
    fn with_few_files_there_are_fewer_event_loops() {
        let of = |workers, transport, connections, allowed| {
            let wanted = Spread { workers, transport, class: SchedulingClass::Batch };
            match fitted(wanted, connections, 12, allowed) {
                Ok(Spread { workers, transport, .. }) => format!("{workers} {transport:?}"),
                Err(problem) => problem.to_string(),
            }
        };
        assert_eq!(of(4, Transport::Alone, 4, 28), "4 Alone");
        assert_eq!(of(4, Transport::Alone, 4, 27), "2 Shared");
        assert_eq!(of(4, Transport::Alone, 4, 20), "1 Shared");
        let refused = of(4, Transport::Alone, 4, 19);
        assert!(
            refused.contains("4 clients need more open files") && refused.contains("at most 3 clients"),
            "{refused}"
        );
        assert_eq!(of(192, Transport::Shared, 1000, 2000), "192 Shared");
        assert_eq!(of(192, Transport::Shared, 1000, 1024), "3 Shared");
    }

    #[test]
    fn processor_time_goes_on() {
        let before = process_cpu_ns();
        let mut x = 1u64;
        while process_cpu_ns() == before {
            x = std::hint::black_box(x.wrapping_mul(3));
        }
        assert!(process_cpu_ns() > before);
    }
}

//! Resources of this process: open files, processor time.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Open files in addition to the clients' connections: the standard ones, those of the run directory, the observers' connection.
/// Seen on two cores: 17 with one client, 21 with 50 to 1,000.
const OTHERS: u64 = 18;

/// Of each core, which has event loops.
const OF_A_CORE: u64 = 3;

/// Raises the soft limit of open files to the hard one; fails if even that is too low for this many clients.
pub fn enough_files(clients: u32) -> Result<(), Problem> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        // Whether it succeeded is checked below.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let others = others();
    let wanted = u64::from(clients) + others;
    if wanted <= allowed {
        return Ok(());
    }
    Err(Problem::new(msg!("not-enough-open-files", clients))
        .evidence(msg!("open-files-wanted", clients, others, wanted, allowed))
        .hint(msg!("raise-ulimit-or-fewer-clients", wanted, allowed = allowed.saturating_sub(others))))
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

    #[test]
    fn too_many_clients_are_told_beforehand() {
        assert_eq!(enough_files(10), Ok(()));
        let problem = enough_files(u32::MAX).expect_err("no process may open four billion files");
        assert!(problem.what.contains("4294967295 clients"), "{problem}");
        let wanted = u64::from(u32::MAX) + others();
        assert!(problem.hint.is_some_and(|m| m.starts_with(&format!("ulimit -Hn {wanted}"))));
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

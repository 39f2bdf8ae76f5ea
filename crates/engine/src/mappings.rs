//! How many memory mappings the threads of a drive take, and how many the kernel lets a process have. With too many a thread fails after it has
//! been started, where nothing can be said of it any more.

use std::fs::File;
use std::os::unix::fs::FileExt;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Of each thread: its stack, the stack for its signal handlers, and a guard page of each. Seen with 10 and 210 threads: 4.01.
const OF_A_THREAD: u64 = 4;

/// Of everything else. Seen: 105, and 2 of each arena of the allocator.
const OTHERS: u64 = 1_024;

/// Fails if these threads and clients need more than this process may have; where the kernel does not say how many, nothing is known.
pub fn enough(threads: u32, clients: u32, of_a_client: u32) -> Result<(), Problem> {
    allowed().map_or(Ok(()), |allowed| judged(threads, u64::from(clients) * u64::from(of_a_client), allowed))
}

fn allowed() -> Option<u64> {
    let mut text = [0; 32];
    let read = File::open("/proc/sys/vm/max_map_count").ok()?.read_at(&mut text, 0).ok()?;
    std::str::from_utf8(text.get(..read)?).ok()?.trim().parse().ok()
}

fn judged(threads: u32, of_clients: u64, allowed: u64) -> Result<(), Problem> {
    let wanted = u64::from(threads) * OF_A_THREAD + of_clients + OTHERS;
    if wanted <= allowed {
        return Ok(());
    }
    Err(Problem::new(msg!("not-enough-mappings", threads))
        .evidence(msg!("mappings-wanted", threads, each = OF_A_THREAD, others = of_clients + OTHERS, wanted, allowed))
        .hint(msg!("raise-max-map-count", wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_threads_are_told_beforehand() {
        assert_eq!(judged(16_000, 0, 65_530), Ok(()));
        assert_eq!(judged(10_000, 20_000, 65_530), Ok(()), "scripts");
        let problem = judged(20_000, 0, 65_530).expect_err("81,024 are more than 65,530");
        assert_eq!(
            problem.to_string(),
            "20000 threads need more memory mappings than this process may have\n  \
             evidence  20000 threads with 4 each and 1024 others make 81024; vm.max_map_count is 65530\n  \
             hint      sysctl -w vm.max_map_count=81024 (as root), or fewer clients"
        );
        assert!(judged(11_000, 22_000, 65_530).is_err());
    }
}

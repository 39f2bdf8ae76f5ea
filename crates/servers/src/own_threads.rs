//! Processor time of some threads of this process, found by their names: of the clients of each target of a duet.

use crate::proc;

/// For each of these beginnings of names: nanoseconds that the threads have run that are there and have such a name. 0 if there are
/// none, or the kernel does not count it.
pub fn cpu_ns(names: &[String]) -> Vec<u64> {
    let mut sums = vec![0; names.len()];
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    for thread in threads.map(|entry| entry.path()) {
        let own = proc::read(&thread.join("comm").display().to_string());
        let Some(at) = names.iter().position(|name| own.starts_with(name.as_str())) else { continue };
        let text = proc::read(&thread.join("schedstat").display().to_string());
        sums[at] += proc::run_ns(&text).unwrap_or(0);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_told_apart_by_their_names() {
        let names = ["worker-1.", "worker-12."].map(str::to_owned);
        std::thread::scope(|scope| {
            let work = || {
                let mut x = 1u64;
                while cpu_ns(&names)[1] == 0 {
                    x = std::hint::black_box(x.wrapping_mul(3));
                }
            };
            let busy = std::thread::Builder::new().name(format!("{}7", names[1])).spawn_scoped(scope, work);
            busy.expect("a thread").join().expect("its end");
        });
        assert_eq!(cpu_ns(&names)[0], 0, "no thread has such a name");
        assert!(cpu_ns(&[]).is_empty());
    }
}

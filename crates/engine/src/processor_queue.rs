//! How long a thread has waited for a processor, as the kernel says it.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// How long a thread has waited for a processor.
#[derive(Debug)]
pub struct ProcessorQueue {
    schedstat: File,
    before_ns: u64,
}

impl ProcessorQueue {
    /// That of the calling thread; `None` if the kernel does not say.
    pub fn open() -> Option<ProcessorQueue> {
        let mut queue = ProcessorQueue { schedstat: File::open("/proc/thread-self/schedstat").ok()?, before_ns: 0 };
        queue.waited()?;
        Some(queue)
    }

    /// Since the last call.
    pub fn waited(&mut self) -> Option<Duration> {
        let mut text = [0; 96];
        let read = self.schedstat.read_at(&mut text, 0).ok()?;
        // The time on a processor, that waited for one, the number of turns.
        let waited = std::str::from_utf8(text.get(..read)?).ok()?.split_whitespace().nth(1)?;
        let now_ns: u64 = waited.parse().ok()?;
        let before_ns = std::mem::replace(&mut self.before_ns, now_ns);
        Some(Duration::from_nanos(now_ns.saturating_sub(before_ns)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_sleeps_waits_for_no_processor() {
        // From before it is opened: this thread may lose its processor in between.
        let slept = std::time::Instant::now();
        let mut queue = ProcessorQueue::open().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        assert!(queue.waited().unwrap() < slept.elapsed());
    }
}

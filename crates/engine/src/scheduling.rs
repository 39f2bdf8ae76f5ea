//! The scheduling class of the threads that run clients.
//!
//! When a reply arrives, the kernel lets the thread that waits for it take the processor at once if it has used less than its share,
//! and a client always has. On cores that client and server share, a thread of the server then loses the processor in the middle of a
//! statement, and the client is woken for each single reply. A thread of the class for batch work gets the same share, but does not
//! interrupt others: it runs as soon as the thread in progress waits or has used its slice, and finds all replies that came meanwhile.

/// The scheduling class of a thread: sched(7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedulingClass {
    /// The one that the process was started with.
    Inherited,
    /// `SCHED_BATCH`.
    Batch,
}

impl SchedulingClass {
    /// Gives the calling thread this class. If the kernel refuses it, it keeps the one that it has: clients then only take more time.
    pub fn apply(self) {
        if self == SchedulingClass::Batch {
            batch();
        }
    }
}

#[cfg(target_os = "linux")]
fn batch() {
    // Only from the default class: who started the process in another one has decided. The kernel is asked itself, because musl's functions
    // for these calls refuse always.
    // SAFETY: both calls concern the calling thread only (0), and the second reads `no_priority`, which lives until it returns.
    unsafe {
        if libc::syscall(libc::SYS_sched_getscheduler, 0) == libc::c_long::from(libc::SCHED_OTHER) {
            let no_priority: libc::sched_param = std::mem::zeroed();
            libc::syscall(libc::SYS_sched_setscheduler, 0, libc::SCHED_BATCH, &raw const no_priority);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn batch() {}

//! Waits for intended starts, to the microsecond.
//!
//! tokio's timers have a resolution of a millisecond, which is long compared with a point select. On an event loop one
//! task per worker sleeps on a kernel timer until the earliest start and wakes its client. Starts of an open schedule
//! are ascending; clients that pause between transactions come in any order, so the queue is a heap. A client with its
//! own thread just sleeps.

use crate::run::{Clock, DriveState, LOOK};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::task::{Poll, Waker};
use tenbin_client::Transport;
use tokio::time::Instant;

/// The timers that an event loop uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// The kernel's, if available.
    Kernel,
    /// The runtime's, which tests can pause.
    Runtime,
}

/// The queue of waiting clients of one worker.
#[derive(Debug)]
pub struct Pacer {
    clock: Clock,
    transport: Transport,
    timing: Timing,
    /// Starts up to here have been released.
    released_ns: Cell<u64>,
    ended: Cell<bool>,
    line: RefCell<BinaryHeap<Reverse<Standing>>>,
    /// The number of clients queued so far, which orders those with the same start.
    came: Cell<u64>,
    /// Wakes [`Self::keep`] when the head of the queue changes.
    keeper: RefCell<Option<Waker>>,
}

impl Pacer {
    pub fn new(clock: Clock, transport: Transport, timing: Timing) -> Pacer {
        Pacer {
            clock,
            transport,
            timing,
            released_ns: Cell::new(0),
            ended: Cell::new(false),
            line: RefCell::default(),
            came: Cell::new(0),
            keeper: RefCell::default(),
        }
    }

    /// Waits until `due_ns`; `false` if the drive ended first.
    pub async fn until(&self, due_ns: u64, run: &DriveState) -> bool {
        if due_ns >= run.end_ns() {
            return false;
        }
        if self.clock.now_ns() >= due_ns {
            return true;
        }
        match self.transport {
            Transport::Alone => self.sleep(due_ns, run),
            Transport::Shared => self.stand_in_line(due_ns).await,
        }
        due_ns < run.end_ns()
    }

    /// Waits until `due_ns` or the end of the drive; `false` if the drive ended first.
    pub async fn rest_until(&self, due_ns: u64, run: &DriveState) -> bool {
        match self.transport {
            _ if self.clock.now_ns() >= due_ns => {}
            Transport::Alone => self.sleep(due_ns, run),
            Transport::Shared => self.stand_in_line(due_ns).await,
        }
        due_ns < run.end_ns()
    }

    /// Blocks the thread, which has no other client.
    fn sleep(&self, due_ns: u64, run: &DriveState) {
        loop {
            let now = Instant::now();
            let until = self.clock.instant(due_ns.min(run.end_ns()));
            if now >= until {
                return;
            }
            std::thread::sleep((until - now).min(LOOK));
        }
    }

    async fn stand_in_line(&self, due_ns: u64) {
        let mut standing = false;
        poll_fn(|cx| {
            if self.ended.get() || self.released_ns.get() >= due_ns {
                return Poll::Ready(());
            }
            if !standing {
                standing = true;
                let first = due_ns < self.head();
                let came = self.came.replace(self.came.get() + 1);
                self.line.borrow_mut().push(Reverse(Standing { due_ns, came, waker: cx.waker().clone() }));
                if first && let Some(keeper) = self.keeper.borrow_mut().take() {
                    keeper.wake();
                }
            }
            Poll::Pending
        })
        .await;
    }

    /// Serves the queue until the end; runs alongside the clients of an event loop.
    pub async fn keep(&self, run: &DriveState) {
        let mut timer = Timer::new(self.timing);
        loop {
            let now = Instant::now();
            let now_ns = self.clock.ns(now);
            self.release(now_ns);
            let end_ns = run.end_ns();
            if now_ns >= end_ns {
                self.ended.set(true);
                self.release(u64::MAX);
                return;
            }
            let head = self.head();
            let until = self.clock.instant(head.min(end_ns)).min(now + LOOK);
            let called = poll_fn(|cx| {
                if self.head() < head {
                    return Poll::Ready(());
                }
                *self.keeper.borrow_mut() = Some(cx.waker().clone());
                Poll::Pending
            });
            if head == u64::MAX {
                let _ = tokio::time::timeout_at(until, called).await;
            } else {
                tokio::select! {
                    biased;
                    () = called => {}
                    () = timer.sleep_until(now, until) => {}
                }
            }
        }
    }

    fn release(&self, to_ns: u64) {
        self.released_ns.set(self.released_ns.get().max(to_ns));
        let mut line = self.line.borrow_mut();
        while line.peek().is_some_and(|Reverse(first)| first.due_ns <= to_ns) {
            if let Some(Reverse(first)) = line.pop() {
                first.waker.wake();
            }
        }
    }

    /// The earliest start that a client waits for.
    fn head(&self) -> u64 {
        self.line.borrow().peek().map_or(u64::MAX, |Reverse(first)| first.due_ns)
    }
}

/// A client that waits for a start.
#[derive(Debug)]
struct Standing {
    due_ns: u64,
    came: u64,
    waker: Waker,
}

impl Standing {
    fn worker(&self) -> (u64, u64) {
        (self.due_ns, self.came)
    }
}

impl PartialEq for Standing {
    fn eq(&self, other: &Standing) -> bool {
        self.worker() == other.worker()
    }
}

impl Eq for Standing {}

impl PartialOrd for Standing {
    fn partial_cmp(&self, other: &Standing) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Standing {
    fn cmp(&self, other: &Standing) -> std::cmp::Ordering {
        self.worker().cmp(&other.worker())
    }
}

/// A kernel timer if available, otherwise one of tokio.
struct Timer {
    #[cfg(target_os = "linux")]
    kernel: Option<kernel::Timer>,
}

impl Timer {
    fn new(timing: Timing) -> Timer {
        Timer {
            #[cfg(target_os = "linux")]
            kernel: if timing == Timing::Kernel { kernel::Timer::new() } else { None },
        }
    }

    async fn sleep_until(&mut self, now: Instant, until: Instant) {
        #[cfg(target_os = "linux")]
        if let Some(kernel) = &mut self.kernel
            && kernel.sleep(until - now).await
        {
            return;
        }
        tokio::time::sleep_until(until).await;
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    //! timerfd_create(2) under tokio's event loop.

    use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
    use rustix::time::{timerfd_create, timerfd_settime};
    use std::io::ErrorKind::WouldBlock;
    use std::time::Duration;
    use tokio::net::unix::pipe::Receiver;

    /// For tokio a pipe: a file descriptor that becomes readable. (`AsyncFd` would need unsafe code.)
    pub struct Timer(Receiver);

    impl Timer {
        /// `None` if there are too few open files.
        pub fn new() -> Option<Timer> {
            let fd = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC).ok()?;
            Receiver::from_owned_fd_unchecked(fd).ok().map(Timer)
        }

        /// Sleeps for the duration; `false` if the timer does not work.
        pub async fn sleep(&mut self, long: Duration) -> bool {
            // 0 would disarm it.
            let long = long.max(Duration::from_nanos(1));
            let it_interval = Timespec { tv_sec: 0, tv_nsec: 0 };
            let it_value = Timespec { tv_sec: long.as_secs() as i64, tv_nsec: long.subsec_nanos().into() };
            let spec = Itimerspec { it_interval, it_value };
            if timerfd_settime(&self.0, TimerfdTimerFlags::empty(), &spec).is_err() {
                return false;
            }
            loop {
                if self.0.readable().await.is_err() {
                    return false;
                }
                // The number of expirations; the first read after a sleep may see the readiness of the previous one.
                match self.0.try_read(&mut [0; 8]) {
                    Ok(_) => return true,
                    Err(e) if e.kind() == WouldBlock => {}
                    Err(_) => return false,
                }
            }
        }
    }
}

//! Many clients on one thread: polls those that can go on, in the order in which they were woken, or their replies came.
//!
//! With hundreds of clients, nothing of a client is left in the processor's caches when its reply arrives: a client then costs as much time as
//! it takes to fetch its memory, one cache line after the other. Here the next clients are known while one is polled, so that their memory is
//! fetched meanwhile. With few replies at a time, what costs are the calls to the kernel that each takes, so that the thread sleeps where it will
//! learn of the next one.

use crate::lock::locked;
use crate::prefetch::{self, MemoryTable};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use tenbin_client::MemoryRange;
use tenbin_sockets::Poller;

/// This many clients ahead, memory is fetched. One takes some microseconds, most of it in the kernel.
const AHEAD: usize = 2;

/// After this many polls, the runtime has its turn, which keeps the time.
const TURN: usize = 64;

/// If all clients wait for replies, the thread sleeps in its poller for this long at most, and then in the runtime, which costs two more calls to
/// the kernel for each reply. Not shorter than the period of the kernel's own tick (4 ms, or 10), before which no timer needs to be set for it.
const SLEEP: Duration = Duration::from_millis(10);

/// Finding clients that can go on counts as this many polls at least, because the thread may sleep for it: the runtime has its turn after 80 ms.
const GATHERED: usize = TURN / 8;

/// Runs all futures to their ends and returns what they return, in order. `memory` says where the memory of each is; it learns where the
/// futures are.
pub fn together<F: Future>(futures: Vec<F>, memory: Rc<MemoryTable>) -> Together<F> {
    let queue = Arc::new(Queue::of_all(futures.len()));
    let slot = |(index, future): (usize, F)| {
        let future = Box::pin(future);
        memory.set_task(index, MemoryRange::of(&*future));
        let waker = Arc::new(SlotWaker { index: index as u32, queue: queue.clone() });
        Slot { future: Some(future), waker: Waker::from(waker) }
    };
    let slots: Vec<_> = futures.into_iter().enumerate().map(slot).collect();
    let done = slots.iter().map(|_| None).collect();
    Together { left: slots.len(), slots, done, queue, memory, sockets: Poller::current(), turn: Vec::new() }
}

/// See [`together`].
pub struct Together<F: Future> {
    slots: Vec<Slot<F>>,
    done: Vec<Option<F::Output>>,
    left: usize,
    queue: Arc<Queue>,
    memory: Rc<MemoryTable>,
    /// Tells whose replies have come.
    sockets: Option<Poller>,
    /// Those that are polled now.
    turn: Vec<u32>,
}

struct Slot<F> {
    future: Option<Pin<Box<F>>>,
    waker: Waker,
}

/// Those that were woken by other means than their sockets: timers, the other clients.
struct Queue {
    woken: Mutex<Woken>,
    /// Of each: it is in the queue, or in the turn and not polled yet. Together, so that many share a cache line.
    queued: Box<[AtomicBool]>,
}

#[derive(Default)]
struct Woken {
    indices: Vec<u32>,
    /// Of the whole.
    waker: Option<Waker>,
}

impl Queue {
    /// Of this many, all of which are in it.
    fn of_all(number: usize) -> Queue {
        let woken = Woken { indices: (0..number as u32).collect(), waker: None };
        Queue { woken: Mutex::new(woken), queued: (0..number).map(|_| AtomicBool::new(true)).collect() }
    }

    fn lock(&self) -> MutexGuard<'_, Woken> {
        locked(&self.woken)
    }

    /// Adds one, if it is not there.
    fn add(&self, index: u32) {
        let Some(queued) = self.queued.get(index as usize) else { return };
        if queued.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut woken = self.lock();
        woken.indices.push(index);
        let whole = woken.waker.take();
        drop(woken);
        if let Some(whole) = whole {
            whole.wake();
        }
    }

    /// It is polled from now on: who wakes it adds it again.
    #[inline]
    fn take(&self, index: usize) {
        if let Some(queued) = self.queued.get(index) {
            queued.store(false, Ordering::Release);
        }
    }
}

struct SlotWaker {
    index: u32,
    queue: Arc<Queue>,
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.queue.add(self.index);
    }
}

impl<F: Future> Unpin for Together<F> {}

impl<F: Future> Future for Together<F> {
    type Output = Vec<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(sockets) = &self.sockets {
            sockets.wake_on_arrival(cx);
        }
        let mut polled = 0;
        while polled < TURN {
            if self.left == 0 {
                return Poll::Ready(std::mem::take(&mut self.done).into_iter().flatten().collect());
            }
            self.gather();
            if self.turn.is_empty() {
                let mut woken = self.queue.lock();
                if woken.indices.is_empty() {
                    woken.waker = Some(cx.waker().clone());
                    return Poll::Pending;
                }
                continue;
            }
            polled += self.turn.len().max(GATHERED);
            self.poll_turn();
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<F: Future> Together<F> {
    /// Finds those that can go on: some at a time, because the kernel fetches what it knows of a socket when it reports that there is
    /// something to read. If there are none, all sockets have been asked.
    fn gather(&mut self) {
        self.turn.clear();
        std::mem::swap(&mut self.turn, &mut self.queue.lock().indices);
        let mut at_most = self.may_sleep();
        if let Some(sockets) = &self.sockets {
            while sockets.look(at_most, &mut self.turn) && self.turn.is_empty() {
                at_most = Duration::ZERO;
            }
        }
    }

    /// How long the thread may sleep in its poller: not at all if anything but a reply can let a client go on.
    #[inline]
    fn may_sleep(&self) -> Duration {
        match &self.sockets {
            Some(sockets) if self.turn.is_empty() && sockets.awaited() == self.left => SLEEP,
            _ => Duration::ZERO,
        }
    }

    /// Polls them.
    fn poll_turn(&mut self) {
        let Together { slots, done, left, memory, sockets, turn, queue } = self;
        for (at, &index) in turn.iter().enumerate() {
            if let Some(&later) = turn.get(at + 2 * AHEAD) {
                memory.prefetch_entry(later as usize);
                slots.get(later as usize).into_iter().for_each(prefetch::value);
            }
            turn.get(at + AHEAD).into_iter().for_each(|next| memory.prefetch(*next as usize));
            let Some(slot) = slots.get_mut(index as usize) else { continue };
            let Some(future) = &mut slot.future else { continue };
            queue.take(index as usize);
            sockets.iter().for_each(|sockets| sockets.begin(index, &slot.waker));
            if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&slot.waker)) {
                slot.future = None;
                done[index as usize] = Some(output);
                *left -= 1;
            }
        }
        sockets.iter().for_each(Poller::end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::{Either, select};
    use std::cell::RefCell;
    use std::future::poll_fn;
    use std::io::Write;
    use std::os::unix::net::UnixStream;
    use tenbin_sockets::Socket;
    use tokio::runtime::{Builder, LocalOptions};

    fn run<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
        let memory = Rc::new(MemoryTable::new(futures.len()));
        let runtime = Builder::new_current_thread().enable_time().build_local(LocalOptions::default()).unwrap();
        runtime.block_on(together(futures, memory))
    }

    /// Runs `test` in a runtime, with a poller.
    fn with_poller<F: Future>(test: impl FnOnce(Poller) -> F) -> F::Output {
        let runtime = Builder::new_current_thread().enable_all().build_local(LocalOptions::default()).unwrap();
        runtime.block_on(async {
            let _entered = Poller::enter().unwrap();
            test(Poller::current().unwrap()).await
        })
    }

    /// A pair of connected sockets, ours first.
    fn connected(poller: &Poller) -> (Socket, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        (Socket::new(poller, ours.into()).unwrap(), theirs)
    }

    async fn first_byte(socket: Socket) -> u8 {
        let mut received = [0];
        poll_fn(|cx| socket.poll_receive(cx, &mut received)).await.unwrap();
        received[0]
    }

    /// Lets the others run first. (tokio's `yield_now` wakes after the runtime has looked for events, in an order of its own.)
    async fn woken_again() {
        let mut first = true;
        poll_fn(|cx| {
            if std::mem::take(&mut first) {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            Poll::Ready(())
        })
        .await;
    }

    #[test]
    fn results_are_in_order_whatever_the_order_of_the_ends() {
        let sleeps = [30, 0, 20, 10].map(|ms| async move {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            ms
        });
        assert_eq!(run(sleeps.into()), [30, 0, 20, 10]);
        assert_eq!(run(Vec::<std::future::Ready<()>>::new()), []);
    }

    #[test]
    fn those_that_yield_take_turns() {
        let log = Rc::new(RefCell::new(String::new()));
        let all = ["a", "b", "c"].map(|name| {
            let log = log.clone();
            async move {
                for _ in 0..3 {
                    log.borrow_mut().push_str(name);
                    woken_again().await;
                }
            }
        });
        run(all.into());
        assert_eq!(*log.borrow(), "abcabcabc");
    }

    #[test]
    fn one_that_is_woken_while_it_runs_runs_again_and_one_that_is_not_woken_does_not() {
        let polls = Rc::new(RefCell::new([0, 0]));
        let count = |which: usize, wakes_itself: bool| {
            let polls = polls.clone();
            let mut left = 5;
            poll_fn(move |cx| {
                polls.borrow_mut()[which] += 1;
                left -= 1;
                if wakes_itself && left > 0 {
                    // Twice is once.
                    cx.waker().wake_by_ref();
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Poll::Ready(())
            })
        };
        run(vec![count(0, true), count(1, false)]);
        assert_eq!(*polls.borrow(), [5, 1]);
    }

    #[test]
    fn another_thread_may_wake() {
        let all = (0..50).map(|n| async move {
            let (tell, told) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(n % 7));
                let _ = tell.send(n);
            });
            told.await
        });
        let all: Result<Vec<_>, _> = run(all.collect()).into_iter().collect();
        assert_eq!(all.unwrap(), (0..50).collect::<Vec<_>>());
    }

    /// More than one call to the kernel reports; after them nothing happens that would have the kernel asked again.
    #[test]
    fn all_go_on_whose_replies_come_at_once() {
        const CLIENTS: usize = 300;
        let received = with_poller(async |poller| {
            let (ours, mut theirs): (Vec<_>, Vec<_>) = (0..CLIENTS).map(|_| connected(&poller)).unzip();
            let mut all: Vec<_> = ours.into_iter().map(|socket| first_byte(socket).boxed_local()).collect();
            let server = async move {
                // The kernel has reported for all sockets by then that they accept data.
                woken_again().await;
                woken_again().await;
                theirs.iter_mut().for_each(|peer| peer.write_all(b"a").unwrap());
                b'a'
            };
            all.push(server.boxed_local());
            let all = together(all, Rc::new(MemoryTable::new(CLIENTS + 1)));
            // Not `timeout`, which polls them once more before it gives up.
            match select(Box::pin(tokio::time::sleep(Duration::from_secs(20))), all).await {
                Either::Left(_) => panic!("one of them was not told of its reply"),
                Either::Right((received, _)) => received,
            }
        });
        assert_eq!(received, [b'a'; CLIENTS + 1]);
    }

    /// Without sleeping, thirty milliseconds are tens of thousands of polls.
    #[test]
    fn the_thread_sleeps_if_all_wait_for_replies() {
        with_poller(async |poller| {
            let (all, mut theirs): (Vec<_>, Vec<_>) = (0..3).map(|_| connected(&poller)).unzip();
            let writer = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                theirs.iter_mut().for_each(|peer| peer.write_all(b"r").unwrap());
                theirs
            });
            let all = all.into_iter().map(first_byte).collect();
            let mut all = together(all, Rc::new(MemoryTable::new(3)));
            let mut polls = 0;
            let received = loop {
                polls += 1;
                // The runtime does not go on meanwhile.
                match Pin::new(&mut all).poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(received) => break received,
                    Poll::Pending => {}
                }
            };
            assert_eq!(received, [b'r'; 3]);
            assert!(polls < 1000, "{polls} polls");
            writer.join().unwrap();
        });
    }

    #[test]
    fn the_thread_does_not_sleep_if_one_waits_for_something_else() {
        with_poller(async |poller| {
            let (ours, mut theirs) = connected(&poller);
            let (tell, told) = tokio::sync::oneshot::channel();
            let all = vec![first_byte(ours).boxed_local(), async { told.await.unwrap() }.boxed_local()];
            let mut all = together(all, Rc::new(MemoryTable::new(2)));
            let poll = |all: &mut Together<_>| Pin::new(all).poll(&mut Context::from_waker(Waker::noop()));
            assert_eq!(all.may_sleep(), Duration::ZERO, "none has been polled");
            assert!(poll(&mut all).is_pending());
            assert_eq!(all.may_sleep(), Duration::ZERO, "the second waits for the other end of the channel");
            tell.send(2).unwrap();
            assert!(poll(&mut all).is_pending());
            assert_eq!(all.may_sleep(), SLEEP, "only the reply is awaited");
            theirs.write_all(&[1]).unwrap();
            assert_eq!(poll(&mut all), Poll::Ready(vec![1, 2]));
        });
    }

    #[test]
    fn what_is_dropped_early_drops_all() {
        let alive = Rc::new(());
        let all: Vec<_> = (0..3)
            .map(|_| {
                let alive = alive.clone();
                async move {
                    std::future::pending::<()>().await;
                    drop(alive);
                }
            })
            .collect();
        let mut whole = together(all, Rc::new(MemoryTable::new(3)));
        assert!(Pin::new(&mut whole).poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert_eq!(Rc::strong_count(&alive), 4);
        drop(whole);
        assert_eq!(Rc::strong_count(&alive), 1);
    }
}

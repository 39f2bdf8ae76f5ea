//! The poller of a thread: an epoll instance (epoll(7), edge-triggered), and who waits for which socket.

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// This many events are fetched by one call.
const EVENTS: usize = 256;

thread_local! {
    static CURRENT: RefCell<Option<Poller>> = const { RefCell::new(None) };
}

/// The poller of a thread. Copies are the same one.
#[derive(Clone)]
pub struct Poller(Rc<PollerInner>);

struct PollerInner {
    /// Different from those of all others, of whatever thread.
    number: u32,
    epoll: AsyncFd<OwnedFd>,
    events: RefCell<Vec<Event>>,
    sockets: RefCell<Sockets>,
    /// Who waits for sockets whose state says [`ELSEWHERE`], by key.
    wakers: RefCell<HashMap<u32, Waker>>,
    /// The task that is being polled: its number, and what identifies its waker.
    polled: Cell<(u32, Identity)>,
}

/// The sockets by key. Together, so that those of many clients share cache lines.
#[derive(Default)]
struct Sockets {
    states: Vec<SocketState>,
    free: Vec<u32>,
    /// The number of those that somebody waits for.
    awaited: usize,
}

impl Sockets {
    /// Returns which task has waited for this socket; none does any more.
    #[inline]
    fn release(&mut self, key: u32) -> u32 {
        let waiting = std::mem::replace(&mut self.states[key as usize].waiting, NO_CLIENT);
        self.awaited -= usize::from(waiting != NO_CLIENT);
        waiting
    }
}

#[derive(Debug, Clone, Copy)]
struct SocketState {
    /// The number of the task that waits for it, or one of the constants below.
    waiting: u32,
    /// That one waits until it accepts data again.
    sends: bool,
    /// It may have something to read.
    readable: bool,
    /// The other side has closed it, or it has failed: it remains readable.
    closed: bool,
}

/// No task waits.
const NO_CLIENT: u32 = u32::MAX;
/// Somebody whose waker is in [`PollerInner::wakers`].
const ELSEWHERE: u32 = u32::MAX - 1;

/// The addresses of a waker's data and functions: equal for wakers that wake the same task.
type Identity = (usize, usize);

fn identity(waker: &Waker) -> Identity {
    (waker.data().addr(), (&raw const *waker.vtable()).addr())
}

/// Makes a poller the one of its thread for as long as it lives.
#[must_use]
pub struct EnteredPoller(());

impl Drop for EnteredPoller {
    fn drop(&mut self) {
        let poller = CURRENT.with_borrow_mut(Option::take);
        drop(poller);
    }
}

impl Poller {
    /// Creates a poller for the sockets that are opened on this thread from now on. Must be called within a runtime of tokio with I/O, which
    /// runs on this thread only. Fails if there are too many open files.
    pub fn enter() -> io::Result<EnteredPoller> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        // SAFETY: the file descriptor is owned, so that it remains open, and the same one, until it is dropped.
        let epoll = unsafe { AsyncFd::register_with_interest(epoll, Interest::READABLE) };
        static POLLERS: AtomicU32 = AtomicU32::new(0);
        let poller = Poller(Rc::new(PollerInner {
            number: POLLERS.fetch_add(1, Ordering::Relaxed),
            epoll: epoll.map_err(io::Error::from)?,
            events: RefCell::new(Vec::with_capacity(EVENTS)),
            sockets: RefCell::default(),
            wakers: RefCell::default(),
            polled: Cell::new((NO_CLIENT, (0, 0))),
        }));
        CURRENT.with_borrow_mut(|current| *current = Some(poller));
        Ok(EnteredPoller(()))
    }

    /// That of this thread, if there is one.
    pub fn current() -> Option<Poller> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Calls `work` with the poller that has this number, which must be that of this thread.
    #[inline]
    pub(crate) fn with<T>(number: u32, work: impl FnOnce(&Poller) -> T) -> io::Result<T> {
        CURRENT.with_borrow(|current| match current {
            Some(poller) if poller.0.number == number => Ok(work(poller)),
            _ => Err(io::Error::other("the socket belongs to another thread")),
        })
    }

    pub(crate) fn number(&self) -> u32 {
        self.0.number
    }

    /// Tells that the task with this number is polled from now on, with this waker. The number is below 2³² − 2.
    #[inline]
    pub fn begin(&self, task: u32, waker: &Waker) {
        self.0.polled.set((task, identity(waker)));
    }

    /// Tells that none is polled any more.
    #[inline]
    pub fn end(&self) {
        self.0.polled.set((NO_CLIENT, (0, 0)));
    }

    /// Asks the kernel which sockets have something to read (or accept data again) since they were last found to have nothing, and appends
    /// the tasks that wait for them, in the order in which they came. If there is none, the thread sleeps until there is one, but not longer
    /// than `at_most`, or a signal comes: nothing else happens on it meanwhile. Returns whether there may be more.
    pub fn look(&self, at_most: Duration, ready: &mut Vec<u32>) -> bool {
        let mut events = self.0.events.borrow_mut();
        events.clear();
        let at_most = Timespec { tv_sec: at_most.as_secs() as i64, tv_nsec: at_most.subsec_nanos().into() };
        // A signal has ended the sleep; nothing else can be wrong with it, because it is our own.
        let Ok(found) = epoll::wait(self.0.epoll.get_ref(), spare_capacity(&mut events), Some(&at_most)) else {
            return false;
        };
        let mut elsewhere = Vec::new();
        {
            let sockets = &mut *self.0.sockets.borrow_mut();
            for event in events.iter() {
                let (key, flags) = (event.data.u64() as u32, event.flags);
                // A socket that was closed since may have left events.
                let Some(state) = sockets.states.get_mut(key as usize) else { continue };
                state.readable |= flags.intersects(READABLE);
                state.closed |= flags.intersects(CLOSED);
                if !state.readable && !state.sends {
                    continue;
                }
                match sockets.release(key) {
                    NO_CLIENT => {}
                    ELSEWHERE => elsewhere.push(key),
                    task => ready.push(task),
                }
            }
        }
        // To wake is to run foreign code, which may close sockets.
        for key in elsewhere {
            let waker = self.0.wakers.borrow_mut().remove(&key);
            waker.into_iter().for_each(Waker::wake);
        }
        found == EVENTS
    }

    /// The number of sockets that somebody waits for.
    #[inline]
    pub fn awaited(&self) -> usize {
        self.0.sockets.borrow().awaited
    }

    /// Has the task of `cx` woken by the runtime when [`Self::look`] will find something that it has not found by now.
    pub fn wake_on_arrival(&self, cx: &mut Context<'_>) {
        while let Poll::Ready(Ok(mut seen)) = self.0.epoll.poll_read_ready(cx) {
            seen.clear_ready();
        }
    }

    /// Adds a socket; returns its key.
    pub(crate) fn add(&self, socket: impl AsFd) -> io::Result<u32> {
        let mut sockets = self.0.sockets.borrow_mut();
        // Something may have arrived before.
        let state = SocketState { waiting: NO_CLIENT, sends: false, readable: true, closed: false };
        let key = match sockets.free.pop() {
            Some(key) => key,
            None => {
                sockets.states.push(state);
                sockets.states.len() as u32 - 1
            }
        };
        sockets.states[key as usize] = state;
        let added = epoll::add(self.0.epoll.get_ref(), socket, EventData::new_u64(key.into()), INTEREST);
        if let Err(error) = added {
            sockets.free.push(key);
            return Err(error.into());
        }
        Ok(key)
    }

    pub(crate) fn remove(&self, key: u32, socket: impl AsFd) {
        let _ = epoll::delete(self.0.epoll.get_ref(), socket);
        {
            let mut sockets = self.0.sockets.borrow_mut();
            sockets.release(key);
            sockets.free.push(key);
        }
        let waker = self.0.wakers.borrow_mut().remove(&key);
        drop(waker);
    }

    /// Whether this socket may have something to read. If not, the task of `cx` goes on when it does.
    #[inline]
    pub(crate) fn poll_readable(&self, key: u32, cx: &Context<'_>) -> bool {
        let readable = self.0.sockets.borrow().states[key as usize].readable;
        if !readable {
            self.wait(key, cx, false);
        }
        readable
    }

    /// A short read has shown that nothing is left to be read from this socket, unless the other side has closed it: that is read, too.
    #[inline]
    pub(crate) fn has_been_read(&self, key: u32) {
        let state = &mut self.0.sockets.borrow_mut().states[key as usize];
        state.readable = state.closed;
    }

    /// The kernel has reported that there is nothing to be read from this socket.
    #[cold]
    pub(crate) fn has_nothing(&self, key: u32) {
        let state = &mut self.0.sockets.borrow_mut().states[key as usize];
        (state.readable, state.closed) = (false, false);
    }

    /// The kernel has reported that this socket accepts no data; the task of `cx` goes on when it does, or something has arrived.
    #[cold]
    pub(crate) fn wait_to_send(&self, key: u32, cx: &Context<'_>) {
        self.wait(key, cx, true);
    }

    #[inline]
    fn wait(&self, key: u32, cx: &Context<'_>, sends: bool) {
        let (task, polled) = self.0.polled.get();
        let waiting = if polled == identity(cx.waker()) { task } else { self.wait_elsewhere(key, cx.waker()) };
        let sockets = &mut *self.0.sockets.borrow_mut();
        sockets.release(key);
        sockets.awaited += 1;
        let state = &mut sockets.states[key as usize];
        (state.waiting, state.sends) = (waiting, sends);
    }

    #[cold]
    fn wait_elsewhere(&self, key: u32, waker: &Waker) -> u32 {
        let before = self.0.wakers.borrow_mut().insert(key, waker.clone());
        drop(before);
        ELSEWHERE
    }
}

const INTEREST: EventFlags = EventFlags::IN.union(EventFlags::OUT).union(EventFlags::RDHUP).union(EventFlags::ET);
const CLOSED: EventFlags = EventFlags::RDHUP.union(EventFlags::HUP).union(EventFlags::ERR);
const READABLE: EventFlags = EventFlags::IN.union(CLOSED);

//! The coroutine as seen by code that runs on it: a call that waits suspends it.
//!
//! SAFETY of all here: see the head of `coroutine.rs`.

use corosensei::Yielder;
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;

pub(crate) type CoroutineWork = *mut dyn FnMut();
pub(crate) type PendingCall = *mut dyn Future<Output = ()>;

/// What is passed to the coroutine.
pub(crate) enum Resume {
    Do(CoroutineWork),
    /// The result it waited for is available.
    On,
    /// The result it waited for will not come, nor any other.
    Leave,
}

/// What it returns.
pub(crate) enum Suspended {
    Done,
    Waits(PendingCall),
    /// A part of it is done.
    Turn,
}

/// The coroutine as seen by code that runs on it.
#[derive(Debug)]
pub(crate) struct CoroutineHandle {
    pub(crate) yielder: Cell<*const Yielder<Resume, Suspended>>,
    /// Whether the coroutine's stack is the one in use.
    pub(crate) aboard: Cell<bool>,
    pub(crate) leaving: Cell<bool>,
    /// Whether calls wait here; otherwise they block the thread.
    pub(crate) waits: bool,
    /// An address in the frame of the last call that waited: the stack is in use from there to its base.
    pub(crate) waited_at: Cell<usize>,
}

impl CoroutineHandle {
    /// Whether the caller runs on the coroutine, and calls wait there.
    pub(crate) fn carries(&self) -> bool {
        self.waits && self.aboard.get()
    }

    /// Returns when the next part of the work is requested; at once if there will be none.
    pub(crate) fn turn(&self) {
        if self.leaving.get() || !self.aboard.get() {
            return;
        }
        // SAFETY: aboard, so the yielder, which lies at the bottom of this stack, is alive.
        let yielder = unsafe { &*self.yielder.get() };
        if let Resume::Leave = yielder.suspend(Suspended::Turn) {
            self.leaving.set(true);
        }
    }

    /// Whether nothing more may begin.
    pub(crate) fn leaving(&self) -> bool {
        self.leaving.get()
    }

    /// Suspends the coroutine until `call` has its answer; `None` if it has to leave instead.
    #[inline]
    pub(crate) fn wait<T>(&self, call: impl Future<Output = T>) -> Option<T> {
        if self.leaving.get() {
            return None;
        }
        let mut result = None;
        {
            let mut call = pin!(async { result = Some(call.await) });
            // SAFETY: it is not moved: the pointer is pinned again by who polls it.
            let call: *mut (dyn Future<Output = ()> + '_) = unsafe { call.as_mut().get_unchecked_mut() };
            self.waited_at.set(call.addr());
            // SAFETY: see the head of this file: only the lifetime is taken off.
            let call = unsafe { std::mem::transmute::<*mut (dyn Future<Output = ()> + '_), PendingCall>(call) };
            // SAFETY: the caller is aboard, so the yielder, which lies at the bottom of this stack, is alive.
            let yielder = unsafe { &*self.yielder.get() };
            if let Resume::Leave = yielder.suspend(Suspended::Waits(call)) {
                self.leaving.set(true);
            }
        }
        result
    }
}

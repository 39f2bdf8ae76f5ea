//! A separate stack for a client's Lua, so that a statement can wait for its answer without blocking the thread: many
//! clients then share an event loop, as our own workloads do.
//!
//! ```text
//! event loop ── ScriptCoroutine::run ──►  Lua ── ffi ── Host ── CoroutineHandle::wait ─┐   on the coroutine's stack
//!      ▲                                                         │
//!      └── polls the call's future, on its own stack ◄───────────┘   until it has its answer; then back
//! ```
//!
//! It is suspended between the events of a client's loop, too ([`ScriptCoroutine::part`]), so that an event is no new call
//! into Lua; with a thread of its own that is all it is for, and calls block.
//!
//! Lua is never aborted in the middle: dropping a [`ScriptCoroutine::run`] that waits makes the waiting call fail, and
//! all that follow, until the work has ended by itself.
//!
//! SAFETY of all here: `ScriptCoroutine::run` borrows the coroutine until the work is done or was made to end, so what
//! the addresses of work and waiting future point to outlives them; and everything stays on one thread, because a
//! coroutine and a handle are not `Send`.

use super::coroutine_handle::{CoroutineHandle, CoroutineWork, PendingCall, Resume, Suspended};
use super::host::Host;
use super::symbols;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult};
use std::cell::Cell;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use tenbin_workload::MemoryRange;

/// Address space of a stack in bytes; only pages that are touched take memory. Lua's own nesting limits need about
/// half.
const STACK: usize = 256 * 1024;
/// That of a client with a thread of its own, whose script may call any library: as a thread's.
const OWN_STACK: usize = 2 * 1024 * 1024;

/// What lies below the call that waits: the frames that changed the stack.
const BELOW: usize = 256;

/// One client's stack.
pub(super) struct ScriptCoroutine {
    coroutine: Coroutine<Resume, Suspended, (), DefaultStack>,
    handle: Rc<CoroutineHandle>,
    /// The host whose C functions this stack uses, while it is suspended.
    inside: *mut Host,
    /// What the current work waits for.
    wait: Option<PendingCall>,
    /// Work in parts, and whether its first part has begun.
    parts: Option<(Box<dyn FnMut()>, bool)>,
    /// Where the stack begins: it grows downwards.
    base: usize,
}

impl ScriptCoroutine {
    /// `waits`: whether its thread runs other clients while a call waits.
    pub(super) fn new(waits: bool) -> std::io::Result<ScriptCoroutine> {
        let stack = DefaultStack::new(if waits { STACK } else { OWN_STACK })?;
        let base = stack.base().get();
        let handle = Rc::new(CoroutineHandle {
            yielder: Cell::new(std::ptr::null()),
            aboard: Cell::new(false),
            leaving: Cell::new(false),
            waits,
            waited_at: Cell::new(base),
        });
        let on_it = Rc::clone(&handle);
        let coroutine = Coroutine::with_stack(stack, move |yielder, mut go| {
            on_it.yielder.set(yielder);
            while let Resume::Do(work) = go {
                on_it.leaving.set(false);
                // SAFETY: see the head of this file.
                unsafe { (*work)() };
                go = yielder.suspend(Suspended::Done);
            }
        });
        Ok(ScriptCoroutine { coroutine, handle, inside: std::ptr::null_mut(), wait: None, parts: None, base })
    }

    /// The part of the stack that was in use when a call waited last.
    pub(super) fn memory(&self) -> MemoryRange {
        let address = self.handle.waited_at.get().saturating_sub(BELOW);
        MemoryRange { address, bytes: self.base.saturating_sub(address) }
    }

    /// For code that will run on it.
    pub(super) fn handle(&self) -> Rc<CoroutineHandle> {
        Rc::clone(&self.handle)
    }

    /// Does the work on this stack; `None` if earlier work has panicked, or is between its parts.
    pub(super) async fn run<T>(&mut self, work: impl FnOnce() -> T) -> Option<T> {
        if self.coroutine.done() || self.parts.as_ref().is_some_and(|(_, begun)| *begun) {
            return None;
        }
        let (mut work, mut result) = (Some(work), None);
        let mut task = || result = work.take().map(|work| work());
        {
            let task: &mut dyn FnMut() = &mut task;
            // SAFETY: see the head of this file: only the lifetime is taken off.
            let task = unsafe { std::mem::transmute::<*mut (dyn FnMut() + '_), CoroutineWork>(task) };
            let mut visit = CoroutineRun { coroutine: self, go: Resume::Do(task) };
            poll_fn(|cx| visit.poll(cx)).await;
        }
        result
    }

    /// Accepts work that suspends between its parts, where it calls [`CoroutineHandle::turn`].
    pub(super) fn take_on(&mut self, work: Box<dyn FnMut()>) {
        self.parts = Some((work, false));
    }

    /// Whether there is such work, begun or not.
    pub(super) fn in_parts(&self) -> bool {
        self.parts.is_some()
    }

    /// Does the next part; returns whether it was the last. `None` if earlier work has panicked.
    pub(super) async fn part(&mut self) -> Option<bool> {
        if self.coroutine.done() {
            return None;
        }
        let go = match &mut self.parts {
            None => return Some(true),
            Some((_, true)) => Resume::On,
            Some((work, begun)) => {
                *begun = true;
                Resume::Do(&raw mut **work)
            }
        };
        let mut visit = CoroutineRun { coroutine: self, go };
        let ended = poll_fn(|cx| visit.poll(cx)).await;
        drop(visit);
        if ended {
            self.parts = None;
        }
        Some(ended)
    }

    /// Continues until the next wait or the end.
    #[inline]
    fn step(&mut self, go: Resume) -> Suspended {
        let outside = symbols::enter(self.inside);
        self.handle.aboard.set(true);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.coroutine.resume(go)));
        self.handle.aboard.set(false);
        self.inside = symbols::enter(outside);
        match outcome {
            Ok(CoroutineResult::Yield(suspended)) => suspended,
            Ok(CoroutineResult::Return(())) => Suspended::Done,
            Err(panic) => resume_unwind(panic),
        }
    }
}

impl Drop for ScriptCoroutine {
    fn drop(&mut self) {
        if self.wait.is_some() {
            // A future of `run` was leaked, not dropped: its work stays where it is forever.
            // SAFETY: the stack is released without dropping what is on it; nothing else refers to its content.
            unsafe { self.coroutine.force_reset() };
        } else if self.coroutine.started() && !self.coroutine.done() {
            if self.parts.as_ref().is_some_and(|(_, begun)| *begun) {
                self.step(Resume::Leave);
            }
            self.step(Resume::On);
        }
    }
}

/// One piece of work in progress.
struct CoroutineRun<'a> {
    coroutine: &'a mut ScriptCoroutine,
    go: Resume,
}

impl CoroutineRun<'_> {
    #[inline]
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<bool> {
        loop {
            if let Some(wait) = self.coroutine.wait {
                // SAFETY: see the head of this file; the future is pinned on the coroutine's stack, which does not
                // move.
                let answer = unsafe { Pin::new_unchecked(&mut *wait) }.poll(cx);
                if answer.is_pending() {
                    return Poll::Pending;
                }
            }
            self.coroutine.wait = None;
            match self.coroutine.step(std::mem::replace(&mut self.go, Resume::On)) {
                Suspended::Done => return Poll::Ready(true),
                Suspended::Turn => return Poll::Ready(false),
                Suspended::Waits(wait) => self.coroutine.wait = Some(wait),
            }
        }
    }
}

impl Drop for CoroutineRun<'_> {
    fn drop(&mut self) {
        if self.coroutine.wait.take().is_some() && matches!(self.coroutine.step(Resume::Leave), Suspended::Done) {
            self.coroutine.parts = None;
        }
    }
}

//! The sockets of clients that share a thread, and which of its tasks can go on because something has arrived.
//!
//! The sockets of tokio can be waited for by any thread, which costs some thirty atomic operations and four cache lines of each socket for
//! every reply. A client never leaves its thread, so that its socket needs neither: a [`Socket`] is a file descriptor and eight bytes in a
//! table of its [`Poller`]. The thread's executor asks the poller which tasks have received something, and tells it which task it polls;
//! a socket that has nothing to read remembers that task, and no waker is cloned, locked or dropped. A task that waits with another
//! waker, as a future inside of `select!`-like combinators may, is woken by that one.
//!
//! A poller lives in a runtime of tokio, which has the timers and everything else: its epoll instance is one of the runtime's events. The
//! executor may sleep in it instead while nothing but what arrives at the sockets can let a task go on.
//!
//! The measurements are in `doc/decision/0028-sockets-of-one-thread.md`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod poller;
mod socket;

pub use poller::{EnteredPoller, Poller};
pub use socket::Socket;

//! A MySQL server that answers at once with canned bytes: what a client costs when the database costs nothing.
//!
//! One thread, one `epoll` loop, no tables. Its answers have the shape that sysbench's workloads expect, its delays,
//! stalls, errors and dropped connections come on request, and it times its own residence (reading a request to
//! sending the answer), so that a client's reported latency can be held against the truth.
//!
//! ```no_run
//! let server = tenbin_null_server::spawn(tenbin_null_server::Options::default())?;
//! println!("listening on 127.0.0.1:{}", server.port());
//! println!("{}", server.stop()?.json());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! It is its own implementation of the protocol on purpose: Tenbin's codec, tested against it, is not tested against
//! itself.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod answer;
mod encode;
mod fault;
mod options;
mod server;
mod session;
mod shape;
mod socket;
mod stats;
mod supplier;
mod system;

pub use options::{Options, duration};
pub use stats::Snapshot;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// A null server at work in a thread of this process. Dropping it stops it.
#[derive(Debug)]
pub struct RunningServer {
    port: u16,
    stop: Arc<AtomicBool>,
    waker: Arc<mio::Waker>,
    thread: Option<JoinHandle<io::Result<Snapshot>>>,
}

/// Listens and serves until [`RunningServer::stop`]. Fails when the port or socket cannot be had.
///
/// Raises this process's limit of open files to the hard limit, so that thousands of clients fit.
pub fn spawn(options: Options) -> io::Result<RunningServer> {
    raise_open_files();
    let listeners = socket::Listeners::open(&options)?;
    let port = listeners.port()?;
    let poll = mio::Poll::new()?;
    let waker = Arc::new(mio::Waker::new(poll.registry(), server::WAKER)?);
    let stop = Arc::new(AtomicBool::new(false));
    let stop_flag = stop.clone();
    let thread = std::thread::Builder::new()
        .name("null-server".into())
        .spawn(move || server::serve(&options, poll, listeners, &stop_flag))?;
    Ok(RunningServer { port, stop, waker, thread: Some(thread) })
}

impl RunningServer {
    /// The TCP port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends the loop, closes every connection, and says what was seen.
    pub fn stop(mut self) -> io::Result<Snapshot> {
        self.end()
    }

    /// Whether the loop has ended by itself (it does so only on an error).
    pub fn ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn end(&mut self) -> io::Result<Snapshot> {
        self.stop.store(true, Ordering::SeqCst);
        self.waker.wake()?;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            _ => Err(io::Error::other("the null server's thread panicked")),
        }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.end();
        }
    }
}

/// Best effort: with a short limit the server still works, for fewer clients.
fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

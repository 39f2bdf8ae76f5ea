//! What the coordinator has of the world: the time, and connections to its load hosts. `connections` are the
//! real ones; a simulation has others, in its own time.

use crate::protocol::{Numbered, Order, Report};
use std::time::{Duration, Instant};

/// Connections to load hosts, which are numbered from 0, and the coordinator's clock. Each connection keeps the order of what is sent,
/// if it arrives. Data sets are loaded on another thread than the one that drives.
pub trait Network: Send {
    /// The names of all hosts.
    fn names(&self) -> Vec<String>;
    /// The coordinator's time, nanoseconds.
    fn now_ns(&self) -> u64;
    /// The instant of a time of the coordinator.
    fn instant(&self, at_ns: u64) -> Instant;
    /// Sends an order to a host whose connection has not been closed.
    fn send(&self, host: usize, order: Order);
    /// Sends an [`Order::Probe`]. Each host also gets one at regular intervals, whatever the coordinator is busy with.
    fn probe(&self, host: usize);
    /// What arrives, after waiting at most this long for the first.
    fn receive(&mut self, patience: Duration) -> Vec<Arrival>;
    /// When a host was last heard of, by the coordinator's clock, whether or not that has been received.
    fn heard_ns(&self, host: usize) -> u64;
    /// What a host wrote before it ended, or how it ended, after waiting at most this long for that; `None` if it still runs.
    fn last_words(&mut self, host: usize, patience: Duration) -> Option<String>;
    /// Closes the connection to a host, which then stops by itself.
    fn close(&mut self, host: usize);
}

/// Something that a host sent, or the end of its connection.
#[derive(Debug)]
pub struct Arrival {
    /// Which host.
    pub host: usize,
    /// When it arrived, by the coordinator's clock.
    pub at_ns: u64,
    /// What.
    pub what: Arrived,
}

/// What can arrive.
#[derive(Debug)]
pub enum Arrived {
    /// A report.
    Report(Box<Numbered<Report>>),
    /// The start of a line that was printed before the first report: a greeting of the machine, perhaps.
    Greeting(String),
    /// The start of a line that is not a report.
    Nonsense(String),
    /// More than a host may send. What it sent before may be missing, and nothing follows.
    TooMuch,
    /// The end of the connection.
    End,
}

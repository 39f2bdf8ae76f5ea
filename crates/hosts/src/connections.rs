//! Connections to load hosts that a launcher has started, on the real clock.
//!
//! Each host has a thread that writes to it and one that reads. The writer asks for the time at regular intervals, which also renews
//! the host's lease, so that nothing the coordinator is busy with lets a lease expire.

use crate::launch::{HostProcess, PlacedHost};
use crate::network::{Arrival, Arrived, Network};
use crate::protocol::{Numbered, Order};
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often each host is asked for its time.
const PROBE_EVERY: Duration = Duration::from_millis(500);

/// All connections.
pub struct Connections {
    hosts: Vec<Connection>,
    arrived: Receiver<Arrival>,
    /// The coordinator's clock counts from here.
    epoch: Instant,
}

struct Connection {
    name: String,
    /// `None` once it has been closed.
    orders: Option<Sender<Outgoing>>,
    /// When the host was last heard of, nanoseconds since the epoch.
    heard_ns: Arc<AtomicU64>,
    process: Box<dyn HostProcess>,
}

enum Outgoing {
    Order(Box<Order>),
    Probe,
}

impl Connections {
    /// Connects what was placed.
    pub fn to(placed: Vec<PlacedHost>) -> Connections {
        let (epoch, (tell, arrived)) = (Instant::now(), mpsc::channel());
        let hosts = placed.into_iter().enumerate().map(|(host, placed)| connect(host, placed, epoch, &tell)).collect();
        Connections { hosts, arrived, epoch }
    }

    fn hand_over(&self, host: usize, what: Outgoing) {
        if let Some(orders) = &self.hosts[host].orders {
            // A writer that has ended is noticed by what it last said.
            let _ = orders.send(what);
        }
    }
}

impl Network for Connections {
    fn names(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.name.clone()).collect()
    }

    fn now_ns(&self) -> u64 {
        self.epoch.elapsed().as_nanos() as u64
    }

    fn instant(&self, at_ns: u64) -> Instant {
        self.epoch + Duration::from_nanos(at_ns)
    }

    fn send(&self, host: usize, order: Order) {
        self.hand_over(host, Outgoing::Order(Box::new(order)));
    }

    fn probe(&self, host: usize) {
        self.hand_over(host, Outgoing::Probe);
    }

    fn receive(&mut self, patience: Duration) -> Vec<Arrival> {
        let first = self.arrived.recv_timeout(patience).ok();
        first.into_iter().chain(self.arrived.try_iter()).collect()
    }

    fn heard_ns(&self, host: usize) -> u64 {
        self.hosts[host].heard_ns.load(Ordering::Relaxed)
    }

    fn last_words(&mut self, host: usize, patience: Duration) -> Option<String> {
        self.hosts[host].process.ended(patience)
    }

    fn close(&mut self, host: usize) {
        self.hosts[host].orders = None;
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        // All connections, before the first process is waited for.
        self.hosts.iter_mut().for_each(|host| host.orders = None);
    }
}

fn connect(number: usize, placed: PlacedHost, epoch: Instant, tell: &Sender<Arrival>) -> Connection {
    let PlacedHost { name, orders, reports, process } = placed;
    let (send, sent) = mpsc::channel();
    let heard_ns = Arc::new(AtomicU64::new(epoch.elapsed().as_nanos() as u64));
    let (tell_read, tell_written, heard) = (tell.clone(), tell.clone(), heard_ns.clone());
    // Both end with the connection.
    std::thread::spawn(move || {
        let what = write(orders, &sent, epoch).err().map(|error| error.to_string());
        if what.is_some() {
            let _ = tell_written.send(Arrival { host: number, at_ns: 0, what: Arrived::End });
        }
    });
    std::thread::spawn(move || read(number, reports, epoch, &heard, &tell_read));
    Connection { name, orders: Some(send), heard_ns, process }
}

/// Writes orders, and asks for the time at least every [`PROBE_EVERY`].
fn write(mut to: impl Write, orders: &Receiver<Outgoing>, epoch: Instant) -> std::io::Result<()> {
    let mut probed = Instant::now();
    for number in 0.. {
        let message = match orders.recv_timeout(PROBE_EVERY.saturating_sub(probed.elapsed())) {
            Ok(Outgoing::Order(order)) => *order,
            Ok(Outgoing::Probe) | Err(RecvTimeoutError::Timeout) => {
                probed = Instant::now();
                Order::Probe { sent_ns: epoch.elapsed().as_nanos() as u64 }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        to.write_all(&Numbered { number, message }.line()?)?;
        to.flush()?;
    }
    Ok(())
}

fn read(host: usize, reports: impl Read, epoch: Instant, heard_ns: &AtomicU64, tell: &Sender<Arrival>) {
    for line in BufReader::new(reports).lines() {
        let at_ns = epoch.elapsed().as_nanos() as u64;
        let Ok(line) = line else { break };
        heard_ns.store(at_ns, Ordering::Relaxed);
        let what = match serde_json::from_str(&line) {
            Ok(report) => Arrived::Report(Box::new(report)),
            Err(_) => Arrived::Nonsense(line.chars().take(200).collect()),
        };
        if tell.send(Arrival { host, at_ns, what }).is_err() {
            return;
        }
    }
    let _ = tell.send(Arrival { host, at_ns: 0, what: Arrived::End });
}

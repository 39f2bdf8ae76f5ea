//! The network path to a server on another machine: what the interface of the route carries, and how many TCP segments
//! this machine had to send again.
//!
//! The route is looked up for every sample, so that a failover to another interface, and an interface that is gone, are
//! noticed. A server on this machine has no such path; what loopback carries is a reading of `client.host`. Of a simulated
//! link, the line itself counts what passes.

use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use tenbin_model::names::path::{self, OBSERVER};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::proc;
use tenbin_servers::route::{self, Interface};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: OBSERVER,
    readings: |_| readings(),
    connects: false,
    make: |subject| match &subject.link {
        Some(link) => Some(Box::new(SimulatedPath(link.clone()))),
        None => Some(Box::new(Path::of(subject)?)),
    },
    ..ObserverEntry::REGULAR
};

fn readings() -> Vec<ReadingSpec> {
    let counter = |name: &'static str, unit, en, ja| ReadingSpec::counter(name, unit, Whose::Network).label(en, ja);
    let speed = ReadingSpec::gauge(path::SPEED, "bit/s", Whose::Network);
    vec![
        speed.label("rate of the interface to the server", "サーバーへのインターフェースの速度"),
        counter(path::SENT, "bits", "sent through the interface to the server", "サーバーへのインターフェースの送信"),
        counter(
            path::RECEIVED,
            "bits",
            "received through the interface to the server",
            "サーバーへのインターフェースの受信",
        ),
        counter("sent_packets", "packets", "packets sent through it", "同、送信パケット"),
        counter("received_packets", "packets", "packets received through it", "同、受信パケット"),
        counter("dropped_packets", "packets", "packets dropped by it", "同、破棄されたパケット"),
        counter(path::SEGMENTS, "segments", "TCP segments sent by this machine", "このマシンが送信した TCP セグメント"),
        counter(
            path::RETRANSMITTED,
            "segments",
            "TCP segments sent again by this machine",
            "このマシンが再送した TCP セグメント",
        ),
    ]
}

/// A simulated link to a private server.
struct SimulatedPath(Arc<SimulatedLink>);

impl Observer for SimulatedPath {
    fn read(&mut self) -> Result<Sample, Problem> {
        let (to_server, to_client) = self.0.passed();
        let bits = [(path::SENT, to_server), (path::RECEIVED, to_client)];
        Ok(BTreeMap::from(bits.map(|(name, bytes)| (name.to_owned(), (8 * bytes) as f64))).into())
    }
}

/// The path to one server.
struct Path {
    to: IpAddr,
    /// The interface of the last sample.
    interface: Interface,
    /// The counters of the last sample as the kernel has them: bytes, where the readings are bits.
    before: BTreeMap<&'static str, u64>,
    /// Their growth since the first sample.
    sums: BTreeMap<&'static str, u64>,
}

impl Path {
    fn of(subject: &Subject) -> Option<Path> {
        let to = route::host(subject.connector.dsn())?;
        let interface = route::interface(to).ok()?;
        (interface.name != "lo").then(|| Path { to, interface, before: BTreeMap::new(), sums: BTreeMap::new() })
    }

    /// Adds what the counters have grown by. Those of another interface start anew.
    fn take(&mut self, now: BTreeMap<&'static str, u64>) -> BTreeMap<String, f64> {
        for (name, value) in &now {
            let grown = self.before.get(name).map_or(0, |before| growth(*before, *value));
            *self.sums.entry(name).or_insert(0) += grown;
        }
        let bytes = |name: &str| [path::SENT, path::RECEIVED].contains(&name);
        let value = |name: &str, sum: u64| (if bytes(name) { 8 * sum } else { sum }) as f64;
        let read = self.sums.iter().filter(|(name, _)| now.contains_key(*name));
        let values = read.map(|(name, sum)| ((*name).to_owned(), value(name, *sum))).collect();
        self.before = now;
        values
    }
}

impl Observer for Path {
    fn read(&mut self) -> Result<Sample, Problem> {
        let gone = |evidence: String| {
            let what = msg!("network-path-gone", address = self.to);
            Problem::new(what).evidence(foreign(evidence)).hint(msg!("look-at-route", address = self.to))
        };
        let interface = route::interface(self.to).map_err(|e| gone(e.to_string()))?;
        let counted = proc::interface(&proc::read("/proc/net/dev"), &interface.name);
        let [received, received_packets, received_drops, sent, sent_packets, sent_drops] =
            counted.ok_or_else(|| gone(format!("/proc/net/dev: {}", interface.name)))?;
        let mut notes = Vec::new();
        if interface != self.interface {
            // The counters of the other interface have nothing to do with those of this one.
            self.before.retain(|name, _| [path::SEGMENTS, path::RETRANSMITTED].contains(name));
            let (from, to) = (&self.interface.name, &interface.name);
            notes.push(Problem::new(msg!("network-path-changed", address = self.to, from, to)));
            self.interface = interface;
        }
        let mut now = BTreeMap::from([
            (path::SENT, sent),
            (path::RECEIVED, received),
            ("sent_packets", sent_packets),
            ("received_packets", received_packets),
            ("dropped_packets", received_drops + sent_drops),
        ]);
        if let Some((sent, again)) = proc::tcp_segments(&proc::read("/proc/net/snmp")) {
            now.extend([(path::SEGMENTS, sent), (path::RETRANSMITTED, again)]);
        }
        let mut values = self.take(now);
        values.extend(speed(&self.interface.name).map(|bits| (path::SPEED.to_owned(), bits)));
        Ok(Sample { notes, ..values.into() })
    }
}

/// The rate of an interface, bits per second. Virtual ones say −1, or a rate that means nothing: 10 Gbit/s of a pair of
/// interfaces in memory.
fn speed(interface: &str) -> Option<f64> {
    let device = std::path::Path::new("/sys/class/net").join(interface);
    // Only hardware has one.
    device.join("device").exists().then_some(())?;
    let megabits: f64 = proc::read(&device.join("speed").to_string_lossy()).parse().ok()?;
    (megabits > 0.0).then_some(megabits * 1e6)
}

/// What a counter has grown by. Some drivers count in 32 bits, and begin again at 0 after 4 GiB; a counter that was reset
/// (the driver was started again) has not grown.
fn growth(before: u64, now: u64) -> u64 {
    const WRAP: u64 = 1 << 32;
    now.checked_sub(before).unwrap_or_else(|| {
        let wrapped = WRAP.saturating_sub(before) + now;
        if before < WRAP && wrapped < WRAP / 2 { wrapped } else { 0 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        let interface = Interface { index: 2, name: "eth0".into() };
        Path { to: "192.0.2.1".parse().unwrap(), interface, before: BTreeMap::new(), sums: BTreeMap::new() }
    }

    #[test]
    fn counters_that_wrap_or_are_reset_only_grow() {
        assert_eq!(growth(5, 9), 4);
        assert_eq!(growth(u64::from(u32::MAX) - 9, 10), 20, "32 bits");
        assert_eq!(growth(5_000, 10), 0, "reset");
        assert_eq!(growth(1 << 40, 10), 0, "reset, and more than 32 bits before");
        let mut path = path();
        let mut sent = |bytes: u64| path.take(BTreeMap::from([(path::SENT, bytes)]))["sent_bits"];
        let sums = [u64::from(u32::MAX), 999, 1_999, 7].map(&mut sent);
        assert_eq!(sums, [0.0, 8_000.0, 16_000.0, 16_000.0]);
    }
}

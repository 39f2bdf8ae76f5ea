//! A launcher whose connections are counted, read along and cut.

use super::waiting::{BEGAN, PID, monotonic_ns};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tenbin_hosts::launch::{Launcher, PlacedHost};
use tenbin_model::stop::StopSignal;
use tenbin_words::problem::Problem;

/// Another launcher, with its connections tapped.
pub struct Tapped {
    launcher: Box<dyn Launcher>,
    /// By host.
    pub taps: Mutex<Vec<Arc<Tap>>>,
    /// When all were placed, which is when the clock of the coordinator begins; nanoseconds of `CLOCK_MONOTONIC`.
    pub placed_ns: AtomicU64,
    /// How long that took.
    pub took_ns: AtomicU64,
}

/// What went over the connection to one host.
#[derive(Debug, Default)]
pub struct Tap {
    pub order_bytes: AtomicU64,
    pub report_bytes: AtomicU64,
    /// Nothing arrives any longer, either way.
    pub is_cut: AtomicBool,
    /// When its clock began.
    pub began_ns: AtomicU64,
    pub pid: AtomicU64,
    /// The last start that was ordered, on its clock.
    pub start_ns: AtomicU64,
}

impl Tapped {
    pub fn new(launcher: Box<dyn Launcher>) -> Tapped {
        Tapped { launcher, taps: Mutex::default(), placed_ns: AtomicU64::new(0), took_ns: AtomicU64::new(0) }
    }

    pub fn taps(&self) -> Vec<Arc<Tap>> {
        self.taps.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Launcher for Tapped {
    fn place(&self, hosts: u32, stop: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let asked_ns = monotonic_ns();
        let placed = self.launcher.place(hosts, stop)?.into_iter().map(|placed| {
            let tap = Arc::<Tap>::default();
            self.taps.lock().unwrap_or_else(PoisonError::into_inner).push(tap.clone());
            let orders = Box::new(Orders { to: placed.orders, tap: tap.clone() });
            let reports = Box::new(Reports { from: placed.reports, tap, line: Vec::new() });
            PlacedHost { orders, reports, ..placed }
        });
        let placed = placed.collect();
        let now_ns = monotonic_ns();
        self.took_ns.store(now_ns - asked_ns, Ordering::SeqCst);
        self.placed_ns.store(now_ns, Ordering::SeqCst);
        Ok(placed)
    }

    fn is_confidential(&self) -> bool {
        self.launcher.is_confidential()
    }
}

struct Orders {
    to: Box<dyn Write + Send>,
    tap: Arc<Tap>,
}

impl Write for Orders {
    /// Takes a line at a time: an order is written at once.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.tap.order_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let order: serde_json::Value = serde_json::from_slice(bytes).unwrap_or_default();
        if order["order"] == "start"
            && let Some(at_ns) = order["at_ns"].as_u64()
        {
            self.tap.start_ns.store(at_ns, Ordering::SeqCst);
        }
        if !self.tap.is_cut.load(Ordering::SeqCst) {
            self.to.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.tap.is_cut.load(Ordering::SeqCst) { Ok(()) } else { self.to.flush() }
    }
}

struct Reports {
    from: Box<dyn Read + Send>,
    tap: Arc<Tap>,
    /// The first line, until its end.
    line: Vec<u8>,
}

impl Read for Reports {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.from.read(to)?;
            if n > 0 && self.tap.is_cut.load(Ordering::SeqCst) {
                continue;
            }
            self.tap.report_bytes.fetch_add(n as u64, Ordering::Relaxed);
            if self.tap.pid.load(Ordering::Relaxed) == 0 {
                self.line.extend_from_slice(&to[..n]);
                self.joined();
            }
            return Ok(n);
        }
    }
}

impl Reports {
    /// Reads the host's facts in its first report.
    fn joined(&mut self) {
        let Some(end) = self.line.iter().position(|byte| *byte == b'\n') else { return };
        let first: serde_json::Value = serde_json::from_slice(&self.line[..end]).unwrap_or_default();
        let fact = |name: &str| first["facts"][name].as_str().and_then(|text| text.parse().ok()).unwrap_or(0);
        self.tap.began_ns.store(fact(BEGAN), Ordering::SeqCst);
        // The last, because it tells that the facts are there; 0 is no process of a user.
        self.tap.pid.store(fact(PID).max(1), Ordering::SeqCst);
        self.line = Vec::new();
    }
}

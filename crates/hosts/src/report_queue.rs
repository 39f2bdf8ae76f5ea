//! What load hosts have sent and what has not been taken yet. The amount that each host may have here, and may send in a time, is
//! limited: a host that sends more is not a load host, and is given up before it fills the memory or the disk of the coordinator.

use crate::network::{Arrival, Arrived};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A host may have this many reports here: in an hour in which none is taken, it answers 7,200 probes.
const MOST_WAITING: usize = 20_000;
/// They may have this many bytes on their way; in memory they are a few times as large.
const MOST_WAITING_BYTES: usize = 32 << 20;
/// This many are taken at once, so that the taker can look at the time.
const MOST_AT_ONCE: usize = 1000;
/// At once, and every second: a host with intervals of 10 ms and all observers sends 1,000 reports a second.
const BURST_REPORTS: f64 = 20_000.0;
const REPORTS_PER_S: f64 = 3000.0;
const BURST_BYTES: f64 = (64 << 20) as f64;
const BYTES_PER_S: f64 = (8 << 20) as f64;

/// What has arrived from all hosts.
#[derive(Debug)]
pub struct ReportQueue {
    all: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Debug)]
struct Waiting {
    /// In the order of arrival, with their bytes.
    arrivals: VecDeque<(Arrival, usize)>,
    hosts: Vec<OfHost>,
}

/// What waits of one host.
#[derive(Debug, Clone, Copy, Default)]
struct OfHost {
    reports: usize,
    bytes: usize,
    /// Nothing more is taken of it.
    is_over: bool,
}

impl ReportQueue {
    /// Of this many hosts.
    pub fn new(hosts: usize) -> ReportQueue {
        let all = Waiting { arrivals: VecDeque::new(), hosts: vec![OfHost::default(); hosts] };
        ReportQueue { all: Mutex::new(all), arrived: Condvar::new() }
    }

    /// Adds what a host sent in this many bytes. `false` if nothing more is taken of it: it has ended, or has too much here, which is
    /// then dropped.
    pub fn put(&self, arrival: Arrival, bytes: usize) -> bool {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let host = arrival.host;
        let of_host = &mut all.hosts[host];
        if of_host.is_over {
            return false;
        }
        of_host.reports += 1;
        of_host.bytes += bytes;
        let is_too_much = of_host.reports > MOST_WAITING || of_host.bytes > MOST_WAITING_BYTES.max(bytes);
        of_host.is_over = is_too_much || !matches!(arrival.what, Arrived::Report(_) | Arrived::Greeting(_));
        let arrival = if is_too_much {
            all.arrivals.retain(|(waiting, _)| waiting.host != host);
            Arrival { what: Arrived::TooMuch, ..arrival }
        } else {
            arrival
        };
        let goes_on = !all.hosts[host].is_over;
        all.arrivals.push_back((arrival, bytes));
        drop(all);
        self.arrived.notify_one();
        goes_on
    }

    /// Takes what is there, after waiting at most this long for the first.
    pub fn take(&self, patience: Duration) -> Vec<Arrival> {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.arrived.wait_timeout_while(all, patience, |all| all.arrivals.is_empty());
        let (mut all, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let count = all.arrivals.len().min(MOST_AT_ONCE);
        let taken: Vec<_> = all.arrivals.drain(..count).collect();
        for (arrival, bytes) in &taken {
            let of_host = &mut all.hosts[arrival.host];
            of_host.reports = of_host.reports.saturating_sub(1);
            of_host.bytes = of_host.bytes.saturating_sub(*bytes);
        }
        taken.into_iter().map(|(arrival, _)| arrival).collect()
    }
}

/// How much one side may send in a time.
#[derive(Debug)]
pub struct Allowance {
    messages: f64,
    bytes: f64,
    since: Instant,
}

impl Allowance {
    /// All of it is there.
    pub fn new() -> Allowance {
        Allowance { messages: BURST_REPORTS, bytes: BURST_BYTES, since: Instant::now() }
    }

    /// Takes a message of this many bytes; `false` if there have been too many.
    pub fn take(&mut self, bytes: usize) -> bool {
        let now = Instant::now();
        let seconds = now.saturating_duration_since(std::mem::replace(&mut self.since, now)).as_secs_f64();
        self.messages = (self.messages + seconds * REPORTS_PER_S).min(BURST_REPORTS) - 1.0;
        self.bytes = (self.bytes + seconds * BYTES_PER_S).min(BURST_BYTES) - bytes as f64;
        self.messages >= 0.0 && self.bytes >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting(host: usize) -> Arrival {
        Arrival { host, at_ns: 0, what: Arrived::Greeting(String::new()) }
    }

    #[test]
    fn a_host_that_floods_loses_its_own_reports_only() {
        let queue = ReportQueue::new(2);
        assert!(queue.put(greeting(1), 10));
        let taken = (0..100_000).take_while(|_| queue.put(greeting(0), 10)).count();
        assert_eq!(taken, MOST_WAITING);
        assert!(!queue.put(greeting(0), 10), "nothing more of it");
        assert!(queue.put(greeting(1), 10), "the other goes on");
        let left: Vec<_> = queue.take(Duration::ZERO).iter().map(|a| (a.host, format!("{:?}", a.what))).collect();
        assert_eq!(left.iter().map(|(host, _)| *host).collect::<Vec<_>>(), [1, 0, 1]);
        assert_eq!(left[1].1, "TooMuch");
    }

    #[test]
    fn bytes_are_limited_too_but_never_below_one_report() {
        let queue = ReportQueue::new(1);
        assert!(queue.put(greeting(0), 40 << 20));
        assert!(!queue.put(greeting(0), 1), "one too many");
        let queue = ReportQueue::new(1);
        assert!((0..1000).all(|_| queue.put(greeting(0), 20 << 20) && queue.take(Duration::ZERO).len() == 1));
    }

    #[test]
    fn what_is_sent_in_a_time_is_limited() {
        let mut allowance = Allowance::new();
        let sent = (0..10_000_000).take_while(|_| allowance.take(100)).count();
        assert!((20_000..2_000_000).contains(&sent), "{sent}");
        let mut allowance = Allowance::new();
        let sent = (0..1000).take_while(|_| allowance.take(1 << 20)).count();
        assert!((64..500).contains(&sent), "{sent}");
    }
}

//! Prometheus exporters that the plan names: an observer for each, because one may be slow or gone while others are
//! well.
//!
//! What an exporter offers is known when it has answered, and may change; series are declared when they are first read.

use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tenbin_model::exporter::{ExporterReadings, OBSERVER};
use tenbin_model::reading::ReadingKind;
use tenbin_servers::exporter::{ExporterAccess, ExporterClient, period};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: OBSERVER,
    readings: |_| Vec::new(),
    // Exporters of databases ask the server, and may be on its machine.
    connects: true,
    each: Some(|subject| {
        let only = |access: &ExporterAccess| Subject { exporters: vec![access.clone()], ..subject.clone() };
        subject.exporters.iter().map(|access| (name(&access.exporter.name), only(access))).collect()
    }),
    make: |subject| {
        let access = subject.exporters.first()?.clone();
        let every = period(&access.exporter, subject.every);
        let (declared, sums) = (BTreeSet::new(), BTreeMap::new());
        Some(Box::new(ExporterObserver { access, every, client: None, declared, sums, noted: BTreeSet::new() }))
    },
    ..ObserverEntry::REGULAR
};

/// One exporter.
struct ExporterObserver {
    access: ExporterAccess,
    every: Duration,
    client: Option<ExporterClient>,
    /// The series that are declared.
    declared: BTreeSet<String>,
    /// The counters as they were last read, and their growth since the first time.
    sums: BTreeMap<String, Sum>,
    /// What was noted already.
    noted: BTreeSet<Note>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Note {
    LeftOut,
    NothingSelected,
    Reset,
}

impl Observer for ExporterObserver {
    fn period(&self) -> Option<Duration> {
        Some(self.every)
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let client = match &mut self.client {
            Some(client) => client,
            none => none.insert(ExporterClient::new(&self.access, self.every)?),
        };
        let read = client.scrape()?;
        Ok(self.sample(read))
    }
}

impl ExporterObserver {
    fn sample(&mut self, read: ExporterReadings) -> Sample {
        let mut sample = Sample::default();
        let mut reset = Vec::new();
        for (spec, value) in read.readings {
            let name = spec.name.clone().into_owned();
            let value = match spec.kind {
                ReadingKind::Gauge => value,
                ReadingKind::Counter => {
                    let sum = self.sums.entry(name.clone()).or_insert(Sum { read: value, grown: value });
                    if sum.take(value) {
                        reset.push(name.clone());
                    }
                    sum.grown
                }
            };
            if self.declared.insert(name.clone()) {
                sample.declares.push(spec);
            }
            sample.values.insert(name, value);
        }
        let exporter = &self.access.exporter.name;
        let mut note = |note: Note, what: Message| {
            if self.noted.insert(note) {
                sample.notes.push(Problem::new(what));
            }
        };
        if read.left_out > 0 {
            note(Note::LeftOut, msg!("exporter-series-left-out", exporter, count = read.left_out));
        }
        if sample.values.is_empty() {
            note(Note::NothingSelected, msg!("exporter-nothing-selected", exporter, offered = read.offered));
        }
        if let Some(first) = reset.first() {
            note(Note::Reset, msg!("exporter-counters-reset", exporter, series = first, count = reset.len()));
        }
        sample
    }
}

/// A counter.
struct Sum {
    read: f64,
    grown: f64,
}

impl Sum {
    /// Takes what was read; returns whether the counter was reset. As Prometheus has it, one that was reset counts from 0.
    /// A little less than before is no reset: the kernel's own counters of idle time go back at times.
    fn take(&mut self, read: f64) -> bool {
        let reset = read < self.read / 2.0;
        self.grown += if reset { read } else { (read - self.read).max(0.0) };
        self.read = read;
        reset
    }
}

/// The name of the observer of an exporter. Observers have names that last; those of exporters are in the plan, and few.
pub fn name(exporter: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let name = format!("{OBSERVER}{exporter}");
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.get(name.as_str()).copied().unwrap_or_else(|| {
        let name = Box::leak(name.into_boxed_str());
        names.insert(name);
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_reset_counts_from_0() {
        let mut sum = Sum { read: 100.0, grown: 100.0 };
        let all = [110.0, 109.9, 112.0, 3.0, 5.0].map(|read| (sum.take(read), sum.grown));
        let grown = all.map(|(_, grown)| (grown * 10.0).round() / 10.0);
        assert_eq!(grown, [110.0, 110.0, 112.1, 115.1, 117.1]);
        assert_eq!(all.map(|(reset, _)| reset), [false, false, false, true, false]);
    }

    #[test]
    fn an_observer_has_one_name() {
        assert_eq!(name("node"), "exporter.node");
        assert!(std::ptr::eq(name("node"), name("node")));
    }
}

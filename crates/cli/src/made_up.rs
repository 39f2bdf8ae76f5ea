//! Made-up trials, for tests of what is printed of them.

use std::sync::Arc;
use tenbin_model::event::{EndState, Event, Phase};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{Tally, TransactionTally};
use tenbin_model::trial::Trial;

/// A trial that took this many seconds, without a warm-up, in which its only client completed a thousand transactions of as many milliseconds.
pub fn completed(summary: &mut Summary, planned: Trial, seconds: u64) {
    let (trial, to_ns, workload) = (planned.number, seconds * 1_000_000_000, planned.load.workload.clone());
    let mut tally = Tally::default();
    (tally.accounting.scheduled, tally.accounting.completed) = (1000, 1000);
    let mut transaction = TransactionTally { completed: 1000, ..TransactionTally::default() };
    transaction.response.record_n(seconds * 1_000_000, 1000);
    tally.transactions.insert(workload, transaction);
    let (phase, completions, per_client) = (Phase::Measure, None, Arc::default());
    let interval = Event::Interval { trial, phase, from_ns: 0, to_ns, clients: 1, tally, completions, per_client };
    let finished = Event::TrialFinished {
        trial,
        at_ns: to_ns,
        state: EndState::Complete,
        measured_from_ns: 0,
        measured_to_ns: to_ns,
        client_cpu_ns: 0,
        workers: 1,
        per_client: Default::default(),
        client_halts: Default::default(),
        oldest_open_ns: None,
        beside: Default::default(),
    };
    summary.take(&Event::TrialPlanned { planned: Box::new(planned), expected: 1 });
    for event in [Event::TrialStarted { trial, at_ns: 0 }, interval, finished] {
        summary.take(&event);
    }
}

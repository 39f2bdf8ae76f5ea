//! The end of a trial of which nothing but its window matters.

use tenbin_model::event::{EndState, Event};

/// A complete trial: its end, and the beginning and the end of its measured window, nanoseconds since the run's start.
pub fn finished(trial: u32, at_ns: u64, (measured_from_ns, measured_to_ns): (u64, u64)) -> Event {
    Event::TrialFinished {
        trial,
        at_ns,
        state: EndState::Complete,
        measured_from_ns,
        measured_to_ns,
        client_cpu_ns: 0,
        workers: 1,
        per_client: Default::default(),
        client_halts: Default::default(),
        oldest_open_ns: None,
        beside: Default::default(),
    }
}

//! Converts recordings of format 1, in which the first event contains all trials, to events of the current format.

use super::foreign;
use serde::Deserialize;
use tenbin_model::event::Event;
use tenbin_model::trial::Trial;

/// The field of `run-started` that only format 1 has.
#[derive(Deserialize)]
struct RunStarted {
    trials: Vec<Trial>,
}

/// The events of the current format for a line of a log, which was parsed as `event`. Fails if the line is not as
/// format 1 defines it.
pub fn events(event: Event, line: &[u8]) -> serde_json::Result<Vec<Event>> {
    let mut events = vec![event];
    if let Event::RunStarted { format: 1, .. } = events[0] {
        let RunStarted { trials } = foreign::parse(line)?;
        let expected = trials.len() as u32;
        events.extend(trials.into_iter().map(|planned| Event::TrialPlanned { planned: Box::new(planned), expected }));
    }
    Ok(events)
}

//! Recordings of format 1, in which the first event held all trials: they are read as what would be written today.

use super::foreign;
use serde::Deserialize;
use tenbin_model::event::Event;
use tenbin_model::trial::Trial;

/// What `run-started` held beside what it holds now.
#[derive(Deserialize)]
struct RunStarted {
    trials: Vec<Trial>,
}

/// The events that one line of a log, read as `event`, stands for.
pub fn events(event: Event, line: &[u8]) -> serde_json::Result<Vec<Event>> {
    let mut events = vec![event];
    if let Event::RunStarted { format: 1, .. } = events[0] {
        let RunStarted { trials } = foreign::parse(line)?;
        let expected = trials.len() as u32;
        events.extend(trials.into_iter().map(|planned| Event::TrialPlanned { planned: Box::new(planned), expected }));
    }
    Ok(events)
}

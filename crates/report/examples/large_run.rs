//! Writes a run of 1,000 trials of 300 s into a directory, to measure how long its page takes, and how much memory: `cargo run
//! --release -p tenbin-report --example large_run -- runs`. Each second has the readings of a server with 80 counters. The trials
//! differ in their places only: there are two sets of figures, one for each target.

#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::Path;
use tenbin_model::event::{Event, Sink};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::trial::Trial;
use tenbin_report::store::Store;
use tenbin_words::problem::Problem;

const COUNTERS: usize = 80;
const CELLS: u32 = 100;
const REPEATS: u32 = 5;

fn main() -> Result<(), Problem> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "runs".into());
    let plan = common::PLAN
        .replace("repeats = 2", "repeats = 1")
        .replace("warmup = \"2s\"", "warmup = \"10s\"")
        .replace("measure = \"6s\"", "measure = \"300s\"")
        .replace("[1, 8, 64]", "[8]");
    let events = common::events(&plan);
    let names: Vec<String> = (0..COUNTERS).map(|n| format!("counter_{n}")).collect();
    let mut store = Store::create(Path::new(&dir), "large")?;
    let is_of_trial = |event: &&Event| event.trial() != 0;
    let planned: Vec<Trial> = events
        .iter()
        .filter_map(
            |event| if let Event::TrialPlanned { planned, .. } = event { Some((**planned).clone()) } else { None },
        )
        .collect();
    let places = || (0..CELLS * REPEATS * 2).map(|n| (n + 1, n / 2 / REPEATS + 1, n / 2 % REPEATS + 1, n % 2));
    for event in events.iter().filter(|e| matches!(e, Event::RunStarted { .. })) {
        store.receive(event)?;
    }
    for (number, cell, repeat, target) in places() {
        let mut trial = planned[target as usize].clone();
        (trial.number, trial.cell, trial.repeat) = (number, cell, repeat);
        trial.load.clients = cell;
        trial.axes = vec![("load.clients".to_owned(), cell.to_string())];
        store.receive(&Event::TrialPlanned { planned: Box::new(trial), expected: CELLS * REPEATS * 2 })?;
    }
    for (number, _, _, target) in places() {
        let of = planned[target as usize].number;
        for event in events.iter().filter(is_of_trial).filter(|event| event.trial() == of) {
            let mut value = serde_json::to_value(event).unwrap_or_default();
            value["trial"] = number.into();
            let Ok(event) = serde_json::from_value::<Event>(value) else { continue };
            store.receive(&event)?;
            store_more(&mut store, &event, &names)?;
        }
    }
    for event in events.iter().filter(|e| matches!(e, Event::RunFinished { .. })) {
        store.receive(event)?;
    }
    store.close().map(|_| ())
}

/// The readings of another observer, beside those of the sample.
fn store_more(store: &mut Store, event: &Event, names: &[String]) -> Result<(), Problem> {
    let observer = "server.more".to_owned();
    match event {
        Event::ObserverDeclared { trial, .. } => {
            let readings = names.iter().map(|name| ReadingSpec::counter(name.clone(), "", Whose::Server)).collect();
            store.receive(&Event::ObserverDeclared { trial: *trial, observer, period_ms: 1000, readings })
        }
        Event::Interval { trial, to_ns, .. } => {
            let value = |n: usize| (to_ns / 1_000_000 * (n as u64 + 1)) as f64;
            let values: BTreeMap<String, f64> =
                names.iter().enumerate().map(|(n, name)| (name.clone(), value(n))).collect();
            store.receive(&Event::Observation { trial: *trial, observer, at_ns: *to_ns, source_unix_ns: None, values })
        }
        _ => Ok(()),
    }
}

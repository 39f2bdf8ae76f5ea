//! Writes a run of 1,000 trials of 300 s into a directory, to measure how long its page takes, and how much memory: `cargo run
//! --release -p tenbin-report --example large_run -- runs`. Each second has the readings of a server with 80 counters.

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::Path;
use tenbin_model::event::{Event, Sink};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_report::store::Store;

const COUNTERS: usize = 80;

fn main() {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "runs".into());
    let plan = common::PLAN
        .replace("repeats = 2", "repeats = 5")
        .replace("warmup = \"2s\"", "warmup = \"10s\"")
        .replace("measure = \"6s\"", "measure = \"300s\"")
        .replace(
            "[1, 8, 64]",
            "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512], load.range_size = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
        );
    let mut store = Store::create(Path::new(&dir), "large").expect("a run directory");
    let names: Vec<String> = (0..COUNTERS).map(|n| format!("counter_{n}")).collect();
    for event in common::events(&plan) {
        store.receive(&event).expect("it is stored");
        match event {
            Event::ObserverDeclared { trial, .. } => {
                let readings = names.iter().map(|name| ReadingSpec::counter(name.clone(), "", Whose::Server)).collect();
                let observer = "server.more".into();
                store
                    .receive(&Event::ObserverDeclared { trial, observer, period_ms: 1000, readings })
                    .expect("it is stored");
            }
            Event::Interval { trial, to_ns, .. } => {
                let values: BTreeMap<String, f64> = names
                    .iter()
                    .enumerate()
                    .map(|(n, name)| (name.clone(), (to_ns / 1_000_000 * (n as u64 + 1) % 9_999_999) as f64))
                    .collect();
                let (observer, source_unix_ns) = ("server.more".into(), None);
                store
                    .receive(&Event::Observation { trial, observer, at_ns: to_ns, source_unix_ns, values })
                    .expect("it is stored");
            }
            _ => {}
        }
    }
    println!("{}", store.dir().display());
    store.close().expect("it is closed");
}

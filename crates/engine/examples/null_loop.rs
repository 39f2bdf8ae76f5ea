//! The engine's own cost: point-select-like transactions on a workload that answers at once.
//! `valgrind --tool=callgrind target/release/examples/null_loop 200000`, divided by the number, is the engine's share per transaction.

use std::time::Instant;
use tenbin_driver::{Reply, Transport};
use tenbin_engine::{Drive, drive};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::StatementKind;
use tenbin_model::trial::{Load, Policy, Schedule, Workers};
use tenbin_workload::{Client, Step, Turn, Workload};

struct Null;

impl Workload for Null {
    fn name(&self) -> &str {
        "null"
    }
    fn transactions(&self) -> Vec<String> {
        vec!["null".into()]
    }
    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("null".into(), StatementKind::Read)]
    }
    fn prepared_per_connection(&self) -> u32 {
        0
    }
    fn blocks(&self) -> bool {
        false
    }
    fn local(&self) -> bool {
        false
    }
    fn client(&self, _: u32, _: u32, _: u64) -> Box<dyn Client> {
        Box::new(Null)
    }
}

impl Client for Null {
    fn connect(&mut self, _: Transport) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    fn transaction<'a>(&'a mut self, turn: &'a mut Turn) -> Step<'a, usize> {
        Box::pin(async move {
            turn.time(0, async { Ok(Reply { rows: 1, affected: 0 }) }).await?;
            Ok(0)
        })
    }
    fn recover(&mut self) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    fn close(&mut self) -> Step<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

#[expect(clippy::print_stdout, reason = "an example for the one who measures")]
fn main() {
    let operations = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let load = Load {
        workload: "null".into(),
        options: Default::default(),
        clients: 1,
        workers: Workers::Count(1),
        schedule: Schedule::Closed,
        operations: Some(operations),
        policy: Policy::default(),
    };
    let what = Drive { load, warmup_ms: 0, measure_ms: 600_000, interval_ms: 1000, seed: 1, origin: Instant::now() };
    let start = Instant::now();
    let ended = drive(&what, &Null, &StopSignal::new(), &mut |_| Ok(()));
    let each = start.elapsed().as_nanos() as f64 / operations as f64;
    println!("{operations} transactions, {each:.0} ns each; ended {:?}", ended.map(|e| e.cut_short));
}

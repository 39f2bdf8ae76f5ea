//! The engine's own cost: point-select-like transactions on a workload that answers at once.
//!
//! `null_loop [operations] [clients] [rate] [1: a thread per client]`. `valgrind --tool=callgrind` with two numbers of
//! operations gives the instructions of one transaction; a rate shows how late intended starts are kept;
//! `/usr/bin/time -v` with many clients shows their memory.

use std::sync::Arc;
use std::time::Instant;
use tenbin_client::{BoxFuture, Client, Reply, TargetReach, TransactionContext, Transport, Workload};
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace, drive};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{StatementKind, Tally};
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule, Workers};

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
    fn reach(&self) -> TargetReach {
        TargetReach::default()
    }
    fn client(&self, _: u32, _: u32, _: u64) -> Box<dyn Client> {
        Box::new(Null)
    }
}

impl Client for Null {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            context.time(0, async { Ok(Reply { rows: 1, ..Reply::default() }) }).await?;
            Ok(0)
        })
    }
    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

#[expect(clippy::print_stdout, reason = "an example for the one who measures")]
fn main() {
    let argument = |n, default| std::env::args().nth(n).and_then(|a| a.parse::<u64>().ok()).unwrap_or(default);
    let (operations, clients, rate) = (argument(1, 1_000_000), argument(2, 1), argument(3, 0));
    let overload = Overload::Queue { limit: 1_000_000 };
    let load = Load {
        workload: "null".into(),
        clients: clients as u32,
        workers: if argument(4, 0) > 0 { Workers::PerClient } else { Workers::Count(1) },
        schedule: match rate {
            0 => Schedule::Closed,
            rate => Schedule::Open { rate: rate as f64, arrivals: Arrivals::Poisson, overload },
        },
        operations: Some(operations),
        ..Load::default()
    };
    let what = Drive {
        load,
        warmup_ms: 0,
        measure_ms: 600_000,
        interval_ms: 1000,
        seed: 1,
        origin: Instant::now(),
        part: LoadPart::ALL,
        server: ServerPlace::Apart,
        control: DriveControl::default(),
    };
    let workload: Arc<dyn Workload> = Arc::new(Null);
    let mut tally = Tally::default();
    let start = Instant::now();
    let ended = drive(&what, &workload, &StopSignal::new(), &mut |seen| {
        if let EngineEvent::Interval { tally: counted, .. } = seen {
            tally.merge(&counted);
        }
        Ok(())
    });
    let each = start.elapsed().as_nanos() as f64 / operations as f64;
    println!("{operations} transactions, {each:.0} ns each; cut short: {:?}", ended.map(|e| e.cut_short));
    let all = tally.all_transactions();
    let wait = |quantile| all.wait.quantile_ns(quantile) as f64 / 1000.0;
    println!("late by p50 {:.1} µs, p99 {:.1} µs, at most {:.1} µs", wait(0.5), wait(0.99), wait(1.0));
}

//! A workload that is not in Tenbin: each transaction is this many statements that reach no server.

use tenbin_driver::{Reply, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_model::workload::NO_DATA;
use tenbin_workload::options::{OptionSpec, Resolved, ValueType, row};
use tenbin_workload::{BoxFuture, Client, TargetReach, TransactionContext, Workload, WorkloadEntry};

pub const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "tick",
    about: "statements that reach no server",
    family: "tick",
    dataset: NO_DATA,
    reads_only: true,
    options: &[OPTIONS],
    ..WorkloadEntry::made_by(|_, options, _| Ok(Box::new(Tick { ticks: Resolved(options).count("ticks") })))
};

const OPTIONS: &[OptionSpec] = &[row("ticks", "3", ValueType::Count(1, 1000), "statements of a transaction")];

#[derive(Debug, Clone, Copy)]
struct Tick {
    ticks: u64,
}

impl Workload for Tick {
    fn name(&self) -> &str {
        ENTRY.name
    }

    fn transactions(&self) -> Vec<String> {
        vec![ENTRY.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("beat".to_owned(), StatementKind::Read)]
    }

    fn prepared_per_connection(&self) -> u32 {
        0
    }

    fn reach(&self) -> TargetReach {
        TargetReach::default()
    }

    fn client(&self, _number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(*self)
    }
}

impl Client for Tick {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn transaction<'a>(&'a mut self, turn: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async {
            for _ in 0..self.ticks {
                turn.time(0, async { Ok(Reply { rows: 1, ..Reply::default() }) }).await?;
            }
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

//! A workload that only waits, and a ledger of what its terminals do, which the counts of the engine are compared with.

use super::draw::Draw;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tenbin_client::{BoxFuture, Class, Client, Error, Reply, TargetReach, TransactionContext, Transport, Workload};
use tenbin_model::tally::StatementKind;
use tenbin_words::message::foreign;
use tokio::time::Instant;

/// What the terminals of a host did; nanoseconds of the simulation.
#[derive(Debug, Default)]
pub struct Ledger {
    /// By start.
    pub begun: Vec<u64>,
    /// By end.
    pub ended: Vec<Transaction>,
}

/// One that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Transaction {
    pub begun_ns: u64,
    pub ended_ns: u64,
    pub has_failed: bool,
}

/// How terminals behave.
#[derive(Debug, Clone, Copy)]
pub struct Habits {
    /// A transaction takes 1 ms to this many.
    pub longest_ms: u64,
    /// The longest pause before each; 0: none.
    pub rest_ms: u64,
    pub failing_permille: u64,
}

#[derive(Clone)]
pub struct Terminals {
    pub habits: Habits,
    pub epoch: Instant,
    pub ledger: Arc<Mutex<Ledger>>,
}

struct Terminal {
    draw: Draw,
    of: Terminals,
}

impl Workload for Terminals {
    fn name(&self) -> &str {
        "fake"
    }
    fn transactions(&self) -> Vec<String> {
        vec!["fake".into()]
    }
    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("only".into(), StatementKind::Read)]
    }
    fn prepared_per_connection(&self) -> u32 {
        0
    }
    fn paces(&self) -> bool {
        self.habits.rest_ms > 0
    }
    fn reach(&self) -> TargetReach {
        TargetReach::default()
    }
    fn client(&self, number: u32, _of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(Terminal { draw: Draw::new(seed, u64::from(number) + 1000), of: self.clone() })
    }
}

impl Terminal {
    fn now_ns(&self) -> u64 {
        self.of.epoch.elapsed().as_nanos() as u64
    }
}

impl Client for Terminal {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn pause(&mut self) -> Duration {
        self.draw.ms(0, self.of.habits.rest_ms)
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let begun_ns = self.now_ns();
            self.of.ledger.lock().unwrap().begun.push(begun_ns);
            let wait = self.draw.ms(1, self.of.habits.longest_ms + 1);
            let fails = self.draw.chance(self.of.habits.failing_permille);
            let work = async {
                tokio::time::sleep(wait).await;
                let error = || Error::new(Class::Sql, foreign("as drawn")).code(1064);
                if fails { Err(error()) } else { Ok(Reply { rows: 1, ..Reply::default() }) }
            };
            let outcome = context.time(0, work).await;
            let ended = Transaction { begun_ns, ended_ns: self.now_ns(), has_failed: outcome.is_err() };
            self.of.ledger.lock().unwrap().ended.push(ended);
            outcome.map(|_| 0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

//! Shared by `select_random_points` and `select_random_ranges`: one prepared statement on table 1 with many keys,
//! each client drawing from its own slice of the table, as in sysbench.

use super::reconnect;
use super::session::{Session, Wanted};
use std::sync::{Arc, OnceLock};
use tenbin_driver::{Connector, Transport, Value};
use tenbin_model::tally::StatementKind;
use tenbin_workload::distribution::{DistributionKind, Sampler};
use tenbin_workload::options::{OptionMap, Resolved};
use tenbin_workload::{BoxFuture, Client, MemoryRange, Random, TargetReach, TransactionContext, Workload};

/// One of the two workloads.
#[derive(Debug)]
pub(super) struct SelectRandom {
    pub(super) name: &'static str,
    /// The name its statement is counted under.
    pub(super) statement: &'static str,
    pub(super) sql: String,
    /// Keys drawn per statement.
    pub(super) keys: u32,
    /// For a range: the difference of its last and first key; `None` for points.
    pub(super) delta: Option<u32>,
    pub(super) table_size: u32,
    pub(super) shape: DistributionKind,
    pub(super) prepare: bool,
    pub(super) reconnect: u32,
    pub(super) connector: Connector,
    /// `sql` and `prepare` as the clients share them.
    pub(super) wanted: OnceLock<Arc<[Wanted]>>,
}

impl SelectRandom {
    pub(super) fn new(
        name: &'static str,
        statement: &'static str,
        options: &OptionMap,
        connector: Connector,
    ) -> SelectRandom {
        let o = Resolved(options);
        SelectRandom {
            name,
            statement,
            sql: String::new(),
            keys: 0,
            delta: None,
            table_size: o.count32("table_size"),
            shape: o.shape(),
            prepare: o.text("ps_mode") != "disable",
            reconnect: o.count32("reconnect"),
            connector,
            wanted: OnceLock::new(),
        }
    }

    /// The slice of keys that client `number` of `of` draws from: [number·size/of, (number+1)·size/of], rounded down.
    fn slice(&self, number: u32, of: u32) -> (u32, u32) {
        let at = |n: u32| (u64::from(self.table_size) * u64::from(n) / u64::from(of.max(1))) as u32;
        (at(number), at(number + 1))
    }
}

impl Workload for SelectRandom {
    fn name(&self) -> &str {
        self.name
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![(self.statement.to_owned(), StatementKind::Read)]
    }

    fn prepared_per_connection(&self) -> u32 {
        u32::from(self.prepare)
    }

    fn longest_statement(&self) -> u64 {
        // Each key has up to ten digits and a comma.
        self.sql.len() as u64 + 12 * u64::from(self.keys)
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        let (low, high) = self.slice(number, of);
        let wanted = self.wanted.get_or_init(|| [(self.sql.clone(), self.prepare)].into());
        let one = SelectRandomClient {
            random: Random::new(seed, u64::from(number)),
            keys: self.shape.over(low, high),
            count: self.keys,
            delta: self.delta,
            values: Vec::with_capacity(2 * self.keys as usize),
            session: Session::new(self.connector.clone(), Arc::clone(wanted)).tidy(self.reconnect > 0),
        };
        reconnect::after(self.reconnect, one)
    }
}

struct SelectRandomClient {
    random: Random,
    keys: Sampler,
    count: u32,
    delta: Option<u32>,
    values: Vec<Value<'static>>,
    session: Session,
}

impl Client for SelectRandomClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(self.session.open(transport))
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            self.values.clear();
            for _ in 0..self.count {
                let key = i64::from(self.keys.draw(&mut self.random));
                self.values.push(Value::Int(key));
                if let Some(delta) = self.delta {
                    self.values.push(Value::Int(key + i64::from(delta)));
                }
            }
            context.time(0, self.session.run(0, &self.values)).await?;
            Ok(0)
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        self.session.memory()
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        self.session.roll_back()
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        self.session.close()
    }
}

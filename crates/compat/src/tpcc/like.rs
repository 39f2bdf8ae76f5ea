//! A workload that differs from another only in how its clients are created.

use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_model::tally::StatementKind;
use tenbin_words::problem::Problem;
use tenbin_workload::{Client, TargetReach, Workload};

/// Creates client `number` of this many, from a seed.
type Make = dyn Fn(u32, u32, u64) -> Box<dyn Client> + Send + Sync;

/// A workload like `each` of these, which have the same names and properties, with clients created by `client`. `None`
/// if there are none.
pub fn like(
    each: Vec<Arc<dyn Workload>>,
    client: impl Fn(u32, u32, u64) -> Box<dyn Client> + Send + Sync + 'static,
) -> Option<Arc<dyn Workload>> {
    let first = each.first()?.clone();
    Some(Arc::new(Like { first, each, client: Box::new(client) }))
}

struct Like {
    first: Arc<dyn Workload>,
    each: Vec<Arc<dyn Workload>>,
    client: Box<Make>,
}

impl Workload for Like {
    fn name(&self) -> &str {
        self.first.name()
    }

    fn transactions(&self) -> Vec<String> {
        self.first.transactions()
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.first.statements()
    }

    fn counters(&self) -> Vec<String> {
        self.first.counters()
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        let each = self.each.iter().map(|workload| workload.tables()).collect::<Result<_, _>>()?;
        Ok(tenbin_model::tpcc::found::together(each))
    }

    fn paces(&self) -> bool {
        self.first.paces()
    }

    fn connections(&self, clients: u32) -> u32 {
        self.first.connections(clients)
    }

    fn mappings_per_client(&self) -> u32 {
        self.first.mappings_per_client()
    }

    fn prepared_per_connection(&self) -> u32 {
        self.first.prepared_per_connection()
    }

    fn session_statements(&self) -> u32 {
        self.first.session_statements()
    }

    fn reach(&self) -> TargetReach {
        self.first.reach()
    }

    fn contends(&self) -> bool {
        self.first.contends()
    }

    fn interrupt(&self) {
        self.each.iter().for_each(|workload| workload.interrupt());
    }

    fn burst(&self) -> u32 {
        self.first.burst()
    }

    fn group(&self, number: u32, of: u32) -> u32 {
        self.first.group(number, of)
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        (self.client)(number, of, seed)
    }
}

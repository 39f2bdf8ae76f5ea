//! The client that sends the statements of an [`OltpEvent`] one after the other, waiting for the last row of each.

use super::event::{EventSource, OltpEvent, Script, StatementGroup, VERBS, Verb};
use super::reconnect;
use super::session::{Session, Wanted};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::{Connector, Error, Transport};
use tenbin_model::tally::StatementKind;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, Resolved};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::engines;
use tenbin_workload::tables::mark;
use tenbin_workload::{BoxFuture, Client, MemoryRange, Random, TargetReach, TransactionContext, Workload};

/// A workload of statement groups.
#[derive(Debug)]
struct Groups {
    name: &'static str,
    plan: Arc<OltpSettings>,
    connector: Connector,
}

/// Shared by all clients.
#[derive(Debug)]
struct OltpSettings {
    source: EventSource,
    /// By verb: its index in the list of statement names, and the index of its first statement.
    places: [(u16, usize); VERBS],
    /// All statements of a connection in the order of their indexes: verb by verb, table by table.
    statements: Arc<[Wanted]>,
    script: Script,
    verbs: Vec<Verb>,
    dialect: Dialect,
    reconnect: u32,
}

impl OltpSettings {
    fn new(script: Script, dialect: Dialect, prepare: bool, reconnect: u32) -> OltpSettings {
        let verbs = script.verbs();
        let writes = script.writes();
        let (mut places, mut statements) = ([(0, 0); VERBS], Vec::new());
        for (index, &verb) in verbs.iter().enumerate() {
            places[verb as usize] = (index as u16, statements.len());
            let prepare = prepare && verb.prepares(dialect);
            for table in 1..=if verb.has_table() { script.tables } else { 1 } {
                statements.push((verb.sql(&script.table(table), dialect, writes), prepare));
            }
        }
        let source = EventSource::new(&script);
        OltpSettings { source, places, statements: statements.into(), script, verbs, dialect, reconnect }
    }
}

/// Creates the workload from its resolved options and its groups.
pub(super) fn workload(
    name: &'static str,
    options: &OptionMap,
    connector: Connector,
    groups: Vec<StatementGroup>,
) -> Box<dyn Workload> {
    made(name, options, connector, script(options, groups))
}

/// The same from a script.
pub(super) fn made(name: &'static str, options: &OptionMap, connector: Connector, script: Script) -> Box<dyn Workload> {
    let dialect = Dialect::of(connector.dsn().scheme);
    let o = Resolved(options);
    let (prepare, reconnect) = (o.text("ps_mode") != "disable", o.count32("reconnect"));
    let plan = OltpSettings::new(script, dialect, prepare, reconnect);
    Box::new(Groups { name, plan: Arc::new(plan), connector })
}

/// The script for resolved options.
pub(super) fn script(options: &OptionMap, groups: Vec<StatementGroup>) -> Script {
    let o = Resolved(options);
    Script {
        groups,
        tables: o.count32("tables"),
        table_size: o.count32("table_size"),
        range_size: o.count32("range_size"),
        shape: o.shape(),
        legacy_0_4: None,
    }
}

/// Adds BEGIN and COMMIT, unless `skip_trx` is set.
pub(super) fn in_transaction(options: &OptionMap, groups: Vec<StatementGroup>) -> Vec<StatementGroup> {
    let times = u32::from(!Resolved(options).on("skip_trx"));
    let mut all = vec![StatementGroup::new(times, &[Verb::Begin])];
    all.extend(groups);
    all.push(StatementGroup::new(times, &[Verb::Commit]));
    all
}

/// The reading groups according to the options.
pub(super) fn reads(options: &OptionMap) -> Vec<StatementGroup> {
    let o = Resolved(options);
    let ranges = |name| if o.on("range_selects") { o.count32(name) } else { 0 };
    vec![
        StatementGroup::new(o.count32("point_selects"), &[Verb::PointSelect]),
        StatementGroup::new(ranges("simple_ranges"), &[Verb::SimpleRange]),
        StatementGroup::new(ranges("sum_ranges"), &[Verb::SumRange]),
        StatementGroup::new(ranges("order_ranges"), &[Verb::OrderRange]),
        StatementGroup::new(ranges("distinct_ranges"), &[Verb::DistinctRange]),
    ]
}

/// The writing groups according to the options.
pub(super) fn writes(options: &OptionMap) -> Vec<StatementGroup> {
    let o = Resolved(options);
    vec![
        StatementGroup::new(o.count32("index_updates"), &[Verb::IndexUpdate]),
        StatementGroup::new(o.count32("non_index_updates"), &[Verb::NonIndexUpdate]),
        StatementGroup::new(o.count32("delete_inserts"), &[Verb::Delete, Verb::Insert]),
    ]
}

impl Groups {
    /// Its tables.
    fn names(&self) -> Vec<String> {
        let script = &self.plan.script;
        (1..=script.tables).map(|number| script.table(number)).collect()
    }
}

impl Workload for Groups {
    fn name(&self) -> &str {
        self.name
    }

    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        if self.plan.script.writes() { mark::without(&self.connector, &self.names()) } else { Ok(Vec::new()) }
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        engines::found(&self.connector, Some(&self.names()))
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.plan.verbs.iter().map(|v| (v.name().to_owned(), v.kind())).collect()
    }

    fn outline(&self) -> Vec<String> {
        self.plan.script.outline(self.plan.dialect)
    }

    fn prepared_per_connection(&self) -> u32 {
        self.plan.statements.iter().filter(|(_, prepare)| *prepare).count() as u32
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, _of: u32, seed: u64) -> Box<dyn Client> {
        let every = self.plan.reconnect;
        let one = OltpClient {
            random: Random::new(seed, u64::from(number)),
            event: OltpEvent::new(),
            plan: Arc::clone(&self.plan),
            session: Session::new(self.connector.clone(), Arc::clone(&self.plan.statements)).tidy(every > 0),
        };
        reconnect::after(every, one)
    }
}

/// Two transactions delete and insert the same row. On PostgreSQL the second DELETE waits for the first transaction and
/// then finds no row, since it does not see the new one, with which its INSERT collides. As in sysbench, such an event
/// is restarted.
#[cold]
fn in_the_way(e: Error) -> Error {
    if e.sqlstate() == Some("23505") { e.conflict() } else { e }
}

struct OltpClient {
    random: Random,
    event: OltpEvent,
    plan: Arc<OltpSettings>,
    session: Session,
}

impl Client for OltpClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(self.session.open(transport))
    }

    // The hot path: between a reply and the next statement only random numbers are drawn.
    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            self.event.start();
            while let Some(call) = self.event.next(&self.plan.source, &mut self.random) {
                let (name, first) = self.plan.places[call.verb as usize];
                // Tables count from 1; a statement without one has table 0.
                let statement = first + (call.table as usize).saturating_sub(1);
                let sent = context.time(usize::from(name), self.session.run(statement, call.values())).await;
                sent.map_err(|e| if call.verb == Verb::Insert { in_the_way(e) } else { e })?;
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_workload::distribution::DistributionKind;

    /// There may be ten thousand of these futures, and each statement passes through one.
    #[test]
    fn a_transaction_in_progress_is_small() {
        let connector = Connector::nowhere(tenbin_model::dsn::Scheme::Mysql).unwrap();
        let script = Script {
            groups: vec![StatementGroup::new(1, &[Verb::PointSelect])],
            tables: 1,
            table_size: 100,
            range_size: 100,
            shape: DistributionKind::Uniform,
            legacy_0_4: None,
        };
        let plan = OltpSettings::new(script, Dialect::Mysql, true, 0);
        let workload = Groups { name: "oltp_point_select", plan: Arc::new(plan), connector };
        let mut client = workload.client(0, 1, 1);
        let mut context = TransactionContext::default();
        let bytes = size_of_val(&*client.transaction(&mut context));
        assert!(bytes <= 480, "{bytes} bytes");
    }
}

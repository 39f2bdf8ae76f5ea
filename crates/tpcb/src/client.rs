//! The three transactions: `tpcb_like`, `simple_update` and `select_only`, with the statements of pgbench's built-in scripts.
//!
//! Values are drawn as there: an account, a teller and a branch of all, independently, and an amount from -5000 to 5000.

use crate::check::{Past, note};
use crate::schema::NAMES;
use crate::{ACCOUNTS, ENTRY, SCALE, TELLERS};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::{Class, Connection, Connector, Error, Prepared, Reply, Transport, Value};
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::literals::fill_in;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::{engines, mark};
use tenbin_workload::{
    BoxFuture, Client, MemoryRange, Random, TargetReach, TransactionContext, Workload, WorkloadEntry,
};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Begin,
    Accounts,
    Select,
    Tellers,
    Branches,
    History,
    Commit,
}
use Verb::{Accounts, Begin, Branches, Commit, History, Select, Tellers};

const TPCB: &[Verb] = &[Begin, Accounts, Select, Tellers, Branches, History, Commit];
const SIMPLE: &[Verb] = &[Begin, Accounts, Select, History, Commit];
const READ: &[Verb] = &[Select];

const COMMON: &[OptionSpec] = &[
    SCALE,
    row(
        "ps_mode",
        "auto",
        ValueType::Word(&["auto", "disable"]),
        "auto: prepared statements; disable: every statement as text",
    ),
];

const fn entry(
    name: &'static str,
    about: &'static str,
    reads_only: bool,
    make: tenbin_workload::MakeWorkload,
) -> WorkloadEntry {
    WorkloadEntry {
        name,
        about,
        family: "tpcb",
        dataset: ENTRY.kind,
        shared: &["scale"],
        reads_only,
        options: &[COMMON],
        ..WorkloadEntry::made_by(make)
    }
}

pub(crate) const TPCB_LIKE: WorkloadEntry = entry(
    "tpcb_like",
    "pgbench's TPC-B: three updates, a select and an insert in a transaction (7 statements)",
    false,
    |name, options, connector| Ok(made(name, TPCB, options, connector)),
);

pub(crate) const SIMPLE_UPDATE: WorkloadEntry = entry(
    "simple_update",
    "the same without tellers and branches, whose rows few clients wait for (5 statements)",
    false,
    |name, options, connector| Ok(made(name, SIMPLE, options, connector)),
);

pub(crate) const SELECT_ONLY: WorkloadEntry =
    entry("select_only", "pgbench's SELECT of one account by its key", true, |name, options, connector| {
        Ok(made(name, READ, options, connector))
    });

fn made(name: &'static str, verbs: &'static [Verb], options: &OptionMap, connector: Connector) -> Box<dyn Workload> {
    let o = Resolved(options);
    let dialect = Dialect::of(connector.dsn().scheme);
    let plan = TpcbSettings { verbs, dialect, scale: o.count("scale"), prepare: o.text("ps_mode") != "disable" };
    Box::new(Tpcb { name, plan: Arc::new(plan), connector })
}

/// Shared by all clients.
#[derive(Debug)]
struct TpcbSettings {
    verbs: &'static [Verb],
    dialect: Dialect,
    scale: u64,
    prepare: bool,
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Begin => "begin",
            Accounts => "update_accounts",
            Select => "select_accounts",
            Tellers => "update_tellers",
            Branches => "update_branches",
            History => "insert_history",
            Commit => "commit",
        }
    }

    fn kind(self) -> StatementKind {
        match self {
            Select => StatementKind::Read,
            Begin | Commit => StatementKind::Other,
            Accounts | Tellers | Branches | History => StatementKind::Write,
        }
    }

    fn sql(self, dialect: Dialect) -> &'static str {
        match self {
            Begin => dialect.begin(true),
            Accounts => "UPDATE pgbench_accounts SET abalance = abalance + ? WHERE aid = ?",
            Select => "SELECT abalance FROM pgbench_accounts WHERE aid = ?",
            Tellers => "UPDATE pgbench_tellers SET tbalance = tbalance + ? WHERE tid = ?",
            Branches => "UPDATE pgbench_branches SET bbalance = bbalance + ? WHERE bid = ?",
            History => {
                "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)"
            }
            Commit => "COMMIT",
        }
    }

    /// Whether it is prepared, if statements are.
    fn prepares(self) -> bool {
        !matches!(self, Begin | Commit)
    }
}

/// The values of one transaction.
#[derive(Debug, Clone, Copy)]
struct Draw {
    aid: i64,
    bid: i64,
    tid: i64,
    delta: i64,
}

impl Draw {
    fn new(scale: u64, random: &mut Random) -> Draw {
        let one = |random: &mut Random, of: u64| 1 + random.below(scale * of) as i64;
        let (aid, bid, tid) = (one(random, ACCOUNTS), one(random, 1), one(random, TELLERS));
        Draw { aid, bid, tid, delta: random.below(10_001) as i64 - 5000 }
    }

    fn values(&self, verb: Verb) -> ([Value<'static>; 4], usize) {
        let Draw { aid, bid, tid, delta } = *self;
        let of = |values: &[i64]| {
            let mut all = [Value::Null; 4];
            for (slot, value) in all.iter_mut().zip(values) {
                *slot = Value::Int(*value);
            }
            (all, values.len())
        };
        match verb {
            Begin | Commit => of(&[]),
            Accounts => of(&[delta, aid]),
            Select => of(&[aid]),
            Tellers => of(&[delta, tid]),
            Branches => of(&[delta, bid]),
            History => of(&[tid, bid, aid, delta]),
        }
    }
}

#[derive(Debug)]
struct Tpcb {
    name: &'static str,
    plan: Arc<TpcbSettings>,
    connector: Connector,
}

impl Tpcb {
    fn writes(&self) -> bool {
        self.plan.verbs != READ
    }
}

impl Workload for Tpcb {
    fn name(&self) -> &str {
        self.name
    }

    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        if !self.writes() {
            return Ok(Vec::new());
        }
        mark::without(&self.connector, &NAMES.map(str::to_owned))
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        if self.plan.verbs == SIMPLE && self.connector.dsn().scheme.kind().keeps_tables {
            with_connection(&self.connector, msg!("looking-at-tables"), async |c| {
                // Without a mark, or without the right to write to it, there is nothing to note.
                let _ = note(Past::SimpleUpdates, c).await;
                Ok(Ok(()))
            })?;
        }
        engines::found(&self.connector, Some(&NAMES.map(str::to_owned)))
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.to_owned()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.plan.verbs.iter().map(|v| (v.name().to_owned(), v.kind())).collect()
    }

    fn outline(&self) -> Vec<String> {
        self.plan.verbs.iter().map(|v| v.sql(self.plan.dialect).to_owned()).collect()
    }

    fn prepared_per_connection(&self) -> u32 {
        if self.plan.prepare { self.plan.verbs.iter().filter(|v| v.prepares()).count() as u32 } else { 0 }
    }

    fn reach(&self) -> TargetReach {
        self.connector.reach()
    }

    fn client(&self, number: u32, _of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(TpcbClient {
            random: Random::new(seed, u64::from(number)),
            draw: Draw { aid: 1, bid: 1, tid: 1, delta: 0 },
            plan: Arc::clone(&self.plan),
            connector: self.connector.clone(),
            connection: None,
            prepared: Vec::new(),
            text: Vec::new(),
        })
    }
}

struct TpcbClient {
    random: Random,
    /// The values of the transaction in progress, which a retry has too.
    draw: Draw,
    plan: Arc<TpcbSettings>,
    connector: Connector,
    connection: Option<Connection>,
    prepared: Vec<Option<Prepared>>,
    /// A reused buffer for SQL text.
    text: Vec<u8>,
}

impl TpcbClient {
    async fn open(&mut self, transport: Transport) -> Result<(), Error> {
        self.connection = None;
        self.prepared.clear();
        let mut connection = self.connector.connect(transport).await?;
        for verb in self.plan.verbs {
            self.prepared.push(match self.plan.prepare && verb.prepares() {
                true => Some(connection.prepare(verb.sql(self.plan.dialect)).await?),
                false => None,
            });
        }
        self.connection = Some(connection);
        Ok(())
    }

    #[inline]
    async fn send(&mut self, index: usize) -> Result<Reply, Error> {
        let Some(connection) = &mut self.connection else { return Err(Error::new(Class::Lost, msg!("not-connected"))) };
        let verb = self.plan.verbs[index];
        let (values, count) = self.draw.values(verb);
        let values = &values[..count];
        match self.prepared[index] {
            Some(prepared) => connection.execute(prepared, values).await,
            None if values.is_empty() => connection.query(verb.sql(self.plan.dialect)).await,
            None => {
                self.text.clear();
                fill_in(verb.sql(self.plan.dialect).as_bytes(), values, connection.quoting(), &mut self.text);
                connection.query_bytes(&self.text).await
            }
        }
    }
}

impl Client for TpcbClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(self.open(transport))
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            if context.attempt == 0 {
                self.draw = Draw::new(self.plan.scale, &mut self.random);
            }
            for index in 0..self.plan.verbs.len() {
                let reply = context.time(index, self.send(index)).await?;
                // An UPDATE that finds nothing gives no error: with fewer accounts than the scale says nothing would be measured.
                if self.plan.verbs[index] == Select
                    && reply.rows != 1
                    && !matches!(self.connection, Some(Connection::Null(_)))
                {
                    return Err(missing(self.draw.aid));
                }
            }
            Ok(0)
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        let mut all = self.connection.as_ref().map(Connection::memory).unwrap_or_default();
        all.push(MemoryRange::of(&*self.prepared));
        all
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Some(connection) = &mut self.connection {
                // There may be no transaction to end, and a lost connection is noticed at the next statement.
                let _ = connection.query("ROLLBACK").await;
            }
            Ok(())
        })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Some(connection) = self.connection.take() {
                connection.close().await;
            }
            Ok(())
        })
    }
}

#[cold]
fn missing(aid: i64) -> Error {
    Error::new(Class::Sql, msg!("tpcb-account-missing", aid)).hint(msg!("give-scale-of-tables"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(verbs: &'static [Verb], scale: u64, seed: u64) -> String {
        let mut random = Random::new(seed, 0);
        let draw = Draw::new(scale, &mut random);
        let line = |verb: &Verb| {
            let (values, count) = draw.values(*verb);
            let values: String = values[..count]
                .iter()
                .map(|v| if let Value::Int(n) = v { format!(" | {n}") } else { " | ?".into() })
                .collect();
            format!("{}{values}\n", verb.sql(Dialect::Postgres))
        };
        verbs.iter().map(line).collect()
    }

    #[test]
    fn seed_in_statements_out() {
        let text = transcript(TPCB, 3, 1);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[6]), (7, "BEGIN", "COMMIT"));
        let number = |line: &str, n: usize| line.split(" | ").nth(n).unwrap().parse::<i64>().unwrap();
        let history: Vec<i64> = (1..=4).map(|n| number(lines[5], n)).collect();
        let [tid, bid, aid, delta] = history[..] else { panic!() };
        assert_eq!((number(lines[1], 1), number(lines[1], 2), number(lines[2], 1)), (delta, aid, aid));
        assert_eq!((number(lines[3], 2), number(lines[4], 2)), (tid, bid));
        assert_eq!(text, transcript(TPCB, 3, 1), "a pure function of the seed");
        assert_ne!(text, transcript(TPCB, 3, 2));
        assert_eq!(transcript(SIMPLE, 3, 1).lines().count(), 5);
        assert_eq!(transcript(READ, 3, 1), format!("{}\n", lines[2]));
    }

    #[test]
    fn values_stay_within_the_tables() {
        let mut random = Random::new(7, 0);
        for _ in 0..20_000 {
            let Draw { aid, bid, tid, delta } = Draw::new(2, &mut random);
            assert!((1..=200_000).contains(&aid) && (1..=2).contains(&bid) && (1..=20).contains(&tid));
            assert!((-5000..=5000).contains(&delta));
        }
    }
}

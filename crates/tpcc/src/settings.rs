//! What all terminals of a run share: the options, and what the first connection read from the tables.

use super::deck::{MIXES, Mix};
use super::metadata;
use super::nurand::Constants;
use super::profile::{Profile, WORDS};
use super::set::Set;
use super::statements::Style;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use tenbin_driver::{Class, Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::tpcc::{BATCHED, TPCC_MYSQL};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::dialect::Dialect;

const SHARE: ValueType = ValueType::Count(0, 1_000_000);

pub(super) const OPTIONS: &[OptionSpec] = &[
    row(
        "warehouses",
        "1",
        ValueType::Count(1, 2_000_000),
        "number of warehouses in each set, over which the terminals are distributed",
    ),
    row("tables", "1", ValueType::Count(1, 1000), super::TABLE_SETS),
    row("numbered", "off", ValueType::Switch, super::NUMBERED),
    row(
        "profile",
        BATCHED,
        ValueType::Word(WORDS),
        "statements per transaction: batched: 7, for several rows each; tpcc-mysql: 37, row by row; the results of the two are not comparable",
    ),
    row(
        "mode",
        "saturate",
        ValueType::Word(&["saturate", "paced"]),
        "saturate: without pauses; paced: with the keying and think times of users",
    ),
    row(
        "pace",
        "1",
        ValueType::Number(0.0, 10.0),
        "paced: factor for keying and think times; 1: those of the specification",
    ),
    row(
        "pool",
        "0",
        ValueType::Count(0, 1_000_000),
        "number of connections that all terminals share; 0: each has its own",
    ),
    row(
        "home",
        "fixed",
        ValueType::Word(&["fixed", "random"]),
        "warehouse of a terminal: always the same, or a random one for each transaction",
    ),
    row(
        "mix",
        "deck",
        ValueType::Word(MIXES),
        "deck: 23 shuffled cards per terminal (10/10/1/1/1); cards: a deck as given by the next five options; weights: random draws with these weights",
    ),
    row("new_order", "45", SHARE, "mix = cards or weights: number of cards or weight of New-Order"),
    row("payment", "43", SHARE, "number of cards or weight of Payment"),
    row("order_status", "4", SHARE, "number of cards or weight of Order-Status"),
    row("delivery", "4", SHARE, "number of cards or weight of Delivery"),
    row("stock_level", "4", SHARE, "number of cards or weight of Stock-Level"),
    row(
        "deferred_delivery",
        "auto",
        ValueType::Word(&["auto", "on", "off"]),
        "on: deliveries are queued and executed by other connections; off: by their terminal; auto: on if paced",
    ),
    row(
        "deliverers",
        "0",
        ValueType::Count(0, 10_000),
        "number of connections that execute queued deliveries; 0: one per 8 terminals, per 1,000 if paced",
    ),
    row(
        "pipeline",
        "off",
        ValueType::Switch,
        "send statements that do not depend on each other together, which takes fewer round trips",
    ),
    row(
        "isolation",
        "auto",
        ValueType::Word(LEVELS),
        "isolation level of the transactions; server: the server's setting; auto: repeatable_read, or server with the profile tpcc-mysql",
    ),
];

const LEVELS: &[&str] = &["auto", "server", "read_committed", "repeatable_read", "serializable"];

/// Resolves `auto`.
pub(super) fn settle(options: &mut OptionMap) {
    let o = Resolved(options);
    let batched = Profile::named(o.text("profile")) == Profile::Batched;
    // tpcc-mysql queues none.
    let deferred = if o.text("mode") == "paced" && batched { "on" } else { "off" };
    let level = if batched { "repeatable_read" } else { "server" };
    for (name, value) in [("deferred_delivery", deferred), ("isolation", level)] {
        if options.get(name).is_some_and(|value| value == "auto") {
            options.insert(name.to_owned(), value.to_owned());
        }
    }
}

/// Resolved options.
#[derive(Debug)]
pub(super) struct TpccSettings {
    pub(super) style: Style,
    pub(super) profile: Profile,
    /// Of each set.
    pub(super) warehouses: u64,
    /// Sets of tables.
    pub(super) sets: Vec<Set>,
    pub(super) home_fixed: bool,
    pub(super) mix: Mix,
    /// The factor of keying and think times; `None`: there are none.
    pub(super) pace: Option<f64>,
    /// Connections that terminals share; 0: each has its own.
    pub(super) pool: u64,
    /// Whether deliveries are queued.
    pub(super) deferred: bool,
    /// The number of deliverers; 0: chosen by the number of terminals.
    pub(super) deliverers: u64,
    /// Whether statements that do not depend on each other are sent together.
    pub(super) pipeline: bool,
    /// Different for each plan of this process.
    pub(super) id: u64,
    /// Statements sent on each new connection.
    pub(super) setup: Vec<String>,
    /// Results have no meaning (the null driver, the null server).
    pub(super) null: bool,
    ground: OnceLock<TerminalGround>,
}

/// What was found in the tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct TerminalGround {
    pub(super) constants: Constants,
    /// Missing rows are no error, because there is no database.
    pub(super) lenient: bool,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

impl TpccSettings {
    pub(super) fn new(options: &OptionMap, connector: &Connector) -> Result<TpccSettings, Problem> {
        let o = Resolved(options);
        let mix = Mix::of(&o);
        if mix.is_empty() {
            return Err(Problem::new(msg!("no-transaction-weights")).hint(msg!("give-one-weight")));
        }
        let scheme = connector.dsn().scheme;
        let style = Style { dialect: Dialect::of(scheme) };
        if o.on("pipeline") && scheme.kind().is_embedded {
            return Err(Problem::new(msg!("pipeline-needs-server")).hint(msg!("leave-out-pipeline")));
        }
        if o.count("pool") > 0 && scheme.kind().is_embedded {
            return Err(Problem::new(msg!("pool-needs-server")).hint(msg!("leave-out-pool")));
        }
        let profile = Profile::named(o.text("profile"));
        if profile == Profile::TpccMysql {
            only_as_there(&o, scheme)?;
        }
        let mut setup = Vec::new();
        let level = o.text("isolation");
        let sql = level.to_ascii_uppercase().replace('_', " ");
        match scheme {
            Scheme::Mysql => setup.push("SET autocommit=0".to_owned()),
            Scheme::Postgres | Scheme::Sqlite | Scheme::Null | Scheme::Host => {}
        }
        match scheme {
            _ if level == "server" => {}
            Scheme::Mysql => setup.push(format!("SET SESSION TRANSACTION ISOLATION LEVEL {sql}")),
            Scheme::Postgres => {
                setup.push(format!("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {sql}"));
            }
            Scheme::Sqlite | Scheme::Null | Scheme::Host => {}
        }
        Ok(TpccSettings {
            style,
            profile,
            warehouses: o.count("warehouses"),
            sets: Set::all(o.count("tables"), o.on("numbered")),
            home_fixed: o.text("home") == "fixed",
            mix,
            pace: (o.text("mode") == "paced").then(|| o.number("pace")),
            pool: o.count("pool"),
            deferred: o.text("deferred_delivery") == "on",
            deliverers: o.count("deliverers"),
            pipeline: o.on("pipeline"),
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            setup,
            null: !scheme.kind().keeps_tables,
            ground: OnceLock::new(),
        })
    }

    /// What [`TpccSettings::ground`] found, if it was called.
    pub(super) fn known(&self) -> Option<&TerminalGround> {
        self.ground.get()
    }

    /// The properties of the tables, read once, by the first connection.
    pub(super) async fn ground(&self, c: &mut Connection, seed: u64) -> Result<TerminalGround, Error> {
        if let Some(ground) = self.ground.get() {
            return Ok(*ground);
        }
        let lenient = self.null || c.server_version().contains("null-server");
        let c_load = if lenient {
            None
        } else {
            for set in &self.sets {
                self.enough(*set, c).await?;
            }
            let metadata = metadata::read(c).await?;
            if metadata.is_some() && self.profile == Profile::TpccMysql {
                metadata::tpcc_mysql_runs(c).await?;
            }
            // Autocommit may be off: leave no transaction open.
            c.query("COMMIT").await.ok();
            metadata.map(|m| m.c_load)
        };
        let ground = TerminalGround { constants: Constants::of_run(seed, c_load), lenient };
        Ok(*self.ground.get_or_init(|| ground))
    }

    /// Fails if a set has fewer warehouses than requested.
    async fn enough(&self, set: Set, c: &mut Connection) -> Result<(), Error> {
        let there = c.table(&set.sql("SELECT COUNT(*) FROM warehouse")).await.map_err(name_the_loader)?;
        let (there, wanted) = (there.scalar().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0), self.warehouses);
        if there >= wanted {
            return Ok(());
        }
        let sets = Set::typed(&self.sets);
        Err(Error::new(Class::Sql, msg!("fewer-warehouses-complete", wanted, there)).hint(msg!(
            "set-warehouses-or-load",
            dsn = "DSN",
            there,
            sets,
            wanted
        )))
    }
}

/// Refuses options that would change tpcc-mysql's statements.
fn only_as_there(o: &Resolved<'_>, scheme: Scheme) -> Result<(), Problem> {
    let refused = |what: Message, hint: Message| {
        Err(Problem::new(msg!("profile-refused", profile = format_args!("{:?}", TPCC_MYSQL), why = what)).hint(hint))
    };
    if !scheme.kind().takes_mysql {
        return refused(msg!("profile-for-mysql"), msg!("leave-out-profile"));
    }
    if o.on("pipeline") {
        return refused(msg!("profile-one-statement"), msg!("leave-out-pipeline-or-profile"));
    }
    if o.text("deferred_delivery") == "on" {
        return refused(msg!("profile-no-queue"), msg!("leave-out-deferred-or-profile"));
    }
    Ok(())
}

/// For a statement that names a missing table: adds how to load it.
pub(super) fn name_the_loader(error: Error) -> Error {
    let missing = error.number() == Some(1146) || error.message().contains("no such table");
    if missing { error.hint(msg!("load-tpcc-first", dsn = "DSN")) } else { error }
}

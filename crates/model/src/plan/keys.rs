//! All keys of a plan: one row each, with its tables, the values it takes, its default and its meaning.
//!
//! The list is the definition: the parser looks up keys here, messages quote it, and the reference in
//! `doc/guide` is tested against it. [`LATER`] contains reserved keys that this version does not support yet.

use super::source::Diagnostic;
use crate::message::{Message, foreign};
use crate::msg;

/// A table of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// The top of the file.
    Top,
    /// `[defaults]`
    Defaults,
    /// `[metrics]`
    Metrics,
    /// `[targets.<name>]`
    Target,
    /// `[datasets.<name>]`
    Dataset,
    /// `[[experiment]]`
    Experiment,
    /// `[experiment.load]`
    Load,
    /// `[experiment.matrix]`
    Matrix,
}

/// One key.
#[derive(Debug, PartialEq)]
pub struct Key {
    /// The tables that may contain it.
    pub tables: &'static [Table],
    /// Its name.
    pub name: &'static str,
    /// Alternative names.
    pub also: &'static [&'static str],
    /// The values it takes.
    pub takes: &'static str,
    /// The default; empty if it is required or has no value if not given.
    pub default: &'static str,
    /// Its meaning in one sentence.
    pub meaning: &'static str,
    /// An example value in TOML.
    pub example: &'static str,
}

/// A reserved key that is not supported yet.
#[derive(Debug, PartialEq)]
pub struct Later {
    /// The table that contains it.
    pub table: Table,
    /// Its name.
    pub name: &'static str,
    /// The reason, as a part of a sentence.
    pub why: &'static str,
}

const fn key(
    tables: &'static [Table],
    name: &'static str,
    also: &'static [&'static str],
    takes: &'static str,
    default: &'static str,
    example: &'static str,
    meaning: &'static str,
) -> Key {
    Key { tables, name, also, takes, default, meaning, example }
}

use Table::{Dataset, Defaults, Experiment, Load, Matrix, Metrics, Target, Top};
const BOTH: &[Table] = &[Defaults, Experiment];

/// All keys, in reading order.
#[rustfmt::skip] // one row, one line: a table to read
pub const KEYS: &[Key] = &[
    key(&[Top], "schema", &[], "1", "", "1", "The version of the plan's shape."),
    key(&[Top], "name", &[], "text", "the first experiment's name", "\"flash-or-cloud\"", "The name of the run directory and the page."),
    key(&[Top], "seed", &[], "whole number", "1", "20251121", "The seed of everything random: the order of trials, keys and values."),
    key(&[Top], "lang", &[], "\"en\" or \"ja\"", "the environment's", "\"ja\"", "The language of the page."),
    key(&[Top], "defaults", &[], "table", "", "{ repeats = 3 }", "Defaults for all experiments."),
    key(&[Top], "metrics", &[], "table", "", "{ interval = \"1s\" }", "Settings of the observers."),
    key(&[Top], "targets", &[], "tables by name", "", "{ a = { dsn = \"null:\" } }", "The systems to compare; their names appear in tables and charts."),
    key(&[Top], "datasets", &[], "tables by name", "", "{ small = { tables = 1 } }", "The data sets in the databases."),
    key(&[Top], "experiment", &["experiments"], "list of tables", "", "[{ load = { workload = \"oltp_point_select\" } }]", "What is run: targets, data set, load and the matrix of varied parameters."),

    key(&[Experiment], "name", &[], "text", "the workload's name", "\"threads\"", "The experiment's name."),
    key(&[Experiment], "targets", &["target"], "list of names", "all, in the plan's order", "[\"a\"]", "The targets that are measured."),
    key(&[Experiment], "dataset", &[], "a name", "the only one; if there is none, the workload's own with its defaults", "\"small\"", "The data set that is loaded on them."),
    key(&[Experiment], "load", &[], "table", "", "{ workload = \"oltp_point_select\", clients = 8 }", "What the clients do, and when they do it."),
    key(&[Experiment], "matrix", &[], "table", "", "{ load.clients = [1, 8] }", "The varied parameters: each combination is a cell."),
    key(&[Experiment], "server", &[], "table", "", "{ sync_binlog = 1 }", "Server variables for every target of the experiment; they take precedence over the target's own."),
    key(BOTH, "repeats", &[], "whole number from 1", "3", "5", "The number of trials of each cell on each target."),
    key(BOTH, "order", &[], "\"random-block\", \"abba\" or \"sequential\"", "\"random-block\"", "\"abba\"", "The order in which repeats, cells and targets are run."),
    key(BOTH, "warmup", &["warm_up"], "duration", "\"30s\"", "\"60s\"", "Time under load before the measurement, which is not counted."),
    key(BOTH, "measure", &[], "duration", "\"300s\"", "\"5m\"", "Duration of the measurement; with load.operations its upper limit."),
    key(BOTH, "max_cell_time", &[], "duration", "", "\"30m\"", "A trial that ends after a number of transactions is stopped after this time and marked as truncated."),
    key(BOTH, "settle", &[], "duration or \"none\"", "\"none\"", "\"10s\"", "Pause between loading the data and starting the clients."),
    key(BOTH, "interval", &[], "duration", "\"1s\"", "\"500ms\"", "Length of a reporting interval."),
    key(BOTH, "restore", &[], "\"before-run\", \"never\" or \"require\"", "\"before-run\" for loads that write, else \"never\"", "\"never\"",
        "What is done with the data before a trial: drop and load it again, load it if it is missing, or require it as it is."),
    key(&[Metrics], "interval", &[], "duration", "\"1s\"", "\"1s\"", "The same as interval in [defaults]."),

    key(&[Target], "dsn", &["url"], "address", "", "\"mysql://bench@127.0.0.1:3306/sbtest\"", "Address of the database: mysql://, mariadb://, postgres://, postgresql://, sqlite: or null:; host: for this machine itself, host:DIRECTORY for its storage."),
    key(&[Target], "password_env", &[], "name of a variable", "", "\"BENCH_PASSWORD\"", "The environment variable that holds the password."),
    key(&[Target], "password_file", &[], "path", "", "\"bench.password\"", "The file that holds the password."),
    key(&[Target], "sandbox", &[], "\"mariadbd\", \"mysqld\", \"postgres\", a path, or \"sqlite\"", "", "\"mariadbd\"", "Start a private server for the run, and stop it afterwards."),
    key(&[Target], "server", &[], "table", "", "{ innodb_flush_log_at_trx_commit = 2 }", "Server variables of a sandbox, or pragmas of SQLite; sizes may be written \"1GiB\"."),
    key(&[Target], "allow", &[], "list of \"write-unmarked\", \"write-replica\", \"share-tables\"", "", "[\"write-unmarked\"]", "Permits what is otherwise refused: writing to tables that Tenbin did not create, writing to a replica or a read-only server, using tables that another run is using."),
    key(&[Target], "tls", &[], "\"disabled\", \"preferred\", \"required\", \"verify-ca\" or \"verify-identity\"", "\"preferred\"", "\"required\"", "Encryption of all connections."),
    key(&[Target], "tls_ca", &[], "path", "", "\"ca.pem\"", "The certificate authority that verify-ca and verify-identity trust."),
    key(&[Target], "tls_cert", &[], "path", "", "\"client.pem\"", "The client certificate, for servers that request one; requires tls_key."),
    key(&[Target], "tls_key", &[], "path", "", "\"client-key.pem\"", "The private key of tls_cert."),

    key(&[Dataset], "kind", &[], "a generator of `tenbin list`, or \"none\"", "\"sysbench\"", "\"sysbench\"", "The generator of the tables."),
    key(&[Dataset], "tables", &[], "whole number from 1", "the generator's", "8", "Number of tables."),
    key(&[Dataset], "table_size", &["rows"], "whole number from 0", "the generator's", "1_000_000", "Rows of each table."),
    key(&[Dataset], "streams", &[], "whole number from 1", "4", "4", "Number of connections that load concurrently."),

    key(&[Load], "kind", &[], "a family of workloads", "", "\"sysbench\"", "The family of the workload; if a family has a workload of the same name, that workload is the default."),
    key(&[Load], "workload", &["script"], "name", "", "\"oltp_read_write\"", "The workload that the clients run; `tenbin list` lists them all."),
    key(&[Load], "clients", &["threads", "connections"], "whole number from 1", "1", "64", "Number of concurrent clients, each with its own connection."),
    key(&[Load], "workers", &[], "\"auto\", \"per-client\" or a whole number", "\"auto\"", "2", "Number of threads that run the clients."),
    key(&[Load], "rate", &[], "number", "0", "200", "Intended starts per second of all clients together; 0: each client starts again as soon as it has ended."),
    key(&[Load], "arrivals", &[], "\"even\" or \"poisson\"", "\"poisson\"", "\"even\"", "Distribution of the intervals between intended starts."),
    key(&[Load], "overload", &[], "\"queue\", \"skip\" or \"stop\"", "\"queue\"", "\"skip\"", "What to do with a start for which no client is free."),
    key(&[Load], "overload_limit", &[], "whole number from 1", "100000", "1000", "Number of starts that may wait before queue skips and stop stops."),
    key(&[Load], "operations", &["ops", "events"], "whole number from 1", "", "100000", "Stop after this many transactions of all clients together."),
    key(&[Load], "operations_per_client", &["ops_per_client"], "whole number from 1", "", "1000", "The same, multiplied by the number of clients."),
    key(&[Load], "drain", &[], "duration", "\"0s\"", "\"10s\"", "Time that transactions in progress at the end of measure may take to finish; they are then counted."),
    key(&[Load], "observe", &[], "\"always\" or \"ends\"", "\"always\"", "\"ends\"", "When the server is observed: continuously, over a separate connection, or only before the clients connect and after they have disconnected."),
    key(&[Load], "retries", &[], "whole number", "10", "0", "Number of retries of a transaction after a deadlock or a lock wait timeout."),
    key(&[Load], "transient", &["transient_errors"], "\"known\", \"all\" or codes", "\"known\"", "\"1213, 1205\"", "Errors that count as conflicts and are retried: those that the driver knows, the listed codes of the server (numbers; SQLSTATEs for PostgreSQL), or all errors with a code."),
    key(&[Load], "on_lost", &[], "\"reconnect\" or \"give-up\"", "\"reconnect\"", "\"give-up\"", "What a client does when its connection is lost."),
    key(&[Load], "on_error", &[], "\"stop\" or \"count\"", "\"stop\"", "\"count\"", "What any other failed statement does: stop the trial, or be counted."),

    key(&[Matrix], "zip", &[], "list of lists of axes", "", "[[\"load.clients\", \"load.rate\"]]", "Axes whose values are combined in parallel instead of in every combination."),
    key(&[Matrix], "exclude", &[], "list of tables", "", "[{ \"load.clients\" = 8 }]", "Combinations to omit."),
];

/// Reserved keys, which this version rejects with a reason.
#[rustfmt::skip]
pub const LATER: &[Later] = &[
    Later { table: Top, name: "allow_drop", why: "later-top-allow-drop" },
    Later { table: Metrics, name: "host", why: "later-metrics-host" },
    Later { table: Metrics, name: "server", why: "later-metrics-server" },
    Later { table: Target, name: "pin", why: "later-target-pin" },
    Later { table: Target, name: "host", why: "later-target-host" },
    Later { table: Target, name: "cloud", why: "later-target-cloud" },
    Later { table: Target, name: "replicas", why: "later-target-replicas" },
    Later { table: Target, name: "apply", why: "later-target-apply" },
    Later { table: Target, name: "restore", why: "later-target-restore" },
    Later { table: Experiment, name: "watch", why: "later-experiment-watch" },
    Later { table: Experiment, name: "search", why: "later-experiment-search" },
    Later { table: Experiment, name: "check", why: "later-experiment-check" },
    Later { table: Experiment, name: "table", why: "later-experiment-table" },
    Later { table: Experiment, name: "chart", why: "later-experiment-chart" },
];

impl Key {
    /// How to write it, seen from `table`.
    pub fn way_to(&self, table: Table) -> Message {
        let (key, value) = (self.name, self.example);
        match self.tables.last().filter(|_| !self.tables.contains(&table)) {
            Some(home) => msg!("write-key-in", key, value, section = home.title()),
            None => msg!("write-key", key, value),
        }
    }
}

impl Later {
    /// The reason, as a sentence.
    pub fn reason(&self) -> Message {
        Message::new(self.why, [])
    }
}

impl Table {
    /// The same for use in a sentence.
    pub fn title(self) -> Message {
        match self {
            Top => msg!("top-of-plan"),
            other => foreign(other.header()),
        }
    }

    /// The table as it is written in a plan.
    pub fn header(self) -> &'static str {
        match self {
            Top => "the top of the plan",
            Defaults => "[defaults]",
            Metrics => "[metrics]",
            Target => "[targets.<name>]",
            Dataset => "[datasets.<name>]",
            Experiment => "[[experiment]]",
            Load => "[experiment.load]",
            Matrix => "[experiment.matrix]",
        }
    }

    /// Whether names that are not in the list are options of a workload or a data set.
    pub fn is_open(self) -> bool {
        matches!(self, Load | Dataset | Matrix)
    }
}

/// The meaning of a name in a table.
pub enum NameMatch {
    /// A key of the list.
    Key(&'static Key),
    /// An option, in a table that also takes other names.
    Option,
}

/// Names from other tools, and the keys that they mean.
const MEANT: &[(&str, &str)] = &[
    ("time", "measure"),
    ("duration", "measure"),
    ("max_time", "measure"),
    ("run_time", "measure"),
    ("runtime", "measure"),
    ("test_time", "measure"),
    ("warmup_time", "warmup"),
    ("report_interval", "interval"),
    ("max_requests", "operations"),
    ("num_threads", "clients"),
    ("concurrency", "clients"),
    ("iterations", "repeats"),
];

/// The key that is meant by a name of another tool, or of another table.
pub fn meant(name: &str) -> Option<&'static Key> {
    let name = name.replace('-', "_");
    let meant = MEANT.iter().find(|(theirs, _)| *theirs == name).map_or(name.as_str(), |(_, ours)| ours);
    KEYS.iter().find(|k| k.name == meant || k.also.contains(&meant))
}

/// Looks a name up.
pub fn find(table: Table, name: &str) -> Result<NameMatch, Diagnostic> {
    let canonical = name.replace('-', "_");
    if let Some(key) = of(table).find(|k| k.name == canonical || k.also.contains(&canonical.as_str())) {
        return Ok(NameMatch::Key(key));
    }
    if let Some(later) = LATER.iter().find(|l| l.table == table && l.name == canonical) {
        let thing = msg!("key-of", name = later.name, section = table.title());
        return Err(Diagnostic::not_yet(thing, later.reason(), msg!("take-out-key")));
    }
    if table.is_open() && nearly(&canonical, names(table)).is_none() {
        return Ok(NameMatch::Option);
    }
    Err(unknown(table, name))
}

fn unknown(table: Table, name: &str) -> Diagnostic {
    let what = msg!("key-unknown", key = format_args!("{name:?}"), section = table.title());
    let elsewhere = KEYS.iter().find(|k| !k.tables.contains(&table) && (k.name == name || k.also.contains(&name)));
    if elsewhere.is_none()
        && let Some(key) = meant(name).filter(|k| k.name != name)
    {
        return Diagnostic::new(what, key.way_to(table));
    }
    let hint = match (nearest(name, names(table)), elsewhere) {
        (Some(near), None) => msg!("write-it", near),
        (_, Some(key)) => {
            msg!("belongs-in-section", name, section = key.tables.last().map_or(foreign(""), |t| t.title()))
        }
        (None, None) => msg!("use-one-of-all", names = of(table).map(|k| k.name).collect::<Vec<_>>().join(", ")),
    };
    Diagnostic::new(what, hint)
}

/// The keys of one table.
pub fn of(table: Table) -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(move |k| k.tables.contains(&table))
}

fn names(table: Table) -> impl Iterator<Item = &'static str> {
    of(table).flat_map(|k| std::iter::once(k.name).chain(k.also.iter().copied()))
}

/// The name that was probably meant, if one is similar enough.
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|name| (strsim::jaro_winkler(typed, name), name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A typing error: one wrong letter, or two swapped. Stricter than [`nearest`], for tables that take other names too.
pub fn nearly<'a>(typed: &str, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let slips = if typed.len() > 5 { 2 } else { 1 };
    names.find(|name| strsim::damerau_levenshtein(typed, name) <= slips)
}

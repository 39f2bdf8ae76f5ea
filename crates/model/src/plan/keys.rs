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
    key(&[Top], "name", &[], "text", "the first experiment's name", "\"flash-or-cloud\"", "What the run directory and the page are called."),
    key(&[Top], "seed", &[], "whole number", "1", "20251121", "All randomness comes from it: the order of trials, keys and values."),
    key(&[Top], "lang", &[], "\"en\" or \"ja\"", "the environment's", "\"ja\"", "The language of the page."),
    key(&[Top], "defaults", &[], "table", "", "{ repeats = 3 }", "What holds for every experiment that does not say otherwise."),
    key(&[Top], "metrics", &[], "table", "", "{ interval = \"1s\" }", "What is observed, and how often."),
    key(&[Top], "targets", &[], "tables by name", "", "{ a = { dsn = \"null:\" } }", "The systems to weigh; the name is the one in tables and charts."),
    key(&[Top], "datasets", &[], "tables by name", "", "{ small = { tables = 1 } }", "What is in the databases."),
    key(&[Top], "experiment", &["experiments"], "list of tables", "", "[{ load = { workload = \"oltp_point_select\" } }]", "What is run: targets, data, load and the matrix of what is varied."),

    key(&[Experiment], "name", &[], "text", "the workload's name", "\"threads\"", "The experiment's name."),
    key(&[Experiment], "targets", &["target"], "list of names", "all, in the plan's order", "[\"a\"]", "Which targets are weighed."),
    key(&[Experiment], "dataset", &[], "a name", "the only one; when there is none, the workload's own with its defaults", "\"small\"", "Which data they hold."),
    key(&[Experiment], "load", &[], "table", "", "{ workload = \"oltp_point_select\", clients = 8 }", "What the clients do, and when."),
    key(&[Experiment], "matrix", &[], "table", "", "{ load.clients = [1, 8] }", "What is varied: every combination is a cell."),
    key(&[Experiment], "server", &[], "table", "", "{ sync_binlog = 1 }", "Server variables for every target of the experiment, over the target's own."),
    key(BOTH, "repeats", &[], "whole number from 1", "3", "5", "How often each cell is run on each target."),
    key(BOTH, "order", &[], "\"random-block\", \"abba\" or \"sequential\"", "\"random-block\"", "\"abba\"", "How repeats, cells and targets are interleaved."),
    key(BOTH, "warmup", &["warm_up"], "duration", "\"30s\"", "\"60s\"", "Driven, but not counted."),
    key(BOTH, "measure", &[], "duration", "\"300s\"", "\"5m\"", "Length of the measured window; with load.operations its upper limit."),
    key(BOTH, "max_cell_time", &[], "duration", "", "\"30m\"", "A trial that a count would end is cut off after so long, and marked as truncated."),
    key(BOTH, "settle", &[], "duration or \"none\"", "\"none\"", "\"10s\"", "Wait between loading and driving."),
    key(BOTH, "interval", &[], "duration", "\"1s\"", "\"500ms\"", "Length of a reporting interval."),
    key(BOTH, "restore", &[], "\"before-run\", \"never\" or \"require\"", "\"before-run\" for loads that write, else \"never\"", "\"never\"",
        "What happens to the data before a trial: dropped and loaded again, loaded when missing, or required as it is."),
    key(&[Metrics], "interval", &[], "duration", "\"1s\"", "\"1s\"", "The same as interval in [defaults]."),

    key(&[Target], "dsn", &["url"], "address", "", "\"mysql://bench@127.0.0.1:3306/sbtest\"", "Where the database is: mysql://, mariadb://, postgres://, postgresql://, sqlite: or null:; host: for this machine itself, host:DIRECTORY for its storage."),
    key(&[Target], "password_env", &[], "name of a variable", "", "\"BENCH_PASSWORD\"", "The environment variable that holds the password."),
    key(&[Target], "password_file", &[], "path", "", "\"bench.password\"", "The file that holds the password."),
    key(&[Target], "sandbox", &[], "\"mariadbd\", \"mysqld\", \"postgres\", a path, or \"sqlite\"", "", "\"mariadbd\"", "Start a private server for the run, and stop it after."),
    key(&[Target], "server", &[], "table", "", "{ innodb_flush_log_at_trx_commit = 2 }", "Server variables of a sandbox, or pragmas of SQLite; sizes may be written \"1GiB\"."),
    key(&[Target], "allow", &[], "list of \"write-unmarked\", \"write-replica\", \"share-tables\"", "", "[\"write-unmarked\"]", "What is refused otherwise: writing into tables that Tenbin did not make, writing to a replica or a read-only server, using tables that another run is using."),
    key(&[Target], "tls", &[], "\"disabled\", \"preferred\", \"required\", \"verify-ca\" or \"verify-identity\"", "\"preferred\"", "\"required\"", "How connections are encrypted; holds for every one of them."),
    key(&[Target], "tls_ca", &[], "path", "", "\"ca.pem\"", "The certificate authority that verify-ca and verify-identity trust."),
    key(&[Target], "tls_cert", &[], "path", "", "\"client.pem\"", "Our own certificate, for servers that ask for one; together with tls_key."),
    key(&[Target], "tls_key", &[], "path", "", "\"client-key.pem\"", "The key to it."),

    key(&[Dataset], "kind", &[], "a generator of `tenbin list`, or \"none\"", "\"sysbench\"", "\"sysbench\"", "Which generator makes the tables."),
    key(&[Dataset], "tables", &[], "whole number from 1", "the generator's", "8", "How many tables."),
    key(&[Dataset], "table_size", &["rows"], "whole number from 0", "the generator's", "1_000_000", "Rows of each table."),
    key(&[Dataset], "streams", &[], "whole number from 1", "4", "4", "How many connections load at once."),

    key(&[Load], "kind", &[], "a family of workloads", "", "\"sysbench\"", "The family the workload belongs to; one that has a workload of its own name means that workload."),
    key(&[Load], "workload", &["script"], "name", "", "\"oltp_read_write\"", "What the clients do; `tenbin list` shows all."),
    key(&[Load], "clients", &["threads", "connections"], "whole number from 1", "1", "64", "Concurrent users, each with its own connection."),
    key(&[Load], "workers", &[], "\"auto\", \"per-client\" or a whole number", "\"auto\"", "2", "Engine threads that carry the clients."),
    key(&[Load], "rate", &[], "number", "0", "200", "Intended starts per second of all clients together; 0: each client starts again as soon as it has ended."),
    key(&[Load], "arrivals", &[], "\"even\" or \"poisson\"", "\"poisson\"", "\"even\"", "How the gaps between intended starts are drawn."),
    key(&[Load], "overload", &[], "\"queue\", \"skip\" or \"stop\"", "\"queue\"", "\"skip\"", "What becomes of a start that finds no free client."),
    key(&[Load], "overload_limit", &[], "whole number from 1", "100000", "1000", "How many starts may wait before queue skips and stop stops."),
    key(&[Load], "operations", &["ops", "events"], "whole number from 1", "", "100000", "Stop after so many transactions in all."),
    key(&[Load], "operations_per_client", &["ops_per_client"], "whole number from 1", "", "1000", "The same, times the number of clients."),
    key(&[Load], "drain", &[], "duration", "\"0s\"", "\"10s\"", "How long transactions that are under way when measure ends may take to finish; they are counted then."),
    key(&[Load], "observe", &[], "\"always\" or \"ends\"", "\"always\"", "\"ends\"", "When the server is looked at: all the time, on a connection beside the clients', or before they connect and after they have gone."),
    key(&[Load], "retries", &[], "whole number", "10", "0", "Further attempts of a transaction after a deadlock or a lock wait timeout."),
    key(&[Load], "transient", &["transient_errors"], "\"known\", \"all\" or codes", "\"known\"", "\"1213, 1205\"", "Which errors count as conflicts to try again after: those the driver knows, these of the server's (numbers; PostgreSQL's SQLSTATEs), or all it gives a code."),
    key(&[Load], "on_lost", &[], "\"reconnect\" or \"give-up\"", "\"reconnect\"", "\"give-up\"", "What a client does when its connection is lost."),
    key(&[Load], "on_error", &[], "\"stop\" or \"count\"", "\"stop\"", "\"count\"", "What any other failed statement does to the trial."),

    key(&[Matrix], "zip", &[], "list of lists of axes", "", "[[\"load.clients\", \"load.rate\"]]", "Axes that step together instead of making every combination."),
    key(&[Matrix], "exclude", &[], "list of tables", "", "[{ \"load.clients\" = 8 }]", "Combinations to leave out."),
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

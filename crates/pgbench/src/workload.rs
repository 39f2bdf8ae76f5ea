//! The workload of pgbench's command line. In plans it stands so that a run by that name can be repeated from its directory.

use crate::builtin;
use crate::client::PgbenchClient;
use crate::settings::{Output, QueryMode, RunSettings, ScriptSource};
use crate::shared::{CommandText, RunCounts, Shared};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::tally::StatementKind;
use tenbin_model::workload::NO_DATA;
use tenbin_sql::language::{Command, CommandKind, ScriptError};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::names::distinct;
use tenbin_workload::options::{OptionMap, OptionSpec, Resolved, ValueType, row};
use tenbin_workload::tables::engines;
use tenbin_workload::{Client, TargetReach, Workload, WorkloadEntry};

/// The workload of this family.
pub const WORKLOADS: &[WorkloadEntry] = &[ENTRY];

/// The name of the workload in plans.
pub const NAME: &str = "pgbench";

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: NAME,
    about: "scripts as pgbench's command line runs them, on PostgreSQL; for plans see tpcb_like and sql",
    family: "pgbench",
    dataset: NO_DATA,
    options: &[OPTIONS],
    ..WorkloadEntry::made_by(|_, given, connector| Ok(Box::new(of_options(given, connector)?)))
};

const OPTIONS: &[OptionSpec] = &[
    row("builtin", "", ValueType::Text, "built-in scripts with their weights: tpcb-like@1 select-only@9"),
    row("files", "", ValueType::Text, "files of scripts with their weights, a line for each: script.sql@3"),
    row("texts", "", ValueType::Text, "scripts that are in no file: before each a line -- tenbin: script NAME@WEIGHT"),
    row("protocol", "simple", ValueType::Word(&["simple", "extended", "prepared"]), "how statements are sent"),
    row("scale", "1", ValueType::Count(1, 2_147_483_647), "the variable :scale"),
    row(
        "transactions_per_client",
        "0",
        ValueType::Count(0, 1 << 33),
        "transactions of each client; 0: until the time is over",
    ),
    row("max_tries", "1", ValueType::Count(0, 1 << 31), "attempts of a transaction; 0: without limit"),
    row("reconnect", "off", ValueType::Switch, "a new connection for each transaction"),
    row("define", "", ValueType::Text, "variables, a line for each: name=value"),
    row("random_seed", "0", ValueType::Count(0, u64::MAX), "the seed of all random numbers"),
    row(
        "seeded_clients",
        "1",
        ValueType::Count(1, 1 << 20),
        "clients, by which seeds are drawn: as many as the load has",
    ),
    row("seeded_threads", "1", ValueType::Count(1, 1 << 20), "threads of pgbench, by which seeds are drawn"),
];

/// A run by pgbench's name.
#[derive(Clone)]
pub struct PgbenchRun(Arc<Shared>);

/// Parses the scripts of a run.
pub fn made(
    settings: RunSettings,
    sources: &[ScriptSource],
    connector: Connector,
    output: Arc<dyn Output>,
) -> Result<PgbenchRun, ScriptError> {
    Shared::new(settings, sources, connector, output).map(|shared| PgbenchRun(Arc::new(shared)))
}

impl PgbenchRun {
    /// The workload to drive.
    pub fn workload(&self) -> Arc<dyn Workload> {
        Arc::new(Pgbench(Arc::clone(&self.0)))
    }

    /// What was counted so far.
    pub fn counts(&self) -> RunCounts {
        self.0.counts()
    }

    /// How long it took until all clients had connected.
    pub fn connecting(&self) -> Duration {
        self.0.connecting()
    }

    /// Hands on the lines of logs that are left.
    pub fn finish_logs(&self) {
        self.0.finish_logs();
    }

    /// Name, weight and commands of each script.
    pub fn scripts(&self) -> Vec<(String, i64, Vec<CommandText>)> {
        let commands = |n: usize| {
            self.0.scripts[n].commands.iter().map(|command| CommandText { line: reported(command) }).collect()
        };
        (0..self.0.scripts.len()).map(|n| (self.0.scripts[n].name.clone(), self.0.weights[n], commands(n))).collect()
    }
}

/// The line of a command in reports, where pgbench shows this many bytes of a statement at most.
fn reported(command: &Command) -> String {
    const MOST: usize = 127;
    let line = &command.first_line;
    match command.kind {
        CommandKind::Sql(_) => line[..line.floor_char_boundary(MOST)].to_owned(),
        _ => line.clone(),
    }
}

struct Pgbench(Arc<Shared>);

impl Workload for Pgbench {
    fn name(&self) -> &str {
        ENTRY.name
    }

    fn transactions(&self) -> Vec<String> {
        distinct(self.0.scripts.iter().map(|script| script.name.clone()))
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        let one = |command: &Command| match command.kind {
            CommandKind::Sql(_) => kind_of(&command.first_line),
            _ => StatementKind::Other,
        };
        let commands = || self.0.scripts.iter().flat_map(|script| &script.commands);
        distinct(commands().map(|command| command.first_line.clone())).into_iter().zip(commands().map(one)).collect()
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        Ok(engines::found(&self.0.connector, None).unwrap_or_default())
    }

    fn named_tables(&self) -> Option<Vec<String>> {
        tenbin_sql::named_tables(self.0.scripts.iter(), &self.0.connector)
    }

    fn paces(&self) -> bool {
        self.0.settings.throttle_us > 0.0
    }

    fn prepared_per_connection(&self) -> u32 {
        match self.0.settings.mode {
            QueryMode::Prepared => self.0.parsed.iter().flatten().flatten().count() as u32,
            QueryMode::Simple | QueryMode::Extended => 0,
        }
    }

    fn reach(&self) -> TargetReach {
        TargetReach { blocks: false, ..self.0.connector.reach() }
    }

    fn interrupt(&self) {
        self.0.interrupt();
    }

    fn client(&self, number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(PgbenchClient::new(Arc::clone(&self.0), number))
    }
}

/// Whether a statement reads or writes, by its first word.
fn kind_of(line: &str) -> StatementKind {
    let word = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("").to_ascii_lowercase();
    match word.as_str() {
        "select" | "with" | "values" | "table" | "show" => StatementKind::Read,
        "insert" | "update" | "delete" | "merge" | "copy" | "truncate" => StatementKind::Write,
        _ => StatementKind::Other,
    }
}

/// What the line before a text in the option `texts` begins with.
pub const TEXT_BEGINS: &str = "-- tenbin: script ";

/// The most bytes of a script.
pub const LONGEST_SCRIPT: u64 = 256 << 20;

/// Says nothing: what went wrong is counted.
pub(crate) struct Silent;

impl Output for Silent {
    fn tell(&self, _line: &str) {}
    fn error(&self, _line: &str) {}
    fn plain(&self, _line: &str) {}
    fn log(&self, _thread: u32, _lines: &str) {}
    fn aborted(&self, _thread: usize) {}
}

/// A name and the weight behind it: `script.sql@3`.
fn weighted(word: &str) -> (String, i64) {
    match word.rsplit_once('@') {
        Some((name, weight)) if weight.parse::<i64>().is_ok() => (name.to_owned(), weight.parse().unwrap_or(1)),
        _ => (word.to_owned(), 1),
    }
}

/// The files of scripts that options name.
pub fn files(options: &OptionMap) -> Vec<String> {
    options.get("files").into_iter().flat_map(|files| files.lines()).map(|line| weighted(line).0).collect()
}

/// Gives the files of scripts other names in the option that names them.
pub fn rename_files(options: &mut OptionMap, mut name: impl FnMut(&str) -> String) {
    if let Some(files) = options.get_mut("files") {
        let renamed = files.lines().map(weighted).map(|(file, weight)| format!("{}@{weight}", name(&file)));
        *files = renamed.collect::<Vec<_>>().join("\n");
    }
}

/// From the options of a plan.
fn of_options(given: &OptionMap, connector: Connector) -> Result<Pgbench, Problem> {
    let o = Resolved(given);
    let wrong = |what: String| Problem::new(msg!("pgbench-script-wrong")).evidence(foreign(what));
    let mut sources = Vec::new();
    for (name, weight) in o.text("builtin").split_whitespace().map(weighted) {
        let builtin =
            builtin::find(&name).map_err(|_| wrong(format!("no builtin script found for name \"{name}\"")))?;
        sources.push(ScriptSource { name: builtin.title.to_owned(), text: builtin.text.into(), weight });
    }
    for (name, weight) in o.text("files").lines().map(weighted) {
        let text = tenbin_intake::file(Path::new(&name), LONGEST_SCRIPT).map_err(|e| wrong(format!("{name}: {e}")))?;
        sources.push(ScriptSource { name, text, weight });
    }
    for line in o.text("texts").lines() {
        match (line.strip_prefix(TEXT_BEGINS), sources.last_mut()) {
            (Some(name), _) => {
                let (name, weight) = weighted(name);
                sources.push(ScriptSource { name, text: Vec::new(), weight });
            }
            (None, Some(last)) => last.text.extend_from_slice(format!("{line}\n").as_bytes()),
            (None, None) => return Err(wrong(format!("texts: {line}"))),
        }
    }
    if sources.is_empty() {
        let first = builtin::ALL[0];
        sources.push(ScriptSource { name: first.title.to_owned(), text: first.text.into(), weight: 1 });
    }
    let variable = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = RunSettings {
        mode: match o.text("protocol") {
            "prepared" => QueryMode::Prepared,
            "extended" => QueryMode::Extended,
            _ => QueryMode::Simple,
        },
        clients: o.count32("seeded_clients"),
        threads: o.count32("seeded_threads"),
        transactions: o.count("transactions_per_client"),
        duration: None,
        connect_each: o.on("reconnect"),
        variables: o.text("define").lines().filter_map(variable).collect(),
        scale: o.count("scale") as i64,
        seed: o.count("random_seed"),
        throttle_us: 0.0,
        latency_limit: None,
        max_tries: o.count32("max_tries"),
        verbose_errors: false,
        debug: false,
        per_command: false,
        continue_on_error: false,
        log: None,
    };
    let shared = Shared::new(settings, &sources, connector, Arc::new(Silent)).map_err(|e| wrong(e.as_pgbench()))?;
    Ok(Pgbench(Arc::new(shared)))
}

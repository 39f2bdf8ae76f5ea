//! What a script's own prepare command creates, as a data set of plans: `dataset = "script"`, or a section with
//! `kind = "script"` and `script = "orders.lua"`.
//!
//! Nobody but the script knows its tables. Those that exist after its prepare and did not before get our mark, with a digest of
//! the script's text and of its options; a later trial finds them by it, and only they are dropped. The script's cleanup runs
//! only where all tables of the schema have the mark, because it drops by name.

use crate::{Script, Source};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_model::workload::SCRIPT_DATA;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::OptionMap;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Described};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::{Dataset, DatasetState, Progress, canonical};

/// The option of the data set that names its script.
pub const SCRIPT: &str = "script";
/// The option of a recorded data set that has the digest of the script's text: copies of data are found by all options.
const DIGEST: &str = "script_digest";
/// How often a running command is asked whether it has ended, or been stopped.
const POLL: Duration = Duration::from_millis(20);

/// The data that the script named in these options creates. Fails if there is no such script, or it cannot be compiled; runs
/// nothing of it.
pub fn dataset(options: &OptionMap, scheme: Scheme) -> Result<Box<dyn Dataset>, Problem> {
    let mut own = canonical(options);
    own.remove(DIGEST);
    let Some(path) = own.remove(SCRIPT) else {
        return Err(Problem::new(msg!("dataset-without-script", option = SCRIPT)).hint(msg!("name-script-of-dataset")));
    };
    let text = text_of(&path)?;
    Ok(Box::new(ScriptData { path, text, own, dialect: Dialect::of(scheme), scheme }))
}

/// The options of such a data set, with the digest of the script's text.
pub fn options_of(given: &OptionMap) -> Result<OptionMap, Problem> {
    let mut all = canonical(given);
    if let Some(path) = all.get(SCRIPT) {
        let digest = digest(&text_of(path)?, &OptionMap::new());
        all.insert(DIGEST.to_owned(), digest);
    }
    Ok(all)
}

/// Whether this name of an option is of the data set, and not of the script.
pub(crate) fn is_of_dataset(option: &str) -> bool {
    [SCRIPT, DIGEST].contains(&option)
}

/// The text that decides whether the script has changed: of a file, or the name of a module of ours.
fn text_of(path: &str) -> Result<Vec<u8>, Problem> {
    let source = Source::find(path)?;
    crate::machine::compiles(&source)?;
    Ok(match &source {
        Source::File(path) => tenbin_intake::file(Path::new(path), tenbin_intake::SMALL).unwrap_or_default(),
        Source::Module(name) => name.clone().into_bytes(),
        Source::Text(text) => text.clone().into_bytes(),
    })
}

/// Identifies text and options, in 32 hexadecimal digits.
fn digest(text: &[u8], options: &OptionMap) -> String {
    let mut sum = Sha256::new_with_prefix(text);
    for (name, value) in options {
        sum.update(format!("\0{name}={value}"));
    }
    tenbin_words::hex::hex(&sum.finalize()[..16])
}

struct ScriptData {
    path: String,
    text: Vec<u8>,
    /// The script's own options.
    own: OptionMap,
    dialect: Dialect,
    scheme: Scheme,
}

/// One table with the mark of such a data set.
struct Ours {
    name: String,
    complete: bool,
    /// The digest of the script and its options.
    digest: String,
    /// The digest of its columns when it was marked.
    shape: String,
}

impl ScriptData {
    fn open(&self, command: &str, streams: u32, seed: u64, connector: Connector) -> Result<Script, Problem> {
        let mut given = self.own.clone();
        given.insert("threads".into(), streams.to_string());
        given.insert("rand_seed".into(), seed.to_string());
        Script::open(&self.path, Some(command), &given, connector)
    }

    fn digest(&self) -> String {
        digest(&self.text, &self.own)
    }

    async fn looked(&self, c: &mut Connection) -> Result<Result<DatasetState, Problem>, Error> {
        let ours = match self.ours(c).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        let wanted = self.digest();
        Ok(Ok(if ours.is_empty() {
            DatasetState::Nothing
        } else if let Some(half) = ours.iter().find(|table| !table.complete) {
            DatasetState::Different {
                ours: true,
                problem: Problem::new(msg!("table-half-loaded", table = half.name)).hint(msg!("load-script-again")),
            }
        } else if ours.iter().any(|table| table.digest != wanted) {
            DatasetState::Different {
                ours: true,
                problem: Problem::new(msg!("tables-of-another-script", script = self.path))
                    .evidence(msg!("mark-has-another-digest", table = ours[0].name))
                    .hint(msg!("load-script-again")),
            }
        } else {
            DatasetState::Ready { ours: true }
        }))
    }

    /// The existing tables with the mark of a script's data.
    async fn ours(&self, c: &mut Connection) -> Result<Result<Vec<Ours>, Problem>, Error> {
        let there = names(self.dialect, c).await?;
        let found = match catalogue::read_named(self.dialect, c, &[mark::NAME]).await? {
            Ok(found) if found.contains_key(mark::NAME) => found,
            Ok(_) => return Ok(Ok(Vec::new())),
            Err(problem) => return Ok(Err(problem)),
        };
        if let Err(problem) = mark::read(c, &found).await? {
            return Ok(Err(problem));
        }
        let sql =
            format!("SELECT name, complete, options FROM {} WHERE dataset='{SCRIPT_DATA}' ORDER BY name", mark::NAME);
        let rows = c.table(&sql).await?.rows.into_iter();
        let marked = rows.filter_map(|row| {
            let [name, complete, digests] = <[_; 3]>::try_from(row).ok()?.map(Option::unwrap_or_default);
            let (digest, shape) = digests.split_once(' ').unwrap_or_default();
            Some(Ours { name, complete: complete == "1", digest: digest.to_owned(), shape: shape.to_owned() })
        });
        Ok(Ok(marked.filter(|table| there.contains(&table.name)).collect()))
    }

    /// Marks the tables that were created since; returns their number.
    async fn mark(
        &self,
        c: &mut Connection,
        before: &BTreeSet<String>,
        complete: bool,
    ) -> Result<Result<usize, Problem>, Error> {
        let created: Vec<String> = names(self.dialect, c).await?.difference(before).cloned().collect();
        let plain = |name: &&String| {
            !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_$-. ".contains(&b)) || name.len() > 64
        };
        if let Some(name) = created.iter().find(plain) {
            let what = Problem::new(msg!("table-cannot-be-marked", table = name));
            return Ok(Err(what.evidence(msg!("names-that-can-be-marked")).hint(msg!("name-table-otherwise"))));
        }
        let wanted: Vec<&str> = created.iter().map(String::as_str).collect();
        let found = match catalogue::read_named(self.dialect, c, &wanted).await? {
            Ok(found) => found,
            Err(problem) => return Ok(Err(problem)),
        };
        for name in &created {
            let shape = found.get(name).map(shape).unwrap_or_default();
            mark::leave(c, name, SCRIPT_DATA, 0, &format!("{} {shape}", self.digest())).await?;
            if complete {
                mark::complete(c, name).await?;
            }
        }
        Ok(Ok(created.len()))
    }
}

/// Identifies the columns of a table: another one that got its name meanwhile is not ours.
fn shape(table: &Described) -> String {
    let columns: String = table.columns.iter().map(|(name, kind)| format!("{name} {kind:?},")).collect();
    digest(columns.as_bytes(), &OptionMap::new())
}

/// The tables of the current schema, our mark's left out.
async fn names(dialect: Dialect, c: &mut Connection) -> Result<BTreeSet<String>, Error> {
    let sql = match dialect {
        Dialect::Mysql => {
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE NOT LIKE '%VIEW%'"
        }
        Dialect::Postgres => {
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        }
        Dialect::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    };
    let rows = c.table(sql).await?.rows.into_iter();
    Ok(rows.filter_map(|row| row.into_iter().next()?).filter(|name| name != mark::NAME).collect())
}

/// Runs a command, which a request to stop ends.
pub fn run_command(script: &Script, command: &str, threads: u32, stop: &StopSignal) -> Result<(), Problem> {
    std::thread::scope(|scope| {
        let running = scope.spawn(|| script.run_command(command, threads));
        while !running.is_finished() {
            std::thread::sleep(POLL);
            if stop.asked() {
                script.interrupt();
            }
        }
        running.join().unwrap_or_else(|_| Err(Problem::new(msg!("script-thread-panicked"))))
    })
}

impl Dataset for ScriptData {
    fn kind(&self) -> &str {
        SCRIPT_DATA
    }

    fn rows(&self) -> u64 {
        0
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn prepared_by(&self) -> Option<&str> {
        Some(&self.path)
    }

    fn statements(&self) -> Vec<String> {
        vec![mark::CREATE.to_owned(), format!("-- what the command prepare of {} sends", self.path)]
    }

    fn is_loaded(&self) -> Result<bool, Problem> {
        let script = self.open("prepare", 1, 0, Connector::nowhere(self.scheme)?)?;
        Ok(script.commands().iter().any(|command| command.name == "prepare"))
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        if !self.scheme.kind().keeps_tables {
            return Ok(DatasetState::Ready { ours: false });
        }
        with_connection(connector, msg!("looking-at-tables"), async |c| self.looked(c).await)
    }

    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        _progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        let doing = || msg!("marking-tables-of-script");
        let before = with_connection(connector, doing(), async |c| {
            mark::create(c).await?;
            names(self.dialect, c).await.map(Ok)
        })?;
        let script = self.open("prepare", streams, seed, connector.clone())?;
        let outcome = run_command(&script, "prepare", streams, stop);
        let whole = outcome.is_ok() && !stop.asked();
        let created = with_connection(connector, doing(), async |c| self.mark(c, &before, whole).await);
        outcome?;
        match created? {
            0 if whole => Err(Problem::new(msg!("script-prepare-made-no-table", script = self.path))
                .evidence(msg!("tables-in-schema", tables = before.len()))
                .hint(msg!("script-without-data-of-its-own"))),
            _ => Ok(Vec::new()),
        }
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        let doing = || msg!("dropping-tables");
        let (shapes, only_ours) = with_connection(connector, doing(), async |c| {
            let there = names(self.dialect, c).await?;
            let found = match catalogue::read(self.dialect, c, "").await? {
                Ok(found) => found,
                Err(problem) => return Ok(Err(problem)),
            };
            Ok(self.ours(c).await?.map(|ours| {
                let shapes: BTreeMap<String, String> =
                    ours.into_iter().map(|table| (table.name, table.shape)).collect();
                let is_ours = |name: &String| found.get(name).map(shape).as_ref() == shapes.get(name);
                let only_ours = !shapes.is_empty() && there.iter().all(is_ours);
                (shapes, only_ours)
            }))
        })?;
        if only_ours {
            let script = self.open("cleanup", 1, 0, connector.clone())?;
            if script.commands().iter().any(|command| command.name == "cleanup") {
                // Of tables that were half prepared it may not find one; what it leaves is dropped by the mark.
                let _left_over = script.run_command("cleanup", 1);
            }
        }
        with_connection(connector, doing(), async |c| {
            let found = match catalogue::read(self.dialect, c, "").await? {
                Ok(found) => found,
                Err(problem) => return Ok(Err(problem)),
            };
            if self.dialect == Dialect::Mysql {
                // Tables that refer to each other are dropped in any order; it holds for this session only.
                c.query("SET SESSION foreign_key_checks=0").await?;
            }
            let recognise = |name: &str, found: &Described| match shapes.get(name) {
                Some(known) if *known == shape(found) => Ok(()),
                _ => Err(msg!("table-has-other-columns-now")),
            };
            mark::drop_marked_if(c, &found, SCRIPT_DATA, &[], &recognise).await
        })
    }
}

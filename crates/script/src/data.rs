//! What a script's own prepare command creates, as a data set of plans and of `tenbin load`: `dataset = "script"`, or a section
//! with `kind = "script"` and `script = "orders.lua"`.
//!
//! Only the script knows its tables. Those that exist after its prepare and did not before, and that its statements name, get our mark, with a digest of
//! the script's text and of its options; a later trial finds them by it, and only they are dropped. The script's cleanup runs
//! only where all tables of the schema have the mark, because it drops by name.

use crate::{Script, Source};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::dsn::Scheme;
use tenbin_model::stop::StopSignal;
use tenbin_model::workload::SCRIPT_DATA;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::options::OptionMap;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Described};
use tenbin_workload::tables::created::{self, CreatedTable, NewTables};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::{Dataset, DatasetState, Progress, canonical};

/// The option of the data set that names its script.
pub const SCRIPT: &str = "script";
/// The option of a recorded data set that has the digest of the script's text: copies of data are found by all options.
const DIGEST: &str = "script_digest";
/// What stands before the name of the script in the digest of a mark.
const NAMED: &str = ".";
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
    Ok(source.text())
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

impl ScriptData {
    fn open(&self, command: &str, streams: u32, seed: u64, connector: Connector) -> Result<Script, Problem> {
        let mut given = self.own.clone();
        given.insert("threads".into(), streams.to_string());
        given.insert("rand_seed".into(), seed.to_string());
        Script::open(&self.path, Some(command), &given, connector)
    }

    /// Of text and options, and of the name of the file, by which a changed text is told from another script.
    fn digest(&self) -> String {
        format!("{}{NAMED}{}", digest(&self.text, &self.own), self.name())
    }

    fn name(&self) -> String {
        let name = Path::new(&self.path).file_name().unwrap_or_default();
        digest(name.as_encoded_bytes(), &OptionMap::new())[..8].to_owned()
    }

    /// Whether a script in a file of another name made it, as far as its mark says so.
    fn is_of_other_script(&self, table: &CreatedTable) -> bool {
        table.digest.split_once(NAMED).is_some_and(|(_, name)| name != self.name())
    }

    async fn looked(&self, c: &mut Connection) -> Result<Result<DatasetState, Problem>, Error> {
        let ours = match created::ours(self.dialect, c, SCRIPT_DATA).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        let wanted = self.digest();
        Ok(Ok(if ours.is_empty() {
            DatasetState::Nothing
        } else if let Some(other) = ours.iter().find(|table| self.is_of_other_script(table)) {
            let problem = Problem::new(msg!("table-of-other-script", table = other.name, script = self.path));
            let hint = msg!("drop-tables-of-script-yourself", script = shell::word(&self.path));
            DatasetState::Different { ours: true, problem: problem.hint(hint) }
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
            DatasetState::Ready { ours: ours.iter().all(|table| table.current) }
        }))
    }
}

/// Identifies the columns of a table: another one that got its name meanwhile is not ours.
fn shape(table: &Described) -> String {
    let columns: String = table.columns.iter().map(|(name, kind)| format!("{name} {kind:?},")).collect();
    digest(columns.as_bytes(), &OptionMap::new())
}

/// Runs a command, which a request to stop ends.
fn run_command(script: &Script, command: &str, threads: u32, stop: &StopSignal) -> Result<(), Problem> {
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
            created::names(self.dialect, c).await.map(Ok)
        })?;
        let script = self.open("prepare", streams, seed, connector.clone())?;
        let outcome = run_command(&script, "prepare", streams, stop);
        let whole = outcome.is_ok() && !stop.asked();
        let texts = script.0.shared.texts.all();
        let created = with_connection(connector, doing(), async |c| {
            let since = (&before, &texts[..]);
            created::mark_new(self.dialect, c, (SCRIPT_DATA, &self.digest()), since, (whole, &shape)).await
        });
        outcome?;
        let NewTables { ours, of_others } = created?;
        if ours.is_empty() && whole {
            return Err(Problem::new(msg!("script-prepare-made-no-table", script = self.path))
                .evidence(msg!("tables-in-schema", tables = before.len()))
                .hint(msg!("script-without-data-of-its-own")));
        }
        let note = |table| Problem::new(msg!("table-beside-those-of-script", table, script = self.path));
        Ok(of_others.into_iter().map(note).collect())
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        let doing = || msg!("dropping-tables");
        let only_ours = with_connection(connector, doing(), async |c| {
            let there = created::names(self.dialect, c).await?;
            let catalogue = match catalogue::read(self.dialect, c, "").await? {
                Ok(catalogue) => catalogue,
                Err(problem) => return Ok(Err(problem)),
            };
            Ok(created::ours(self.dialect, c, SCRIPT_DATA).await?.and_then(|ours| {
                if ours.is_empty() && !there.is_empty() {
                    return Err(Problem::new(msg!("no-table-marked-for-script", script = self.path))
                        .evidence(msg!("tables-in-schema", tables = there.len()))
                        .hint(msg!("drop-tables-of-script-yourself", script = shell::word(&self.path))));
                }
                // The command drops by name, also a table that somebody else has put in the place of ours.
                let ours = ours.into_iter().filter(|table| table.current);
                let shapes: BTreeMap<String, String> = ours.map(|table| (table.name, table.shape)).collect();
                let is_ours = |name: &String| catalogue.get(name).map(shape).as_ref() == shapes.get(name);
                Ok(!shapes.is_empty() && there.iter().all(is_ours))
            }))
        })?;
        if only_ours {
            let script = self.open("cleanup", 1, 0, connector.clone())?;
            if script.commands().iter().any(|command| command.name == "cleanup") {
                // Of tables that were half prepared it may not find one; what it leaves is dropped by the mark.
                let _left_over = script.run_command("cleanup", 1);
            }
        }
        with_connection(connector, doing(), async |c| created::drop_ours(self.dialect, c, SCRIPT_DATA, &shape).await)
    }
}

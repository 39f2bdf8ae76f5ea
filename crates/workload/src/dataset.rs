//! The seam between what is in a database (here) and when it is loaded or put back (the lab).

use std::path::PathBuf;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// Rows done so far, told while loading. Called from any thread.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// Rows examined so far, and about how many it will be in all, told while checking. Called from any thread.
pub type Examined<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Tables of one kind and size.
pub trait Dataset: Send + Sync {
    /// The generator's name: `sysbench`, ….
    fn kind(&self) -> &str;
    /// How many rows a complete load has.
    fn rows(&self) -> u64;
    /// What rows are called where they are told: bytes, for what has no rows.
    fn unit(&self) -> &'static str {
        "rows"
    }
    /// About how many bytes they take on disk, indexes included.
    fn bytes(&self) -> u64;
    /// Where on this machine its files lie, when it is no database that keeps them.
    fn directory(&self, _connector: &Connector) -> Option<PathBuf> {
        None
    }
    /// The statements that create, and those that drop, as `plan check` shows them.
    fn statements(&self) -> Vec<String>;
    /// The schema that it makes and drops whole, when it has one of its own; else its tables are where the address leads.
    fn schema(&self) -> Option<&str> {
        None
    }
    /// Whether a load may be one of several that bring parts of the same tables at once.
    fn in_parts(&self) -> bool {
        false
    }
    /// Looks at what is there, changing nothing.
    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem>;
    /// Creates and fills the tables with `streams` streams at once, and leaves our mark. Fails when any of them exists. Answers
    /// with what the server would not do and could be left out.
    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem>;
    /// Makes what is missing beside what is there, whoever made that, telling of each thing before what becomes of it;
    /// answers with the bytes written. Only for an old tool's name, where that tool would.
    fn load_named(
        &self,
        _connector: &Connector,
        _seed: u64,
        _tell: &dyn Fn(PartState, &str),
        _stop: &StopSignal,
    ) -> Result<u64, Problem> {
        Err(Problem::new(msg!("loaded-only-where-alone", kind = self.kind())))
    }
    /// What is to be done after a trial has been driven, not measured: most have nothing.
    fn after(&self, _connector: &Connector) -> Result<(), Problem> {
        Ok(())
    }
    /// Drops the tables if they carry our mark; refuses otherwise.
    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem>;
    /// Drops whatever has the tables' names, marked or not, telling each name before. Only for an old tool's name, where
    /// that tool would.
    fn drop_named(&self, _connector: &Connector, _tell: &dyn Fn(&str)) -> Result<(), Problem> {
        Err(Problem::new(msg!("dropped-only-with-mark", kind = self.kind())))
    }
    /// Reads the tables once, so that the server has them in memory, telling each name before.
    fn warm(&self, _connector: &Connector, _tell: &dyn Fn(&str)) -> Result<(), Problem> {
        Err(Problem::new(msg!("kind-not-read-beforehand", kind = self.kind())))
    }
    /// When [`Dataset::check`] is wanted by itself.
    fn checks(&self) -> When {
        When::default()
    }
    /// Looks whether what is in the tables agrees with itself, with `streams` connections at once; empty where there is
    /// nothing to agree. Writes nothing. `fresh`: nothing has run on them since the load.
    fn check(
        &self,
        _connector: &Connector,
        _streams: u32,
        _fresh: bool,
        _progress: Examined<'_>,
        _stop: &StopSignal,
    ) -> Result<Vec<Checked>, Problem> {
        Ok(Vec::new())
    }
}

/// What becomes of a thing that [`Dataset::load_named`] wants to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartState {
    /// It was not there, or was empty.
    New,
    /// A part of it was there.
    Longer,
    /// It is left as it is.
    Kept,
}

/// When a data set is to be checked by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct When {
    /// After it was loaded.
    pub load: bool,
    /// After each trial on it.
    pub run: bool,
}

/// One condition that the rows must meet, and whether they do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Its name: `condition 1`.
    pub name: String,
    /// What it says.
    pub says: String,
    /// Rows examined.
    pub rows: u64,
    /// Rows or groups of rows that violate it.
    pub wrong: u64,
    /// One that does.
    pub example: Option<String>,
    /// How long its statements took, added up over the connections that looked at once.
    pub took: Duration,
    /// Why it was not looked at.
    pub left_out: Option<String>,
}

impl Checked {
    /// Whether it holds, as far as it was looked at.
    pub fn holds(&self) -> bool {
        self.wrong == 0
    }

    /// All together as one problem; `None` when all hold.
    pub fn problem(all: &[Checked]) -> Option<Problem> {
        let wrong: Vec<String> = all
            .iter()
            .filter(|c| !c.holds())
            .map(|c| {
                let example = c.example.as_ref().map(|e| format!(", such as {e}")).unwrap_or_default();
                format!("{} ({}): {} violations{example}", c.name, c.says, c.wrong)
            })
            .collect();
        let what = msg!("tables-inconsistent", wrong = wrong.len(), all = all.len());
        (!wrong.is_empty())
            .then(|| Problem::new(what).evidence(foreign(wrong.join("\n"))).hint(msg!("do-not-use-results")))
    }
}

/// What an inspection found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatasetState {
    /// None of the tables is there.
    Nothing,
    /// All are there with the right shape and size. `ours`: they carry our mark and may be dropped.
    Ready {
        /// Whether they carry our mark.
        ours: bool,
    },
    /// Ours, but not all of it: a load broke off or fewer are there than wanted. [`Dataset::load`] adds the rest.
    Unfinished {
        /// What is missing, and how to go on.
        problem: Problem,
    },
    /// Something is there that does not fit.
    Different {
        /// Whether it carries our mark and may be dropped.
        ours: bool,
        /// What does not fit.
        problem: Problem,
    },
}

//! The interface between the content of a database (here) and when it is loaded or restored (the lab).

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Callback for the number of rows loaded so far. Called from any thread.
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);

/// Callback for the number of rows examined so far, and the estimated total. Called from any thread.
pub type Examined<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Callback for the steps of [`Dataset::load_each`], before each, with the table's name. Called from any thread.
pub type Steps<'a> = &'a (dyn Fn(LoadStep, &str) + Sync);

/// Loads all slices of a data set, each by a process of its own; returns how many rows they have inserted.
pub type LoadSlices<'a> = &'a mut dyn FnMut() -> Result<u64, Problem>;

/// One of the slices into which the rows of a data set are divided, for several processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatasetSlice {
    /// Which, from 0.
    pub number: u32,
    /// How many slices there are, at least 1.
    pub of: u32,
}

impl DatasetSlice {
    /// The slice's rows `from..to` of `all`, which are divided into contiguous slices of almost equal size.
    pub fn rows(self, all: u64) -> Range<u64> {
        let start = |number: u32| {
            let before = u128::from(all) * u128::from(number) / u128::from(self.of.max(1));
            u64::try_from(before).unwrap_or(all)
        };
        start(self.number)..start(self.number + 1)
    }

    /// Whether it has the piece of this number, if pieces are dealt out one after the other.
    pub fn has(self, piece: u64) -> bool {
        piece % u64::from(self.of.max(1)) == u64::from(self.number)
    }

    /// Its share of this many connections that all slices have; at least one.
    pub fn streams(self, all: u32) -> u32 {
        let of = self.of.max(1);
        (all / of + u32::from(self.number < all % of)).max(1)
    }
}

/// Tables of one kind and size.
pub trait Dataset: Send + Sync {
    /// The generator's name: `sysbench`, ….
    fn kind(&self) -> &str;
    /// The number of rows of a complete load.
    fn rows(&self) -> u64;
    /// The script whose command creates it, if only that knows how much it is; [`Dataset::rows`] and [`Dataset::bytes`] are then 0.
    fn prepared_by(&self) -> Option<&str> {
        None
    }
    /// The unit of rows in messages: bytes, for data without rows.
    fn unit(&self) -> &'static str {
        "rows"
    }
    /// The approximate size on disk in bytes, including indexes.
    fn bytes(&self) -> u64;
    /// The directory of its files on this machine, if it is not stored in a database.
    fn directory(&self, _connector: &Connector) -> Option<PathBuf> {
        None
    }
    /// The statements that create and drop the tables, for `plan check`.
    fn statements(&self) -> Vec<String>;
    /// The names of the tables that a load creates and marks in the schema of the address; `None` if that is not known before.
    fn creates(&self) -> Option<Vec<String>> {
        None
    }
    /// The schema that it creates and drops, if it has its own; otherwise its tables are in the schema of the address.
    fn schema(&self) -> Option<&str> {
        None
    }
    /// Whether several loads may load parts of the same tables in parallel.
    fn in_parts(&self) -> bool {
        false
    }
    /// Whether there is anything to load: a script may have no command for it. May run code of the user.
    fn is_loaded(&self) -> Result<bool, Problem> {
        Ok(true)
    }
    /// Inspects the existing data without changes.
    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem>;
    /// Creates and loads the tables with `streams` connections in parallel, and writes our mark. Fails if any of them
    /// exists. Returns notes on optional steps that the server refused.
    fn load(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem>;
    /// How many of `streams` connections a load uses: SQLite has one writer.
    fn streams_used(&self, connector: &Connector, streams: u32) -> u32 {
        if connector.dsn().scheme.kind().is_file { 1 } else { streams.max(1) }
    }
    /// Whether its rows can be loaded in slices, by several processes.
    fn has_slices(&self) -> bool {
        false
    }
    /// [`Dataset::load`] with rows that others load: creates the tables, calls `rows`, and does what follows after all rows.
    fn load_around(
        &self,
        _connector: &Connector,
        _streams: u32,
        _seed: u64,
        _rows: LoadSlices<'_>,
        _stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        Err(Problem::new(msg!("loaded-by-one-process", kind = self.kind())))
    }
    /// Inserts the rows of a slice into tables that exist, with its share of `streams` connections; returns how many they are. All
    /// slices together have the rows that [`Dataset::load`] inserts.
    fn load_slice(
        &self,
        _connector: &Connector,
        _streams: u32,
        _seed: u64,
        _slice: DatasetSlice,
        _progress: Progress<'_>,
        _stop: &StopSignal,
    ) -> Result<u64, Problem> {
        Err(Problem::new(msg!("loaded-by-one-process", kind = self.kind())))
    }
    /// Creates what is missing, no matter who created the rest, and reports for each object what is done with it;
    /// returns the bytes written. Only for front ends, if the original tool does so.
    fn load_named(
        &self,
        _connector: &Connector,
        _seed: u64,
        _tell: &dyn Fn(PartState, &str),
        _stop: &StopSignal,
    ) -> Result<u64, Problem> {
        Err(Problem::new(msg!("loaded-only-where-alone", kind = self.kind())))
    }
    /// [`Dataset::load`], but if a table already exists, it fails when it is this table's turn or leaves it, and reports each step. Only
    /// for front ends, if the original tool does so.
    fn load_each(
        &self,
        connector: &Connector,
        streams: u32,
        seed: u64,
        _tell: Steps<'_>,
        stop: &StopSignal,
    ) -> Result<(), Problem> {
        self.load(connector, streams, seed, &|_| (), stop).map(|_| ())
    }
    /// Work after a trial, not measured; most have none.
    fn after(&self, _connector: &Connector) -> Result<(), Problem> {
        Ok(())
    }
    /// Drops the tables if they carry our mark; refuses otherwise.
    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem>;
    /// Drops everything with the tables' names, marked or not, reporting each name before. Only for front ends, if
    /// the original tool does so.
    fn drop_named(&self, _connector: &Connector, _tell: &dyn Fn(&str)) -> Result<(), Problem> {
        Err(Problem::new(msg!("dropped-only-with-mark", kind = self.kind())))
    }
    /// Reads the tables once, so that the server has them in memory, reporting each name before.
    fn warm(&self, _connector: &Connector, _tell: &dyn Fn(&str)) -> Result<(), Problem> {
        Err(Problem::new(msg!("kind-not-read-beforehand", kind = self.kind())))
    }
    /// When [`Dataset::check`] is called automatically.
    fn checks(&self) -> When {
        When::default()
    }
    /// Checks the consistency of the tables, with `streams` connections in parallel; empty if there is
    /// nothing to check. Writes nothing. `fresh`: nothing has run on them since the load.
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

/// A step of loading a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadStep {
    /// It is created.
    Create,
    /// Its rows are inserted.
    Insert,
    /// Its secondary index is created.
    Index,
}

/// What [`Dataset::load_named`] does with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartState {
    /// It did not exist, or was empty.
    New,
    /// It existed in part.
    Longer,
    /// It is left as it is.
    Kept,
}

/// When a data set is checked automatically.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct When {
    /// After it was loaded.
    pub load: bool,
    /// After each trial on it.
    pub run: bool,
}

/// One consistency condition and the result of its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Its name: `condition 1`.
    pub name: String,
    /// Its text.
    pub says: String,
    /// Rows examined.
    pub rows: u64,
    /// Rows or groups of rows that violate it.
    pub wrong: u64,
    /// An example of a violation.
    pub example: Option<String>,
    /// How long its statements took, summed over the parallel connections.
    pub took: Duration,
    /// Why it was not checked.
    pub left_out: Option<String>,
}

impl Checked {
    /// Whether it holds, as far as it was checked.
    pub fn holds(&self) -> bool {
        self.wrong == 0
    }

    /// All violations as one problem; `None` if all conditions hold.
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

/// The result of an inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatasetState {
    /// None of the tables exists.
    Nothing,
    /// All exist with the right definition and size. `ours`: they have our mark and may be dropped.
    Ready {
        /// Whether they have our mark.
        ours: bool,
    },
    /// Ours, but incomplete: a load was interrupted, or there are fewer than wanted. [`Dataset::load`] adds the rest.
    Unfinished {
        /// What is missing, and how to continue.
        problem: Problem,
    },
    /// Something exists that does not match.
    Different {
        /// Whether it has our mark and may be dropped.
        ours: bool,
        /// What does not match.
        problem: Problem,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slices_are_the_whole(all in 0_u64..5000, of in 1_u32..40, streams in 1_u32..100) {
            let slices: Vec<_> = (0..of).map(|number| DatasetSlice { number, of }).collect();
            let rows: Vec<u64> = slices.iter().flat_map(|slice| slice.rows(all)).collect();
            prop_assert_eq!(rows, (0..all).collect::<Vec<_>>());
            for piece in 0..all.min(200) {
                prop_assert_eq!(slices.iter().filter(|slice| slice.has(piece)).count(), 1);
            }
            prop_assert_eq!(slices.iter().map(|slice| slice.streams(streams)).sum::<u32>(), streams.max(of));
        }
    }
}

//! All keys of a plan: one entry each, with its tables, the values it takes, its default, its meaning, and the function
//! that reads its value. There is a file for each section; to add a key, add an entry to the file of its section.
//!
//! The list is the definition: the parser looks up keys here, messages quote it, and the reference in `doc/guide` is
//! tested against it. [`LATER`] contains reserved keys that this version does not support yet.

mod dataset;
mod experiment;
mod gate;
mod hosts;
mod later;
mod load;
mod matrix;
mod refutes;
mod target;
mod top;

pub use later::{LATER, Later};

use super::Plan;
use super::settings::{DatasetSpec, Names, Settings};
use super::source::{Diagnostic, Diagnostics};
use super::target::draft::TargetDraft;
use super::value::Value;
use crate::message::{Message, foreign};
use crate::msg;
use crate::nearest::{nearest, nearly};

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
    /// `[gate]`
    Gate,
    /// `[hosts]`
    Hosts,
    /// `[refutes]`
    Refutes,
}

/// One key.
pub struct Key {
    /// The tables that may contain it.
    pub tables: &'static [Table],
    /// Its name.
    pub name: &'static str,
    /// Alternative names.
    pub also: &'static [&'static str],
    /// The values it takes.
    pub takes: &'static str,
    /// The default; empty if there is none or the key is required.
    pub default: &'static str,
    /// An example value in TOML.
    pub example: &'static str,
    /// Its meaning, in one sentence.
    pub meaning: &'static str,
    /// Whether a matrix may vary it.
    pub varies: bool,
    /// Reads its value.
    pub(super) set: Setter,
}

/// Reads the value of a key into what it belongs to. The name is the key's, for messages.
#[derive(Clone, Copy)]
pub(super) enum Setter {
    /// A section of the plan, which is read elsewhere.
    Section,
    /// Into the plan itself.
    Plan(fn(&mut Plan, &str, &Value<'_>) -> Outcome),
    /// Into a target.
    Target(fn(&mut TargetDraft, &'static str, &Value<'_>, &mut Diagnostics<'_>) -> Outcome),
    /// Into a data set.
    Dataset(fn(&mut DatasetSpec, &str, &Value<'_>) -> Outcome),
    /// Into the settings of an experiment.
    Settings(fn(&mut Settings, &str, &Value<'_>, Names<'_>) -> Outcome),
}

/// The result of a setter.
pub(super) type Outcome = Result<(), Diagnostic>;

/// The keys of every section, in reading order.
const SECTIONS: [&[Key]; 9] = [
    top::KEYS,
    experiment::KEYS,
    target::KEYS,
    dataset::KEYS,
    load::KEYS,
    matrix::KEYS,
    gate::KEYS,
    hosts::KEYS,
    refutes::KEYS,
];

/// All keys, in reading order.
pub fn all() -> impl Iterator<Item = &'static Key> {
    SECTIONS.into_iter().flatten()
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        (self.tables, self.name) == (other.tables, other.name)
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {:?}", self.name, self.tables)
    }
}

impl Key {
    /// How to write it, seen from `table`.
    pub fn hint(&self, table: Table) -> Message {
        let (key, value) = (self.name, self.example);
        match self.tables.last().filter(|_| !self.tables.contains(&table)) {
            Some(home) => msg!("write-key-in", key, value, section = home.title()),
            None => msg!("write-key", key, value),
        }
    }
}

impl Table {
    /// The same for use in a sentence.
    pub fn title(self) -> Message {
        match self {
            Table::Top => msg!("top-of-plan"),
            other => foreign(other.header()),
        }
    }

    /// The table as it is written in a plan.
    pub fn header(self) -> &'static str {
        match self {
            Table::Top => "the top of the plan",
            Table::Defaults => "[defaults]",
            Table::Metrics => "[metrics]",
            Table::Target => "[targets.<name>]",
            Table::Dataset => "[datasets.<name>]",
            Table::Experiment => "[[experiment]]",
            Table::Load => "[experiment.load]",
            Table::Matrix => "[experiment.matrix]",
            Table::Gate => "[gate]",
            Table::Hosts => "[hosts]",
            Table::Refutes => "[refutes]",
        }
    }

    /// Whether names that are not in the list are options of a workload or a data set.
    pub fn is_open(self) -> bool {
        matches!(self, Table::Load | Table::Dataset | Table::Matrix)
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
    all().find(|k| k.name == meant || k.also.contains(&meant))
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
    let elsewhere = all().find(|k| !k.tables.contains(&table) && (k.name == name || k.also.contains(&name)));
    if elsewhere.is_none()
        && let Some(key) = meant(name).filter(|k| k.name != name)
    {
        return Diagnostic::new(what, key.hint(table));
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
    all().filter(move |k| k.tables.contains(&table))
}

fn names(table: Table) -> impl Iterator<Item = &'static str> {
    of(table).flat_map(|k| std::iter::once(k.name).chain(k.also.iter().copied()))
}

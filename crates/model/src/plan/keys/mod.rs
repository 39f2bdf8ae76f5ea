//! All keys of a plan: one entry each, with its tables, the values it takes, its default, its meaning, and the function
//! that reads its value. There is a file for each section; to add a key, add an entry to the file of its section.
//!
//! The list is the definition: the parser looks up keys here, messages quote it, and the reference in `doc/guide` is
//! tested against it. [`LATER`] contains reserved keys that this version does not support yet.

mod dataset;
mod experiment;
mod gate;
mod group;
mod hosts;
mod later;
mod load;
mod matrix;
mod refutes;
mod target;
mod top;

pub use later::{LATER, Later};

use super::Plan;
use super::of_target::draft::TargetDraft;
use super::settings::{DatasetSpec, GroupSpec, Names, Settings};
use super::source::{Diagnostics, Outcome};
use super::value::Value;
use std::fmt;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

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
    /// `[[experiment.load.group]]`
    Group,
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
    pub takes: KeyType,
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

/// The values that a key takes. Displayed as the reference of keys has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    /// Integers from this one.
    Whole(u64),
    /// Numbers with a fraction too.
    Number,
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these words, or an integer.
    WordsOrWhole(&'static [&'static str]),
    /// One of these words, or what the text describes.
    WordsOr(&'static [&'static str], &'static str),
    /// What the text describes.
    Form(&'static str),
}

impl KeyType {
    /// Whether a value may be a number.
    pub fn is_number(self) -> bool {
        matches!(self, KeyType::Whole(_) | KeyType::Number | KeyType::WordsOrWhole(_))
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |words: &[&str]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>();
        match *self {
            KeyType::Whole(0) => f.write_str("whole number"),
            KeyType::Whole(from) => write!(f, "whole number from {from}"),
            KeyType::Number => f.write_str("number"),
            KeyType::Words(words) => match &*quoted(words) {
                [first @ .., last] if !first.is_empty() => write!(f, "{} or {last}", first.join(", ")),
                all => f.write_str(&all.join(", ")),
            },
            KeyType::WordsOrWhole(words) => write!(f, "{} or a whole number", quoted(words).join(", ")),
            KeyType::WordsOr(words, other) => write!(f, "{} or {other}", quoted(words).join(", ")),
            KeyType::Form(text) => f.write_str(text),
        }
    }
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
    /// Into a group of clients.
    Group(fn(&mut GroupSpec, &str, &Value<'_>) -> Outcome),
    /// Into the settings of an experiment.
    Settings(fn(&mut Settings, &str, &Value<'_>, Names<'_>) -> Outcome),
}

/// The keys of every section, in reading order.
const SECTIONS: [&[Key]; 10] = [
    top::KEYS,
    experiment::KEYS,
    target::KEYS,
    dataset::KEYS,
    load::KEYS,
    group::KEYS,
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

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?}", self.name, self.tables)
    }
}

impl Key {
    /// The end of an entry (`..Key::of(…)`): no other name, no default, and no matrix varies it. The entry says everything else.
    const fn of(tables: &'static [Table]) -> Key {
        let (takes, set) = (KeyType::Number, Setter::Section);
        Key { tables, name: "", also: &[], takes, default: "", example: "", meaning: "", varies: false, set }
    }

    /// How to write it, seen from `table`, with its example.
    pub fn hint(&self, table: Table) -> Message {
        self.hint_with(table, self.example)
    }

    /// How to write it with this value.
    pub fn hint_with(&self, table: Table, value: &str) -> Message {
        let key = self.name;
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
            Table::Group => "[[experiment.load.group]]",
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

/// The keys of one table.
pub fn of(table: Table) -> impl Iterator<Item = &'static Key> {
    all().filter(move |k| k.tables.contains(&table))
}

/// The key that an axis of this name varies: `load.clients`. `None` for an option of a workload or a data set, and a server variable.
pub fn of_axis(name: &str) -> Option<&'static Key> {
    let (table, key) = match name.split_once('.') {
        Some(("load", key)) => (Table::Load, key),
        Some(("dataset", key)) => (Table::Dataset, key),
        Some(_) => return None,
        None => (Table::Experiment, name),
    };
    of(table).find(|of| of.name == key)
}

/// The names of the keys of one table, with the alternative ones.
pub(super) fn names(table: Table) -> impl Iterator<Item = &'static str> {
    of(table).flat_map(|k| std::iter::once(k.name).chain(k.also.iter().copied()))
}

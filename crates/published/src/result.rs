//! What was read from a file: its tables as they stand there, and their results with the meaning of each figure.

use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::Message;

/// The tables and results of one or several files.
#[derive(Debug, Clone, Default)]
pub struct Published {
    /// The tables, in the order of the files.
    pub tables: Vec<PublishedTable>,
    /// The results of all tables.
    pub results: Vec<PublishedResult>,
    /// What the reader of the result should know about how it was read: encoding, columns that are not understood.
    pub remarks: Vec<Message>,
}

/// A table as it stands in its file; of a log, one row for each report.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedTable {
    /// The file.
    pub file: String,
    /// The words above it, or the tool that wrote the log.
    pub caption: String,
    /// Whether it is of variables of servers, which are no results.
    pub of_variables: bool,
    /// Whether it is the reports of a log, in the words of the tool itself.
    pub is_log: bool,
    /// Headings and what they mean.
    pub columns: Vec<PublishedColumn>,
    /// Its rows.
    pub rows: Vec<PublishedRow>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedColumn {
    /// Its heading.
    pub heading: String,
    /// What it means.
    pub meaning: Meaning,
}

/// What a column means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// A figure, and the target or series that is part of the heading in tables with a column for each target.
    Figure(FigureKind, Option<String>),
    /// The target.
    Target,
    /// The workload.
    Workload,
    /// Another word or number that distinguishes results.
    Axis,
    /// Remarks in words.
    Remark,
    /// In a table with a row for each figure: the figure's name.
    Metric,
    /// In such a table: the figures of a result; in a table of variables, the values of a server.
    Value,
    /// It is not understood: shown, and not checked.
    Unknown,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedRow {
    /// Its line in the file, from 1.
    pub line: u64,
    /// Its cells as they are written.
    pub cells: Vec<String>,
}

/// The place of a figure: table, row and column.
pub type CellPlace = (usize, usize, usize);

/// Figures with their places; a figure that is no cell has none.
pub type Figures = BTreeMap<FigureKind, (Quantity, Option<CellPlace>)>;

/// One result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PublishedResult {
    /// The index of its table.
    pub table: usize,
    /// The line in the file, from 1.
    pub line: u64,
    /// The target, if one is named.
    pub target: Option<String>,
    /// The workload, if one is named.
    pub workload: Option<String>,
    /// What else distinguishes it: heading and value.
    pub axes: Vec<(String, String)>,
    /// Its figures with their places.
    pub figures: Figures,
    /// The times whose unit nothing names: they are taken as milliseconds.
    pub without_unit: BTreeSet<FigureKind>,
    /// Whether it was measured at a given rate rather than in a closed loop, as a log says.
    pub is_open_loop: bool,
    /// Whether its number of clients is assumed, and its other figures do not bear that out: nothing follows from it.
    pub assumes_clients: bool,
    /// Whether its transactions are one kind of several that the same clients execute at the same time, as those of TPC-C: they are in others, too.
    pub shares_clients: bool,
    /// Whether it is a moment of a run, and no run.
    pub is_of_course: bool,
    /// Whether nothing says that what was measured is the same as that of results beside it, though nothing distinguishes them: those of
    /// sentences, and of reports before which a command may have changed a server.
    pub is_apart: bool,
    /// Whether the name of its file says that it is one of several measurements of the same: `run2`.
    pub is_repeat: bool,
    /// Whether a spread or an interval stands beside a figure.
    pub has_spread: bool,
    /// Reported periods, as of a log: seconds from the start, completed transactions per second.
    pub periods: Vec<(f64, f64)>,
    /// The seconds in its remark: the whole time, and from when on the figures count.
    pub counted_s: Option<(f64, f64)>,
    /// Requests and their rate, as sysbench 0.5 counts them beside transactions.
    pub requests: Option<(f64, Quantity)>,
    /// The part of [`FigureKind::Seconds`] in which the clients connected, which the rate does not include.
    pub connecting_s: f64,
    /// Checks that the tool itself found broken, in its words.
    pub own_failures: Vec<String>,
}

impl PublishedResult {
    /// A figure's value.
    pub fn get(&self, kind: FigureKind) -> Option<f64> {
        Some(self.quantity(kind)?.value)
    }

    /// A figure with its rounding.
    pub fn quantity(&self, kind: FigureKind) -> Option<Quantity> {
        self.figures.get(&kind).map(|(quantity, _)| *quantity)
    }

    /// The percentiles, ascending: their part (0.99) and kind.
    pub fn percentiles(&self) -> impl Iterator<Item = (f64, FigureKind)> + '_ {
        self.figures.keys().filter_map(|kind| match kind {
            FigureKind::Percentile(hundredths) => Some((f64::from(*hundredths) / 1e4, *kind)),
            _ => None,
        })
    }

    /// What distinguishes it besides its target and number of clients: workload and other words, for its group.
    pub fn group(&self) -> String {
        let axes = self.axes.iter().map(|(name, value)| format!("{name} {value}"));
        self.workload.iter().cloned().chain(axes).collect::<Vec<_>>().join(", ")
    }

    /// Its target, or nothing.
    pub fn target_name(&self) -> &str {
        self.target.as_deref().unwrap_or("")
    }
}

impl Published {
    /// The targets in order of appearance.
    pub fn targets(&self) -> Vec<&str> {
        distinct(self.results.iter().filter_map(|result| result.target.as_deref()))
    }

    /// The groups (see [`PublishedResult::group`]) in order of appearance.
    pub fn groups(&self) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::new();
        self.results.iter().map(PublishedResult::group).filter(|group| seen.insert(group.clone())).collect()
    }

    /// Leaves each remark once: several tables have columns of the same heading.
    pub fn remark_once(&mut self) {
        let mut seen = BTreeSet::new();
        self.remarks.retain(|remark| seen.insert(remark.english().to_owned()));
    }

    /// Together with what another file has.
    #[must_use]
    pub fn and(mut self, other: Published) -> Published {
        let first = self.tables.len();
        self.tables.extend(other.tables);
        self.results.extend(other.results.into_iter().map(|mut result| {
            result.table += first;
            result.figures.values_mut().filter_map(|(_, cell)| cell.as_mut()).for_each(|cell| cell.0 += first);
            result
        }));
        self.remarks.extend(other.remarks);
        self
    }
}

/// Each once, in order of appearance.
pub(crate) fn distinct<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = std::collections::BTreeSet::new();
    all.filter(|one| seen.insert(*one)).collect()
}

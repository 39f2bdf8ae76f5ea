//! A table in cells, as every form of tables is read, and how much of all tables is read.

use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Rows of cells, each with its line.
pub type Rows = Vec<(u64, Vec<String>)>;

/// A table in cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawTable {
    /// The words above it.
    pub caption: String,
    /// Its rows, of which the first ones may be no headings, each with its line.
    pub rows: Rows,
    /// Whether blanks separate its cells: an empty one cannot be seen.
    pub spaced: bool,
    /// Whether semicolons separate its cells.
    pub by_semicolon: bool,
    /// Whether its form, such as JSON, has decimal points.
    pub has_points: bool,
}

/// More rows are not read.
pub const MOST_ROWS: usize = 20_000;
/// A table with more columns is not one of results.
pub const MOST_COLUMNS: usize = 2_000;
/// The most cells of all tables, with those that short rows lack.
const MOST_CELLS: usize = 500_000;
/// A text with more tables is not one of results.
pub const MOST_TABLES: usize = 500;
/// Tables that have no more cells than are read.
pub fn bounded(all: Vec<RawTable>) -> Result<Vec<RawTable>, Message> {
    let widths = all.iter().map(|table| table.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0));
    let cells: usize = widths.zip(&all).map(|(width, table)| width * table.rows.len()).sum();
    if cells > MOST_CELLS {
        return Err(msg!("published-too-many-cells", cells, most = MOST_CELLS));
    }
    Ok(all)
}

/// Puts the outer headings of tables before their captions where these are the same below different ones: `MySQL: Read only` and
/// `MariaDB: Read only`. `outer`: of each table, the outermost first.
pub fn tell_apart(all: &mut [RawTable], outer: &[Vec<String>]) {
    let mut of_caption: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, table) in all.iter().enumerate().filter(|(_, table)| !table.caption.is_empty()) {
        of_caption.entry(table.caption.clone()).or_default().push(at);
    }
    for (caption, places) in of_caption {
        let of = |at: usize| outer.get(at).map(Vec::as_slice).unwrap_or_default();
        let first = of(places[0]);
        let common =
            (0..first.len()).take_while(|n| places.iter().all(|at| of(*at).get(*n) == Some(&first[*n]))).count();
        for at in places {
            let own = of(at).get(common..).unwrap_or_default().iter().map(String::as_str).chain([caption.as_str()]);
            all[at].caption = own.collect::<Vec<_>>().join(": ");
        }
    }
}

/// What has been read so far of all tables: no more is kept than may be read.
#[derive(Default)]
pub struct Extent {
    rows: usize,
    cells: usize,
}

impl Extent {
    /// Takes a row of this many cells.
    pub fn take(&mut self, columns: usize) -> Result<(), Message> {
        self.rows += 1;
        if self.rows > MOST_ROWS {
            return Err(msg!("published-too-many-rows", rows = format_args!("> {MOST_ROWS}"), most = MOST_ROWS));
        }
        self.columns(columns)?;
        self.cells += columns;
        self.within(self.cells)
    }

    /// Whether there may be this many cells.
    pub fn within(&self, cells: usize) -> Result<(), Message> {
        match cells > MOST_CELLS {
            true => Err(msg!("published-too-many-cells", cells, most = MOST_CELLS)),
            false => Ok(()),
        }
    }

    /// Whether a row may have this many cells.
    pub fn columns(&self, columns: usize) -> Result<(), Message> {
        match columns > MOST_COLUMNS {
            true => Err(msg!("published-too-many-columns", columns, most = MOST_COLUMNS)),
            false => Ok(()),
        }
    }
}

//! Rows of cells, of which some span several columns or rows, as pages and the markup of wikis have them.

use crate::raw_table::{Extent, MOST_COLUMNS, Rows};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A cell spans at most this many rows.
const LONGEST_SPAN: usize = 1000;

/// A table whose cells are given one after another.
#[derive(Default)]
pub(crate) struct Grid {
    /// The rows that are complete, each with the line of its first cell.
    pub rows: Rows,
    row: Option<(u64, Vec<String>)>,
    /// Cells of rows above that reach into the next ones: by column, how many rows are left, and the text.
    reaching: BTreeMap<usize, (usize, String)>,
}

impl Grid {
    /// Begins a row, unless one is begun.
    pub fn begin_row(&mut self, line: u64) {
        self.row.get_or_insert_with(|| (line, Vec::new()));
    }

    /// Whether the row that is begun has this many columns, with those into which cells of rows above reach.
    pub fn is_full(&mut self, columns: usize) -> Result<bool, Message> {
        let Some((line, mut row)) = self.row.take() else { return Ok(false) };
        self.reach(&mut row)?;
        let is_full = row.len() >= columns;
        self.row = Some((line, row));
        Ok(is_full)
    }

    /// Adds a cell to the row, in each column that it spans.
    pub fn cell(&mut self, line: u64, text: &str, columns: usize, rows: usize) -> Result<(), Message> {
        let (line, mut row) = self.row.take().unwrap_or((line, Vec::new()));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.reach(&mut row)?;
        // A heading above several columns stands once, as spreadsheets write it.
        for n in 0..columns.clamp(1, MOST_COLUMNS) {
            let shown = if n == 0 { text.clone() } else { String::new() };
            if rows > 1 {
                self.reaching.insert(row.len(), (rows.min(LONGEST_SPAN) - 1, shown.clone()));
            }
            push(&mut row, shown)?;
        }
        self.row = Some((line, row));
        Ok(())
    }

    /// Ends the row. One of empty cells is left out.
    pub fn end_row(&mut self, extent: &mut Extent) -> Result<(), Message> {
        let Some((line, mut row)) = self.row.take() else { return Ok(()) };
        self.reach(&mut row)?;
        if row.iter().any(|cell| !cell.is_empty()) {
            extent.take(row.len())?;
            self.rows.push((line, row));
        }
        Ok(())
    }

    /// Adds the cells of rows above that reach into the next columns of this row.
    fn reach(&mut self, row: &mut Vec<String>) -> Result<(), Message> {
        while let Some((left, text)) = self.reaching.remove(&row.len()) {
            if left > 1 {
                self.reaching.insert(row.len(), (left - 1, text.clone()));
            }
            push(row, text)?;
        }
        Ok(())
    }
}

fn push(row: &mut Vec<String>, cell: String) -> Result<(), Message> {
    row.push(cell);
    match row.len() > MOST_COLUMNS {
        true => Err(msg!("published-too-many-columns", columns = row.len(), most = MOST_COLUMNS)),
        false => Ok(()),
    }
}

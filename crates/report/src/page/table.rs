//! A section that is a table: its columns, rows of cells, notes below it and how to read it. Such a section needs no markup of its own, because
//! `templates/table.html` is that of all of them.

use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::summary::TrialResult;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The markup of a section whose values are those of a [`SectionTable`].
pub(super) const TEMPLATE: &str = include_str!("../../templates/table.html");

/// A table. A column and a cell are values for the template: see [`column()`], [`words`], [`figure()`] and [`text`].
pub(super) struct SectionTable {
    /// Its class in the style sheet.
    pub class: &'static str,
    /// With more rows it is folded.
    pub most: usize,
    /// Its columns.
    pub columns: Vec<Value>,
    /// Its rows: whether one is the first of another cell, and the texts in it.
    pub rows: Vec<(bool, Vec<Value>)>,
}

impl SectionTable {
    /// A table of these columns that readers can sort, still without rows.
    pub fn new(most: usize, columns: Vec<Value>) -> SectionTable {
        SectionTable { class: "sortable", most, columns, rows: Vec::new() }
    }

    /// What the template needs; `None` if there are no rows.
    pub fn values(self, notes: &[Message], explanation: &Message) -> Option<Value> {
        let SectionTable { class, most, columns, rows } = self;
        let rows: Vec<Value> = rows.into_iter().map(|(first, cells)| context! { first, cells }).collect();
        let notes: Vec<Value> = notes.iter().map(bilingual::html).collect();
        let explanation = bilingual::html(explanation);
        (!rows.is_empty()).then(|| context! { class, most, columns, rows, notes, explanation })
    }
}

/// The columns that say which trial a row is about; `more` follow.
pub(super) fn trial_columns(m: &PageContext<'_>, more: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let cell = with_cells(m).then(|| words(&msg!("column-cell")));
    let first = [column(&msg!("column-trial")), words(&msg!("column-target"))];
    first.into_iter().chain(cell).chain(more).collect()
}

/// The cells below [`trial_columns`].
pub(super) fn trial_cells(m: &PageContext<'_>, t: &TrialResult, more: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let cell = with_cells(m).then(|| text(bilingual::cell(&t.trial.axes)));
    let first = [figure(t.trial.number.to_string()), text(m.target(&t.trial.target.name))];
    first.into_iter().chain(cell).chain(more).collect()
}

/// Without a matrix, a column of cells would be empty.
fn with_cells(m: &PageContext<'_>) -> bool {
    m.summary.trials.iter().any(|t| !t.trial.axes.is_empty())
}

/// A column of figures.
pub(super) fn column(name: &Message) -> Value {
    context! { name => bilingual::html(name) }
}

/// A column of figures whose name is the same in all languages: `TPS`, `p99`.
pub(super) fn plain(name: &str) -> Value {
    context! { name }
}

/// A column of words.
pub(super) fn words(name: &Message) -> Value {
    context! { name => bilingual::html(name), words => true }
}

/// A figure.
pub(super) fn figure(text: impl Into<Value>) -> Value {
    context! { text => text.into() }
}

/// A text.
pub(super) fn text(text: Value) -> Value {
    context! { text, class => "w" }
}

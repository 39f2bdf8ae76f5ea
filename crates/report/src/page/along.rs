//! The axis along which the cells of a run are drawn: one of the matrix, or the targets; the values on the other axes make groups.

use crate::bilingual;
use crate::chart::{self, X};
use tenbin_model::summary::Cell;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The axis of the matrix that is the x axis of charts.
pub(super) struct Along {
    /// Its key in the plan.
    pub key: String,
    /// Its values.
    pub x: X,
}

/// The key of the axis of [`across`]; no plan has it.
pub(super) const TARGETS: &str = "";

/// The targets as the x axis, for a single cell of each.
pub(super) fn across(cells: &[Cell]) -> Option<Along> {
    let names: Vec<String> = cells.iter().filter(|c| !c.tps.is_empty()).map(|c| c.target.clone()).collect();
    // The card has the figures of two.
    (names.len() > 2).then(|| Along { key: TARGETS.to_owned(), x: chart::words(&names) })
}

impl Along {
    /// The position of a cell of a target.
    pub fn place_of(&self, cell: &Cell) -> Option<f64> {
        if self.key == TARGETS { self.x.place(&cell.target) } else { self.place(&cell.axes) }
    }

    /// Its name.
    pub fn name(&self) -> Message {
        if self.key == TARGETS { msg!("column-target") } else { bilingual::axis_name(&self.key) }
    }

    /// The position of a cell; `None` if the cell has no value on this axis.
    pub fn place(&self, axes: &[(String, String)]) -> Option<f64> {
        self.x.place(&axes.iter().find(|(k, _)| *k == self.key)?.1)
    }

    /// The values of a cell on all other axes.
    pub fn rest(&self, axes: &[(String, String)]) -> Vec<(String, String)> {
        axes.iter().filter(|(k, _)| *k != self.key).cloned().collect()
    }
}

/// Chooses the x axis of charts from the axes with more than one value: preferably one of numbers, then `load.clients`,
/// then the one with the most values. Numbers are ordered by size, words as in the plan.
pub(super) fn along(cells: &[Cell]) -> Option<Along> {
    let mut axes: Vec<(String, Vec<String>)> = Vec::new();
    for c in cells {
        for (name, value) in &c.axes {
            match axes.iter_mut().find(|a| a.0 == *name) {
                Some(known) if known.1.contains(value) => {}
                Some(known) => known.1.push(value.clone()),
                None => axes.push((name.clone(), vec![value.clone()])),
            }
        }
    }
    let figures = |values: &[String]| values.iter().map(|v| v.parse::<f64>().ok()).collect::<Option<Vec<f64>>>();
    let weight = |a: &(String, Vec<String>)| (figures(&a.1).is_some(), a.0 == "load.clients", a.1.len());
    let (key, values) = axes.into_iter().filter(|a| a.1.len() > 1).max_by_key(weight)?;
    let x = figures(&values).map_or_else(|| chart::words(&values), |v| chart::numbers(&v));
    Some(Along { key, x })
}

/// Values on the other axes.
pub(super) type Group = Vec<(String, String)>;

/// The combinations of values on the other axes, in the plan's order. Each has its own charts.
pub(super) fn groups(cells: &[Cell], axis: &Along) -> Vec<Group> {
    let mut groups = Vec::new();
    for c in cells {
        let rest = axis.rest(&c.axes);
        if !groups.contains(&rest) {
            groups.push(rest);
        }
    }
    groups
}

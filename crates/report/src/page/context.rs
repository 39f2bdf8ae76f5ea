//! The data of all sections: the summary, what is computed from it once, and the charts drawn so far.

use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::cell::RefCell;
use std::collections::BTreeMap;
use tenbin_model::summary::{Cell, Summary};

pub struct PageContext<'s> {
    pub summary: &'s Summary,
    /// Targets in the plan's order. Their positions determine colour, marker and dash.
    pub targets: Vec<String>,
    /// The results, one entry per cell and target.
    pub cells: Vec<Cell>,
    charts: RefCell<Vec<serde_json::Value>>,
}

impl<'s> PageContext<'s> {
    pub fn new(summary: &'s Summary) -> Self {
        PageContext { summary, targets: summary.targets(), cells: summary.cells(), charts: RefCell::default() }
    }

    /// The style of a target's lines: its position in the plan.
    pub fn style(&self, target: &str) -> usize {
        self.targets.iter().position(|t| t == target).unwrap_or(0)
    }

    /// The marker and name of a target, as markup.
    pub fn target(&self, name: &str) -> Value {
        let mark = Value::from_safe_string(chart::legend_mark(self.style(name)));
        bilingual::part("target", context! { mark, name => bilingual::foreign(name) })
    }

    /// Draws a chart and stores its data for the script.
    pub fn figure(&self, chart: &Chart, lines: &[ChartLine]) -> Value {
        let number = self.charts.borrow().len();
        let (html, data) = chart::figure(chart, lines, number);
        self.keep(data);
        html
    }

    /// Stores a chart's data for the script, and returns the chart's number.
    pub fn keep(&self, figures: serde_json::Value) -> usize {
        let mut charts = self.charts.borrow_mut();
        charts.push(figures);
        charts.len() - 1
    }

    /// The data of all charts drawn so far, by number.
    pub fn charts(&self) -> Vec<serde_json::Value> {
        self.charts.borrow().clone()
    }

    /// The measured targets of each cell, by cell number.
    pub fn measured(&self) -> BTreeMap<u32, Vec<&Cell>> {
        let mut groups: BTreeMap<u32, Vec<&Cell>> = BTreeMap::new();
        for c in self.cells.iter().filter(|c| !c.tps.is_empty()) {
            groups.entry(c.cell).or_default().push(c);
        }
        groups
    }
}

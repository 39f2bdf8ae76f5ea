//! The data of all sections: the summary, what is computed from it once, and the charts drawn so far.

use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::chart_data::ChartData;
use crate::figures;
use minijinja::{Value, context};
use std::cell::RefCell;
use std::collections::BTreeMap;
use tenbin_model::summary::{Cell, Summary};
use tenbin_verdict::judged::Judged;
use tenbin_words::language::Language;
use tenbin_words::message::Message;

pub struct PageContext<'s> {
    pub summary: &'s Summary,
    /// Targets in the plan's order. Their positions determine colour, marker and dash.
    pub targets: Vec<String>,
    /// The results, one entry per cell and target.
    pub cells: &'s [Cell],
    /// What else is compared, in the order of its first use.
    others: RefCell<Vec<String>>,
    charts: RefCell<ChartData>,
    /// The chart that stands on the first screen.
    lead: RefCell<Option<Value>>,
    /// The language of files that the charts are drawn into, and these files so far.
    drawings: Option<(Language, RefCell<Vec<Drawing>>)>,
}

/// A chart as a file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The title in English, as a part of a file name.
    pub name: String,
    /// The text of the file.
    pub svg: String,
}

impl<'s> PageContext<'s> {
    pub fn new(summary: &'s Summary) -> Self {
        let (targets, cells) = (summary.targets(), summary.cells());
        PageContext {
            summary,
            targets,
            cells,
            others: RefCell::default(),
            charts: RefCell::default(),
            lead: RefCell::default(),
            drawings: None,
        }
    }

    /// The same for charts as files of their own.
    pub fn drawing(summary: &'s Summary, language: Language) -> Self {
        PageContext { drawings: Some((language, RefCell::default())), ..PageContext::new(summary) }
    }

    /// The charts drawn so far as files, of a context of [`drawing`](Self::drawing).
    pub fn drawings(&self) -> Vec<Drawing> {
        self.drawings.as_ref().map_or_else(Vec::new, |(_, all)| all.borrow().clone())
    }

    /// Whether charts are drawn as files of their own.
    pub fn is_drawing(&self) -> bool {
        self.drawings.is_some()
    }

    /// Whether a cell is of this one of what is compared.
    pub fn is_of(&self, cell: &Cell, named: &str) -> bool {
        figures::is_of(self.summary, cell, named)
    }

    /// Whether a cell is among those that are compared at these values of the matrix.
    pub fn is_at(&self, cell: &Cell, axes: &[(String, String)]) -> bool {
        figures::is_at(self.summary, cell, axes)
    }

    /// The style of a target's lines: its position in the plan. What is compared and is no target has those that follow.
    pub fn style(&self, target: &str) -> usize {
        let of_target = self.targets.iter().position(|t| t == target);
        of_target.unwrap_or_else(|| {
            let mut others = self.others.borrow_mut();
            let known = others.iter().position(|name| name == target).unwrap_or(others.len());
            if known == others.len() {
                others.push(target.to_owned());
            }
            self.targets.len() + known
        })
    }

    /// How many styles the page shows.
    pub fn styles(&self) -> usize {
        self.charts.borrow().styles().max(self.targets.len() + self.others.borrow().len())
    }

    /// The marker and name of a target, as markup.
    pub fn target(&self, name: &str) -> Value {
        let mark = Value::from_safe_string(chart::legend_mark(self.style(name)));
        bilingual::part("target", context! { mark, name => bilingual::name(name) })
    }

    /// Draws a chart and stores its data for the script.
    pub fn figure(&self, chart: &Chart, lines: &[ChartLine]) -> Value {
        self.sized_figure(chart, lines, false)
    }

    /// The same with the page's width, if the first screen has no chart yet.
    pub fn leading_figure(&self, chart: &Chart, lines: &[ChartLine]) -> Value {
        self.sized_figure(chart, lines, self.lead.borrow().is_none())
    }

    fn sized_figure(&self, chart: &Chart, lines: &[ChartLine], is_wide: bool) -> Value {
        if let Some((language, all)) = &self.drawings {
            let title = Message::joined(
                [chart.title.clone(), chart.of.clone()].into_iter().filter(|part| !part.is_empty()),
                " ",
            );
            let plain = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
            let name: String = title.english().chars().map(plain).take(60).collect();
            let svg = chart::standalone(chart, lines, *language);
            all.borrow_mut().push(Drawing { name: name.trim_matches('-').to_owned(), svg });
        }
        let number = self.charts.borrow().next();
        let (html, data) = chart::figure(chart, lines, number, is_wide);
        self.keep(data);
        html
    }

    /// Stores a chart's data for the script, and returns the chart's number.
    pub fn keep(&self, figures: serde_json::Value) -> usize {
        self.charts.borrow_mut().keep(figures)
    }

    /// Offers the first of a section's charts for the first screen, which shows the first that is offered: it is taken out then.
    /// The heading is that of the section.
    pub fn offer(&self, charts: &mut Vec<Value>) {
        let mut lead = self.lead.borrow_mut();
        if lead.is_none() && !charts.is_empty() {
            *lead = Some(charts.remove(0));
        }
    }

    /// The chart of the first screen.
    pub fn lead(&self) -> Option<Value> {
        self.lead.borrow().clone()
    }

    /// The data of all charts drawn so far, by number, as text that can stand in a `<script>` element; they are taken out.
    pub fn charts(&self) -> String {
        self.charts.take().packed()
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

/// What was found in cells, in groups with the same experiment and values of the matrix, in the order of first use: a chart for
/// each group.
pub(super) fn by_cell<T>(all: &[T], cell: impl Fn(&T) -> (&String, &Vec<(String, String)>)) -> Vec<Vec<&T>> {
    let mut groups: Vec<Vec<&T>> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| cell(first) == cell(one))) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

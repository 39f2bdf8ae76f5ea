//! The data of all sections: the summary, what is computed from it once, and the charts drawn so far.

use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::figures;
use minijinja::{Value, context};
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
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

/// The data of charts for the script.
#[derive(Default)]
struct ChartData {
    /// Their JSON, separated by commas.
    json: String,
    n: usize,
    /// What the next one does not repeat if it is the same.
    last: BTreeMap<&'static str, serde_json::Value>,
    /// The same of its lines, by their places.
    last_lines: Vec<BTreeMap<&'static str, serde_json::Value>>,
    /// The places of points on the x axis that have been written out, with their numbers: many lines were sampled at the same instants.
    places: HashMap<String, usize>,
    /// One more than the greatest style of a line.
    styles: usize,
}

/// What charts of a section have in common: it is left out where it is that of the chart before.
const COMMON: [&str; 7] = ["unit", "xName", "marks", "range", "scale", "shade", "before"];
/// And lines at the same place in both.
const COMMON_OF_LINES: [&str; 3] = ["name", "style", "x"];

/// Removes what is as it was in the chart before, and keeps it for the next one. What that one had and this one has not is null.
fn without_common(
    value: &mut serde_json::Value,
    last: &mut BTreeMap<&'static str, serde_json::Value>,
    common: &[&'static str],
) {
    let Some(keys) = value.as_object_mut() else { return };
    for name in common {
        let value = keys.get(*name).cloned().unwrap_or_default();
        if last.get(name).unwrap_or(&serde_json::Value::Null) == &value {
            keys.shift_remove(*name);
        } else {
            keys.insert((*name).to_owned(), value.clone());
            last.insert(name, value);
        }
    }
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
        self.charts.borrow().styles.max(self.targets.len() + self.others.borrow().len())
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
        let number = self.charts.borrow().n;
        let (html, data) = chart::figure(chart, lines, number, is_wide);
        self.keep(data);
        html
    }

    /// Stores a chart's data for the script, and returns the chart's number.
    pub fn keep(&self, mut figures: serde_json::Value) -> usize {
        let mut charts = self.charts.borrow_mut();
        let ChartData { last, last_lines, places, styles, .. } = &mut *charts;
        *styles = (*styles).max(chart::styles(&figures));
        without_common(&mut figures, last, &COMMON);
        for (at, line) in figures["lines"].as_array_mut().into_iter().flatten().enumerate() {
            if last_lines.len() <= at {
                last_lines.push(BTreeMap::new());
            }
            without_common(line, &mut last_lines[at], &COMMON_OF_LINES);
            let Some(x) = line.get_mut("x") else { continue };
            let next = places.len();
            match places.entry(x.to_string()) {
                Entry::Occupied(known) => *x = (*known.get()).into(),
                Entry::Vacant(new) => _ = new.insert(next),
            }
        }
        if charts.n > 0 {
            charts.json.push(',');
        }
        charts.json += &figures.to_string().replace('<', "\\u003c");
        charts.n += 1;
        charts.n - 1
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

    /// The data of all charts drawn so far, by number, as JSON that can stand in a `<script>` element; they are taken out.
    pub fn charts(&self) -> String {
        let ChartData { json, .. } = self.charts.take();
        format!("[{json}]")
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

//! Charts of throughput and response times along an axis of the matrix, with one line per target; of categories and of a single
//! cell, rows with the targets side by side; of two axes, a table of all cells as well.

use super::Section;
use super::along::{Along, Group, TARGETS, across, along, groups};
use super::context::PageContext;
use super::forest::{Forest, ForestRow, RowKind};
use super::heat_table;
use super::kind::{Kind, MainFigure, kinds};
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine, Ruler};
use minijinja::{Value, context};
use tenbin_model::axis::EXPERIMENT;
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::Cell;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "glance",
    heading: || msg!("section-glance"),
    values,
    template: include_str!("../../templates/glance.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let cells: Vec<Cell> = m.cells.iter().filter(|cell| !is_searched(m, cell)).cloned().collect();
    let axis = along(&cells).or_else(|| across(&cells))?;
    let doubling = axis.x.scale.is_doubling();
    let (mut charts, intervals) = charts(m, &cells, &axis);
    let (mut maps, mut rows) = (Vec::new(), Vec::new());
    if groups(&cells, &axis).len() > 1 {
        let [main, ..] = kinds(m, MainFigure::of(m, &cells), &measured(&cells));
        maps = heat_table::tables(m, &cells, &axis, &main);
        m.offer(&mut maps);
    }
    if axis.x.is_of_words() {
        // Categories have no order to draw a line along, and names that are read more easily beside than below.
        charts.clear();
        rows = by_categories(m, &cells, &axis);
    }
    // The throughput over time says more of a single cell.
    if axis.key != TARGETS {
        m.offer(&mut rows);
        m.offer(&mut charts);
    }
    let shown = !(charts.is_empty() && rows.is_empty() && maps.is_empty());
    shown.then(|| context! { charts, maps, rows, doubling, intervals })
}

/// Whether a cell is a level of a search, which has a section of its own.
fn is_searched(m: &PageContext<'_>, cell: &Cell) -> bool {
    cell.trials.iter().chain(&cell.left_out).any(|n| m.summary.trial(*n).is_some_and(|t| t.trial.search.is_some()))
}

fn measured(cells: &[Cell]) -> Vec<&Cell> {
    cells.iter().filter(|cell| !cell.tps.is_empty()).collect()
}

/// The charts, and whether they have intervals.
fn charts(m: &PageContext<'_>, cells: &[Cell], axis: &Along) -> (Vec<Value>, bool) {
    let groups = groups(cells, axis);
    let kinds_of = |group: &Group| {
        let own: Vec<&Cell> = cells.iter().filter(|c| axis.rest(&c.axes) == *group).collect();
        kinds(m, MainFigure::of(m, own.iter().copied()), &own)
    };
    let of_kind = |group: &Group, kind: Kind| {
        let lines = m.targets.iter().map(|t| line((m, cells), axis, group, t, &kind));
        let lines: Vec<ChartLine> = lines.filter(|l| !l.points.is_empty()).collect();
        (kind, lines)
    };
    let drawn: Vec<Vec<(Kind, Vec<ChartLine>)>> =
        groups.iter().map(|group| Vec::from(kinds_of(group).map(|kind| of_kind(group, kind)))).collect();
    let experiment = |group: &Group| group.iter().find(|(key, _)| key == EXPERIMENT).map(|(_, name)| name.clone());
    // A table of all cells is the chart of the first screen, where there are two axes.
    let (leads, mut charts) = (groups.len() == 1 && axis.key != TARGETS, Vec::new());
    for (group, of_group) in groups.iter().zip(&drawn) {
        for (kind, lines) in of_group {
            if lines.is_empty() {
                continue;
            }
            // The charts of this figure of the same experiment.
            let beside = groups.iter().zip(&drawn).filter(|(other, _)| experiment(other) == experiment(group));
            let beside = beside.flat_map(|(_, of_other)| of_other).filter(|(other, _)| other.title == kind.title);
            let beside: Vec<Vec<ChartLine>> =
                beside.map(|(_, lines)| lines.clone()).filter(|lines| !lines.is_empty()).collect();
            let may_be_logarithmic = kind.is_of_times();
            let chart = Chart {
                title: kind.title.clone(),
                of: tenbin_model::axis::cell(group),
                unit: foreign(kind.unit),
                may_be_logarithmic,
                y: chart::common_y(may_be_logarithmic, None, &beside),
                ..Chart::over(axis.name(), axis.x.clone())
            };
            let is_first = leads && charts.is_empty();
            charts.push(match axis.x.is_of_words() && !m.is_drawing() {
                true => Value::from(()),
                false if is_first => m.leading_figure(&chart, lines),
                false => m.figure(&chart, lines),
            });
        }
    }
    let mut lines = drawn.iter().flatten().flat_map(|(_, lines)| lines);
    (charts, lines.any(|line| !line.bars.is_empty()))
}

/// The most rows of categories before a fold.
const MOST_ROWS: usize = 24;

/// The figures by category: New-Orders per minute or seconds of the groups of which they are the answer, throughput of the others, and
/// the response times of all.
fn by_categories(m: &PageContext<'_>, cells: &[Cell], axis: &Along) -> Vec<Value> {
    let main_of = |group: &Group| MainFigure::of(m, cells.iter().filter(|c| axis.rest(&c.axes) == *group));
    let groups: Vec<(Group, MainFigure)> =
        groups(cells, axis).into_iter().map(|group| (group.clone(), main_of(&group))).collect();
    let all = measured(cells);
    let mut drawn = Vec::new();
    for main in MainFigure::ALL {
        let is_of = |cell: &&&Cell| groups.iter().any(|(group, of)| *of == main && axis.rest(&cell.axes) == *group);
        let of_main: Vec<&Cell> = all.iter().filter(is_of).copied().collect();
        let [kind, ..] = kinds(m, main, &of_main);
        if !of_main.is_empty() {
            drawn.push(by_category(m, &of_main, &kind));
        }
    }
    let [_, times @ ..] = kinds(m, MainFigure::Throughput, &all);
    drawn.extend(times.iter().map(|kind| by_category(m, &all, kind)));
    drawn
}

/// A figure of cells, a row for each category and target: points with their intervals.
fn by_category(m: &PageContext<'_>, measured: &[&Cell], kind: &Kind) -> Value {
    let results: Vec<(Option<f64>, Option<Confidence>, Vec<f64>)> = measured
        .iter()
        .map(|cell| {
            let repeats = kind.repeats(m, cell);
            let of = kind.of(m, cell, &repeats);
            (of.map(|(value, _)| value), of.and_then(|(_, interval)| interval), repeats)
        })
        .collect();
    let texts = figure::alike(&results.iter().map(|(value, _, _)| value.unwrap_or(f64::NAN)).collect::<Vec<_>>());
    let mut before: Option<u32> = None;
    let several = m.targets.len() > 1;
    let rows: Vec<ForestRow> = measured
        .iter()
        .zip(&results)
        .zip(texts)
        .map(|((cell, (value, interval, repeats)), text)| {
            let is_first = before.replace(cell.cell) != Some(cell.cell);
            let category =
                if is_first && !cell.axes.is_empty() { bilingual::cell(&cell.axes) } else { Value::from("") };
            let label = match several {
                true => bilingual::part("within", context! { place => category, name => m.target(&cell.target) }),
                false => category,
            };
            ForestRow {
                label,
                style: m.style(&cell.target),
                value: *value,
                ends: interval.map(|i| (i.low, i.high)),
                dots: if repeats.len() > 1 { repeats.clone() } else { Vec::new() },
                before: Vec::new(),
                texts: vec![Value::from(text)],
                kind: RowKind::Shown,
            }
        })
        .collect();
    let values: Vec<f64> =
        results.iter().flat_map(|(value, _, repeats)| repeats.iter().chain(value)).copied().collect();
    let ends: Vec<(f64, f64)> = rows.iter().filter_map(|row| row.ends).collect();
    let heads = (Value::from(""), Vec::new(), vec![bilingual::foreign(kind.unit)]);
    let (ruler, caption) = (Ruler::of_amounts(&values, &ends), bilingual::foreign(kind.unit));
    let drawing = Forest { heads, rows, ruler, reference: None, caption, most: MOST_ROWS, is_narrow: true }.html();
    bilingual::part("drawing", context! { title => bilingual::html(&kind.title), drawing })
}

fn line(
    (m, cells): (&PageContext<'_>, &[Cell]),
    axis: &Along,
    group: &[(String, String)],
    target: &str,
    kind: &Kind,
) -> ChartLine {
    let mut line = ChartLine { name: target.to_owned(), style: m.style(target), ..ChartLine::default() };
    for c in cells.iter().filter(|c| c.target == target && !c.tps.is_empty() && axis.rest(&c.axes) == group) {
        let Some(x) = axis.place_of(c) else { continue };
        let repeats = kind.repeats(m, c);
        let Some((value, interval)) = kind.of(m, c, &repeats) else { continue };
        line.points.push((x, value));
        // The value of a single trial is the point itself.
        if repeats.len() > 1 {
            line.dots.extend(repeats.iter().map(|value| (x, *value)));
        }
        line.bars.extend(interval.map(|i| (x, i.low, i.high)));
    }
    line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    line
}

//! Tables of the cells of two axes, the stronger coloured the larger: of two targets the ratios, else a table for each target.

use super::along::{Along, Group, groups};
use super::context::PageContext;
use super::kind::Kind;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::statistics::Confidence;
use tenbin_model::summary::Cell;
use tenbin_verdict::answer::{ends, ratio};
use tenbin_verdict::compared::Compared;
use tenbin_verdict::comparison::{Comparable, reading};
use tenbin_words::figure;
use tenbin_words::msg;

/// The most tables of targets; the charts have all.
const MOST: usize = 4;

/// The tables as figures; empty if the axes have too many values, or nothing was measured.
pub(super) fn tables(m: &PageContext<'_>, cells: &[Cell], axis: &Along, kind: &Kind) -> Vec<Value> {
    let rows = groups(cells, axis);
    let experiments = m.summary.experiments();
    // Experiments have matrices of their own.
    if experiments.len() != 1 || axis.x.marks.len() > 16 || rows.len() > 40 {
        return Vec::new();
    }
    let questions = m.summary.questions(experiments[0]);
    let question = questions.first().filter(|q| m.summary.may_be_compared(experiments[0], **q));
    let compared = question.map(|q| m.summary.comparisons(experiments[0], *q, q.figure())).unwrap_or_default();
    // Values that are compared along an axis are rows or columns themselves: what has a ratio is no cell of the table.
    if let [one] = compared.as_slice()
        && one.along.is_none()
    {
        let largest = one.cells.iter().map(|r| r.ratio.ln().abs()).filter(|x| x.is_finite()).fold(0.05, f64::max);
        let styles = (m.style(&one.a), m.style(&one.b));
        let of = |group: &Group, at: usize| {
            let cell = one.cells.iter().find(|r| axis.rest(&r.axes) == *group && place(axis, &r.axes) == Some(at))?;
            // Of times the lower one is ahead.
            let ahead = if (cell.ratio < 1.0) == one.figure.is_time() { styles.1 } else { styles.0 };
            Some(of_ratio((cell.ratio, one.interval_of(cell)), ahead, largest))
        };
        let (a, b) = (m.target(&one.a), m.target(&one.b));
        let title = Value::from_safe_string(format!("{b} ÷ {a}"));
        let hint = bilingual::html(&msg!("heat-table-ratios"));
        return vec![table(axis, &rows, &title, &hint, &of)];
    }
    let of_target = |target: &String| {
        let own: Vec<&Cell> = cells.iter().filter(|c| c.target == *target && !c.tps.is_empty()).collect();
        let value = |cell: &Cell| kind.of(m, cell, &kind.repeats(m, cell)).map(|(value, _)| value);
        let largest = own.iter().filter_map(|cell| value(cell)).fold(0.0, f64::max);
        let of = |group: &Group, at: usize| {
            let cell = own.iter().find(|c| axis.rest(&c.axes) == *group && place(axis, &c.axes) == Some(at))?;
            let value = value(cell)?;
            let share = if largest > 0.0 { value / largest } else { 0.0 };
            Some(context! { text => figure::grouped(value), style => m.style(target) % 8, share => percent(share) })
        };
        let hint = bilingual::html(&msg!("heat-table-amounts"));
        let title = bilingual::part("with_unit", context! { name => m.target(target), unit => kind.unit });
        (!own.is_empty()).then(|| table(axis, &rows, &title, &hint, &of))
    };
    m.targets.iter().filter_map(of_target).take(MOST).collect()
}

/// The number of the column of a cell.
fn place(axis: &Along, axes: &[(String, String)]) -> Option<usize> {
    let at = axis.place(axes)?;
    axis.x.marks.iter().position(|mark| (mark.0 - at).abs() < 1e-9)
}

/// The ratio in the colour of the target that is ahead; one that says nothing has none.
fn of_ratio((value, confidence): (f64, Option<Confidence>), style: usize, largest: f64) -> Value {
    let reading = reading(confidence);
    let interval = confidence.map(|i| ends(i.low, i.high).join("–"));
    let decided = matches!(reading, Comparable::Higher | Comparable::Lower);
    let share = if decided { value.ln().abs() / largest } else { 0.0 };
    context! { text => format!("{}×", ratio(value)), small => interval, style => style % 8, share => percent(share), undecided => !decided }
}

/// From a weak colour to one on which text can still be read.
fn percent(share: f64) -> String {
    format!("{:.0}", if share.is_finite() { 45.0 * share.clamp(0.0, 1.0) } else { 0.0 })
}

fn table(
    axis: &Along,
    rows: &[Group],
    title: &Value,
    hint: &Value,
    of: &dyn Fn(&Group, usize) -> Option<Value>,
) -> Value {
    let columns: Vec<String> = axis.x.marks.iter().map(|mark| mark.1.clone()).collect();
    let row = |group: &Group| {
        context! { label => bilingual::cell(group), cells => (0..columns.len()).map(|at| of(group, at)).collect::<Vec<_>>() }
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    let name = bilingual::html(&axis.name());
    bilingual::part("heat_table", context! { title, hint, name, columns, rows })
}

//! The course of a run as a table: a column of its clock, whose rows are moments of one run and no runs.

use crate::column::{Column, SHOWN};
use crate::duration::{self, HOURS, MINUTES};
use crate::figure_kind::FigureKind;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedTable};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// How far intervals are from one another, as a part of them.
const EVEN: f64 = 0.05;
/// This part of the intervals is even: a run may have been started again.
const PART: f64 = 0.8;
/// How far a total may be from rate × time.
const TOTAL: f64 = 0.05;

/// A column of times that grows evenly from row to row of the same target, workload and clients is the clock, and says nothing of how
/// long anything took.
pub fn clock(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let is_time = |c: &Column| c.meaning == Meaning::Figure(FigureKind::Seconds, None);
    let Some(at) = columns.iter().position(is_time) else { return };
    let first_s = columns[at].first_s;
    let keys: Vec<usize> = (0..columns.len()).filter(|at| is_key(&columns[*at])).collect();
    let mut runs: BTreeMap<Vec<&str>, Vec<f64>> = BTreeMap::new();
    for row in &table.rows {
        let Some(CellContent::Number(time, ..)) = row.cells.get(at).map(|cell| quantity::read_duration(cell, first_s))
        else {
            return;
        };
        runs.entry(keys.iter().map(|key| row.cells[*key].as_str()).collect()).or_default().push(time.value);
    }
    let is_clock = runs.values().filter(|times| times.len() > 1).all(|times| is_even(times));
    let has_any = runs.values().any(|times| times.len() > 1);
    if has_any && is_clock && !are_durations(columns, table, at) {
        columns[at].meaning = Meaning::Remark;
        columns[at].is_clock = true;
        remarks.push(msg!("published-column-clock", name = short(&columns[at].heading, SHOWN)));
    }
}

/// A column of moments (`2026-04-05 00:17:38`) a few seconds from one another in the rows of the same target, workload and clients is the clock of a run too.
pub fn moments(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let keys: Vec<usize> = (0..columns.len()).filter(|at| is_key(&columns[*at])).collect();
    let is_clock = |at: usize| {
        let mut runs: BTreeMap<Vec<&str>, Vec<f64>> = BTreeMap::new();
        for row in &table.rows {
            let Some(time) = second_of_day(&row.cells[at]) else { return false };
            runs.entry(keys.iter().map(|key| row.cells[*key].as_str()).collect()).or_default().push(time);
        }
        let is_close = |times: &Vec<f64>| {
            let step = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
            times.len() >= LEAST_MOMENTS && step <= LONGEST_STEP_S && is_even(times)
        };
        !runs.is_empty() && runs.values().all(is_close)
    };
    let may_be = |c: &Column| c.meaning == Meaning::Unknown && c.is_aside;
    if let Some(at) = (0..columns.len()).find(|at| may_be(&columns[*at]) && is_clock(*at)) {
        (columns[at].meaning, columns[at].is_clock) = (Meaning::Remark, true);
        remarks.push(msg!("published-column-clock", name = short(&columns[at].heading, SHOWN)));
    }
}

/// Fewer rows may be runs that were started one after the other.
const LEAST_MOMENTS: usize = 5;
/// Runs take longer, s.
const LONGEST_STEP_S: f64 = 30.0;

/// The second of the day of a moment with a time.
fn second_of_day(cell: &str) -> Option<f64> {
    let mut parts = cell.split(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'));
    parts.find(|part| part.matches(':').count() == 2).and_then(duration::clock)
}

/// Whether a column tells runs apart.
fn is_key(column: &Column) -> bool {
    matches!(column.meaning, Meaning::Target | Meaning::Workload | Meaning::Axis)
        || matches!(&column.meaning, Meaning::Figure(FigureKind::Clients | FigureKind::Warehouses, None))
}

/// Whether times grow by the same; two only from zero on, or to twice the first one.
fn is_even(times: &[f64]) -> bool {
    let steps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f64::total_cmp);
    let Some(middle) = sorted.get(sorted.len() / 2).copied().filter(|middle| *middle > 0.0) else { return false };
    if let [first, second] = times {
        return *first == 0.0 || (second / first - 2.0).abs() < EVEN;
    }
    let even = steps.iter().filter(|step| (**step / middle - 1.0).abs() <= EVEN).count();
    even > 1 && even as f64 >= PART * steps.len() as f64
}

/// What the first part of `12:34` counts in a column of durations, s: as the heading says, or by other cells (`1:02:03`, `12:34.5`), or if rate × time is
/// the total of each row.
pub fn first_of_two_parts(columns: &[Column], table: &PublishedTable, at: usize) -> Option<f64> {
    let cells = || table.rows.iter().filter_map(|row| row.cells.get(at)).map(String::as_str);
    let has_seconds = |cell: &str| duration::clock(cell).is_some() || (cell.contains(':') && cell.contains('.'));
    if let Some(known) = columns[at].first_s {
        return Some(known);
    }
    if cells().any(has_seconds) {
        return Some(MINUTES);
    }
    [MINUTES, HOURS].into_iter().find(|first_s| are_durations_of(columns, table, at, Some(*first_s)))
}

/// Whether rate × time is the total of each row.
fn are_durations(columns: &[Column], table: &PublishedTable, at: usize) -> bool {
    are_durations_of(columns, table, at, columns[at].first_s)
}

fn are_durations_of(columns: &[Column], table: &PublishedTable, at: usize, first_s: Option<f64>) -> bool {
    use FigureKind::{Qps, Queries, Tps, Transactions};
    let index_of = |kind: FigureKind| columns.iter().position(|c| c.meaning == Meaning::Figure(kind, None));
    [(Tps, Transactions), (Qps, Queries)].into_iter().any(|(rate, total)| {
        let Some((rate, total)) = index_of(rate).zip(index_of(total)) else { return false };
        !table.rows.is_empty()
            && table.rows.iter().all(|row| {
                let all = (
                    quantity::value(&row.cells, rate),
                    row.cells.get(at).and_then(|cell| match quantity::read_duration(cell, first_s) {
                        CellContent::Number(quantity, ..) => Some(quantity.value),
                        _ => None,
                    }),
                    quantity::value(&row.cells, total),
                );
                let (Some(rate), Some(time), Some(total)) = all else { return false };
                (rate * time - total).abs() <= TOTAL * total.abs()
            })
    })
}

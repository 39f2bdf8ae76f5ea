//! The results of a table whose columns are understood: one for each row or series, or one for each column of a table with a row
//! for each figure.

use crate::beside;
use crate::column::{Column, SHOWN, column_among, is_of_load, name};
use crate::figure_kind::{FigureKind, Measure};
use crate::heading;
use crate::heading::named_figure;
use crate::left_over;
use crate::matrix;
use crate::of_rates;
use crate::quantity::{self, CellContent, Quantity};
use crate::raw_table::MOST_ROWS;
use crate::result::{Figures, Meaning, PublishedResult, PublishedTable};
use crate::words::{lower, unit, words};
use std::collections::BTreeMap;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// What distinguishes results: this many words besides target, workload and load. More of them would be repeated in every result.
const MOST_AXES: usize = 10;
/// This many remarks are kept of a table, of which fewer are said.
const MOST_REMARKS: usize = 10_000;

/// A result for each row, or for each series of a row.
pub(crate) fn each_result_a_row(
    table: &PublishedTable,
    columns: &[Column],
    remarks: &mut Vec<Message>,
) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    let is_workload = of_workloads(columns);
    let units = of_units(columns);
    let mut above: Vec<String> = vec![String::new(); columns.len()];
    for (at, row) in table.rows.iter().enumerate() {
        let mut base = PublishedResult { line: row.line, ..PublishedResult::default() };
        let mut series: Vec<(&Column, &str, Figures)> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (n, column) in columns.iter().enumerate() {
            // Spreadsheets leave a cell empty that is the same as the one above.
            let repeats = row.cells[n].is_empty() || unit(&lower(&words(&row.cells[n]))) == Some("same");
            if !repeats {
                above[n].clone_from(&row.cells[n]);
            }
            let cell = above[n].clone();
            match &column.meaning {
                Meaning::Target => base.target = Some(name(&cell)).filter(|cell| !cell.is_empty()),
                Meaning::Workload => base.workload = Some(name(&cell)).filter(|cell| !cell.is_empty()),
                Meaning::Axis if base.axes.len() < MOST_AXES => base.axes.push((column.heading.clone(), name(&cell))),
                Meaning::Axis => {}
                Meaning::Remark if column.is_clock => base.is_of_course = true,
                Meaning::Remark => base.counted_s = base.counted_s.or_else(|| quantity::counted(&cell)),
                Meaning::Figure(kind, of) => {
                    // The clients of merged cells; figures are never taken from above.
                    let own = if *kind == FigureKind::Clients { &cell } else { &row.cells[n] };
                    // The unit of another column may stand beside the last one.
                    let suits = |text: &str| match quantity::read(text) {
                        CellContent::Number(_, Some(unit), _) => heading::suits(*kind, unit),
                        _ => true,
                    };
                    let with_unit = units.contains(&(n + 1)).then(|| with_unit(own, column, &row.cells[n + 1]));
                    let with_unit = with_unit.filter(|text| suits(text) || !suits(own));
                    let own = with_unit.as_ref().unwrap_or(own);
                    let Some(quantity) = figure(own, *kind, column, row.line, &mut base.has_spread, remarks) else {
                        continue;
                    };
                    let cell = Some((0, at, n));
                    match of {
                        None => {
                            base.figures.insert(*kind, (quantity, cell));
                            if let Some(period) = column.period_s {
                                base.figures.insert(FigureKind::Period, (Quantity::exact(period), None));
                            }
                        }
                        Some(of) => {
                            let at = *places.entry(of).or_insert(series.len());
                            if at == series.len() {
                                series.push((column, of, Figures::new()));
                            }
                            series[at].2.insert(*kind, (quantity, cell));
                        }
                    }
                }
                // Clients that pause between their transactions are no closed loop.
                Meaning::Unknown if column.is_of_pause => {
                    base.is_open_loop |= quantity::value(&row.cells, n).is_some_and(|pause| pause > 0.0);
                }
                // Response times at a rate include the wait for a client.
                Meaning::Unknown if column.named == Some(heading::INTENDED) => {
                    base.is_open_loop |= matches!(quantity::read(&cell), CellContent::Number(..));
                }
                Meaning::Metric | Meaning::Value | Meaning::Unknown => {}
            }
        }
        if all.len() > MOST_ROWS {
            // They are refused for that.
            return all;
        }
        if series.is_empty() {
            all.push(base);
        } else {
            all.extend(series.into_iter().map(|(column, of, figures)| {
                let mut result = base.clone();
                match (&result.target, column.clients, &column.of_axis) {
                    (_, _, Some(axis)) => put_value(&mut result, axis, of),
                    (_, Some(n), None) => {
                        result.figures.insert(FigureKind::Clients, (Quantity::exact(n), None));
                    }
                    (_, None, None)
                        if matrix::clients_in_words(of).is_some() && result.get(FigureKind::Clients).is_none() =>
                    {
                        let clients = matrix::clients_in_words(of).unwrap_or_default();
                        result.figures.insert(FigureKind::Clients, (Quantity::exact(clients), None));
                    }
                    (_, None, None) if beside::is_repeat(of) => result.axes.push(("run".to_owned(), of.to_owned())),
                    (_, None, None) => put_name(&mut result, of, is_workload(of)),
                }
                result.figures.extend(figures);
                result
            }));
        }
    }
    // A total of something, as of memory, is no result.
    let is_own = |kind: &FigureKind| !is_of_load(*kind) && *kind != FigureKind::Total;
    all.retain(|result| result.figures.keys().any(is_own) || result.get(FigureKind::Seconds).is_some());
    all
}

/// A result for each column of a table with a row for each figure.
pub(crate) fn each_figure_a_row(
    table: &PublishedTable,
    columns: &[Column],
    remarks: &mut Vec<Message>,
) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    let is_goal = |column: &Column| column.named == Some(heading::STATISTIC);
    let compares = |column: &Column| column.named == Some(heading::COMPARISON);
    let is_own = |column: &&Column| !beside::is_of_units(&column.heading) && !is_goal(column) && !compares(column);
    let several = columns.iter().filter(is_own).count() > 2;
    let texts: Vec<&str> = table.rows.iter().map(|row| row.cells[0].as_str()).collect();
    let units = of_units(columns);
    let mut of_rows: Vec<Column> = (0..table.rows.len()).map(|at| column_among(at, &texts)).collect();
    of_rates::without_connecting(&mut of_rows);
    left_over::without_names(&mut of_rows);
    let is_workload = of_workloads(&of_rows);
    for (n, of_column) in columns.iter().enumerate().skip(1).filter(|(n, _)| !units.contains(n)) {
        // What was asked for is no result, and neither is what compares the others.
        let has_number =
            || table.rows.iter().any(|row| matches!(quantity::read(&row.cells[n]), CellContent::Number(..)));
        if compares(of_column) && !has_number() {
            continue;
        }
        if is_goal(of_column) || compares(of_column) {
            remarks.push(msg!("published-column-unknown", name = short(&of_column.heading, SHOWN)));
            continue;
        }
        let mut result = PublishedResult { line: table.rows.first().map_or(0, |row| row.line), ..Default::default() };
        match (of_column.clients, &of_column.of_axis) {
            (Some(clients), _) => {
                result.figures.insert(FigureKind::Clients, (Quantity::exact(clients), None));
            }
            (None, Some(axis)) => put_value(&mut result, axis, &of_column.heading),
            (None, None) => result.target = several.then(|| of_column.heading.clone()),
        }
        let mut own_rows: BTreeMap<FigureKind, Quantity> = BTreeMap::new();
        let (mut series, mut places): (Vec<(&str, Figures)>, BTreeMap<&str, usize>) = Default::default();
        for (at, row) in table.rows.iter().enumerate() {
            let of_row = &of_rows[at];
            let with_unit = units.first().map(|at| with_unit(&row.cells[n], of_row, &row.cells[*at]));
            let cell = with_unit.as_ref().unwrap_or(&row.cells[n]);
            match &of_row.meaning {
                Meaning::Figure(kind, None) => {
                    let kind = &of_unit(*kind, &of_row.heading, cell);
                    if let Some((count, rate, of_rate)) = count_with_rate(cell, *kind) {
                        result.figures.insert(*kind, (count, Some((0, at, n))));
                        result.figures.entry(of_rate).or_insert((rate, Some((0, at, n))));
                    } else if let Some(quantity) =
                        figure(cell, *kind, of_row, row.line, &mut result.has_spread, remarks)
                    {
                        // Of two rows of one figure the first has it, and the other is said.
                        match own_rows.get(kind) {
                            Some(known) if known.value == quantity.value => {}
                            Some(_) => {
                                let name = short(&row.cells[0], SHOWN);
                                remarks.push(msg!("published-row-unknown", name, line = row.line));
                            }
                            None => {
                                own_rows.insert(*kind, quantity);
                                result.figures.insert(*kind, (quantity, Some((0, at, n))));
                            }
                        }
                    }
                    if let Some(period) = of_row.period_s {
                        result.figures.insert(FigureKind::Period, (Quantity::exact(period), None));
                    }
                }
                Meaning::Figure(kind, Some(of)) => {
                    if let Some(quantity) = figure(cell, *kind, of_row, row.line, &mut result.has_spread, remarks) {
                        let place = *places.entry(of).or_insert(series.len());
                        if place == series.len() {
                            series.push((of, Figures::new()));
                        }
                        series[place].1.entry(*kind).or_insert((quantity, Some((0, at, n))));
                    }
                }
                Meaning::Target => result.target = Some(name(cell)),
                Meaning::Workload => result.workload = Some(name(cell)),
                Meaning::Axis if result.axes.len() < MOST_AXES => {
                    result.axes.push((of_row.heading.clone(), name(cell)));
                }
                Meaning::Remark => result.counted_s = quantity::counted(cell),
                _ if n == 1 && !row.cells[0].is_empty() => {
                    remarks.push(msg!("published-row-unknown", name = short(&row.cells[0], SHOWN), line = row.line));
                }
                _ => {}
            }
        }
        if all.len() > MOST_ROWS {
            // They are refused for that.
            return all;
        }
        let mut of_load = result.clone();
        of_load.figures.retain(|kind, _| is_of_load(*kind));
        if result.figures.len() > of_load.figures.len() {
            all.push(result);
        }
        all.extend(series.into_iter().map(|(of, figures)| {
            let mut result = of_load.clone();
            put_name(&mut result, of, is_workload(of));
            result.figures.extend(figures);
            result
        }));
    }
    all
}

/// Whether a name beside a figure is that of a workload: of an operation, or of a mix of them beside such.
fn of_workloads(columns: &[Column]) -> impl Fn(&str) -> bool + use<> {
    let is_operation =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(_, Some(of)) if named_figure::is_operation(of));
    let has_operations = columns.iter().any(is_operation);
    move |of: &str| named_figure::is_operation(of) || (has_operations && named_figure::is_mix(of))
}

/// The name beside a figure: of a workload, or of a target, or of a series of one.
fn put_name(result: &mut PublishedResult, of: &str, is_workload: bool) {
    match &result.target {
        _ if is_workload && result.workload.is_none() => result.workload = Some(of.to_owned()),
        Some(_) => result.axes.push(("series".to_owned(), of.to_owned())),
        None => result.target = Some(of.to_owned()),
    }
}

/// What distinguishes a result: a value of an axis, or the version of a product, which is the target.
fn put_value(result: &mut PublishedResult, axis: &str, value: &str) {
    match matrix::product(axis) {
        Some(product) => result.target = Some(format!("{product} {value}")),
        None => result.axes.push((axis.to_owned(), value.to_owned())),
    }
}

/// A count and its rate as sysbench writes them: `120000 (2000.00 per sec.)`.
fn count_with_rate(cell: &str, kind: FigureKind) -> Option<(Quantity, Quantity, FigureKind)> {
    let of_rate = match kind {
        FigureKind::Transactions => FigureKind::Tps,
        FigureKind::Queries => FigureKind::Qps,
        _ => return None,
    };
    let (count, rate) = cell.split_once('(')?;
    let rate = rate.trim_end().strip_suffix(')')?.trim_end_matches('.').trim().strip_suffix("per sec")?;
    match (quantity::read(count), quantity::read(rate)) {
        (CellContent::Number(count, None, false), CellContent::Number(rate, None, false)) => {
            Some((count, rate, of_rate))
        }
        _ => None,
    }
}

/// The columns of units.
pub(crate) fn of_units(columns: &[Column]) -> Vec<usize> {
    (0..columns.len()).filter(|at| beside::is_of_units(&columns[*at].heading)).collect()
}

/// A cell with the unit that stands in a column of its own, unless it or its heading has one.
pub(crate) fn with_unit(cell: &str, of: &Column, unit: &str) -> String {
    match quantity::read(cell) {
        CellContent::Number(_, None, _) if of.unit.is_none() && !unit.is_empty() => format!("{cell} {unit}"),
        _ => cell.to_owned(),
    }
}

/// `Throughput` is that of the unit of its cells: `269 req/s`.
pub(crate) fn of_unit(kind: FigureKind, heading: &str, cell: &str) -> FigureKind {
    match quantity::read(cell) {
        CellContent::Number(_, Some("qps"), _) if kind == FigureKind::Tps && beside::is_general_rate(heading) => {
            FigureKind::Qps
        }
        _ => kind,
    }
}

/// The number of a cell in the unit of its figure.
pub(crate) fn figure(
    cell: &str,
    kind: FigureKind,
    column: &Column,
    line: u64,
    has_spread: &mut bool,
    remarks: &mut Vec<Message>,
) -> Option<Quantity> {
    if kind == FigureKind::Clients
        && let Some(clients) = matrix::counted_clients(cell)
    {
        return Some(Quantity::exact(clients));
    }
    let content = match kind.measure() {
        Measure::Seconds if column.says_duration() => quantity::read_duration(cell, column.first_s),
        _ => quantity::read(cell),
    };
    match content {
        CellContent::Missing | CellContent::Share(_) => None,
        // More of them are not said.
        CellContent::Words | CellContent::Several if remarks.len() >= MOST_REMARKS => None,
        CellContent::Words | CellContent::Several => {
            let name = short(&column.heading, SHOWN);
            remarks.push(msg!("published-no-number", line, name, text = short(cell, SHOWN)));
            None
        }
        CellContent::Number(quantity, own, spread) => {
            if let Some(unit) = own.filter(|unit| !heading::suits(kind, unit)) {
                if remarks.len() < MOST_REMARKS {
                    let name = short(&column.heading, SHOWN);
                    remarks.push(msg!("published-unit-of-another-figure", line, name, text = short(cell, SHOWN), unit));
                }
                return None;
            }
            *has_spread |= spread;
            Some(quantity.times(factor(kind, own.or(column.unit))))
        }
    }
}

/// From a unit to that of the figure.
fn factor(kind: FigureKind, unit: Option<&str>) -> f64 {
    let measure = kind.measure();
    match unit {
        Some("kilo") => return 1e3,
        Some("wan") => return 1e4,
        Some("mega") => return 1e6,
        Some(quantity::MEGA_OR_MINUTES) if measure == Measure::Number => return 1e6,
        Some("per-minute") if matches!(kind, FigureKind::Tps | FigureKind::Qps) => return 1.0 / 60.0,
        _ => {}
    }
    let Some(seconds) = unit.and_then(|unit| match unit {
        "ns" => Some(1e-9),
        "us" => Some(1e-6),
        "ms" => Some(1e-3),
        "s" => Some(1.0),
        "min" => Some(60.0),
        "h" => Some(3600.0),
        quantity::MEGA_OR_MINUTES => Some(60.0),
        _ => None,
    }) else {
        return 1.0;
    };
    match measure {
        Measure::Milliseconds => seconds * 1e3,
        Measure::Seconds => seconds,
        Measure::Number => 1.0,
    }
}

/// Figures whose meaning depends on those beside them.
pub(crate) fn name_by_company(result: &mut PublishedResult) {
    use FigureKind::{
        Clients, Deviation, Max, MaxSeconds, Mean, MeanSeconds, Min, MinSeconds, PerPeriod, Qps, Queries,
        QueriesPerClient, Reads, Total, Tps, Writes,
    };
    let has = |result: &PublishedResult, kind| result.figures.contains_key(&kind);
    // Times of whole runs of a fixed number of queries, as mysqlslap has them.
    if has(result, QueriesPerClient) && !has(result, Tps) && !has(result, Qps) {
        for (ms, s) in [(Mean, MeanSeconds), (Min, MinSeconds), (Max, MaxSeconds)] {
            if let Some((quantity, cell)) = result.figures.remove(&ms) {
                result.figures.insert(s, (quantity.times(1e-3), cell));
            }
        }
    }
    // Total, mean and standard deviation of a course, as tpcc-mysql's is summed up: the mean is of its periods, and no time.
    let of_course = has(result, Total) && has(result, Deviation) && !has(result, Clients) && !has(result, Tps);
    if of_course && let Some((quantity, cell)) = result.figures.remove(&Mean) {
        result.figures.insert(PerPeriod, (quantity, cell));
    }
    if (has(result, Reads) || has(result, Writes))
        && !has(result, Queries)
        && let Some(total) = result.figures.remove(&Total)
    {
        result.figures.insert(Queries, total);
    }
}

//! Results out of a table in cells. A row is a result (long form), or has one for each target whose name is in the headings
//! (wide form), or is one figure of one result (a row for each figure).

use crate::alignment;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::{Figures, Meaning, Published, PublishedColumn, PublishedResult, PublishedRow, PublishedTable};
use crate::split::{MOST_ROWS, RawTable};
use crate::words::{lower, unit, words};
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// The headings are looked for in the first lines only.
const HEAD_LINES: usize = 30;
/// A longer text is a remark, and distinguishes nothing.
const LONGEST_WORD: usize = 80;
/// What distinguishes results: this many words besides target, workload and load, and this many characters of each. More of them would be
/// repeated in every result.
const MOST_AXES: usize = 10;
const LONGEST_NAME: usize = 200;
/// This many remarks are kept of a table, of which fewer are said.
const MOST_REMARKS: usize = 10_000;
/// What is shown of a cell or heading in a sentence.
const SHOWN: usize = 40;

/// A column while its meaning is being found.
struct Column {
    heading: String,
    meaning: Meaning,
    unit: Option<&'static str>,
    period_s: Option<f64>,
    named: Option<&'static str>,
    /// The number of clients that its heading is.
    clients: Option<f64>,
    /// What its heading is a value of, in a table of two axes.
    of_axis: Option<String>,
    /// Whether its heading or its cells show that it is a share, a comparison or several figures at once: no target, and not read.
    is_aside: bool,
}

/// The results of one table of a file.
pub fn read(raw: RawTable, file: &str) -> Published {
    let (head, caption) = head(&raw);
    let width = raw.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let headings = raw.rows.get(head).map(|(_, cells)| cells.clone()).unwrap_or_default();
    let headings =
        head.checked_sub(1).and_then(|above| alignment::of_two_rows(&raw.rows[above].1, &headings)).unwrap_or(headings);
    let (below, headings) =
        match raw.rows.get(head + 1).and_then(|(_, below)| alignment::over_two_rows(&headings, below)) {
            Some(joined) => (head + 2, joined),
            None => (head + 1, headings),
        };
    let mut out = Published::default();
    let mut rows: Vec<PublishedRow> = Vec::new();
    for (line, mut cells) in raw.rows.into_iter().skip(below) {
        if alignment::does_not_fit(&cells, headings.len(), raw.spaced) {
            out.remarks.push(msg!("published-row-left-out", line, cells = cells.len(), headings = headings.len()));
            continue;
        }
        cells.resize(width, String::new());
        rows.push(PublishedRow { line, cells });
    }
    alignment::without_thousands(&mut rows);
    let mut columns: Vec<Column> = (0..width).map(|at| column(headings.get(at).map_or("", String::as_str))).collect();
    for (at, clients) in matrix::clients(&headings, &rows) {
        columns[at].clients = Some(clients);
    }
    if let Some(axis) = matrix::columns_are_of_an_axis(&headings, &rows) {
        columns[0].meaning = Meaning::Target;
        columns[0].named = Some("target");
        columns[1..].iter_mut().for_each(|column| column.of_axis = Some(axis.to_owned()));
    }
    if let Some(axis) = matrix::rows_are_clients(&headings) {
        columns[0].meaning = Meaning::Figure(FigureKind::Clients, None);
        columns[1..].iter_mut().for_each(|column| column.of_axis = Some(axis.to_owned()));
    }
    let is_form = |columns: &[Column], name| columns.iter().any(|column| column.named == Some(name));
    let of_variables = is_form(&columns, "variable");
    let mut table =
        PublishedTable { file: file.to_owned(), caption, of_variables, is_log: false, columns: Vec::new(), rows };
    let of_clients = columns.iter().any(|column| column.clients.is_some());
    let of_metrics = |first: &Column| first.named == Some("metric") || names_figures(first, &table, of_clients);
    let transposed = !of_variables && columns.first().is_some_and(of_metrics);
    if of_variables {
        columns.iter_mut().for_each(|column| column.meaning = Meaning::Value);
    } else if transposed {
        columns.iter_mut().for_each(|column| column.meaning = Meaning::Value);
        columns[0].meaning = Meaning::Metric;
        let across: Vec<Message> =
            columns.iter().filter(|c| c.clients.is_some()).map(|c| foreign(short(&c.heading, SHOWN))).collect();
        if !across.is_empty() && !headings.iter().any(|heading| matrix::says_clients(heading)) {
            out.remarks.push(msg!("published-taken-as-clients", names = Message::list(across)));
        }
        out.results = each_figure_a_row(&table, &columns, &mut out.remarks);
    } else {
        settle(&mut columns, &table, &mut out.remarks);
        out.results = each_result_a_row(&table, &columns, &mut out.remarks);
    }
    for result in &mut out.results {
        name_by_company(result);
        let of_columns =
            result.figures.iter().filter_map(|(kind, (_, place))| Some((kind, place.filter(|_| !transposed)?.2)));
        for (kind, at) in of_columns {
            if let Meaning::Figure(of, _) = &mut columns[at].meaning {
                *of = *kind;
            }
        }
    }
    table.columns = columns.into_iter().map(|c| PublishedColumn { heading: c.heading, meaning: c.meaning }).collect();
    out.tables.push(table);
    out
}

/// The row of the headings, and the words above it.
fn head(raw: &RawTable) -> (usize, String) {
    let weight = |cells: &[String]| {
        let known = cells.iter().filter(|cell| heading::read(cell) != HeadingMeaning::Unknown).count();
        // Words below the headings may be names of columns too, but then numbers stand beside them.
        if cells.iter().any(|cell| matches!(quantity::read(cell), CellContent::Number(..))) { 0 } else { known }
    };
    let first = raw.rows.iter().take(HEAD_LINES).position(|(_, cells)| weight(cells) > 1);
    let first = first.or_else(|| raw.rows.iter().take(HEAD_LINES).position(|(_, cells)| weight(cells) > 0));
    // Numbers are no words that a row of headings is known by; a title above them may have some.
    let of_numbers = matrix::head(raw, HEAD_LINES).filter(|at| first.is_none_or(|first| first < *at));
    let at = of_numbers.or(first).unwrap_or(0);
    let above = raw.rows[..at.min(raw.rows.len())].last().map(|(_, cells)| cells.join(" "));
    (at, if raw.caption.is_empty() { above.unwrap_or_default() } else { raw.caption.clone() })
}

/// Whether a column without a heading has names of figures: each row is one.
fn names_figures(first: &Column, table: &PublishedTable, of_clients: bool) -> bool {
    let is_figure = |row: &PublishedRow| {
        let meaning = row.cells.first().map_or(HeadingMeaning::Unknown, |cell| heading::read(cell));
        matches!(meaning, HeadingMeaning::Figure(_, _, None) | HeadingMeaning::PerPeriod(_))
    };
    let named = table.rows.iter().filter(|row| is_figure(row)).count();
    let unnamed = first.heading.is_empty() || of_clients;
    unnamed && named > 1 && 2 * named > table.rows.len()
}

fn column(text: &str) -> Column {
    let (meaning, unit, period_s, named) = match heading::read(text) {
        HeadingMeaning::Figure(kind, unit, of) => (Meaning::Figure(kind, of), unit, None, None),
        HeadingMeaning::PerPeriod(s) => (Meaning::Figure(FigureKind::PerPeriod, None), None, Some(s), None),
        HeadingMeaning::Named("target") => (Meaning::Target, None, None, Some("target")),
        HeadingMeaning::Named("workload") => (Meaning::Workload, None, None, Some("workload")),
        HeadingMeaning::Named("axis") => (Meaning::Axis, None, None, Some("axis")),
        HeadingMeaning::Named("remark") => (Meaning::Remark, None, None, Some("remark")),
        HeadingMeaning::Named(name) => (Meaning::Unknown, None, None, Some(name)),
        HeadingMeaning::Unknown => (Meaning::Unknown, None, None, None),
    };
    let is_aside = named.is_some_and(|name| [heading::COMPARISON, heading::SHARE, heading::STATISTIC].contains(&name));
    Column { heading: name(text), meaning, unit, period_s, named, clients: None, of_axis: None, is_aside }
}

/// A heading or cell that names something.
fn name(text: &str) -> String {
    if text.len() <= LONGEST_NAME { text.to_owned() } else { short(text, LONGEST_NAME) }
}

/// Whether a heading consists of two others: `A/B`, `A vs B`.
fn compares(heading: &str, all: &[String]) -> bool {
    let of_others = |between: &str| {
        let (a, b) = heading.split_once(between)?;
        let is_other = |name: &str| all.iter().any(|other| other != heading && other.eq_ignore_ascii_case(name.trim()));
        Some(!a.trim().is_empty() && is_other(a) && is_other(b))
    };
    ["/", "÷", ":", " vs ", " vs. ", " - "].iter().any(|between| of_others(between) == Some(true))
}

/// Meanings that depend on the cells and on the other columns.
fn settle(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let cells = |at: usize| table.rows.iter().map(move |row| row.cells[at].as_str());
    let headings: Vec<String> = columns.iter().map(|column| column.heading.clone()).collect();
    let of_digits = |at: usize| {
        let begins = cells(at).filter(|cell| cell.trim_start().starts_with(|c: char| c.is_ascii_digit())).count();
        2 * begins > cells(at).filter(|cell| !cell.is_empty()).count()
    };
    for (at, column) in columns.iter_mut().enumerate() {
        column.is_aside |= compares(&column.heading, &headings);
        let is = |wanted: fn(&CellContent) -> bool| cells(at).any(|cell| wanted(&quantity::read(cell)));
        let (numbers, texts) = (is(|c| matches!(c, CellContent::Number(..))), is(|c| matches!(c, CellContent::Words)));
        let long = cells(at).any(|cell| cell.chars().count() > LONGEST_WORD);
        let is_of_others = is(|c| matches!(c, CellContent::Share(_) | CellContent::Several));
        column.is_aside |= is_of_others && !numbers;
        match column.meaning {
            Meaning::Target | Meaning::Workload | Meaning::Axis | Meaning::Remark => {}
            _ if column.is_aside => column.meaning = Meaning::Unknown,
            // `1000 req/m`, `900-1100`: figures in a form or unit that is not read.
            Meaning::Figure(..) if !numbers && texts && of_digits(at) => {
                column.is_aside = true;
                column.meaning = Meaning::Unknown;
            }
            Meaning::Figure(..) if !numbers && texts => column.meaning = Meaning::Axis,
            Meaning::Unknown if texts && !long => column.meaning = Meaning::Axis,
            Meaning::Unknown if texts => column.meaning = Meaning::Remark,
            _ => {}
        }
    }
    of_rates(columns, table);
    of_caption(columns, table);
    without_left_over_names(columns);
    let has = |columns: &[Column], wanted: &dyn Fn(&Meaning) -> bool| columns.iter().any(|c| wanted(&c.meaning));
    let is_figure = |m: &Meaning| matches!(m, Meaning::Figure(kind, _) if !is_of_load(*kind));
    let of_clients = columns.iter().any(|column| column.clients.is_some());
    // The word above the names of targets, or of workloads, is that of the numbers beside it.
    for column in columns.iter_mut().filter(|column| of_clients && column.clients.is_none()) {
        if column.meaning == Meaning::Figure(FigureKind::Clients, None) {
            column.meaning = Meaning::Axis;
        }
    }
    // Columns that are targets, below a caption that names the figure.
    if !of_clients
        && !has(columns, &is_figure)
        && let Some((kind, unit)) = heading::of_caption(&table.caption)
    {
        let own = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
        for column in columns.iter_mut().filter(|column| own(column)) {
            column.meaning = Meaning::Figure(kind, Some(column.heading.clone()));
            column.unit = unit;
        }
    }
    // A figure that two columns have is one of a series for each.
    let mut seen: Vec<(FigureKind, Option<String>)> = Vec::new();
    for column in columns.iter_mut() {
        if let Meaning::Figure(kind, of) = &column.meaning {
            let this = (*kind, of.clone());
            if seen.contains(&this) {
                column.is_aside |= this.1.is_some();
                column.meaning = Meaning::Unknown;
            }
            seen.push(this);
        }
    }
    // The only column of words is that of the targets.
    let of_words: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].meaning == Meaning::Axis).collect();
    if let [only] = of_words[..]
        && columns[only].named.is_none()
        && !has(columns, &|m| matches!(m, Meaning::Target | Meaning::Figure(_, Some(_))))
    {
        columns[only].meaning = Meaning::Target;
    }
    as_matrix(columns, table, remarks);
    let is_empty = table.rows.iter().all(|row| row.cells.iter().all(|cell| cell.is_empty()));
    for column in columns.iter().filter(|column| column.meaning == Meaning::Unknown) {
        if !(column.heading.is_empty() && is_empty) {
            remarks.push(msg!("published-column-unknown", name = short(&column.heading, SHOWN)));
        }
    }
    let no_unit = |c: &&Column| {
        let of_time = matches!(&c.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
        of_time && c.unit.is_none()
    };
    let without: Vec<Message> = columns
        .iter()
        .enumerate()
        .filter(|(at, column)| {
            no_unit(column)
                && !cells(*at).any(|cell| matches!(quantity::read(cell), CellContent::Number(_, Some(_), _)))
        })
        .map(|(_, column)| foreign(short(&column.heading, SHOWN)))
        .collect();
    if !without.is_empty() {
        remarks.push(msg!("published-taken-as-ms", names = Message::list(without)));
    }
}

/// Beside `Mean NOTPM` a bare `P95` is one of the rates, and no response time, if it is as large.
fn of_rates(columns: &mut [Column], table: &PublishedTable) {
    let Some(rate) = columns.iter().position(|column| heading::is_mean_of_rate(&column.heading)) else { return };
    let value = |row: &PublishedRow, at: usize| match quantity::read(&row.cells[at]) {
        CellContent::Number(quantity, None, _) => Some(quantity.value),
        _ => None,
    };
    for (at, column) in columns.iter_mut().enumerate() {
        let of_time = matches!(&column.meaning, Meaning::Figure(kind, None) if kind.measure() == Measure::Milliseconds);
        let is_bare = of_time && column.unit.is_none() && !heading::says_time(&column.heading);
        let alike = |row: &PublishedRow| {
            let both = value(row, at).zip(value(row, rate));
            both.is_some_and(|(one, rate)| one > rate / MAGNITUDE && one < rate * MAGNITUDE)
        };
        if is_bare && !table.rows.is_empty() && table.rows.iter().all(alike) {
            column.meaning = Meaning::Unknown;
            column.is_aside = true;
        }
    }
}

/// What the words above the table say of its columns: a bare `Avg` below `TPS` is that rate, and a time without a unit has that of the caption.
fn of_caption(columns: &mut [Column], table: &PublishedTable) {
    let is_rate = |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if heading::is_rate(*kind));
    let is_time =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, None) if kind.measure() == Measure::Milliseconds);
    let rate = heading::of_caption(&table.caption)
        .filter(|(kind, _)| heading::is_rate(*kind) && !heading::says_time(&table.caption));
    if let Some((kind, unit)) = rate.filter(|_| !columns.iter().any(is_rate)) {
        let bare = |c: &&mut Column| is_time(c) && c.unit.is_none() && !heading::says_time(&c.heading);
        for column in columns.iter_mut().filter(bare) {
            if column.meaning == Meaning::Figure(FigureKind::Mean, None) {
                (column.meaning, column.unit) = (Meaning::Figure(kind, None), unit);
            } else {
                (column.meaning, column.is_aside) = (Meaning::Unknown, true);
            }
        }
    }
    if let Some(unit) = heading::unit_of_time(&table.caption) {
        columns.iter_mut().filter(|c| is_time(c) && c.unit.is_none()).for_each(|c| c.unit = Some(unit));
    }
}

/// A percentile of a rate is not further from its mean.
const MAGNITUDE: f64 = 5.0;

/// What is left over of one heading is the name of a target only if other headings have one too; and a figure that a heading names
/// alone is not also that of one with more words, such as `TPS` and `TPS of readers`.
fn without_left_over_names(columns: &mut [Column]) {
    let plain: Vec<FigureKind> = columns
        .iter()
        .filter_map(|c| if let Meaning::Figure(kind, None) = c.meaning { Some(kind) } else { None })
        .collect();
    let only_one = columns.iter().filter(|c| of_series(&c.meaning).is_some()).count() == 1;
    for column in columns.iter_mut() {
        let Meaning::Figure(kind, Some(_)) = column.meaning else { continue };
        if plain.contains(&kind) {
            column.meaning = Meaning::Unknown;
            column.is_aside = true;
        } else if only_one {
            column.meaning = Meaning::Figure(kind, None);
        }
    }
}

/// The name of the target or series that is part of a heading.
fn of_series(meaning: &Meaning) -> Option<&str> {
    if let Meaning::Figure(_, Some(of)) = meaning { Some(of) } else { None }
}

/// Columns of figures that only a number of clients distinguishes, or a target beside a column of clients.
fn as_matrix(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let is_of_clients = |column: &Column| column.clients.is_some();
    let has_figures = columns.iter().any(|c| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)));
    let of_clients = columns.iter().any(is_of_clients);
    let headings = columns.iter().filter(|c| !is_of_clients(c)).map(|c| c.heading.as_str());
    let said_clients = headings.clone().chain([&*table.caption]).any(matrix::says_clients);
    let said = matrix::figure(&table.caption, headings);
    let is_target = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
    let is_own: fn(&Column) -> bool = match of_clients {
        true => |column| column.clients.is_some(),
        false => |column| column.meaning == Meaning::Unknown && !column.heading.is_empty() && !column.is_aside,
    };
    let of_axis = columns.iter().any(|column| column.of_axis.is_some());
    // Of queries the figure is rather a time than a rate: nothing is assumed; nor where something else is said.
    let is_other =
        columns.iter().filter(|c| is_own(c)).any(|c| c.heading.contains('/') || heading::says_other(&c.heading));
    if said.is_none() && (of_axis || is_other || heading::says_other(&table.caption)) {
        return;
    }
    // Without a column of clients, or with a single figure, they may be anything.
    let beside_clients = columns.iter().any(|c| c.meaning == Meaning::Figure(FigureKind::Clients, None))
        && columns.iter().filter(|c| is_target(c)).count() > 1
        && !columns.iter().any(|c| c.meaning == Meaning::Target);
    if has_figures || !(of_clients || beside_clients || of_axis) {
        return;
    }
    let (kind, unit) = said.unwrap_or((FigureKind::Tps, None));
    let mut names = Vec::new();
    for column in columns.iter_mut().filter(|column| is_own(column)) {
        names.push(foreign(short(&column.heading, SHOWN)));
        column.meaning = Meaning::Figure(kind, Some(column.heading.clone()));
        column.unit = unit;
    }
    let names = Message::list(names);
    if of_clients && !said_clients {
        remarks.push(msg!("published-taken-as-clients", names = names.clone()));
    }
    if said.is_none() {
        remarks.push(msg!("published-taken-as-tps", names));
    }
}

/// Numbers that describe the load rather than its result.
fn is_of_load(kind: FigureKind) -> bool {
    use FigureKind::{Clients, Period, QueriesPerClient, Seconds, Warehouses};
    matches!(kind, Clients | QueriesPerClient | Period | Warehouses | Seconds)
}

fn each_result_a_row(table: &PublishedTable, columns: &[Column], remarks: &mut Vec<Message>) -> Vec<PublishedResult> {
    let mut all = Vec::new();
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
                Meaning::Remark => base.counted_s = base.counted_s.or_else(|| quantity::counted(&cell)),
                Meaning::Figure(kind, of) => {
                    // The clients of merged cells; figures are never taken from above.
                    let own = if *kind == FigureKind::Clients { &cell } else { &row.cells[n] };
                    let Some(quantity) = figure(own, *kind, column, row.line, &mut base.has_spread, remarks) else {
                        continue;
                    };
                    let place = Some((0, at, n));
                    match of {
                        None => {
                            base.figures.insert(*kind, (quantity, place));
                            if let Some(period) = column.period_s {
                                base.figures.insert(FigureKind::Period, (Quantity::exact(period), None));
                            }
                        }
                        Some(of) => {
                            let at = *places.entry(of).or_insert(series.len());
                            if at == series.len() {
                                series.push((column, of, Figures::new()));
                            }
                            series[at].2.insert(*kind, (quantity, place));
                        }
                    }
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
                    (_, _, Some(axis)) => result.axes.push((axis.clone(), of.to_owned())),
                    (_, Some(n), None) => {
                        result.figures.insert(FigureKind::Clients, (Quantity::exact(n), None));
                    }
                    (Some(_), None, None) => result.axes.push(("series".to_owned(), of.to_owned())),
                    (None, None, None) => result.target = Some(of.to_owned()),
                }
                result.figures.extend(figures);
                result
            }));
        }
    }
    all.retain(|result| {
        result.figures.keys().any(|kind| !is_of_load(*kind)) || result.get(FigureKind::Seconds).is_some()
    });
    all
}

fn each_figure_a_row(table: &PublishedTable, columns: &[Column], remarks: &mut Vec<Message>) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    let several = columns.len() > 2;
    for (n, of_column) in columns.iter().enumerate().skip(1) {
        let mut result = PublishedResult { line: table.rows.first().map_or(0, |row| row.line), ..Default::default() };
        match of_column.clients {
            Some(clients) => {
                result.figures.insert(FigureKind::Clients, (Quantity::exact(clients), None));
            }
            None => result.target = several.then(|| of_column.heading.clone()),
        }
        for (at, row) in table.rows.iter().enumerate() {
            let of_row = column(&row.cells[0]);
            let cell = &row.cells[n];
            match &of_row.meaning {
                Meaning::Figure(kind, None) => {
                    if let Some(found) = figure(cell, *kind, &of_row, row.line, &mut result.has_spread, remarks) {
                        result.figures.insert(*kind, (found, Some((0, at, n))));
                    }
                    if let Some(period) = of_row.period_s {
                        result.figures.insert(FigureKind::Period, (Quantity::exact(period), None));
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
        if result.figures.keys().any(|kind| !is_of_load(*kind)) {
            all.push(result);
        }
    }
    all
}

/// The number of a cell in the unit of its figure.
fn figure(
    cell: &str,
    kind: FigureKind,
    column: &Column,
    line: u64,
    has_spread: &mut bool,
    remarks: &mut Vec<Message>,
) -> Option<Quantity> {
    match quantity::read(cell) {
        CellContent::Missing | CellContent::Share(_) | CellContent::Several => None,
        // More of them are not said.
        CellContent::Words if remarks.len() >= MOST_REMARKS => None,
        CellContent::Words => {
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
        Some("per-minute") if matches!(kind, FigureKind::Tps | FigureKind::Qps) => return 1.0 / 60.0,
        _ => {}
    }
    let Some(seconds) = unit.and_then(|unit| match unit {
        "ns" => Some(1e-9),
        "us" => Some(1e-6),
        "ms" => Some(1e-3),
        "s" => Some(1.0),
        "min" => Some(60.0),
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
fn name_by_company(result: &mut PublishedResult) {
    use FigureKind::{
        Clients, Deviation, Max, MaxSeconds, Mean, MeanSeconds, Min, MinSeconds, PerPeriod, Qps, Queries,
        QueriesPerClient, Reads, Total, Tps, Writes,
    };
    let has = |result: &PublishedResult, kind| result.figures.contains_key(&kind);
    // Times of whole runs of a fixed number of queries, as mysqlslap has them.
    if has(result, QueriesPerClient) && !has(result, Tps) && !has(result, Qps) {
        for (ms, s) in [(Mean, MeanSeconds), (Min, MinSeconds), (Max, MaxSeconds)] {
            if let Some((quantity, place)) = result.figures.remove(&ms) {
                result.figures.insert(s, (quantity.times(1e-3), place));
            }
        }
    }
    // Total, mean and standard deviation of a course, as tpcc-mysql's is summed up: the mean is of its periods, and no time.
    let of_course = has(result, Total) && has(result, Deviation) && !has(result, Clients) && !has(result, Tps);
    if of_course && let Some((quantity, place)) = result.figures.remove(&Mean) {
        result.figures.insert(PerPeriod, (quantity, place));
    }
    if (has(result, Reads) || has(result, Writes))
        && !has(result, Queries)
        && let Some(total) = result.figures.remove(&Total)
    {
        result.figures.insert(Queries, total);
    }
}

//! What stands in a table beside its results: means of its rows or columns, and words and dates that say more about a result without
//! naming it.

use crate::beside;
use crate::checks::summaries;
use crate::column::{Column, SHOWN, is_of_load};
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning, INTENDED};
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedRow, PublishedTable};
use crate::words::{has_part, is_among, lower, words};
use std::collections::BTreeSet;
use tenbin_model::{defaults, variables};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// Rounding, and a mean of which one run was left out.
const NEAR: f64 = 0.01;

/// How many rows at the end of a table are computed from those above: `Average | 1250 | 9.33`, and minimum, maximum and the like
/// beside such a row; alone, such rows stand in no column of clients: `Total | | 5100`. `clients`: that column.
pub fn rows_of_means(rows: &[PublishedRow], clients: Option<usize>) -> usize {
    let name = |row: &PublishedRow| {
        let cell = row.cells.iter().take(2).find(|cell| !cell.is_empty());
        lower(&words(cell.map_or("", String::as_str)))
    };
    let is = |row: &PublishedRow, lists: &[&str]| {
        let name = name(row);
        !name.is_empty() && name.iter().all(|word| lists.iter().any(|list| is_among(word, list)))
    };
    const SUMMARIES: [&str; 9] =
        ["of-mean", "of-min", "of-max", "median", "deviation", "sum", "of-whole", "total", "of-summary"];
    let n = rows.iter().rev().take_while(|row| is(row, &SUMMARIES)).count();
    if n == 0 {
        return usize::from(sums_up(rows, clients));
    }
    let (above, last) = rows.split_at(rows.len() - n);
    let is_number = |row: &PublishedRow, at: usize| quantity::value(&row.cells, at).is_some();
    let is_of_no_clients =
        |at: usize| !last.iter().any(|row| is_number(row, at)) && above.iter().any(|row| is_number(row, at));
    if above.len() > 1 && clients.is_some_and(is_of_no_clients) {
        return n;
    }
    let is_figure = |row: &PublishedRow| matches!(heading::read(&name(row).join(" ")), HeadingMeaning::Figure(..));
    let has_mean = last.iter().any(|row| is(row, &["of-mean", "median"]));
    if has_mean && above.len() > 1 && !above.iter().any(is_figure) { n } else { 0 }
}

/// Whether the last row has a word in the place of its clients, whatever the language, and beside it sums of the numbers above, or numbers between them.
fn sums_up(rows: &[PublishedRow], clients: Option<usize>) -> bool {
    let (Some(clients), Some((last, above))) = (clients, rows.split_last()) else { return false };
    let name = &last.cells[clients];
    let is_word = matches!(quantity::read(name), CellContent::Words) && !name.contains(char::is_numeric);
    let is_number = |row: &PublishedRow| quantity::value(&row.cells, clients).is_some();
    if !is_word || above.len() < 2 || !above.iter().all(is_number) {
        return false;
    }
    let follows = |at: usize| {
        let value = quantity::value(&last.cells, at)?;
        let all: Vec<f64> = above.iter().filter_map(|row| quantity::value(&row.cells, at)).collect();
        let (least, most) = all.iter().fold((f64::MAX, f64::MIN), |(least, most), one| (one.min(least), one.max(most)));
        let sum: f64 = all.iter().sum();
        Some((least..=most).contains(&value) || (value - sum).abs() <= NEAR * sum.abs())
    };
    let mut known = (0..last.cells.len()).filter_map(follows).peekable();
    known.peek().is_some() && known.all(|follows| follows)
}

/// Whether the last of two rows is the total of the other one alone, as JMeter and Locust print it of one sampler.
pub fn total_of_one(rows: &[PublishedRow]) -> usize {
    let [one, total] = rows else { return 0 };
    let is_total = |cell: &String| {
        let name = lower(&words(cell));
        !name.is_empty() && name.iter().all(|word| is_among(word, "of-whole") || is_among(word, "total"))
    };
    let (same, other): (Vec<usize>, Vec<usize>) =
        (0..total.cells.len()).partition(|at| one.cells.get(*at) == total.cells.get(*at));
    let of_total = |at: &usize| total.cells[*at].is_empty() || is_total(&total.cells[*at]);
    let is_named = other.iter().any(|at| is_total(&total.cells[*at]));
    usize::from(is_named && other.iter().all(of_total) && same.iter().any(|at| !total.cells[*at].is_empty()))
}

/// Whether headings are those of single samples, as JMeter and BenchmarkSQL write them: no rows of results.
pub fn are_samples(headings: &[String]) -> bool {
    let has = |name: &str| headings.iter().any(|heading| heading.eq_ignore_ascii_case(name));
    let of_jmeter = has("timeStamp") && has("elapsed") && (has("label") || has("success"));
    // `result.csv`: a line for each transaction, with its type.
    let of_benchmarksql = has("elapsed") && has("latency") && has("ttype");
    of_jmeter || of_benchmarksql
}

/// A column of means is no response time if it is that of the columns beside it; beside those of runs, which say so, it and other statistics are of
/// these whatever their numbers are: `Run 1, Run 2, Avg`, `TPS run 1, TPS run 2, TPS avg`.
pub fn means_of_columns(columns: &mut [Column], table: &PublishedTable) {
    let value = |row: &PublishedRow, at: usize| match quantity::read(&row.cells[at]) {
        CellContent::Number(quantity, ..) => Some(quantity),
        _ => None,
    };
    let is_run = |column: &Column| column.meaning == Meaning::Unknown && !column.is_aside && !column.heading.is_empty();
    let runs: Vec<usize> = (0..columns.len()).filter(|at| is_run(&columns[*at])).collect();
    let is_mean = |row: &PublishedRow, at: usize| {
        let all: Option<Vec<f64>> = runs.iter().map(|at| value(row, *at).map(|quantity| quantity.value)).collect();
        let (Some(all), Some(mean)) = (all, value(row, at)) else { return false };
        let expected = all.iter().sum::<f64>() / all.len() as f64;
        (mean.value - expected).abs() <= mean.half + NEAR * expected.abs()
    };
    let open = columns.iter().filter(|c| is_run(c) && beside::is_repeat(&c.heading)).count();
    let of_rate = |column: &Column| match &column.meaning {
        Meaning::Figure(kind, Some(of)) if heading::is_rate(*kind) && beside::is_repeat(of) => Some(*kind),
        _ => None,
    };
    let rates: Vec<FigureKind> = columns.iter().filter_map(of_rate).collect();
    for (at, column) in columns.iter_mut().enumerate() {
        let is_bare = column.unit.is_none() && !heading::says_time(&column.heading);
        let is_bare_mean = is_bare && column.meaning == Meaning::Figure(FigureKind::Mean, None);
        let is_of_numbers =
            || runs.len() > 1 && !table.rows.is_empty() && table.rows.iter().all(|row| is_mean(row, at));
        let sums_up = is_bare && summaries::of_heading(&column.heading).is_some();
        let is_of_runs = match column.meaning {
            Meaning::Figure(kind, None) if heading::is_rate(kind) => {
                rates.iter().filter(|of| **of == kind).count() > 1 && sums_up
            }
            Meaning::Figure(kind, None) => !is_of_load(kind) && (open > 1 || rates.len() > 1) && sums_up,
            _ => false,
        };
        if is_of_runs || (is_bare_mean && is_of_numbers()) {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
}

/// Columns of words or dates whose headings are not known name no target if the other columns distinguish all rows: each row would be
/// a series of its own. Kinds of transactions are workloads.
pub fn words_of_rows(columns: &mut [Column], table: &PublishedTable) {
    let of_load =
        |kind: FigureKind| matches!(kind, FigureKind::Clients | FigureKind::Warehouses | FigureKind::QueriesPerClient);
    let is_key = |column: &Column| match &column.meaning {
        Meaning::Target | Meaning::Workload => true,
        Meaning::Axis => column.named.is_some(),
        Meaning::Figure(kind, None) => of_load(*kind),
        _ => false,
    };
    let keys: Vec<usize> = (0..columns.len()).filter(|at| is_key(&columns[*at])).collect();
    let has_clients = columns.iter().any(|column| column.meaning == Meaning::Figure(FigureKind::Clients, None));
    let key = |row: &PublishedRow| keys.iter().map(|at| row.cells[*at].clone()).collect::<Vec<_>>();
    let distinct: BTreeSet<Vec<String>> = table.rows.iter().map(key).collect();
    let is_full = distinct.iter().flatten().all(|cell| !cell.is_empty());
    let tells_all_apart = has_clients && is_full && table.rows.len() > 1 && distinct.len() == table.rows.len();
    for (at, column) in columns.iter_mut().enumerate() {
        let is_headless = !column.heading.contains(char::is_alphanumeric);
        if column.meaning != Meaning::Axis || column.named.is_some() || is_headless {
            continue;
        }
        let cells = || table.rows.iter().map(|row| row.cells[at].as_str()).filter(|cell| !cell.is_empty());
        let values: BTreeSet<&str> = cells().collect();
        let name = lower(&words(&column.heading));
        let of_transaction =
            |word: &String| ["type", "name"].contains(&word.as_str()) || is_among(word, "of-transaction");
        if name.iter().all(of_transaction) && name.iter().any(|word| is_among(word, "of-transaction")) {
            column.meaning = Meaning::Workload;
        } else if cells().all(is_moment)
            || (values.len() == 1 && table.rows.len() > 1 && !names(&name))
            || (tells_all_apart && values.len() > 1 && !names(&name))
        {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
}

/// Of several columns of targets, or of workloads, the first one that tells rows apart has them, or that is called so; the others say more about a
/// result.
pub fn one_of_each(columns: &mut [Column], table: &PublishedTable) {
    let varies = |at: usize| {
        let mut cells = table.rows.iter().map(|row| row.cells[at].as_str()).filter(|cell| !cell.is_empty());
        let first = cells.next();
        cells.any(|cell| Some(cell) != first)
    };
    for (wanted, name) in [(Meaning::Target, "target"), (Meaning::Workload, "workload")] {
        let all: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].meaning == wanted).collect();
        let is_called_so = |at: &usize| columns[*at].heading.trim().eq_ignore_ascii_case(name);
        let kept = all.iter().copied().find(|at| varies(*at)).or(all.iter().copied().find(is_called_so));
        let kept = kept.or(all.first().copied());
        for at in all.into_iter().filter(|at| Some(*at) != kept) {
            (columns[at].meaning, columns[at].named) = (Meaning::Axis, Some("axis"));
        }
    }
}

/// `Setting` above the names of what was compared: a target, or an axis with its values beside it.
pub fn settings_of_rows(columns: &mut [Column]) {
    let is = |name: &str, column: &Column| column.named == Some(name);
    if !columns.iter().any(|column| is("variable", column)) {
        return;
    }
    let is_axis = columns.iter().any(|column| column.meaning == Meaning::Target || is("value", column));
    let meaning = if is_axis { (Meaning::Axis, Some("axis")) } else { (Meaning::Target, Some("target")) };
    for column in columns.iter_mut().filter(|column| is("variable", column) || is("value", column)) {
        (column.meaning, column.named) = meaning.clone();
    }
}

/// Beside several columns of numbers for targets, below clients that tell all rows apart, words say something of the row (`Winner`), and
/// columns that are said to be of something else (`CPU`) are no targets.
pub fn beside_targets(columns: &mut [Column], table: &PublishedTable) {
    let is_open = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
    let is_other =
        |c: &Column| is_open(c) && (heading::says_share(&c.heading) || beside::is_of_thing(&lower(&words(&c.heading))));
    let clients = columns.iter().position(|c| c.meaning == Meaning::Figure(FigureKind::Clients, None));
    let Some(clients) = clients else { return };
    let targets = columns.iter().filter(|c| is_open(c) && !is_other(c)).count();
    if targets < 2 {
        columns
            .iter_mut()
            .filter(|c| is_other(c))
            .for_each(|c| c.is_aside |= heading::says_share(&c.heading) || targets == 0);
        return;
    }
    columns.iter_mut().filter(|c| is_other(c)).for_each(|c| c.is_aside = true);
    let distinct: BTreeSet<&str> = table.rows.iter().map(|row| row.cells[clients].as_str()).collect();
    if distinct.len() < table.rows.len() {
        return;
    }
    for column in columns.iter_mut().skip(1) {
        let is_of_words = match column.meaning {
            Meaning::Axis | Meaning::Target => column.named.is_none(),
            _ => false,
        };
        if is_of_words {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
}

/// A column of seconds since 1970 is the clock of its rows, whatever stands above it: no rate is so high.
pub fn times_since_1970(columns: &mut [Column], table: &PublishedTable) {
    const OF_DAY: std::ops::Range<f64> = 1e9..2.2e9;
    let is_time = |cell: &str| match quantity::read(cell) {
        CellContent::Number(quantity, None, _) => OF_DAY.contains(&quantity.value) && quantity.half <= 0.5,
        _ => false,
    };
    for (at, column) in columns.iter_mut().enumerate() {
        let is_rate = matches!(&column.meaning, Meaning::Figure(kind, _) if heading::is_rate(*kind));
        let mut filled = table.rows.iter().map(|row| row.cells[at].as_str()).filter(|cell| !cell.is_empty()).peekable();
        if is_rate && filled.peek().is_some() && filled.all(is_time) {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
}

/// A column of numbers before the figures that is not understood, and is the only one in which some rows differ, is what was changed from row to
/// row: `innodb_buffer_pool_size (GB)`, `vCPU`. So is a column of a server's variable, wherever it stands.
pub fn swept(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let is_figure = |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind));
    let Some(first_figure) = columns.iter().position(is_figure) else { return };
    // What changes within a run was not changed by anybody.
    if columns.iter().any(|column| column.is_clock) {
        return;
    }
    let is_key = |c: &Column| match &c.meaning {
        Meaning::Target | Meaning::Workload | Meaning::Axis => true,
        Meaning::Figure(kind, None) => is_of_load(*kind),
        _ => false,
    };
    let is_of_numbers = |at: usize| {
        let mut cells = table.rows.iter().map(|row| quantity::read(&row.cells[at])).peekable();
        cells.peek().is_some() && cells.all(|cell| matches!(cell, CellContent::Number(_, None, false)))
    };
    let of_variable = |heading: &str| {
        let name = heading.split(['(', '（', '[']).next().unwrap_or_default().trim();
        defaults::is_known(&variables::canonical_name(name))
    };
    for at in 0..columns.len() {
        let column = &columns[at];
        let is_open = column.meaning == Meaning::Unknown && !column.is_aside && column.named.is_none();
        let may_be = is_open && !column.heading.is_empty() && column.clients.is_none() && column.of_axis.is_none();
        let is_variable = of_variable(&column.heading);
        if !may_be || !(is_variable || at < first_figure && !are_row_numbers(table, at)) || !is_of_numbers(at) {
            continue;
        }
        let keys: Vec<usize> = (0..columns.len()).filter(|key| is_key(&columns[*key])).collect();
        let key = |row: &PublishedRow| keys.iter().map(|key| row.cells[*key].clone()).collect::<Vec<_>>();
        let without: BTreeSet<Vec<String>> = table.rows.iter().map(key).collect();
        let with: BTreeSet<(Vec<String>, &str)> =
            table.rows.iter().map(|row| (key(row), row.cells[at].as_str())).collect();
        if with.len() > without.len() {
            (columns[at].meaning, columns[at].named) = (Meaning::Axis, Some("axis"));
            remarks.push(msg!("published-column-swept", name = short(&columns[at].heading, SHOWN)));
        }
    }
}

/// A first column of whole numbers that grow, in a table without names of rows, is what was changed from row to row: the columns beside it are targets.
pub fn grows_before_others(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let is_open = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
    let has_names = columns.iter().any(|c| matches!(c.meaning, Meaning::Target | Meaning::Workload | Meaning::Axis));
    let others = columns.iter().skip(1).filter(|column| is_open(column)).count();
    let Some(first) = columns.first_mut().filter(|first| is_open(first) && !has_names && others > 1) else { return };
    let numbers: Option<Vec<f64>> = table.rows.iter().map(|row| quantity::value(&row.cells, 0)).collect();
    let grows = |all: &Vec<f64>| {
        let is_whole = all.iter().all(|number| number.fract() == 0.0);
        all.len() > 1 && is_whole && all.windows(2).all(|two| two[1] > two[0])
    };
    if numbers.is_some_and(|all| grows(&all)) {
        (first.meaning, first.named) = (Meaning::Axis, Some("axis"));
        remarks.push(msg!("published-column-swept", name = short(&first.heading, SHOWN)));
    }
}

/// Whether the cells of a column count the rows: 1, 2, 3.
fn are_row_numbers(table: &PublishedTable, at: usize) -> bool {
    let numbers: Option<Vec<f64>> = table.rows.iter().map(|row| quantity::value(&row.cells, at)).collect();
    numbers.is_some_and(|all| {
        all.first().is_some_and(|first| *first <= 1.0) && all.windows(2).all(|two| two[1] - two[0] == 1.0)
    })
}

/// Whether a heading in words is above names of what was measured, though it is not known which: `CPU model`, but not `CPU load`.
fn names(heading: &[String]) -> bool {
    let is = |of: &str| heading.iter().any(|word| is_among(word, of));
    is("of-name") && !is("of-usage") && !has_part(&heading.join(" "), "part-of-usage")
}

/// `2024-05-01`, `01.05.2024 10:00`, `10:00:01`; no version.
fn is_moment(cell: &str) -> bool {
    let groups: Vec<&str> = cell.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
    let signs = || cell.chars().filter(|c| !c.is_ascii_digit());
    let only_signs = signs().all(|c| "-/.: TZ,+".contains(c) || is_among(&c.to_string(), "of-date"));
    let has_year = groups.iter().any(|group| group.len() == 4 && (group.starts_with("19") || group.starts_with("20")));
    let of_day = signs().filter(|c| *c == ':').count() == 2;
    groups.len() > 2 && only_signs && (has_year || of_day)
}

/// Of two columns of targets one may be of rates that were asked for: `target` with numbers beside `DBMS` with names, or beside a column of words.
pub fn targets_of_numbers(columns: &mut [Column], table: &PublishedTable) {
    let is_of_numbers = |at: usize| {
        table
            .rows
            .iter()
            .all(|row| matches!(quantity::read(&row.cells[at]), CellContent::Number(..) | CellContent::Missing))
    };
    let targets: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].meaning == Meaning::Target).collect();
    let (numbers, names): (Vec<usize>, Vec<usize>) = targets.into_iter().partition(|at| is_of_numbers(*at));
    let has_words = (0..columns.len()).any(|at| columns[at].meaning == Meaning::Axis && !is_of_numbers(at));
    if !names.is_empty() || has_words {
        for column in
            numbers.into_iter().filter(|at| lower(&words(&columns[*at].heading)) == ["target"]).collect::<Vec<_>>()
        {
            let column = &mut columns[column];
            (column.meaning, column.is_aside, column.named) = (Meaning::Unknown, true, Some(INTENDED));
        }
    }
}

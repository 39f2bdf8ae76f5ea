//! Results out of a table in cells. A row is a result (long form), or has one for each target whose name is in the headings
//! (wide form), or is one figure of one result (a row for each figure).

use crate::alignment;
use crate::asides;
use crate::beside;
use crate::by_unit;
use crate::caption;
use crate::checks::little;
use crate::clients_of_each;
use crate::column::{Column, SHOWN, column, column_among, is_of_load};
use crate::composite;
use crate::corner;
use crate::decimal::{self, DecimalSign};
use crate::figure_kind::{FigureKind, Measure};
use crate::groups;
use crate::heading::named_figure;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::merged;
use crate::notes;
use crate::open_units;
use crate::percentile_rows;
use crate::quantity::{self, CellContent, Quantity};
use crate::raw_table::RawTable;
use crate::result::{CellPlace, Meaning, Published, PublishedColumn, PublishedResult, PublishedRow, PublishedTable};
use crate::row_names;
use crate::rows::{each_figure_a_row, each_result_a_row, name_by_company};
use crate::rulers;
use crate::sections;
use crate::settle::settle;
use crate::statistics;
use crate::unpivot;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// The headings are looked for in the first lines only.
const HEAD_LINES: usize = 30;
/// Rows of names above the headings.
const MOST_ROWS_ABOVE: usize = 3;
/// The results of one table of a file.
pub fn read(mut raw: RawTable, file: &str) -> Published {
    rulers::without(&mut raw);
    notes::without(&mut raw);
    alignment::place_merged_cells(&mut raw);
    let mut raw = groups::below_one_another(&raw).unwrap_or(raw);
    let (head, caption) = head(&raw);
    let mut left_out = Vec::new();
    if let Some(merged) = merged::below_one_another(&raw, head, &caption) {
        if !merged.assumed.is_empty() {
            let names = merged.assumed.iter().map(|name| foreign(short(name, SHOWN)));
            left_out.push(msg!("published-taken-as-clients", names = Message::list(names)));
        }
        raw = merged.table;
    }
    let width = raw.rows.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let headings = raw.rows.get(head).map(|(_, cells)| cells.clone()).unwrap_or_default();
    let (headings, assumed) = with_names_above(&raw, head, headings);
    if !assumed.is_empty() {
        left_out.push(msg!("published-taken-as-clients", names = Message::list(assumed)));
    }
    if raw.spaced && is_without_headings(&headings) {
        let columns = headings.into_iter().map(|heading| PublishedColumn { heading, meaning: Meaning::Unknown });
        let (columns, rows) = (columns.collect(), raw.rows.into_iter().skip(head + 1));
        let rows = rows.map(|(line, cells)| PublishedRow { line, cells }).collect();
        let table =
            PublishedTable { file: file.to_owned(), caption, of_variables: false, is_log: false, columns, rows };
        return Published { tables: vec![table], ..Published::default() };
    }
    let values = raw.rows.get(head + 2).map(|(_, cells)| cells.as_slice()).unwrap_or_default();
    let (below, headings) = match raw.rows.get(head + 1).and_then(|(_, below)| {
        alignment::over_clients(&headings, below)
            .or_else(|| alignment::over_two_rows(&headings, below, values))
            .or_else(|| alignment::with_units(&headings, below))
    }) {
        Some(joined) => (head + 2, joined),
        None => (head + 1, headings),
    };
    let above = head.checked_sub(1).and_then(|at| alone(&raw.rows[at].1)).filter(|_| raw.caption.is_empty());
    let mut rows: Vec<PublishedRow> = Vec::new();
    for (line, mut cells) in std::mem::take(&mut raw.rows).into_iter().skip(below) {
        if rows.is_empty() && is_rest_of_head(&cells, &headings) {
            let name = cells.iter().filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(" | ");
            left_out.push(msg!("published-row-unknown", name = short(&name, SHOWN), line));
            continue;
        }
        if alignment::does_not_fit(&cells, headings.len(), raw.spaced, raw.has_points) {
            left_out.push(msg!("published-row-left-out", line, cells = cells.len(), headings = headings.len()));
            continue;
        }
        cells.resize(width, String::new());
        rows.push(PublishedRow { line, cells });
    }
    let mut headings = headings;
    let mut width = width;
    if let Some(settled) = sections::settled(&headings, &rows, above.as_deref()) {
        left_out.extend(settled.remarks);
        (width, headings, rows) = (settled.headings.len(), settled.headings, settled.rows);
    }
    if let Some((of_each, rows_of_each)) = composite::apart(&headings, &rows) {
        width = rows_of_each.iter().map(|row| row.cells.len()).max().unwrap_or(of_each.len());
        (headings, rows) = (of_each, rows_of_each);
    }
    if let Some(by_figure) = by_unit::by_figure(&headings, &rows) {
        left_out.extend(by_figure.remarks);
        (width, headings, rows) = (by_figure.headings.len(), by_figure.headings, by_figure.rows);
    }
    if let Some(turned) = percentile_rows::turned(&headings, &rows, &caption) {
        left_out.extend(turned.remarks);
        (width, headings, rows) = (turned.headings.len(), turned.headings, turned.rows);
    }
    if let Some(long) = unpivot::long(&headings, &rows, &caption) {
        left_out.extend(long.remarks);
        (headings, rows, width) = (long.headings, long.rows, long.width);
    }
    // What is not read as a figure, such as a share, still shows which sign its author writes.
    let has_numbers = |heading: &String| column(heading).named.is_none_or(|name| heading::ASIDE.contains(&name));
    let is_of_numbers: Vec<bool> = headings.iter().map(has_numbers).collect();
    let table = |rows| PublishedTable {
        file: file.to_owned(),
        caption: caption.clone(),
        of_variables: false,
        is_log: false,
        columns: Vec::new(),
        rows,
    };
    let mut out = match decimal::sign(&rows, &is_of_numbers, raw.by_semicolon) {
        DecimalSign::Point => {
            let is_of_rate = |heading: &String| matches!(column(heading).meaning, Meaning::Figure(kind, _) if heading::is_rate(kind));
            let of_rates: Vec<bool> = headings.iter().map(is_of_rate).collect();
            let is_open = |at: usize| of_rates[at] && decimal::with_open(&rows, at, '.').is_some();
            let other = (0..of_rates.len()).any(is_open).then(|| decimal::with_points(&rows, &of_rates));
            let first = of_table(&headings, width, table(rows));
            match other {
                Some(other) => by_little(first, || of_table(&headings, width, table(other))),
                None => first,
            }
        }
        DecimalSign::Comma => of_table(&headings, width, table(decimal::with_points(&rows, &is_of_numbers))),
        DecimalSign::Open => {
            let other = decimal::with_points(&rows, &is_of_numbers);
            let second = || of_table(&headings, width, table(other));
            either(of_table(&headings, width, table(rows)), second, raw.has_points)
        }
    };
    out.remarks.splice(0..0, left_out);
    let are_assumed = out.remarks.iter().any(|remark| remark.is("published-taken-as-clients"));
    out.results.iter_mut().for_each(|result| result.assumes_clients = are_assumed);
    out
}

/// Whether the first line of words with blanks between them is one of values, as all others are: a time stands in it, and no name of a column.
fn is_without_headings(headings: &[String]) -> bool {
    let is_time = |cell: &String| matches!(quantity::read(cell), CellContent::Number(_, Some(unit), _) if beside::TIME_UNITS.contains(&unit));
    headings.iter().any(is_time) && headings.iter().all(|heading| heading::read(heading) == HeadingMeaning::Unknown)
}

/// Whether the first row below the headings belongs to them, though it is not understood: its first cell repeats the heading above it, or is
/// empty below the word for clients. It is no result.
fn is_rest_of_head(cells: &[String], headings: &[String]) -> bool {
    let (Some(first), Some(heading)) = (cells.first(), headings.first()) else { return false };
    let is_named = !matches!(heading::read(heading), HeadingMeaning::Unknown);
    let any = cells.iter().skip(1).any(|cell| !cell.is_empty());
    let is_of_clients = column(heading).meaning == Meaning::Figure(FigureKind::Clients, None);
    any && is_named && (first == heading || (first.is_empty() && is_of_clients))
}

/// The only cell of a row that is filled, if it is the first.
fn alone(cells: &[String]) -> Option<String> {
    let (first, rest) = cells.split_first()?;
    (!first.is_empty() && rest.iter().all(String::is_empty)).then(|| first.clone())
}

/// The headings with the names above them, in up to three more rows: servers above workloads above figures; and the numbers above them that are
/// taken as those of clients.
fn with_names_above(raw: &RawTable, head: usize, mut headings: Vec<String>) -> (Vec<String>, Vec<Message>) {
    let mut assumed = Vec::new();
    let says_clients =
        |at: usize| raw.rows[..at].iter().flat_map(|(_, cells)| cells).any(|cell| matrix::says_clients(cell));
    for above in raw.rows[..head.min(raw.rows.len())].iter().rev().take(MOST_ROWS_ABOVE) {
        // Which of the columns they stand over cannot be seen.
        if raw.spaced && above.1.len() < headings.len() {
            break;
        }
        let rows = raw.rows.get(head + 1..).unwrap_or_default();
        let of_clients = alignment::numbers_above(&above.1, &headings, rows, says_clients(head));
        let names = of_clients.as_ref().map_or(&above.1, |(names, _)| names);
        let Some(joined) = alignment::of_two_rows(names, &headings) else { break };
        headings = joined;
        if let Some((_, is_assumed)) = of_clients {
            let numbers = above.1.iter().filter(|cell| is_assumed && !cell.is_empty());
            assumed.extend(numbers.map(|cell| foreign(short(cell, SHOWN))));
            if matrix::says_clients(&headings[0]) {
                "target".clone_into(&mut headings[0]);
            }
        }
    }
    (headings, assumed)
}

/// The first reading of a table, unless Little's law holds in none of its results, and in all of those of the second: `1.436` TPS beside `0.70` ms.
fn by_little(first: Published, second: impl FnOnce() -> Published) -> Published {
    let (agreeing, of) = little::agreeing(&first);
    if agreeing > 0 || of == 0 {
        return first;
    }
    let second = second();
    let (agreeing, of) = little::agreeing(&second);
    if agreeing == of && of > 1 { second } else { first }
}

/// Of two readings of one table the one with which Little's law agrees; the first one, if that does not say which, and it is told. Rates
/// that may be a thousand times as high are not read.
fn either(mut first: Published, second: impl FnOnce() -> Published, has_points: bool) -> Published {
    let (agreeing, of) = little::agreeing(&first);
    if agreeing < of {
        let second = second();
        let (agreeing, of) = little::agreeing(&second);
        if agreeing == of && of > 0 {
            return second;
        }
    }
    if agreeing > 0 {
        return first;
    }
    let open = |read: &Published, sign: char, is_of: fn(FigureKind) -> bool| {
        let table = read.tables.first()?;
        let of = |c: &PublishedColumn| matches!(&c.meaning, Meaning::Figure(kind, _) if is_of(*kind));
        let mut columns = table.columns.iter().enumerate().filter(|(_, column)| of(column));
        columns.find_map(|(at, _)| Some((at, short(decimal::with_open(&table.rows, at, sign)?, SHOWN))))
    };
    // Times of thousands are the rarer ones; of a rate either may be.
    if let Some((_, cell)) = open(&first, ',', |kind| kind.measure() == Measure::Milliseconds) {
        first.remarks.push(msg!("published-comma-open", cell));
    }
    let may_be_rate: fn(FigureKind) -> bool = |kind| heading::is_rate(kind) || kind == FigureKind::Unstated;
    let before = first.remarks.len();
    while let Some((at, cell)) = open(&first, '.', may_be_rate).filter(|_| !has_points) {
        let column = &mut first.tables[0].columns[at];
        column.meaning = Meaning::Unknown;
        first.remarks.push(msg!("published-point-open", name = short(&column.heading, SHOWN), cell));
        for result in &mut first.results {
            result.figures.retain(|_, (_, cell)| cell.is_none_or(|(_, _, of)| of != at));
        }
    }
    if first.remarks.len() > before {
        first.results.retain(|result| {
            result.figures.keys().any(|kind| !is_of_load(*kind)) || result.get(FigureKind::Seconds).is_some()
        });
    }
    first
}

/// Behind more columns the names of variables are not.
const LAST_OF_NAMES: usize = 2;

/// Whether most cells of a column are names as variables have them.
fn are_names(table: &PublishedTable, at: usize) -> bool {
    let cells: Vec<&str> =
        table.rows.iter().map(|row| row.cells[at].as_str()).filter(|cell| !cell.is_empty()).collect();
    2 * cells.iter().filter(|cell| cell.contains('_') && !cell.contains(' ')).count() > cells.len()
}

/// The results of a table with these headings and this number of columns.
fn of_table(headings: &[String], width: usize, mut table: PublishedTable) -> Published {
    let mut out = Published::default();
    let texts: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut columns: Vec<Column> = (0..width).map(|at| column_among(at, &texts)).collect();
    for (at, clients) in matrix::clients(&matrix::with_threads(headings, &table.caption), &table.rows) {
        columns[at].clients = Some(clients);
    }
    let of_axis = matrix::columns_are_of_an_axis(headings, &table.rows);
    if let Some(axis) = of_axis {
        // Versions of a product are what was compared.
        (columns[0].meaning, columns[0].named) = match matrix::product(axis) {
            Some(_) => (Meaning::Workload, Some("workload")),
            None => (Meaning::Target, Some("target")),
        };
        columns[0].is_aside = false;
        columns[1..].iter_mut().for_each(|column| column.of_axis = Some(axis.to_owned()));
    }
    if let Some(axis) = matrix::rows_are_clients(headings) {
        columns[0].meaning = Meaning::Figure(FigureKind::Clients, None);
        columns[1..].iter_mut().for_each(|column| column.of_axis = Some(axis.to_owned()));
    }
    // `p95 / threads`: the figure, and what stands beside it.
    if columns.iter().any(|column| column.clients.is_some())
        && headings.first().is_some_and(|first| matrix::pair(first).is_some() && matrix::says_clients(first))
    {
        (columns[0].meaning, columns[0].is_aside, columns[0].named) = (Meaning::Unknown, false, None);
        axis_of_rows(&mut columns[0], headings, &table);
    }
    clients_in_words(&mut columns, &table);
    if corner::settle(&mut columns, &table) {
        out.remarks.push(msg!("published-figure-in-corner", name = short(&columns[0].heading, SHOWN)));
    }
    // `Setting` beside figures is above what was compared.
    let has_figures = columns.iter().any(|c| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)));
    // The word within a sentence is above no names.
    let of_variables = columns.iter().position(|column| column.named == Some("variable"));
    table.of_variables = !has_figures && of_variables.is_some_and(|at| at <= LAST_OF_NAMES || are_names(&table, at));
    let of_clients = columns.iter().any(|column| column.clients.is_some());
    // `Read` below `Workload`, beside columns of rates, is a workload.
    let has_rates = columns.iter().any(|c| matches!(&c.meaning, Meaning::Figure(kind, _) if heading::is_rate(*kind)));
    let of_metrics = |first: &Column| {
        (first.named == Some("metric") && names_any_figure(&table))
            || (!(has_rates && first.named == Some("workload"))
                && names_figures(first, &table, (of_clients, of_axis.is_some())))
    };
    let transposed = !table.of_variables && columns.first().is_some_and(of_metrics);
    if !transposed {
        names_of_targets(&mut columns, &table);
    }
    if table.of_variables {
        columns.iter_mut().for_each(|column| column.meaning = Meaning::Value);
    } else if transposed {
        columns.iter_mut().for_each(|column| column.meaning = Meaning::Value);
        columns[0].meaning = Meaning::Metric;
        let across: Vec<Message> =
            columns.iter().filter(|c| c.clients.is_some()).map(|c| foreign(short(&c.heading, SHOWN))).collect();
        let said_clients = headings.iter().chain([&table.caption]).any(|text| matrix::says_clients(text));
        if !across.is_empty() && !said_clients {
            out.remarks.push(msg!("published-taken-as-clients", names = Message::list(across)));
        }
        out.results = match statistics::of(&columns) {
            Some(across) => statistics::results(&table, &columns, &across, &mut out.remarks),
            None => each_figure_a_row(&table, &columns, &mut out.remarks),
        };
    } else {
        // What is computed from the rows above is shown, and is no result.
        let clients = columns.iter().position(|column| column.meaning == Meaning::Figure(FigureKind::Clients, None));
        let n = asides::rows_of_means(&table.rows, clients).max(asides::total_of_one(&table.rows));
        let means = table.rows.split_off(table.rows.len() - n);
        let others = row_names::set_aside(&columns, &mut table, &mut out.remarks);
        settle(&mut columns, &table, &mut out.remarks);
        if !asides::are_samples(headings) {
            let before = out.remarks.len();
            out.results = each_result_a_row(&table, &columns, &mut out.remarks);
            let without: Vec<usize> =
                (0..columns.len()).filter(|at| is_without_unit(&columns[*at], *at, &table)).collect();
            mark_without_unit(&mut out.results, &without);
            let by_rate = unit_by_rate(&columns, &table, &out);
            if let Some(unit) = by_rate.or_else(|| open_units::named_beside(&columns, &out)) {
                let names = Message::list(without.iter().map(|at| foreign(short(&columns[*at].heading, SHOWN))));
                without.iter().for_each(|at| columns[*at].unit = Some(unit));
                out.remarks.truncate(before);
                out.remarks.retain(|remark| !remark.is("published-taken-as-ms"));
                let shown = if unit == "us" { "µs" } else { unit };
                out.remarks.push(match by_rate {
                    Some(_) => msg!("published-unit-by-rate", names, unit = shown),
                    None => msg!("published-unit-beside", names, unit = shown),
                });
                out.results = each_result_a_row(&table, &columns, &mut out.remarks);
            }
        }
        clients_of_each::multiply(&columns, &table, &mut out);
        out.remarks.extend(means.iter().map(|row| {
            let text = row.cells.iter().find(|cell| !cell.is_empty()).map_or("", String::as_str);
            msg!("published-row-of-means", line = row.line, text = short(text, SHOWN))
        }));
        table.rows.extend(others);
        table.rows.extend(means);
    }
    for result in &mut out.results {
        result.shares_clients = result.workload.as_deref().is_some_and(named_figure::is_of_tpcc);
        name_by_company(result);
        let of_columns =
            result.figures.iter().filter_map(|(kind, (_, cell))| Some((kind, cell.filter(|_| !transposed)?.2)));
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

/// `Warehouses \ Threads` above numbers of clients: the numbers below it are those of the warehouses.
fn axis_of_rows(first: &mut Column, headings: &[String], table: &PublishedTable) {
    let Some(name) = matrix::columns_are_clients(headings) else { return };
    let are_numbers = table.rows.iter().all(|row| row.cells[0].is_empty() || matrix::whole(&row.cells[0]).is_some());
    let named = column(name);
    if !are_numbers || matches!(&named.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)) {
        return;
    }
    first.says_clients = true;
    (first.meaning, first.named) = match named.meaning {
        Meaning::Target => (Meaning::Target, named.named),
        Meaning::Workload => (Meaning::Workload, named.named),
        _ => (Meaning::Axis, Some("axis")),
    };
    first.heading = named.heading;
}

/// Marks the times of results that stand in these columns, which name no unit.
fn mark_without_unit(results: &mut [PublishedResult], columns: &[usize]) {
    for result in results {
        let is_it = |(kind, (_, cell)): (&FigureKind, &(Quantity, Option<CellPlace>))| {
            cell.is_some_and(|(.., column)| columns.contains(&column)).then_some(*kind)
        };
        result.without_unit = result.figures.iter().filter_map(is_it).collect();
    }
}

/// The unit of response times that no word of the table names, if clients and throughput leave one only: that of which the product is the
/// number of clients, in all rows.
fn unit_by_rate(columns: &[Column], table: &PublishedTable, read: &Published) -> Option<&'static str> {
    let mean = columns.iter().position(|column| column.meaning == Meaning::Figure(FigureKind::Mean, None))?;
    if !is_without_unit(&columns[mean], mean, table)
        || !table.caption.is_empty() && caption::unit_of_time(&table.caption).is_some()
    {
        return None;
    }
    let ratios = little::ratios(read);
    [("us", 1e3), ("ns", 1e6), ("s", 1e-3)].into_iter().find_map(|(unit, factor)| {
        let is_it =
            |(ratio, rounding): &(f64, f64)| (ratio / factor - 1.0).abs() <= OF_LITTLE + rounding.min(OF_LITTLE);
        (ratios.len() > 1 && ratios.iter().all(is_it)).then_some(unit)
    })
}

/// How far the product may be from the number of clients for its unit to be known.
const OF_LITTLE: f64 = 0.05;

/// Whether neither the heading nor a cell of a column of response times names their unit.
fn is_without_unit(column: &Column, at: usize, table: &PublishedTable) -> bool {
    let of_time = matches!(&column.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
    let has_unit = |row: &PublishedRow| matches!(quantity::read(&row.cells[at]), CellContent::Number(_, Some(_), _));
    of_time && column.unit.is_none() && !table.rows.iter().any(has_unit)
}

/// A column of numbers of clients that say so, whatever its heading is: `16 threads`.
fn clients_in_words(columns: &mut [Column], table: &PublishedTable) {
    if columns.iter().any(|column| column.meaning == Meaning::Figure(FigureKind::Clients, None)) {
        return;
    }
    // A row of values in the place of the headings says nothing.
    let is_value = |c: &Column| matrix::clients_in_words(&c.heading).is_some();
    let may_be = |c: &Column| !matches!(c.meaning, Meaning::Figure(..)) && c.clients.is_none() && !is_value(c);
    let of_clients = |at: usize| matrix::are_clients_in_words(table.rows.iter().map(|row| row.cells[at].as_str()));
    if let Some(at) = (0..columns.len()).find(|at| may_be(&columns[*at]) && of_clients(*at)) {
        columns[at].meaning = Meaning::Figure(FigureKind::Clients, None);
        columns[at].named = None;
    }
}

/// The row of the headings, and the words above it.
fn head(raw: &RawTable) -> (usize, String) {
    let weight = |cells: &[String]| {
        let known = cells.iter().filter(|cell| heading::read(cell) != HeadingMeaning::Unknown).count();
        // Words below the headings may be names of columns too, but then numbers stand beside them.
        if cells.iter().any(|cell| matches!(quantity::read(cell), CellContent::Number(..))) { 0 } else { known }
    };
    // Below another row of several cells percentages are values, and not the percentiles of headings.
    let begin = raw.rows.iter().position(|(_, cells)| cells.iter().filter(|cell| !cell.is_empty()).count() > 1);
    let is_of_shares = |at: usize| begin.is_some_and(|begin| begin < at) && matrix::has_shares(&raw.rows[at].1);
    // `Response time histogram:` above lines of something else.
    let is_title = |cells: &[String]| match cells.split_last() {
        Some((last, before)) => raw.spaced && last.ends_with(':') && !before.iter().any(|cell| cell.ends_with(':')),
        None => false,
    };
    let weight = |cells: &[String]| if is_title(cells) { 0 } else { weight(cells) };
    let mut weights: Vec<usize> = raw.rows.iter().take(HEAD_LINES).map(|(_, cells)| weight(cells)).collect();
    let titles = titles(raw, &weights);
    weights.iter_mut().take(titles).for_each(|weight| *weight = 0);
    // A note over all columns below them is no heading, whatever words it has.
    let is_note = |at: usize| begin.is_some_and(|begin| begin < at) && alone(&raw.rows[at].1).is_some();
    let least =
        |least: usize| weights.iter().enumerate().position(|(at, n)| *n > least && !is_of_shares(at) && !is_note(at));
    let first = least(1).or_else(|| least(0));
    // Numbers are no words that a row of headings is known by; a title above them may have some.
    let of_numbers = matrix::head(raw, titles, HEAD_LINES).filter(|at| first.is_none_or(|first| first < *at));
    let at = of_numbers.or(first).unwrap_or(titles);
    // Above numbers without headings a title says nothing of any column.
    let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
    // Versions beside the word for clients are headings: `Threads,5.7,8.0`.
    let says_clients = |cells: &[String]| cells.first().is_some_and(|first| matrix::says_clients(first));
    let is_value = |cells: &[String]| cells.iter().any(is_number) && !says_clients(cells);
    if of_numbers.or(first).is_none() && raw.rows.get(at).is_some_and(|(_, cells)| is_value(cells)) {
        return (at, raw.caption.clone());
    }
    let of_titles = words_of_titles(&raw.rows[..titles.min(at)]);
    let above = raw.rows[..at.min(raw.rows.len())].last().map(|(_, cells)| cells.join(" "));
    let caption = match (raw.caption.is_empty(), of_titles.is_empty()) {
        (true, true) => above.unwrap_or_default(),
        (true, false) => of_titles,
        (false, true) => raw.caption.clone(),
        (false, false) => format!("{}: {of_titles}", raw.caption),
    };
    (at, caption)
}

/// How many rows at the beginning are titles of the whole table, and no headings: of one filled cell, above a row of several. One that
/// stands over a part of the headings below it is a heading itself. A title of CSV may have commas in it: it has fewer cells than the headings.
fn titles(raw: &RawTable, weights: &[usize]) -> usize {
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).count();
    let Some(begin) = raw.rows.iter().position(|(_, cells)| filled(cells) > 1) else { return 0 };
    let is_over_headings = |cells: &[String], below: &[String]| {
        alignment::over_clients(cells, below).or_else(|| alignment::over_two_rows(cells, below, &[])).is_some()
    };
    let is_heading = |at: usize| {
        let (cells, below) = (&raw.rows[at].1, &raw.rows[begin].1);
        at + 1 == begin && alone(cells).is_none() && is_over_headings(cells, below)
    };
    let above = (0..begin.min(HEAD_LINES)).take_while(|at| !is_heading(*at)).count();
    let is_head = |at: usize| {
        let cells = raw.rows.get(at).map(|(_, cells)| cells.as_slice()).unwrap_or_default();
        weights.get(at).is_some_and(|weight| *weight > 0) || !matrix::clients(cells, &[]).is_empty()
    };
    let has_commas = (raw.has_points || raw.by_semicolon) && above == begin && {
        let width = |at: usize| raw.rows.get(at).map_or(0, |(_, cells)| cells.len());
        width(begin) < width(begin + 1) && weights.get(begin) == Some(&1) && is_head(begin + 1)
    };
    above + usize::from(has_commas)
}

/// The words of rows that are titles.
fn words_of_titles(rows: &[(u64, Vec<String>)]) -> String {
    let words = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(", ");
    let all: Vec<String> = rows.iter().map(|(_, cells)| words(cells)).filter(|words| !words.is_empty()).collect();
    all[..all.len().min(MOST_TITLES)].join(": ")
}

/// Further lines above the headings are text.
const MOST_TITLES: usize = 4;

/// Whether a cell of the first column names a figure: `Name` and `Item` may be above names of figures or of targets.
fn names_any_figure(table: &PublishedTable) -> bool {
    let is_figure =
        |cell: &String| matches!(heading::read(cell), HeadingMeaning::Figure(..) | HeadingMeaning::PerPeriod(_));
    table.rows.iter().filter_map(|row| row.cells.first()).any(is_figure)
}

/// `Name` above words that name no figures is above those of targets, or of something else beside targets.
fn names_of_targets(columns: &mut [Column], table: &PublishedTable) {
    let mut has_target = columns.iter().any(|column| column.meaning == Meaning::Target);
    for (at, column) in columns.iter_mut().enumerate().filter(|(_, column)| column.named == Some("metric")) {
        let mut cells = table.rows.iter().map(|row| row.cells[at].as_str()).filter(|cell| !cell.is_empty()).peekable();
        let any = cells.peek().is_some();
        if any && cells.all(|cell| !matches!(quantity::read(cell), CellContent::Number(..))) {
            (column.meaning, column.named) = match has_target {
                true => (Meaning::Axis, Some("axis")),
                false => (Meaning::Target, Some("target")),
            };
            has_target = true;
        }
    }
}

/// Whether a column without a heading has names of figures: each row is one, but for those of percentages.
fn names_figures(first: &Column, table: &PublishedTable, (of_clients, of_axis): (bool, bool)) -> bool {
    let (named, shares) = matrix::rows_of_figures(&table.rows);
    // `Benchmark | Result | Unit`, and figures of whatever was compared: `Isolation | RC | RR`.
    let says_units = || named + shares == table.rows.len();
    let is_above_all = || named > 1 && says_units() && first.named.is_none() && first.meaning == Meaning::Unknown;
    let unnamed = first.heading.is_empty()
        || of_clients
        || of_axis
        || (first.named == Some("workload") && says_units())
        || is_above_all();
    // Rows of which each says what it is, though not all are read.
    let all_stated = || {
        let is_stated = |row: &PublishedRow| row.cells.first().is_some_and(|cell| row_names::stated(cell).is_some());
        (of_clients || (first.heading.is_empty() && table.rows.len() > 1)) && table.rows.iter().all(is_stated)
    };
    // One row alone needs a name that is of nothing else.
    let is_certain = || {
        table.rows.len() == 1
            && table.rows[0].cells.first().is_some_and(|cell| match heading::read(cell) {
                HeadingMeaning::Figure(kind, unit, None) => heading::is_rate(kind) || unit.is_some(),
                _ => false,
            })
    };
    let are_most = (of_axis || named + shares > 1 || is_certain()) && 2 * named > table.rows.len() - shares;
    unnamed && named > 0 && (are_most || all_stated())
}

//! The meanings of columns that depend on their cells, on the other columns, and on the words above the table.

use crate::asides;
use crate::beside;
use crate::caption;
use crate::clients_of_each;
use crate::column::{Column, SHOWN, column, is_of_load};
use crate::comparing;
use crate::course;
use crate::duration;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading;
use crate::heading::named_figure;
use crate::left_over;
use crate::matrix;
use crate::of_rates;
use crate::percentile::is_percentile;
use crate::quantity::{self, CellContent};
use crate::result::{Meaning, PublishedTable};
use crate::row_names;
use crate::rows::of_unit;
use crate::spelling;
use crate::unstated;
use crate::words::{is_among, lower, words};
use std::collections::BTreeSet;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// Longer times than this are not of transactions, ms.
const LONGEST_MS: f64 = 600_000.0;
/// Longer times than this are not of runs, s: a hundred days and more.
const LONGEST_S: f64 = 1e7;
/// A longer text is a remark, and distinguishes nothing.
const LONGEST_WORD: usize = 80;

/// Meanings that depend on the cells and on the other columns.
pub(crate) fn settle(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let cells = |at: usize| table.rows.iter().map(move |row| row.cells[at].as_str());
    means_with_intervals(columns, table);
    let headings: Vec<&str> = columns.iter().map(|column| column.heading.as_str()).collect();
    let compares: Vec<bool> = headings.iter().map(|heading| comparing::named(heading, &headings).is_some()).collect();
    let of_digits = |at: usize| {
        let begins = cells(at).filter(|cell| cell.trim_start().starts_with(|c: char| c.is_ascii_digit())).count();
        2 * begins > cells(at).filter(|cell| !cell.is_empty()).count()
    };
    for at in 0..columns.len() {
        clock_of_durations(columns, table, at, remarks);
    }
    let n = columns.len();
    for (at, column) in columns.iter_mut().enumerate() {
        column.is_aside |= compares[at];
        let is = |wanted: fn(&CellContent) -> bool| cells(at).any(|cell| wanted(&quantity::read(cell)));
        let (mut numbers, texts) =
            (is(|c| matches!(c, CellContent::Number(..))), is(|c| matches!(c, CellContent::Words)));
        if beside::is_of_units(&column.heading) && texts && !numbers {
            column.meaning = Meaning::Remark;
        }
        column.is_of_pause = column.meaning == Meaning::Unknown && beside::says_pause(&column.heading);
        column.is_aside |= column.is_of_pause;
        // `00:10:00` below a heading that says that it is a duration, and not a time of day.
        numbers |= column.meaning == Meaning::Figure(FigureKind::Seconds, None)
            && column.says_duration()
            && cells(at).any(|cell| matches!(quantity::read_duration(cell, column.first_s), CellContent::Number(..)));
        let is_long = cells(at).any(|cell| cell.chars().count() > LONGEST_WORD);
        // Behind the last heading stand remarks on some of the rows.
        let is_note = || {
            let filled = cells(at).filter(|cell| !cell.is_empty()).count();
            at > 0 && at + 1 == n && column.heading.is_empty() && 2 * filled < table.rows.len().max(3)
        };
        let is_remark = is_long || is_note();
        let is_of_others = is(|c| matches!(c, CellContent::Share(_) | CellContent::Several));
        column.is_aside |= is_of_others && !numbers;
        match column.meaning {
            Meaning::Target | Meaning::Workload | Meaning::Axis | Meaning::Remark => {}
            Meaning::Figure(FigureKind::Clients, None) if matrix::are_counted_clients(cells(at)) => {}
            _ if column.is_aside => column.meaning = Meaning::Unknown,
            // `1000 req/m`, `900-1100`: figures in a form or unit that is not read.
            Meaning::Figure(..) if !numbers && texts && of_digits(at) => {
                column.is_aside = true;
                column.meaning = Meaning::Unknown;
            }
            Meaning::Figure(..) if !numbers && texts => column.meaning = Meaning::Axis,
            Meaning::Unknown if texts && !is_remark => column.meaning = Meaning::Axis,
            Meaning::Unknown if texts => column.meaning = Meaning::Remark,
            _ => {}
        }
    }
    let is_load_or_rate = |c: &Column| match &c.meaning {
        Meaning::Figure(kind, _) => *kind == FigureKind::Clients || heading::is_rate(*kind),
        _ => c.clients.is_some(),
    };
    let is_finer = |c: &Column| {
        let of_time = matches!(&c.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
        of_time && matches!(c.unit, Some("ms" | "us" | "ns"))
    };
    let (has_load_or_rate, has_finer) = (columns.iter().any(is_load_or_rate), columns.iter().any(is_finer));
    if !has_load_or_rate || has_finer {
        // How long something took, of which nothing says that it is a transaction, or in seconds beside response times in milliseconds.
        let is_duration = |c: &&mut Column| {
            c.meaning == Meaning::Figure(FigureKind::Mean, None)
                && beside::says_duration(&c.heading)
                && (!has_load_or_rate || c.unit == Some("s"))
        };
        for column in columns.iter_mut().filter(is_duration) {
            column.meaning = Meaning::Figure(FigureKind::Seconds, None);
        }
    }
    for (at, column) in columns.iter_mut().enumerate() {
        let Meaning::Figure(kind, of) = &mut column.meaning else { continue };
        let is_number = |cell: &&str| matches!(quantity::read(cell), CellContent::Number(..));
        let mut kinds = cells(at).filter(is_number).map(|cell| of_unit(*kind, &column.heading, cell));
        let first = kinds.next().filter(|first| of.is_none() && kinds.all(|other| other == *first));
        *kind = first.unwrap_or(*kind);
    }
    clients_of_each::one_of_several(columns, table);
    asides::times_since_1970(columns, table);
    asides::targets_of_numbers(columns, table);
    asides::settings_of_rows(columns);
    asides::one_of_each(columns, table);
    asides::words_of_rows(columns, table);
    asides::means_of_columns(columns, table);
    of_rates::without_connecting(columns);
    of_rates::of_rates(columns, table);
    of_caption(columns, table);
    left_over::without_names(columns);
    general_beside_named(columns);
    comparing::columns(columns, table);
    let has = |columns: &[Column], wanted: &dyn Fn(&Meaning) -> bool| columns.iter().any(|c| wanted(&c.meaning));
    let is_figure = |m: &Meaning| matches!(m, Meaning::Figure(kind, _) if !is_of_load(*kind));
    let of_clients = columns.iter().any(|column| column.clients.is_some());
    // The word above the names of targets, or of workloads, is that of the numbers beside it.
    for column in columns.iter_mut().filter(|column| of_clients && column.clients.is_none()) {
        if column.meaning == Meaning::Figure(FigureKind::Clients, None) {
            column.meaning = Meaning::Axis;
        }
    }
    operations_of_rates(columns, table);
    // Columns that are targets, below a caption that names the figure, or beside a heading above names that does: `TPC-C TPS tests | MySQL | MariaDB`.
    let own = |c: &Column| c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside;
    let in_corner = || {
        let first = columns.first().filter(|first| first.meaning == Meaning::Axis && first.named.is_none())?;
        caption::of_caption(&first.heading).filter(|_| columns.iter().filter(|column| own(column)).count() > 1)
    };
    if !of_clients
        && !has(columns, &is_figure)
        && let Some((kind, unit)) = caption::of_caption(&table.caption).or_else(in_corner)
    {
        asides::grows_before_others(columns, table, remarks);
        for column in columns.iter_mut().filter(|column| own(column)) {
            column.meaning = Meaning::Figure(kind, Some(column.heading.clone()));
            column.unit = unit;
        }
    }
    let of_variables = columns.iter().any(|c| c.named == Some("variable"));
    // Beside a rate whose cells are not read, times are of something that is not known.
    let has_unread_rate = columns.iter().any(|c| {
        c.is_aside && matches!(column(&c.heading).meaning, Meaning::Figure(kind, None) if heading::is_rate(kind))
    });
    if !has(columns, &is_figure) && !of_variables && !has_unread_rate && !names_percentiles(table) {
        times_of_cells(columns, table, of_clients);
        times_of_headings(columns, table);
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
    // The only column of words is that of the targets, or of the workloads.
    let of_words: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].meaning == Meaning::Axis).collect();
    if let [only] = of_words[..]
        && columns[only].named.is_none()
        && !has(columns, &|m| matches!(m, Meaning::Target | Meaning::Figure(_, Some(_))))
    {
        let mut names = cells(only).filter(|cell| !cell.is_empty());
        let of_workloads = beside::says_workload(&columns[only].heading) || names.all(named_figure::is_mix);
        columns[only].meaning = if of_workloads { Meaning::Workload } else { Meaning::Target };
    }
    course::moments(columns, table, remarks);
    asides::swept(columns, table, remarks);
    as_matrix(columns, table, remarks);
    // Where both are there, Little's law says which unit it is.
    let has_clients_and_rate = has(columns, &|m| *m == Meaning::Figure(FigureKind::Clients, None))
        && has(columns, &|m| matches!(m, Meaning::Figure(FigureKind::Tps | FigureKind::Qps, None)));
    // No transaction takes minutes: numbers without a unit are of another one.
    for (at, column) in columns.iter_mut().enumerate() {
        let of_time = matches!(&column.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds);
        let mut filled = cells(at).filter(|cell| !cell.is_empty()).peekable();
        let of_run = column.meaning == Meaning::Figure(FigureKind::Seconds, None);
        let longest = if of_run { LONGEST_S } else { LONGEST_MS };
        let is_long = |cell: &str| matches!(quantity::read(cell), CellContent::Number(quantity, None, _) if quantity.value > longest);
        let may_be = of_run || (of_time && !has_clients_and_rate);
        if may_be && column.unit.is_none() && filled.peek().is_some() && filled.all(is_long) {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
    }
    course::clock(columns, table, remarks);
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

/// `TPS (95% CI)` above means with an interval behind each is that figure, if no other column is; above intervals alone it is not.
fn means_with_intervals(columns: &mut [Column], table: &PublishedTable) {
    let has_spread = |cell: &str| matches!(quantity::read(cell), CellContent::Number(.., true) | CellContent::Missing);
    for at in 0..columns.len() {
        let of_mean = spelling::without_interval(&columns[at].heading).filter(|_| columns[at].is_aside);
        let Some(mean) = of_mean.map(column) else { continue };
        let is_other = !columns.iter().any(|other| other.meaning == mean.meaning);
        if is_other && table.rows.iter().all(|row| has_spread(&row.cells[at])) {
            columns[at] = Column { heading: std::mem::take(&mut columns[at].heading), ..mean };
        }
    }
}

/// Finds what the first part of `12:34` counts in a column of durations; that it is not known is said.
fn clock_of_durations(columns: &mut [Column], table: &PublishedTable, at: usize, remarks: &mut Vec<Message>) {
    let column = &columns[at];
    let of_two_parts = |cell: &&str| duration::of_two_parts(cell, 1.0).is_some();
    if column.meaning != Meaning::Figure(FigureKind::Seconds, None) || !column.says_duration() {
        return;
    }
    let Some(first) = table.rows.iter().map(|row| row.cells[at].as_str()).find(of_two_parts) else { return };
    let first_s = course::first_of_two_parts(columns, table, at);
    if first_s.is_none() {
        let name = short(&columns[at].heading, SHOWN);
        remarks.push(msg!("published-clock-open", name, cell = short(first, SHOWN)));
    }
    columns[at].first_s = first_s;
}

/// What the words above the table say of its columns: a bare `Avg` below `TPS` is that rate, and a time without a unit has that of the caption.
fn of_caption(columns: &mut [Column], table: &PublishedTable) {
    let is_rate = |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if heading::is_rate(*kind));
    let is_time =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, None) if kind.measure() == Measure::Milliseconds);
    let of_words = |words: &str| {
        caption::of_caption(words).filter(|(kind, _)| heading::is_rate(*kind) && !heading::says_time(words))
    };
    // The words nearest to the table say more of it than those above them.
    let nearest = table.caption.rsplit_once(": ").map(|(_, last)| last);
    let rate = of_words(&table.caption).or_else(|| of_words(nearest?));
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
    // The heading of a rate need not say again in what the caption says that it is; a cell may.
    if let Some((of, scale)) = caption::scale_of_rate(&table.caption) {
        let is_it = |c: &Column| match &c.meaning {
            Meaning::Figure(kind, _) => of.is_none_or(|of| *kind == of) || beside::is_general_rate(&c.heading),
            _ => false,
        };
        let says_own =
            |cell: &str| matches!(quantity::read(cell), CellContent::Number(..)) && cell.contains(char::is_alphabetic);
        let in_cells = |at: usize| table.rows.iter().any(|row| says_own(&row.cells[at]));
        for (at, column) in columns.iter_mut().enumerate().filter(|(_, c)| is_rate(c) && is_it(c)) {
            if column.unit.is_none() && !in_cells(at) {
                column.unit = Some(scale);
            }
        }
    }
    // Also the times of targets that stand in the headings: `A p99 | B p99`.
    let is_open_time = |c: &Column| {
        matches!(&c.meaning, Meaning::Figure(kind, _) if kind.measure() == Measure::Milliseconds) && c.unit.is_none()
    };
    let is_other =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)) && !is_open_time(c);
    let of_times_alone = || caption::unit_alone(&table.caption).filter(|_| !columns.iter().any(is_other));
    if let Some(unit) = caption::unit_of_time(&table.caption).or_else(of_times_alone) {
        columns.iter_mut().filter(|c| is_open_time(c)).for_each(|c| c.unit = Some(unit));
    }
}

/// `Read` and `Write` are the names of workloads below words that name a rate, if no column is one; without such words, and without another figure
/// that shows that they are numbers of statements, they may be anything.
fn operations_of_rates(columns: &mut [Column], table: &PublishedTable) {
    use FigureKind::{Others, Reads, Writes};
    let counts = |heading: &str| lower(&words(heading)).iter().any(|word| is_among(word, "of-query"));
    let is_operation =
        |c: &Column| matches!(c.meaning, Meaning::Figure(Reads | Writes | Others, None)) && !counts(&c.heading);
    let has_others = columns.iter().any(|c| c.meaning == Meaning::Figure(Others, None));
    let is_other =
        |c: &Column| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)) && !is_operation(c);
    let n = columns.iter().filter(|c| is_operation(c)).count();
    if n == 0 || columns.iter().any(is_other) {
        return;
    }
    let corner = columns.first().filter(|c| !is_operation(c)).and_then(|c| caption::of_caption(&c.heading));
    let rate = caption::of_caption(&table.caption).or(corner).filter(|(kind, _)| heading::is_rate(*kind));
    // `DB (TPS)` above names.
    if corner.is_some()
        && let Some(first) = columns.first_mut().filter(|c| c.meaning == Meaning::Axis && c.named.is_none())
    {
        first.meaning = Meaning::Target;
    }
    for column in columns.iter_mut() {
        let is_mix = || column.meaning == Meaning::Unknown && named_figure::is_mix(&column.heading);
        match rate {
            Some((kind, unit)) if is_operation(column) || is_mix() => {
                column.meaning = Meaning::Figure(kind, Some(column.heading.clone()));
                (column.unit, column.is_aside) = (unit, false);
            }
            None if is_operation(column) && !has_others => (column.meaning, column.is_aside) = (Meaning::Unknown, true),
            _ => {}
        }
    }
}

/// `Throughput` beside `TPS` is of something else, or the same.
fn general_beside_named(columns: &mut [Column]) {
    let is_general = |c: &Column| beside::is_general_rate(&c.heading);
    let named: BTreeSet<FigureKind> = columns
        .iter()
        .filter(|c| !is_general(c))
        .filter_map(|c| if let Meaning::Figure(kind, None) = c.meaning { Some(kind) } else { None })
        .collect();
    // `Rate (tps)` beside `TPS` was asked for.
    let is_asked = |c: &Column| {
        let all = lower(&words(&c.heading));
        all.first().is_some_and(|first| first == "rate") && (all.len() == 1 || heading::has_word_of_rate(&c.heading))
    };
    let has_rate = named.iter().any(|kind| heading::is_rate(*kind));
    for column in columns.iter_mut() {
        if matches!(&column.meaning, Meaning::Figure(kind, None) if named.contains(kind)) && is_general(column) {
            (column.meaning, column.is_aside) = (Meaning::Unknown, true);
        }
        if has_rate && is_asked(column) && !matches!(column.meaning, Meaning::Figure(_, None)) {
            (column.meaning, column.is_aside, column.named) = (Meaning::Unknown, true, Some(heading::INTENDED));
        }
    }
}

fn is_unknown(c: &Column) -> bool {
    c.meaning == Meaning::Unknown && !c.heading.is_empty() && !c.is_aside
}

/// Columns of figures that only a number of clients distinguishes, or a target beside a column of clients.
fn as_matrix(columns: &mut [Column], table: &PublishedTable, remarks: &mut Vec<Message>) {
    let is_of_clients = |column: &Column| column.clients.is_some();
    let has_figures = columns.iter().any(|c| matches!(&c.meaning, Meaning::Figure(kind, _) if !is_of_load(*kind)));
    let of_clients = columns.iter().any(is_of_clients);
    let headings = columns.iter().filter(|c| !is_of_clients(c) && !c.is_aside).map(|c| c.heading.as_str());
    let across = columns.iter().filter(|c| is_of_clients(c)).map(|c| c.heading.as_str());
    let said_clients = columns.iter().any(|column| column.says_clients)
        || headings.clone().chain([&*table.caption]).chain(across).any(matrix::says_clients);
    let figure = matrix::figure(&table.caption, headings);
    let of_axis = columns.iter().any(|column| column.of_axis.is_some());
    // Beside a rate that is not read the other columns say more about it.
    if !has_figures
        && columns.iter().any(|c| c.named == Some(heading::STATISTIC) && heading::has_word_of_rate(&c.heading))
    {
        return;
    }
    if !has_figures && !of_clients && !of_axis {
        asides::beside_targets(columns, table);
    }
    // Numbers of versions below a word that is not known, before the columns of clients.
    if of_clients
        && !columns.iter().any(|c| c.meaning == Meaning::Target)
        && let Some(first) = columns.first_mut().filter(|c| is_unknown(c) && !is_of_clients(c) && c.heading != "#")
        && caption::of_caption(&first.heading).is_none()
    {
        first.meaning = Meaning::Target;
    }
    let is_target = is_unknown;
    let is_own: fn(&Column) -> bool = match of_clients {
        true => |column| column.clients.is_some(),
        false => |column| column.meaning == Meaning::Unknown && !column.heading.is_empty() && !column.is_aside,
    };
    // Of queries the figure is rather a time than a rate: nothing is assumed; nor where something else is said.
    let with_units = columns.iter().filter(|c| is_own(c)).all(|c| beside::with_unit_of_time(&c.heading).is_some());
    let says_other = |heading: &str| {
        let is_time = beside::with_unit_of_time(heading).is_none() && beside::ends_with_unit_of_time(heading);
        heading.contains('/') || heading::says_other(heading) || is_time
    };
    let is_other = columns.iter().filter(|c| is_own(c)).any(|c| says_other(&c.heading));
    if figure.is_none() && (of_axis || is_other || heading::says_other(&caption::without_vs(&table.caption))) {
        return;
    }
    // Without a column of clients, or with a single figure, they may be anything.
    let beside_clients = columns.iter().any(|c| c.meaning == Meaning::Figure(FigureKind::Clients, None))
        && columns.iter().filter(|c| is_target(c)).count() > 1
        && !columns.iter().any(|c| c.meaning == Meaning::Target);
    if has_figures || !(of_clients || beside_clients || of_axis) {
        return;
    }
    let stating = if figure.is_none() { row_names::stating(columns, table) } else { Vec::new() };
    if !stating.is_empty() {
        remarks.extend(stating);
        return;
    }
    let own = columns.iter().filter(|c| is_own(c)).map(|c| c.heading.as_str());
    if figure.is_none() && with_units && !are_of_targets(own) {
        return;
    }
    if figure.is_none()
        && !with_units
        && let Some(caption) = caption::says_something_else(&table.caption)
    {
        remarks.push(msg!("published-caption-unknown", caption = short(caption, SHOWN)));
        return;
    }
    if figure.is_none()
        && let Some(heading) = other_in_corner(columns, table)
    {
        remarks.push(msg!("published-caption-unknown", caption = short(heading, SHOWN)));
        return;
    }
    let own: Vec<usize> = (0..columns.len()).filter(|at| is_own(&columns[*at])).collect();
    let cells = table.rows.iter().flat_map(|row| own.iter().map(|at| row.cells[*at].as_str()));
    let figure = figure.or_else(|| unstated::rate_of_cells(cells).map(|kind| (kind, None)));
    let (kind, unit) = figure.unwrap_or((FigureKind::Unstated, None));
    let mut names = Vec::new();
    for column in columns.iter_mut().filter(|column| is_own(column)) {
        if figure.is_none() && beside::with_unit_of_time(&column.heading).is_some() {
            match time_of(&column.heading).filter(|_| with_units) {
                Some(time) => (column.meaning, column.unit) = time,
                None => column.is_aside = true,
            }
            continue;
        }
        names.push(foreign(short(&column.heading, SHOWN)));
        column.meaning = Meaning::Figure(kind, Some(column.heading.clone()));
        column.unit = unit;
    }
    let names = Message::list(names);
    if of_clients && !said_clients {
        remarks.push(msg!("published-taken-as-clients", names = names.clone()));
    }
    if figure.is_none() && !with_units {
        remarks.push(msg!("published-unstated-below", names, command = unstated::command(&table.file)));
    }
}

/// The heading above words before columns of clients, or above numbers of clients that say so, if it says what the figures are, which is not read, rather than
/// what stands below it: `CPU sys | 8 threads`, `Lock waits/s | MySQL` above `8 threads`.
fn other_in_corner<'c>(columns: &'c [Column], table: &PublishedTable) -> Option<&'c str> {
    let [first, second, ..] = columns else { return None };
    let is_above_words = table.rows.iter().all(|row| matches!(quantity::read(&row.cells[0]), CellContent::Words));
    let heading = first.heading.as_str();
    let alone = column(heading);
    let named = alone.named;
    let says_names = || lower(&words(heading)).last().is_some_and(|last| is_among(last, "of-name"));
    let says_other = named.is_some_and(|name| heading::ASIDE.contains(&name))
        || beside::with_unit_of_time(heading).is_some()
        || beside::ends_with_unit_of_time(heading)
        || (!says_names() && (heading::says_other(heading) || (named.is_none() && caption::names_thing(heading))));
    let is_above_names = first.clients.is_none() && second.clients.is_some() && is_above_words;
    let of_clients = Meaning::Figure(FigureKind::Clients, None);
    let is_above_clients = first.meaning == of_clients && alone.meaning != of_clients;
    ((is_above_names || is_above_clients) && says_other).then_some(heading)
}

/// Whether a cell names a percentile, and says so that the times beside it are no means: `read p95`.
fn names_percentiles(table: &PublishedTable) -> bool {
    let is_name = |cell: &String| {
        cell.starts_with(char::is_alphabetic) && lower(&words(cell)).iter().any(|word| is_percentile(word))
    };
    table.rows.iter().flat_map(|row| &row.cells).any(is_name)
}

/// Columns of targets of which each heading has a unit of time, beside words: `Query | MySQL (s) | MariaDB (s)`.
fn times_of_headings(columns: &mut [Column], table: &PublishedTable) {
    let own: Vec<usize> = (0..columns.len()).filter(|at| is_unknown(&columns[*at])).collect();
    let has_words = columns.iter().any(|c| matches!(c.meaning, Meaning::Axis | Meaning::Workload));
    let headings = columns.iter().map(|c| c.heading.as_str());
    if own.len() < 2 || !has_words || matrix::figure(&table.caption, headings).is_some() {
        return;
    }
    if !are_of_targets(own.iter().map(|at| columns[*at].heading.as_str())) {
        return;
    }
    let times: Option<Vec<_>> = own.iter().map(|at| time_of(&columns[*at].heading)).collect();
    for (at, time) in own.into_iter().zip(times.unwrap_or_default()) {
        (columns[at].meaning, columns[at].unit) = time;
    }
}

/// Whether headings that have units of time name what was compared: all have the same unit, and none says only what its time is of.
fn are_of_targets<'h>(headings: impl Iterator<Item = &'h str>) -> bool {
    let times: Vec<(String, &str)> = headings.filter_map(beside::with_unit_of_time).collect();
    let is_same = |(name, unit): &(String, &str)| *unit == times[0].1 && !beside::is_of_time_alone(name);
    times.iter().all(is_same)
}

/// The meaning and the unit of a column whose heading is a name with a unit of time: `InnoDB (ms)`. `A (min)` may be minutes or a minimum.
fn time_of(heading: &str) -> Option<(Meaning, Option<&'static str>)> {
    let (name, unit) = beside::with_unit_of_time(heading).filter(|(_, unit)| *unit != "min")?;
    let kind = if unit == "ms" || unit == "us" { FigureKind::Mean } else { FigureKind::MeanSeconds };
    Some((Meaning::Figure(kind, Some(name)), Some(unit)))
}

/// Columns of targets, or of numbers of clients, whose cells say that they are times: `q1 | 12.3 s | 450 ms`. Times of whole runs, unless none
/// is as long as seconds.
fn times_of_cells(columns: &mut [Column], table: &PublishedTable, of_clients: bool) {
    let is_own = |c: &Column| if of_clients { c.clients.is_some() } else { is_unknown(c) };
    let own: Vec<usize> = (0..columns.len()).filter(|at| is_own(&columns[*at])).collect();
    let mut units = BTreeSet::new();
    for (row, at) in table.rows.iter().flat_map(|row| own.iter().map(move |at| (row, *at))) {
        match quantity::read(&row.cells[at]) {
            CellContent::Number(_, Some(unit), _) if beside::TIME_UNITS.contains(&unit) => _ = units.insert(unit),
            CellContent::Missing => {}
            _ => return,
        }
    }
    if units.is_empty() {
        return;
    }
    let is_long = units.iter().any(|unit| ["s", "min", "h"].contains(unit));
    let kind = if is_long { FigureKind::Seconds } else { FigureKind::Mean };
    for at in own {
        columns[at].meaning = Meaning::Figure(kind, Some(columns[at].heading.clone()));
    }
}

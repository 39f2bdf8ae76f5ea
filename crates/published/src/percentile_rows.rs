//! Tables with a row for each percentile of response times, `Percentile | Latency`, or a column for each number of one, `Percentile | 50 | 99`.
//! They are turned into a row for each result, with a column for each statistic.

use crate::beside::{TIME_UNITS, is_of_units, with_unit_of_time};
use crate::caption;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::result::PublishedRow;
use crate::unpivot::name_of;
use crate::words::{is_among, lower, words};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::text::short;

/// A table with a row for each result.
pub(crate) struct Turned {
    pub headings: Vec<String>,
    pub rows: Vec<PublishedRow>,
    /// The rows and columns that are none of these.
    pub remarks: Vec<Message>,
}

/// What is shown of a heading in a sentence.
const SHOWN: usize = 40;

/// The table with a row for each result, if the first column of this one, or its headings, are percentiles.
pub(crate) fn turned(headings: &[String], rows: &[PublishedRow], caption: &str) -> Option<Turned> {
    of_headings(headings, rows).or_else(|| of_rows(headings, rows, caption))
}

/// `Percentile`, `Statistic`.
fn is_of_statistics(heading: &str) -> bool {
    let all = lower(&words(heading));
    !all.is_empty() && all.iter().all(|word| is_among(word, "of-percentiles"))
}

/// The statistic of a name: `p99`, `max`, and below `Percentile` also `99` and `0.99`.
fn statistic(name: &str, below_percentile: bool) -> Option<FigureKind> {
    if let HeadingMeaning::Figure(kind, None, None) = heading::read(name) {
        let is_one = matches!(kind, FigureKind::Mean | FigureKind::Min | FigureKind::Max | FigureKind::Percentile(_));
        return is_one.then_some(kind);
    }
    let number: f64 = name.trim().parse().ok().filter(|_| below_percentile)?;
    let percent = if number < 1.0 { 100.0 * number } else { number };
    match heading::read(&format!("p{percent:02}")) {
        HeadingMeaning::Figure(kind @ FigureKind::Percentile(_), ..) => Some(kind),
        _ => None,
    }
}

/// `Percentile | 50 | 90 | 99` above rows of targets.
fn of_headings(headings: &[String], rows: &[PublishedRow]) -> Option<Turned> {
    let (_, numbers) = headings.split_first().filter(|(first, _)| is_of_statistics(first))?;
    let names: Option<Vec<String>> = numbers.iter().map(|number| statistic(number, true).and_then(name_of)).collect();
    let has_words = rows.iter().any(|row| matches!(quantity::read(&row.cells[0]), CellContent::Words));
    let names = names.filter(|names| names.len() > 1 && has_words)?;
    let headings = std::iter::once("target".to_owned()).chain(names).collect();
    Some(Turned { headings, rows: rows.to_vec(), remarks: Vec::new() })
}

/// A column of response times below this heading: its target, if the heading names one, and its unit.
fn times(heading: &str, at: usize, rows: &[PublishedRow], is_of_times: bool) -> Option<(String, Option<&'static str>)> {
    let has_unit = |row: &PublishedRow| matches!(quantity::read(&row.cells[at]), CellContent::Number(_, Some(unit), _) if TIME_UNITS.contains(&unit));
    match heading::read(heading) {
        HeadingMeaning::Figure(FigureKind::Mean | FigureKind::Seconds, unit, name) => {
            Some((name.unwrap_or_default(), unit))
        }
        HeadingMeaning::Unknown if with_unit_of_time(heading).is_some() => {
            with_unit_of_time(heading).map(|(name, unit)| (name, Some(unit)))
        }
        HeadingMeaning::Named("value") if is_of_times || rows.iter().any(has_unit) => Some((String::new(), None)),
        HeadingMeaning::Unknown | HeadingMeaning::Named("target")
            if !heading.is_empty() && (is_of_times || rows.iter().all(has_unit)) =>
        {
            Some((heading.to_owned(), None))
        }
        _ => None,
    }
}

/// `Percentile | Latency` and `Percentile | MySQL | MariaDB` above `p50`, `p99`, `max`.
fn of_rows(headings: &[String], rows: &[PublishedRow], caption: &str) -> Option<Turned> {
    let (first, others) = headings.split_first().filter(|(_, others)| !others.is_empty())?;
    let below_percentile = is_of_statistics(first);
    // Beside rates and clients, and below a word for something else, a share is one: `Read % | Threads | TPS`.
    let is_of_load = |heading: &String| match heading::read(heading) {
        HeadingMeaning::Figure(kind, ..) => kind == FigureKind::Clients || heading::is_rate(kind),
        _ => false,
    };
    let are_shares = !below_percentile && (!first.is_empty() || others.iter().any(is_of_load));
    let is_share = |cell: &str| are_shares && matches!(quantity::read(cell), CellContent::Share(_));
    let of_row = |row: &PublishedRow| {
        let name = row.cells.first().filter(|name| !is_share(name))?;
        statistic(name, below_percentile)
    };
    let of_each: Vec<Option<FigureKind>> = rows.iter().map(of_row).collect();
    let known = of_each.iter().flatten().count();
    let has_percentile = of_each.iter().flatten().any(|kind| matches!(kind, FigureKind::Percentile(_)));
    if known < 2 || 2 * known <= rows.len() || !(has_percentile || below_percentile) {
        return None;
    }
    let is_of_times = heading::says_time(caption) || caption::unit_of_time(caption).is_some();
    let says_time = |heading: &String| {
        matches!(heading::read(heading), HeadingMeaning::Figure(FigureKind::Mean, ..)) && heading::says_time(heading)
    };
    // Names of figures beside columns of targets are read otherwise.
    if !below_percentile && !others.iter().any(says_time) {
        return None;
    }
    let rate = |heading: &str| match heading::read(heading) {
        HeadingMeaning::Figure(kind, _, None) => heading::is_rate(kind),
        _ => false,
    };
    let columns: Vec<(usize, (String, Option<&'static str>))> =
        (1..headings.len()).filter_map(|at| Some((at, times(&headings[at], at, rows, is_of_times)?))).collect();
    let rates: Vec<usize> = (1..headings.len()).filter(|at| rate(&headings[*at])).collect();
    let mean = of_each.iter().position(|kind| *kind == Some(FigureKind::Mean));
    // The mean of a rate is the rate; with several targets it is not known whose.
    let of_mean: Vec<usize> = if columns.len() < 2 && mean.is_some() { rates } else { Vec::new() };
    let mut remarks: Vec<Message> = (1..headings.len())
        .filter(|at| !columns.iter().any(|(of, _)| of == at) && !of_mean.contains(at) && !is_of_units(&headings[*at]))
        .map(|at| msg!("published-column-unknown", name = short(&headings[at], SHOWN)))
        .collect();
    let mut used = Vec::new();
    let mut names = Vec::new();
    for (row, kind) in of_each.iter().enumerate() {
        match kind.filter(|kind| !names.iter().any(|(_, of)| of == kind)) {
            Some(kind) => {
                names.push((name_of(kind)?, kind));
                used.push(row);
            }
            None => {
                let name = short(&rows[row].cells[0], SHOWN);
                remarks.push(msg!("published-row-unknown", name, line = rows[row].line));
            }
        }
    }
    let line = rows.first()?.line;
    // The unit stands beside each number: columns may have different ones.
    let cell = |row: usize, at: usize, unit: Option<&str>| {
        let text = &rows[row].cells[at];
        match (quantity::read(text), unit) {
            (CellContent::Number(_, None, _), Some(unit)) => format!("{text} {unit}"),
            _ => text.clone(),
        }
    };
    let is_named = columns.iter().any(|(_, (name, _))| !name.is_empty());
    let head = is_named.then(|| "target".to_owned());
    let of_statistics = names.iter().filter(|_| !columns.is_empty()).map(|(name, kind)| match kind.measure() {
        Measure::Milliseconds => format!("{name} latency"),
        _ => name.clone(),
    });
    if columns.is_empty() && of_mean.is_empty() {
        // Percentiles of something else are no results.
        let headings = headings.to_vec();
        return below_percentile.then_some(Turned { headings, rows: Vec::new(), remarks });
    }
    let headings: Vec<String> =
        head.into_iter().chain(of_mean.iter().map(|at| headings[*at].clone())).chain(of_statistics).collect();
    let of_rates: Vec<String> = of_mean.iter().filter_map(|at| Some(rows[mean?].cells[*at].clone())).collect();
    let one = |(at, (name, unit)): &(usize, (String, Option<&'static str>))| {
        let cells = is_named.then(|| name.clone()).into_iter().chain(of_rates.iter().cloned());
        let cells = cells.chain(used.iter().map(|row| cell(*row, *at, *unit))).collect();
        PublishedRow { line, cells }
    };
    let mut rows: Vec<PublishedRow> = columns.iter().map(one).collect();
    if rows.is_empty() {
        // Statistics of rates alone.
        rows.extend((!of_rates.is_empty()).then_some(PublishedRow { line, cells: of_rates }));
    }
    Some(Turned { headings, rows, remarks })
}

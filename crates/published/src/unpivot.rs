//! Tables with a row for each figure of several loads or targets: `DB | Metric | 1 | 8 | 64`, `Threads | Metric | MySQL | PostgreSQL`. They are
//! turned into a row for each load and target, with a column for each figure.

use crate::beside;
use crate::column::{SHOWN, column_among};
use crate::figure_kind::FigureKind;
use crate::heading::named_figure::is_operation;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::result::{Meaning, PublishedRow};
use crate::row_names::{self, Stated};
use crate::words::{is_among, lower, words};
use std::collections::BTreeMap;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// A table with a row for each result.
pub(crate) struct LongTable {
    pub headings: Vec<String>,
    pub rows: Vec<PublishedRow>,
    pub width: usize,
    /// What is assumed of the headings, and what is left out.
    pub remarks: Vec<Message>,
}

/// A table of more figures is something else.
const MOST_FIGURES: usize = 40;

/// The table with a row for each result, if this one has a column of names of figures beside others that tell results apart.
pub(crate) fn long(headings: &[String], rows: &[PublishedRow], caption: &str) -> Option<LongTable> {
    if let Some(Apart { headings, rows, metric, left_out }) = apart(headings, rows) {
        let mut long = of_names(&headings, &rows, caption, metric)?;
        long.remarks.extend(left_out);
        return Some(long);
    }
    of_names(headings, rows, caption, place_of_names(headings, rows)?)
}

/// A table whose names of rows were taken apart, and remarks on the rows that are left out.
struct Apart {
    headings: Vec<String>,
    rows: Vec<PublishedRow>,
    /// The column of the names of figures.
    metric: usize,
    left_out: Vec<Message>,
}

/// `MySQL TPS`, `MySQL p95 (ms)` in the column before the numbers of clients, the first one or that behind the targets: the name and the figure in
/// columns of their own.
fn apart(headings: &[String], rows: &[PublishedRow]) -> Option<Apart> {
    let at = matrix::clients(headings, rows).first()?.0.checked_sub(1)?;
    let texts: Vec<&str> = rows.iter().map(|row| row.cells.get(at).map_or("", String::as_str)).collect();
    let mut names = Vec::new();
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    for (n, row) in rows.iter().enumerate() {
        let of_row = column_among(n, &texts);
        let named = match &of_row.meaning {
            Meaning::Figure(kind, Some(of)) => name_of(*kind).map(|name| (of.clone(), name)),
            _ => None,
        };
        let Some((of, name)) = named else {
            // A name without a figure is that of something else.
            row_names::stated(texts[n]).filter(|stated| !matches!(stated, Stated::Figure(_)))?;
            left_out.push(msg!("published-row-unknown", name = short(texts[n], SHOWN), line = row.line));
            continue;
        };
        let unit = of_row.unit.map_or(String::new(), |unit| format!(" ({unit})"));
        let (before, after) = (row.cells[..at].iter().cloned(), row.cells[at + 1..].iter().cloned());
        let cells = before.chain([of.clone(), name + &unit]).chain(after).collect();
        names.push(of);
        all.push(PublishedRow { line: row.line, cells });
    }
    let are_workloads = at > 0 || names.iter().all(|name| is_operation(name));
    let name = if are_workloads { "workload" } else { "target" };
    let (before, after) = (headings[..at].iter().cloned(), headings[at + 1..].iter().cloned());
    // The word that says that the numbers are of clients stays.
    let metric = if matrix::says_clients(&headings[at]) { headings[at].clone() } else { "metric".to_owned() };
    let headings = before.chain([name.to_owned(), metric]).chain(after).collect();
    (!all.is_empty()).then_some(Apart { headings, rows: all, metric: at + 1, left_out })
}

/// What the heading of a figure may be.
pub(crate) fn name_of(kind: FigureKind) -> Option<String> {
    Some(match kind {
        FigureKind::Mean => "avg".to_owned(),
        FigureKind::Min => "min".to_owned(),
        FigureKind::Max => "max".to_owned(),
        FigureKind::Percentile(_) => kind.percentile_name(),
        FigureKind::Tps | FigureKind::Qps | FigureKind::Nopm | FigureKind::Tpm => kind.name().into_owned(),
        _ => return None,
    })
}

/// The same of a table with the names of figures in this column.
fn of_names(headings: &[String], rows: &[PublishedRow], caption: &str, metric: usize) -> Option<LongTable> {
    if matrix::columns_are_of_an_axis(headings, rows).is_some_and(|axis| matrix::product(axis).is_some()) {
        return None;
    }
    let across = matrix::clients(headings, rows);
    let is_key = |at: usize| {
        let others = headings.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, text)| text.as_str());
        let of = heading::read_beside(&headings[at], others);
        let is_named = matches!(of, HeadingMeaning::Named("target" | "workload" | "axis" | "metric"))
            || matches!(of, HeadingMeaning::Figure(FigureKind::Clients, _, None));
        at != metric && !across.iter().any(|(of, _)| *of == at) && (is_named || at < metric)
    };
    let keys: Vec<usize> = (0..headings.len()).filter(|at| is_key(*at)).collect();
    // What compares the others is shown, and is no result.
    let (asides, values): (Vec<usize>, Vec<usize>) = (0..headings.len())
        .filter(|at| *at != metric && !keys.contains(at) && !beside::is_of_units(&headings[*at]))
        .partition(|at| is_comparison(&headings[*at]));
    let has_unit = headings.iter().any(|heading| beside::is_of_units(heading));
    let corner = corner(&headings[metric]);
    if (keys.is_empty() && corner.is_none())
        || values.is_empty()
        || has_unit
        || !values.iter().all(|at| is_of_results(&headings[*at]))
    {
        return None;
    }
    let of_clients = values.iter().all(|at| across.iter().any(|(of, _)| of == at));
    let over = match (of_clients, values.len()) {
        _ if keys.is_empty() => corner,
        (true, _) => Some("threads"),
        (false, 1) => None,
        _ if keys.iter().any(|at| heading::read(&headings[*at]) == HeadingMeaning::Named("target")) => Some("series"),
        _ => Some("target"),
    };
    let mut names: Vec<&str> = Vec::new();
    let (mut above, mut name) = (vec![""; headings.len()], "");
    // Each result by its keys and its column, in order of appearance.
    let mut places: BTreeMap<(Vec<&str>, usize), usize> = BTreeMap::new();
    let mut all: Vec<(u64, Vec<String>, Vec<String>)> = Vec::new();
    for row in rows {
        for at in &keys {
            if !row.cells[*at].is_empty() {
                above[*at] = &row.cells[*at];
            }
        }
        let key: Vec<&str> = keys.iter().map(|at| above[*at]).collect();
        if !row.cells[metric].is_empty() {
            name = row.cells[metric].as_str();
        }
        let figure = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if figure == names.len() {
            names.push(name);
        }
        if names.len() > MOST_FIGURES {
            return None;
        }
        for at in &values {
            let index = *places.entry((key.clone(), *at)).or_insert(all.len());
            if index == all.len() {
                let own = over.map(|_| headings[*at].clone());
                all.push((row.line, key.iter().map(|cell| (*cell).to_owned()).chain(own).collect(), Vec::new()));
            }
            let figures = &mut all[index].2;
            figures.resize(figures.len().max(figure + 1), String::new());
            // The same figure of the same result twice: something else tells the rows apart.
            if !figures[figure].is_empty() {
                return None;
            }
            figures[figure].clone_from(&row.cells[*at]);
        }
    }
    let heads = keys.iter().map(|at| headings[*at].clone()).chain(over.map(str::to_owned));
    let headings_of_all: Vec<String> = heads.chain(names.iter().map(|name| (*name).to_owned())).collect();
    let width = headings_of_all.len();
    let rows = all.into_iter().map(|(line, mut cells, figures)| {
        cells.extend(figures);
        cells.resize(width, String::new());
        PublishedRow { line, cells }
    });
    let said_clients = headings.iter().map(String::as_str).chain([caption]).any(matrix::says_clients);
    let assumed = over == Some("threads") && !said_clients;
    let across = Message::list(values.iter().map(|at| foreign(short(&headings[*at], SHOWN))));
    let left_out = asides.iter().map(|at| msg!("published-column-unknown", name = short(&headings[*at], SHOWN)));
    let assumed = assumed.then(|| msg!("published-taken-as-clients", names = across));
    let remarks = assumed.into_iter().chain(left_out).collect();
    Some(LongTable { headings: headings_of_all, rows: rows.collect(), width, remarks })
}

/// The heading in the corner if it names what the other headings are values of: `Buffer pool | 1GB | 8GB` above `TPS | 500 | 900`.
fn corner(heading: &str) -> Option<&str> {
    matches!(heading::read(heading), HeadingMeaning::Named("axis")).then_some(heading)
}

/// The column whose cells all name figures, at least two of them; below a heading that says so, most of them, or one of several rows. There a cell may
/// be empty that is the same as the one above.
fn place_of_names(headings: &[String], rows: &[PublishedRow]) -> Option<usize> {
    let across = matrix::clients(headings, rows).first().map(|(at, _)| *at);
    let is_of_names = |at: &usize| {
        let says_so = heading::read(&headings[*at]) == HeadingMeaning::Named("metric");
        let (mut names, mut figures): (Vec<&str>, usize) = (Vec::new(), 0);
        for row in rows {
            let cell = row.cells[*at].as_str();
            let is_that_above = cell.is_empty() && says_so && !names.is_empty();
            if !is_that_above && !names.contains(&cell) {
                names.push(cell);
                figures += usize::from(matches!(heading::read(cell), HeadingMeaning::Figure(_, _, None)));
            }
            if names.len() > MOST_FIGURES {
                return false;
            }
        }
        let enough = if says_so { 2 * figures > names.len() } else { figures == names.len() && names.len() > 1 };
        enough && !names.contains(&"")
    };
    let may_be = |at: &usize| {
        headings[*at].is_empty()
            || (*at == 0 && corner(&headings[0]).is_some())
            || (*at > 0 && across == Some(at + 1))
            || matches!(heading::read(&headings[*at]), HeadingMeaning::Named("metric" | "workload"))
    };
    (rows.len() > 1).then(|| (0..headings.len()).filter(may_be).find(is_of_names))?
}

/// Whether a heading says that its column compares others.
fn is_comparison(heading: &str) -> bool {
    beside::compares(heading) || heading::read(heading) == HeadingMeaning::Named(heading::COMPARISON)
}

/// Whether a heading may be above the figures of a result: no statistic of them, no comparison and no repeat.
fn is_of_results(heading: &str) -> bool {
    let is_statistic =
        |word: &String| ["of-mean", "of-min", "of-max", "median", "deviation"].iter().any(|of| is_among(word, of));
    let all = lower(&words(heading));
    !all.is_empty()
        && !all.iter().any(is_statistic)
        && !beside::compares(heading)
        && !beside::is_repeat(heading)
        && !matches!(heading::read(heading), HeadingMeaning::Named("remark" | "comparison" | "share" | "statistic"))
}

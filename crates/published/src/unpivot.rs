//! Tables with a row for each figure of several loads or targets: `DB | Metric | 1 | 8 | 64`, `Threads | Metric | MySQL | PostgreSQL`. They are
//! turned into a row for each load and target, with a column for each figure.

use crate::beside;
use crate::column::SHOWN;
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::result::PublishedRow;
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

/// A table with a row for each result.
pub(crate) struct LongTable {
    pub headings: Vec<String>,
    pub rows: Vec<PublishedRow>,
    pub width: usize,
    /// What is assumed of the headings.
    pub remark: Option<Message>,
}

/// A table of more figures is something else.
const MOST_FIGURES: usize = 40;

/// The table with a row for each result, if this one has a column of names of figures beside others that tell results apart.
pub(crate) fn long(headings: &[String], rows: &[PublishedRow], caption: &str) -> Option<LongTable> {
    if let Some((headings, rows)) = apart(headings, rows) {
        return of_names(&headings, &rows, caption);
    }
    of_names(headings, rows, caption)
}

/// `MySQL TPS`, `MySQL p95 (ms)` in the first column, before the numbers of clients: the target and the figure in columns of their own.
fn apart(headings: &[String], rows: &[PublishedRow]) -> Option<(Vec<String>, Vec<PublishedRow>)> {
    if matrix::clients(headings, rows).first().map(|(at, _)| *at) != Some(1) {
        return None;
    }
    let mut kinds = BTreeSet::new();
    let mut all = Vec::new();
    for row in rows {
        let HeadingMeaning::Figure(kind, unit, Some(of)) = heading::read(row.cells.first()?) else { return None };
        let name = name_of(kind)?;
        let unit = unit.map_or(String::new(), |unit| format!(" ({unit})"));
        kinds.insert(kind);
        let cells = [of, name + &unit].into_iter().chain(row.cells[1..].iter().cloned()).collect();
        all.push(PublishedRow { line: row.line, cells });
    }
    let headings = ["target".to_owned(), "metric".to_owned()].into_iter().chain(headings[1..].iter().cloned());
    (kinds.len() > 1).then(|| (headings.collect(), all))
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

fn of_names(headings: &[String], rows: &[PublishedRow], caption: &str) -> Option<LongTable> {
    if matrix::columns_are_of_an_axis(headings, rows).is_some_and(|axis| matrix::product(axis).is_some()) {
        return None;
    }
    let metric = place_of_names(headings, rows)?;
    let across = matrix::clients(headings, rows);
    let is_key = |at: usize| {
        let others = headings.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, text)| text.as_str());
        let of = heading::read_beside(&headings[at], others);
        let is_named = matches!(of, HeadingMeaning::Named("target" | "workload" | "axis" | "metric"))
            || matches!(of, HeadingMeaning::Figure(FigureKind::Clients, _, None));
        at != metric && !across.iter().any(|(of, _)| *of == at) && (is_named || at < metric)
    };
    let keys: Vec<usize> = (0..headings.len()).filter(|at| is_key(*at)).collect();
    let values: Vec<usize> = (0..headings.len())
        .filter(|at| *at != metric && !keys.contains(at) && !beside::is_of_units(&headings[*at]))
        .collect();
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
    let mut above = vec![""; headings.len()];
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
        let name = row.cells[metric].as_str();
        let figure = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if figure == names.len() {
            names.push(name);
        }
        if names.len() > MOST_FIGURES {
            return None;
        }
        for at in &values {
            let place = *places.entry((key.clone(), *at)).or_insert(all.len());
            if place == all.len() {
                let own = over.map(|_| headings[*at].clone());
                all.push((row.line, key.iter().map(|cell| (*cell).to_owned()).chain(own).collect(), Vec::new()));
            }
            let figures = &mut all[place].2;
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
    let remark = assumed.then(|| msg!("published-taken-as-clients", names = across));
    Some(LongTable { headings: headings_of_all, rows: rows.collect(), width, remark })
}

/// The heading in the corner if it names what the other headings are values of: `Buffer pool | 1GB | 8GB` above `TPS | 500 | 900`.
fn corner(heading: &str) -> Option<&str> {
    matches!(heading::read(heading), HeadingMeaning::Named("axis")).then_some(heading)
}

/// The column whose cells all name figures, at least two of them.
fn place_of_names(headings: &[String], rows: &[PublishedRow]) -> Option<usize> {
    let is_of_names = |at: &usize| {
        let mut seen: Vec<&str> = Vec::new();
        let all = rows.iter().all(|row| {
            let cell = row.cells[*at].as_str();
            if !seen.contains(&cell) {
                seen.push(cell);
            }
            seen.len() <= MOST_FIGURES && matches!(heading::read(cell), HeadingMeaning::Figure(_, _, None))
        });
        all && seen.len() > 1 && !seen.contains(&"")
    };
    let may_be = |at: &usize| {
        headings[*at].is_empty()
            || (*at == 0 && corner(&headings[0]).is_some())
            || matches!(heading::read(&headings[*at]), HeadingMeaning::Named("metric" | "workload"))
    };
    (rows.len() > 1).then(|| (0..headings.len()).filter(may_be).find(is_of_names))?
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

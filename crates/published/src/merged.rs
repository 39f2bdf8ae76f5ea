//! Headings in two rows of which the upper one has a figure over several columns, and the lower one what was compared: `Threads,TPS,` above
//! `,MySQL,PostgreSQL` or above `,5.7,8.0`. Where the lower row has numbers, they become a column of their own.

use crate::beside;
use crate::figure_kind::Measure;
use crate::heading::{self, HeadingMeaning, named_figure};
use crate::matrix;
use crate::quantity::{self, CellContent};
use crate::raw_table::{MOST_ROWS, RawTable, Rows};
use crate::unpivot;
use std::ops::Range;

/// A table with a row for each number of its second row of headings.
pub(crate) struct BelowMerged {
    pub table: RawTable,
    /// The numbers, if they are taken as those of clients and no word says so.
    pub assumed: Vec<String>,
}

/// The columns of each rate or time that stands over several columns, if the row below names each of them and nothing else: its first cell is
/// empty, repeats the heading above it, or is the word for the numbers beside it.
pub(crate) fn groups(headings: &[String], below: &[String]) -> Option<Vec<Range<usize>>> {
    let width = headings.len().max(below.len());
    let (above, under) = (|at: usize| text(headings, at), |at: usize| text(below, at));
    let names_numbers = matrix::says_clients(under(0)) && !above(0).is_empty() && !matrix::says_clients(above(0));
    let names_rows = above(0).is_empty() && matches!(quantity::read(under(0)), CellContent::Words);
    if width < 3 || !(under(0).is_empty() || under(0) == above(0) || names_numbers || names_rows) {
        return None;
    }
    let (mut all, mut at) = (Vec::new(), 1);
    while at < width {
        let name = above(at);
        let same = (at + 1..width).take_while(|next| above(*next).is_empty() || above(*next) == name).count();
        let end = at + 1 + if name.is_empty() { 0 } else { same };
        let named = (at..end).take_while(|at| !under(*at).is_empty()).count();
        let is_group = named > 1 && is_rate_or_time(name);
        if is_group {
            all.push(at..at + named);
        }
        let mut others = if is_group { at + named..end } else { at..end };
        if others.any(|at| !under(at).is_empty() && under(at) != above(at)) {
            return None;
        }
        at = end;
    }
    // Numbers behind a word may be the first row of figures: those of headings are the same below each figure, or the word is known.
    let numbers = |group: &Range<usize>| group.clone().map(&under).collect::<Vec<_>>();
    let are_same = || all.len() > 1 && all.iter().all(|group| numbers(group) == numbers(&all[0]));
    let is_known = || {
        let rows = matrix::pair(under(0)).map_or(under(0), |(rows, _)| rows);
        matches!(heading::read(rows), HeadingMeaning::Named("target" | "workload" | "axis"))
            || matrix::says_clients(rows)
    };
    (!all.is_empty() && (!names_rows || are_same() || is_known())).then_some(all)
}

fn text(cells: &[String], at: usize) -> &str {
    cells.get(at).map_or("", String::as_str)
}

fn is_rate_or_time(heading: &str) -> bool {
    match heading::read(heading) {
        HeadingMeaning::Figure(kind, ..) => heading::is_rate(kind) || kind.measure() == Measure::Milliseconds,
        _ => false,
    }
}

/// The cells below such headings as names that say together with the headings what each column is, if they are words, or percentiles below times.
pub(crate) fn names(headings: &[String], below: &[String], groups: &[Range<usize>]) -> Option<Vec<String>> {
    let mut all = below.to_vec();
    all.resize(all.len().max(headings.len()), String::new());
    if !(all[0].is_empty() || all[0] == text(headings, 0)) {
        return None;
    }
    for group in groups {
        let cells = || group.clone().map(|at| text(below, at));
        if cells().any(|cell| matches!(quantity::read(cell), CellContent::Words)) {
            if cells().any(|cell| matrix::clients_in_words(cell).is_some()) {
                return None;
            }
            continue;
        }
        let heading = text(headings, group.start);
        let is_percentile = |cell: &str| match quantity::read(cell) {
            CellContent::Share(_) => true,
            CellContent::Number(quantity, None, false) => {
                beside::says_latency(heading) && PERCENTILES.contains(&quantity.value)
            }
            _ => false,
        };
        let of_time = matches!(heading::read(heading), HeadingMeaning::Figure(kind, ..) if kind.measure() == Measure::Milliseconds);
        if !of_time || !cells().all(is_percentile) {
            return None;
        }
        for at in group.clone().filter(|at| matches!(quantity::read(&below[*at]), CellContent::Number(..))) {
            all[at] = format!("p{}", below[at]);
        }
    }
    Some(all)
}

/// Numbers without a sign that may be those of percentiles.
const PERCENTILES: [f64; 8] = [50.0, 75.0, 90.0, 95.0, 98.0, 99.0, 99.9, 99.99];

/// The table with a row for each number below a heading that stands over several columns: versions, years, or numbers of clients.
pub(crate) fn below_one_another(raw: &RawTable, head: usize, caption: &str) -> Option<BelowMerged> {
    let ((line, headings), (_, below)) = (raw.rows.get(head)?, raw.rows.get(head + 1)?);
    let groups = groups(headings, below)?;
    let is_number = |at: &usize| {
        matrix::whole(text(below, *at)).is_some()
            || matches!(quantity::read(text(below, *at)), CellContent::Number(_, None, false))
    };
    // A row of figures has no name in its first cell, either; but then it is the only one.
    let is_named = raw.rows.get(head + 2).is_some_and(|(_, cells)| !text(cells, 0).is_empty());
    if !is_named
        || names(headings, below, &groups).is_some()
        || !groups.iter().cloned().flatten().all(|at| is_number(&at))
    {
        return None;
    }
    let columns = groups.iter().map(|group| Group::of(text(headings, group.start), group, below));
    let columns: Vec<Group> = columns.collect::<Option<_>>()?;
    let numbers = distinct(columns.iter().flat_map(|group| group.numbers.iter().cloned()));
    let names = distinct(columns.iter().map(|group| group.name.clone()));
    let figures = distinct(columns.iter().map(|group| group.figure.clone()));
    let is_filled = |at: &usize| raw.rows[head..].iter().any(|(_, cells)| !text(cells, *at).is_empty());
    let singles: Vec<usize> =
        (0..headings.len()).filter(|at| is_filled(at) && !groups.iter().any(|group| group.contains(at))).collect();
    // `DB` or `DB \ threads` in the corner is the name of the rows, if nothing stands above it.
    let corner = text(below, 0);
    let names_rows = text(headings, 0).is_empty() && !corner.is_empty();
    let (of_rows, corner) = match matrix::pair(corner).filter(|_| names_rows) {
        Some(pair) => pair,
        None if names_rows => (corner, ""),
        None => (text(headings, 0), corner),
    };
    let others: Vec<&str> = singles.iter().map(|at| if *at == 0 { of_rows } else { text(headings, *at) }).collect();
    let has_names = names.iter().any(|name| !name.is_empty());
    let has_target = others.iter().any(|text| heading::read(text) == HeadingMeaning::Named("target"));
    let (axis, is_assumed) = axis(&numbers, &others, corner, caption, has_names || has_target)?;
    let name = has_names.then_some(if has_target { "series" } else { "target" });
    let all_names = if has_names { &names[..] } else { &names[..1] };
    let mut rows: Rows = raw.rows[..head].to_vec();
    let heads = others.iter().copied().chain(name).chain([axis]).chain(figures.iter().map(String::as_str));
    rows.push((*line, heads.map(str::to_owned).collect()));
    for (line, cells) in &raw.rows[head + 2..] {
        if rows.len() > MOST_ROWS + head + 1 {
            // They are refused for that.
            break;
        }
        let own: Vec<String> = singles.iter().map(|at| text(cells, *at).to_owned()).collect();
        let before = rows.len();
        for (name_of_row, number) in all_names.iter().flat_map(|name| numbers.iter().map(move |number| (name, number)))
        {
            let figure = |figure: &String| {
                let group = columns.iter().find(|group| group.figure == *figure && group.name == *name_of_row)?;
                let at = group.numbers.iter().position(|of| of == number)?;
                Some(text(cells, group.start + at).to_owned())
            };
            let values: Vec<String> = figures.iter().map(|of| figure(of).unwrap_or_default()).collect();
            if values.iter().any(|value| !value.is_empty()) {
                let name = name.map(|_| name_of_row.clone());
                rows.push((*line, own.iter().cloned().chain(name).chain([number.clone()]).chain(values).collect()));
            }
        }
        // The name of the rows below it.
        if rows.len() == before {
            rows.push((*line, own));
        }
    }
    let assumed = if is_assumed { numbers } else { Vec::new() };
    Some(BelowMerged { table: RawTable { caption: raw.caption.clone(), rows, ..*raw }, assumed })
}

/// The columns below one heading: what it names beside its figure, the figure, its first column and the numbers.
struct Group {
    name: String,
    figure: String,
    start: usize,
    numbers: Vec<String>,
}

impl Group {
    fn of(heading: &str, columns: &Range<usize>, below: &[String]) -> Option<Group> {
        let HeadingMeaning::Figure(kind, unit, name) = heading::read(heading) else { return None };
        let numbers: Vec<String> = columns.clone().map(|at| text(below, at).to_owned()).collect();
        let is_distinct = distinct(numbers.iter().cloned()).len() == numbers.len();
        let figure = match &name {
            Some(_) => unpivot::name_of(kind)? + &unit.map_or(String::new(), |unit| format!(" ({unit})")),
            None => heading.to_owned(),
        };
        is_distinct.then(|| Group { name: name.unwrap_or_default(), figure, start: columns.start, numbers })
    }
}

/// What stands above such numbers, and whether that is assumed; `None` if they may be percentiles.
fn axis(
    numbers: &[String],
    others: &[&str],
    corner: &str,
    caption: &str,
    has_target: bool,
) -> Option<(&'static str, bool)> {
    let clients: Option<Vec<f64>> = numbers.iter().map(|number| matrix::whole(number)).collect();
    let of_clients = others.iter().any(|text| matrix::says_clients(text));
    let in_words = numbers.iter().all(|number| matrix::clients_in_words(number).is_some());
    let are_named = in_words || matrix::says_clients(corner) || matrix::says_clients(caption);
    if let Some(clients) = clients.filter(|_| !of_clients || in_words) {
        if matrix::may_be_clients(&clients, are_named) {
            return Some(("threads", !are_named));
        }
        if matrix::are_percentiles(&clients) {
            return None;
        }
    }
    let is_version = |number: &String| named_figure::is_version(number.trim());
    let are_versions = numbers.iter().all(is_version) || matrix::are_versions(numbers) || matrix::are_years(numbers);
    Some((
        if are_versions && !has_target {
            "target"
        } else if are_versions {
            "version"
        } else {
            "columns"
        },
        false,
    ))
}

/// Each once, in order of appearance.
fn distinct(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut known = Vec::new();
    all.for_each(|one| {
        if !known.contains(&one) {
            known.push(one);
        }
    });
    known
}

//! Tables whose columns are several tables side by side, `threads | TPS | threads | TPS`, as two systems are set beside one another. They are
//! turned into rows below one another, with the name of the group in a column of its own.

use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::{MOST_ROWS, RawTable, Rows};
use crate::unpivot;
use crate::words::{is_among, lower, words};
use std::ops::Range;

/// The headings are looked for in the first lines only.
const HEAD_LINES: usize = 30;
/// A table of more groups is something else.
const MOST_GROUPS: usize = 20;

/// The table with its groups below one another, if a heading of clients stands several times in it, each time before the same figures.
pub(crate) fn below_one_another(raw: &RawTable) -> Option<RawTable> {
    let (head, begins) = raw.rows.iter().take(HEAD_LINES).enumerate().find_map(|(at, (_, cells))| {
        let begins = begins(cells);
        (begins.len() > 1 && begins.len() <= MOST_GROUPS).then_some((at, begins))
    })?;
    let headings = &raw.rows[head].1;
    let groups = groups(headings, &begins);
    let (names, plain) = match names_in_headings(headings, &groups) {
        Some((names, plain)) => (Some(names), plain),
        None => (names_above(raw, head, &groups), same_headings(headings, &groups)?),
    };
    let before = begins[0];
    let name = match &names {
        Some(names) if names.iter().all(|name| is_of_workload(name)) => Some("workload"),
        Some(_) => Some("target"),
        None => has_same_clients(&raw.rows[head + 1..], &groups).then_some("columns"),
    };
    let above = raw.rows[..head].iter().take(if names.is_some() { head.saturating_sub(1) } else { head });
    let mut rows: Rows = above.cloned().collect();
    let line = raw.rows[head].0;
    rows.push((line, headings[..before].iter().cloned().chain(name.map(str::to_owned)).chain(plain).collect()));
    for (line, cells) in &raw.rows[head + 1..] {
        if rows.len() > MOST_ROWS + head + 1 {
            // They are refused for that.
            break;
        }
        let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
        // A row of units stands once.
        let of_units = !cells.iter().any(is_number) && rows.last().is_some_and(|(of, _)| *of == raw.rows[head].0);
        for (n, group) in groups.iter().take(if of_units { 1 } else { groups.len() }).enumerate() {
            let own: Vec<String> = group.clone().map(|at| cells.get(at).cloned().unwrap_or_default()).collect();
            if own.iter().all(String::is_empty) {
                continue;
            }
            let own_name = name.map(|_| match &names {
                _ if of_units => String::new(),
                Some(names) => names[n].clone(),
                None => format!("{}–{}", group.start + 1, group.end),
            });
            let before = (0..before).map(|at| cells.get(at).cloned().unwrap_or_default());
            rows.push((*line, before.chain(own_name).chain(own).collect()));
        }
    }
    Some(RawTable { caption: raw.caption.clone(), rows, ..*raw })
}

/// The columns at which the groups begin: those of the first heading of clients, and of the same heading again.
fn begins(cells: &[String]) -> Vec<usize> {
    let is_of_clients =
        |cell: &&String| matches!(heading::read(cell), HeadingMeaning::Figure(FigureKind::Clients, None, None));
    let Some(first) = cells.iter().find(is_of_clients) else { return Vec::new() };
    (0..cells.len()).filter(|at| cells[*at].eq_ignore_ascii_case(first)).collect()
}

/// The columns of each group, without empty ones at its end.
fn groups(headings: &[String], begins: &[usize]) -> Vec<Range<usize>> {
    let ends = begins.iter().skip(1).copied().chain([headings.len()]);
    let last =
        |range: Range<usize>| range.clone().rev().find(|at| !headings[*at].is_empty()).map_or(range.start, |at| at + 1);
    begins.iter().zip(ends).map(|(begin, end)| *begin..last(*begin..end)).collect()
}

/// The headings of a group, if all have the same.
fn same_headings(headings: &[String], groups: &[Range<usize>]) -> Option<Vec<String>> {
    let of = |group: &Range<usize>| -> Vec<String> {
        headings[group.clone()].iter().map(|text| text.to_lowercase()).collect()
    };
    let first = groups.first()?;
    let is_same = groups.iter().all(|group| group.len() > 1 && of(group) == of(first));
    is_same.then(|| headings[first.clone()].to_vec())
}

/// The names that stand within the headings, one in each group, and the headings without them: `threads | A TPS | threads | B TPS`.
fn names_in_headings(headings: &[String], groups: &[Range<usize>]) -> Option<(Vec<String>, Vec<String>)> {
    let mut names = Vec::new();
    let mut plain: Option<Vec<String>> = None;
    for group in groups {
        let mut own: Option<String> = None;
        let mut texts = vec![headings[group.start].to_lowercase()];
        for text in &headings[group.start + 1..group.end] {
            let HeadingMeaning::Figure(kind, unit, Some(of)) = heading::read(text) else { return None };
            if own.get_or_insert_with(|| of.clone()) != &of {
                return None;
            }
            texts.push(unpivot::name_of(kind)? + &unit.map_or(String::new(), |unit| format!(" ({unit})")));
        }
        if plain.get_or_insert_with(|| texts.clone()) != &texts {
            return None;
        }
        names.push(own?);
    }
    Some((are_distinct(&names).then_some(names)?, plain?))
}

/// The names in the row above the headings, one over each group.
fn names_above(raw: &RawTable, head: usize, groups: &[Range<usize>]) -> Option<Vec<String>> {
    let (_, above) = raw.rows.get(head.checked_sub(1)?)?;
    let name = |group: &Range<usize>| {
        let mut filled =
            above.get(group.clone().start..group.end.min(above.len()))?.iter().filter(|cell| !cell.is_empty());
        let name = filled.next()?;
        // A merged cell may be repeated in each of its columns.
        filled.all(|other| other == name).then(|| name.clone())
    };
    let names: Vec<String> = groups.iter().map(name).collect::<Option<_>>()?;
    are_distinct(&names).then_some(names)
}

fn are_distinct(names: &[String]) -> bool {
    (0..names.len()).all(|at| !names[..at].contains(&names[at]))
}

/// Whether a name is that of a workload: `Read only`.
fn is_of_workload(name: &str) -> bool {
    let is = |word: &String| is_among(word, "of-own-workload") || is_among(word, "of-operation");
    lower(&words(name)).iter().any(is)
}

/// Whether a number of clients stands in several groups: without names, something else tells them apart.
fn has_same_clients(rows: &[(u64, Vec<String>)], groups: &[Range<usize>]) -> bool {
    let mut first_group = std::collections::BTreeMap::new();
    let cells = groups.iter().enumerate().flat_map(|(n, group)| {
        rows.iter().filter_map(move |(_, cells)| cells.get(group.start).map(|cell| (n, cell.as_str())))
    });
    { cells }.filter(|(_, cell)| !cell.is_empty()).any(|(n, cell)| *first_group.entry(cell).or_insert(n) != n)
}

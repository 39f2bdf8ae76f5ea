//! Which cells stand below which heading: headings in two rows, rows with more or fewer cells.

use crate::beside::TIME_UNITS;
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::matrix;
use crate::merged;
use crate::quantity::{self, CellContent};
use crate::raw_table::RawTable;
use crate::words::{lower, unit, words};

/// The headings of a table with names above them, each over some of its columns (`,A,,B,` above `threads,TPS,p95,TPS,p95`): a
/// name that is not repeated stands in merged cells.
pub fn of_two_rows(above: &[String], headings: &[String]) -> Option<Vec<String>> {
    let names = above.iter().filter(|name| !name.is_empty()).count();
    let twice = |at: usize| headings[..at].contains(&headings[at]);
    let is_repeated = (0..headings.len()).any(twice);
    (names > 1 && names < headings.len() && is_repeated).then(|| joined(above, headings))
}

/// Puts the headings of merged cells above their columns, which a browser copies without those that they cover: `Threads,MySQL,MariaDB` above
/// `TPS,p95,TPS,p95` above rows of five cells.
pub fn place_merged_cells(raw: &mut RawTable) {
    const MOST_TITLES: usize = 4;
    let at = (0..raw.rows.len().min(MOST_TITLES)).find_map(|at| Some((at, placed(&raw.rows[at..], raw.spaced)?)));
    if let Some((at, [above, below])) = at {
        (raw.rows[at].1, raw.rows[at + 1].1) = (above, below);
    }
}

/// Two rows of headings as wide as the rows below them, if the cells of the second one are the same below each name of the first.
fn placed(rows: &[(u64, Vec<String>)], spaced: bool) -> Option<[Vec<String>; 2]> {
    let [(_, above), (_, below), rest @ ..] = rows else { return None };
    let width = rest.first().filter(|_| !spaced)?.1.len();
    let over_both = width.checked_sub(below.len()).filter(|n| (1..above.len()).contains(n))?;
    let names = &above[over_both..];
    let each = below.len() / names.len();
    let is_same = |at: usize| below[at] == below[at % each];
    let are_words = below.iter().all(|cell| matches!(quantity::read(cell), CellContent::Words));
    let fits = each * names.len() == below.len() && each > 1 && names.len() > 1 && (0..below.len()).all(is_same);
    if !fits || !are_words || above.iter().any(String::is_empty) || rest.iter().any(|(_, cells)| cells.len() != width) {
        return None;
    }
    let covered = || vec![String::new(); each - 1];
    let spread = names.iter().flat_map(|name| std::iter::once(name.clone()).chain(covered()));
    let second = vec![String::new(); over_both].into_iter().chain(below.iter().cloned());
    Some([above[..over_both].iter().cloned().chain(spread).collect(), second.collect()])
}

/// Headings with a second row below them, without a number: `TPS,,平均(ms),` above `old,new,old,new`, and `Latency,,` above `avg (ms),p95 (ms)`.
/// If a column of the values has neither, it is not known which name stands above which column: they have no headings.
pub fn over_two_rows(headings: &[String], below: &[String], values: &[String]) -> Option<Vec<String>> {
    let words = below.iter().filter(|cell| matches!(quantity::read(cell), CellContent::Words)).count();
    let numbers =
        below.iter().any(|cell| matches!(quantity::read(cell), CellContent::Number(..) | CellContent::Share(_)));
    let of_below = || below.iter().filter(|cell| matches!(heading::read(cell), HeadingMeaning::Figure(..))).count();
    let is_repeated = (0..below.len()).any(|at| !below[at].is_empty() && below[..at].contains(&below[at]));
    let above_repeats = (0..headings.len()).any(|at| headings[at].is_empty() || headings[..at].contains(&headings[at]));
    let merged = above_repeats && (is_repeated || of_below() > 1);
    let empty = |cells: &[String], at: usize| cells.get(at).is_none_or(String::is_empty);
    let is_bare = |at: usize| !values[at].is_empty() && empty(headings, at) && empty(below, at);
    let fits = || !(0..values.len()).any(is_bare);
    // `Threads,TPS,` above `,MySQL,PostgreSQL`.
    if let Some(names) = merged::groups(headings, below).and_then(|groups| merged::names(headings, below, &groups)) {
        return Some(joined(headings, &names));
    }
    (words > 1 && !numbers && merged && below.len() >= headings.len())
        .then(|| if fits() { joined(headings, below) } else { vec![String::new(); below.len()] })
}

/// A figure over all columns of clients, `,TPS,,` above `Threads,1,8,64`: the numbers are the headings, and the figure stands beside their name.
pub fn over_clients(headings: &[String], below: &[String]) -> Option<Vec<String>> {
    let (first, numbers) = below.split_first()?;
    let mut names: Vec<&String> = headings.iter().filter(|heading| !heading.is_empty()).collect();
    names.dedup();
    let ([name], true) = (names.as_slice(), matrix::says_clients(first)) else { return None };
    let is_figure = matches!(heading::read(name), HeadingMeaning::Figure(kind, _, None) if kind != FigureKind::Clients);
    let clients: Option<Vec<f64>> = numbers.iter().map(|number| matrix::whole(number)).collect();
    let grow = |all: &Vec<f64>| all.len() > 1 && all.windows(2).all(|two| two[0] < two[1]);
    (is_figure && clients.is_some_and(|all| grow(&all)))
        .then(|| std::iter::once(format!("{first} ({name})")).chain(numbers.iter().cloned()).collect())
}

/// Headings with a row of units below them, of which one at least is of time, each in brackets, or all of time: `threads,avg,max` above
/// `,(us),(ms)`.
pub fn with_units(headings: &[String], below: &[String]) -> Option<Vec<String>> {
    let is_of_time = |cell: &String| unit(&lower(&words(cell))).is_some_and(|unit| TIME_UNITS.contains(&unit));
    let in_brackets = |cell: &str| cell.starts_with(BRACKETS) && cell.ends_with(BRACKETS) && cell.chars().count() > 2;
    let all = |is: &dyn Fn(&String) -> bool| below.iter().all(|cell| cell.is_empty() || is(cell));
    let is_unit = |cell: &String| is_of_time(cell) || NO_UNIT.contains(&cell.trim());
    let are_units = all(&is_unit) || all(&|cell| in_brackets(cell));
    if !below.iter().any(is_of_time) || !are_units || below.len() > headings.len() {
        return None;
    }
    let one =
        |(at, heading): (usize, &String)| match below.get(at).map_or("", |cell| cell.trim_matches(BRACKETS).trim()) {
            "" => heading.clone(),
            unit if NO_UNIT.contains(&unit) => heading.clone(),
            unit => format!("{heading} ({unit})"),
        };
    Some(headings.iter().enumerate().map(one).collect())
}

/// Numbers, and numbers per second, which are those of the headings themselves.
const NO_UNIT: [&str; 9] = ["n", "N", "#", "-", "–", "1/s", "/s", "s-1", "s^-1"];
const BRACKETS: [char; 6] = ['(', ')', '[', ']', '（', '）'];

/// `Threads,8,,16,` above other headings: the word stands beside each of its numbers, and not above the first column.
fn with_word_of_clients(above: &[String]) -> Option<Vec<String>> {
    let (first, numbers) = above.split_first().filter(|(first, _)| matrix::says_clients(first))?;
    let is_number = |cell: &String| cell.is_empty() || cell.bytes().all(|b| b.is_ascii_digit());
    let one = |cell: &String| if cell.is_empty() { String::new() } else { format!("{cell} threads") };
    let any = numbers.iter().any(|cell| !cell.is_empty());
    (any && !first.is_empty() && numbers.iter().all(is_number))
        .then(|| std::iter::once(String::new()).chain(numbers.iter().map(one)).collect())
}

/// `,8,,16,` above other headings: numbers of clients, and whether that is assumed, since no word says so. Beside the clients of the rows they are
/// something else.
pub fn numbers_above(
    above: &[String],
    headings: &[String],
    rows: &[(u64, Vec<String>)],
    says_clients: bool,
) -> Option<(Vec<String>, bool)> {
    let (first, numbers) = above.split_first().filter(|(first, _)| first.is_empty())?;
    let filled: Vec<f64> =
        numbers.iter().filter(|cell| !cell.is_empty()).map(|cell| matrix::whole(cell)).collect::<Option<_>>()?;
    let is_above_figure = |(at, cell): (usize, &String)| {
        cell.is_empty()
            || matches!(heading::read(headings.get(at + 1).map_or("", String::as_str)), HeadingMeaning::Figure(..))
    };
    let is_number = |row: &(u64, Vec<String>)| row.1.first().is_some_and(|cell| matrix::whole(cell).is_some());
    let of_clients = headings.iter().position(|heading| matrix::says_clients(heading));
    // `Threads` above names belongs to the numbers.
    let is_corner = of_clients == Some(0) && !rows.is_empty() && !rows.iter().any(is_number);
    let is_named = says_clients || is_corner;
    let may_be = filled.len() > 1
        && matrix::may_be_clients(&filled, is_named)
        && numbers.iter().enumerate().all(is_above_figure);
    let one = |cell: &String| if cell.is_empty() { String::new() } else { format!("{cell} threads") };
    (may_be && (of_clients.is_none() || is_corner))
        .then(|| (std::iter::once(first.clone()).chain(numbers.iter().map(one)).collect(), !is_named))
}

fn is_of_clients(heading: &str) -> bool {
    matches!(heading::read(heading), HeadingMeaning::Figure(FigureKind::Clients, _, None))
}

/// Each heading with the name above it, which stands over those to its right too.
fn joined(above: &[String], headings: &[String]) -> Vec<String> {
    let of_clients = with_word_of_clients(above);
    let above = of_clients.as_deref().unwrap_or(above);
    let mut name = "";
    let one = |(at, heading): (usize, &String)| {
        let own = above.get(at).map_or("", String::as_str);
        name = if own.is_empty() { name } else { own };
        match heading.as_str() {
            "" => own.to_owned(),
            // `point select` over the clients of all columns.
            clients if at == 0 && is_of_clients(clients) && !headings[1..].iter().any(|other| other == clients) => {
                clients.to_owned()
            }
            heading if name.is_empty() || name == heading => heading.to_owned(),
            heading => format!("{name} {heading}"),
        }
    };
    headings.iter().enumerate().map(one).collect()
}

/// Whether the cells of a row do not stand below their headings: a number with a comma that no quotes hold together, or, where blanks separate cells, an
/// empty one. One cell more may be a note.
pub fn does_not_fit(cells: &[String], headings: usize, spaced: bool, by_comma: bool) -> bool {
    let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
    let filled = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
    let is_cut = |pair: &[String]| {
        let digits = |cell: &str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
        digits(&pair[0]) && pair[0].len() < 4 && pair[1].get(..3).is_some_and(digits)
    };
    match filled > headings {
        true => {
            let may_be_note =
                filled == headings + 1 && !is_number(&cells[headings]) && !(by_comma && cells.windows(2).any(is_cut));
            headings > 1 && cells.iter().any(is_number) && (spaced || !may_be_note)
        }
        false => spaced && headings > 1 && filled < headings && filled > 1 && cells.iter().any(is_number),
    }
}

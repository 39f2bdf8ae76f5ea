//! Tables of numbers only: the columns are numbers of clients, or targets below the word "threads", and neither a heading nor
//! the words above the table need say what the figures are. What is assumed is said. Below the name of something else the columns are
//! its values: `Nodes | 3 | 6`.

use crate::caption;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::RawTable;
use crate::result::PublishedRow;
use crate::words::{has_part, is_among, lower, words};
use std::borrow::Cow;

/// No benchmark has more clients.
const MOST_CLIENTS: f64 = 1e7;

/// The columns whose headings are numbers of clients, with these numbers; empty if they are something else, or may
/// be.
pub fn clients(headings: &[String], rows: &[PublishedRow]) -> Vec<(usize, f64)> {
    // Clients stand below their word: the numbers beside it are versions, years or sizes.
    let below = |row: &PublishedRow| row.cells.first().is_some_and(|cell| whole(cell).is_some());
    let are_below = || columns_are_clients(headings).is_none() && !rows.is_empty() && rows.iter().all(below);
    if headings.first().is_some_and(|first| says_clients(first)) && are_below() {
        return Vec::new();
    }
    if columns_are_of_an_axis(headings, rows).is_some() {
        return Vec::new();
    }
    let first = headings.iter().position(|heading| is_number(heading)).unwrap_or(headings.len());
    let (words, numbers) = headings.split_at(first);
    let numbers: Option<Vec<f64>> = numbers.iter().map(|heading| whole(heading)).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1 && !words.is_empty()) else { return Vec::new() };
    if rows_are_clients(headings).is_some() {
        return Vec::new();
    }
    let is_named = headings.iter().any(|heading| says_clients(heading));
    if !may_be_clients(&numbers, is_named) {
        return Vec::new();
    }
    numbers.into_iter().enumerate().map(|(n, clients)| (first + n, clients)).collect()
}

/// Whether numbers beside one another are of clients, which grow. Without a word that says so, 1, 2, 3 may be repeats, 2019, 2020 years, and
/// 50, 95, 99 percentiles.
pub fn may_be_clients(numbers: &[f64], is_named: bool) -> bool {
    let grow = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let counts_up = numbers.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let years = numbers.iter().all(|n| YEARS.contains(n));
    grow && (is_named || !(counts_up || are_percentiles(numbers) || years))
}

const YEARS: std::ops::Range<f64> = 1990.0..2100.0;

/// Whether numbers may be those of percentiles: 50, 95, 99.
pub fn are_percentiles(numbers: &[f64]) -> bool {
    numbers.iter().all(|n| *n <= 100.0) && numbers.iter().any(|n| [90.0, 95.0, 99.0].contains(n))
}

/// Whether headings are years: 2019, 2023.
pub fn are_years(numbers: &[String]) -> bool {
    numbers.iter().all(|number| number.trim().parse().is_ok_and(|year: f64| YEARS.contains(&year)))
}

/// The axis whose values the columns are, below words in the first one: `Warehouses | 100 | 500`, `Nodes | 3 | 6`, `PostgreSQL | 15 | 17`.
pub fn columns_are_of_an_axis<'h>(headings: &'h [String], rows: &[PublishedRow]) -> Option<&'h str> {
    let first = headings.first().filter(|first| !first.is_empty() && !says_clients(first))?;
    // `Version | 1 thread | 8 threads`: they say themselves what they are.
    if headings.len() > 1 && headings[1..].iter().all(|heading| counted(heading).is_some()) {
        return None;
    }
    let of_numbers = headings.len() > 2 && headings[1..].iter().all(|heading| is_number(heading));
    let of_words =
        !rows.is_empty() && rows.iter().all(|row| row.cells.first().is_some_and(|cell| whole(cell).is_none()));
    if !of_numbers || !of_words {
        return None;
    }
    let name = pair(first).map_or(first.as_str(), |(_, column)| if counts(column) { column } else { first });
    names_columns(name, &headings[1..], rows).then_some(name)
}

/// Whether a heading is above the numbers beside it, and not above the names below it.
fn names_columns(heading: &str, numbers: &[String], rows: &[PublishedRow]) -> bool {
    let all = lower(&words(heading));
    let (named, shares) = rows_of_figures(rows);
    // Names of figures have a heading that says so, or none.
    let above_figures = named > 0 && 2 * named > rows.len() - shares;
    let above_versions = || rows.iter().all(|row| row.cells[0].starts_with(|c: char| c.is_ascii_digit()));
    let above_names = all.last().is_some_and(|last| is_among(last, "of-name") && !is_among(last, "of-thing"));
    match heading::read(heading) {
        HeadingMeaning::Named("target" | "workload" | "metric") => false,
        // The figure of the whole table.
        HeadingMeaning::Figure(kind, ..) if heading::is_rate(kind) || kind.measure() == Measure::Milliseconds => false,
        HeadingMeaning::Figure(..) => above_figures,
        HeadingMeaning::Named("axis") if all.iter().any(|word| is_among(word, "of-version")) => !above_versions(),
        HeadingMeaning::Named("axis") => above_figures || !above_names,
        _ if product(heading).is_some() => are_versions(numbers) && !above_versions(),
        _ => above_figures || (counts(heading) && !above_names),
    }
}

/// How many rows are of a figure that their first cell names, and how many others of percentages.
pub fn rows_of_figures(rows: &[PublishedRow]) -> (usize, usize) {
    let is_figure = |row: &PublishedRow| {
        let meaning = row.cells.first().map_or(HeadingMeaning::Unknown, |cell| heading::read(cell));
        matches!(meaning, HeadingMeaning::Figure(_, _, None) | HeadingMeaning::PerPeriod(_))
    };
    // `Read` and `Write` alone are the names of workloads.
    let is_part = |row: &PublishedRow| {
        let meaning = row.cells.first().map_or(HeadingMeaning::Unknown, |cell| heading::read(cell));
        matches!(meaning, HeadingMeaning::Figure(FigureKind::Reads | FigureKind::Writes, ..))
    };
    let are_figures = rows.iter().any(|row| is_figure(row) && !is_part(row));
    let named = if are_figures { rows.iter().filter(|row| is_figure(row)).count() } else { 0 };
    let shares = rows.iter().filter(|row| !is_figure(row) && has_shares(&row.cells)).count();
    (named, shares)
}

/// Whether a heading is a number of something or a size: `vCPUs`, `Memory (GB)`.
fn counts(heading: &str) -> bool {
    let all = lower(&words(heading));
    let is = |word: &String| ["of-thing", "of-number", "other-unit"].iter().any(|of| is_among(word, of));
    all.iter().any(is) || has_part(&all.join(" "), "part-of-number")
}

/// The product whose versions stand beside this heading: `PostgreSQL version`, `MySQL`.
pub fn product(heading: &str) -> Option<String> {
    let is = |word: &str, lists: &[&str]| lists.iter().any(|of| is_among(&word.to_lowercase(), of));
    let mut all = words(heading);
    all.retain(|word| !is(word, &["of-version"]));
    let is_product = all.iter().any(|word| is(word, &["of-server"]))
        && all.iter().all(|word| is(word, &["of-server", "of-product-name"]));
    is_product.then(|| all.join(" "))
}

/// Whether numbers beside the name of a product may be its versions: 13, 15, 17, but not 8, 16, 32, which are rather clients.
pub fn are_versions(numbers: &[String]) -> bool {
    const VERSIONS: std::ops::Range<f64> = 5.0..30.0;
    let all: Vec<f64> = numbers.iter().filter_map(|number| number.trim().parse().ok()).collect();
    let doubles = all.windows(2).all(|two| two[1] == 2.0 * two[0]);
    all.len() == numbers.len() && all.iter().all(|number| VERSIONS.contains(number)) && !doubles
}

/// What the rows and the columns are, of a heading that says both: `clients / queries`, `target \ threads`.
pub fn pair(heading: &str) -> Option<(&str, &str)> {
    let (row, column) = heading.split_once(['/', '／', '\\', '＼', '|', '｜', '×'])?;
    let (row, column) = (row.trim(), column.trim());
    (!row.is_empty() && !column.is_empty() && !column.contains(['/', '／'])).then_some((row, column))
}

/// Whether the rows are clients and the columns of numbers something else, which is named: `clients / queries`.
pub fn rows_are_clients(headings: &[String]) -> Option<&str> {
    let (row, column) = pair(headings.first()?)?;
    let of_numbers = headings.len() > 2 && headings[1..].iter().all(|heading| is_number(heading));
    (of_numbers && says_clients(row) && !says_clients(column)).then_some(column)
}

/// What the rows are, where the columns of numbers are clients: the warehouses of `Warehouses \ Threads`.
pub fn columns_are_clients(headings: &[String]) -> Option<&str> {
    let (row, column) = pair(headings.first()?)?;
    let of_numbers = headings.len() > 2 && headings[1..].iter().all(|heading| whole(heading).is_some());
    // `Queries/client` is a figure of its own.
    let is_of_each = matches!(heading::read(&headings[0]), HeadingMeaning::Figure(FigureKind::QueriesPerClient, ..));
    (of_numbers && says_clients(column) && !says_clients(row) && !is_of_each).then_some(row)
}

/// The row of such headings, if it is the first of the table below its titles, which are as many: rows below it may look the same.
pub fn head(raw: &RawTable, titles: usize, lines: usize) -> Option<usize> {
    let is_title = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).count() < 2;
    let first = raw.rows.iter().take(lines).skip(titles).position(|(_, cells)| !is_title(cells))? + titles;
    let cells = &raw.rows[first].1;
    (!clients(cells, &[]).is_empty() || rows_are_clients(cells).is_some()).then_some(first)
}

/// `8T`, `16T` as `8 threads`, `16 threads`, where other words say that clients are counted, or name a rate beside more than any machine has terabytes: alone they
/// may be sizes.
pub fn with_threads<'h>(headings: &'h [String], caption: &str) -> Cow<'h, [String]> {
    let threads = |heading: &String| heading.strip_suffix(['T', 't']).and_then(plain_whole);
    let all: Vec<f64> = headings.iter().filter_map(threads).collect();
    let texts = || headings.iter().map(String::as_str).chain([caption]);
    let are_threads = || {
        let is_rate = |text: &str| matches!(caption::of_caption(text), Some((kind, _)) if heading::is_rate(kind));
        all.iter().any(|n| *n >= MANY) && texts().any(is_rate) && !texts().any(counts)
    };
    if all.len() < 2 || !(texts().any(says_clients) || are_threads()) {
        return Cow::Borrowed(headings);
    }
    let in_words = |heading: &String| threads(heading).map_or_else(|| heading.clone(), |n| format!("{n} threads"));
    Cow::Owned(headings.iter().map(in_words).collect())
}

/// More terabytes than tables of results have.
const MANY: f64 = 16.0;

/// Whether a heading says that clients are counted: `threads`, `target \ threads`, or several words that do so together.
pub fn says_clients(heading: &str) -> bool {
    lower(&words(heading)).iter().any(|word| is_among(word, "clients"))
        || matches!(heading::read(heading), HeadingMeaning::Figure(FigureKind::Clients, ..))
}

/// The figure that the cells are, if the words above the table or a heading before the numbers say it; with its unit.
pub fn figure<'h>(
    caption: &str,
    headings: impl Iterator<Item = &'h str>,
) -> Option<(FigureKind, Option<&'static str>)> {
    let of_heading = |text: &str| match heading::read(text) {
        HeadingMeaning::Figure(FigureKind::Clients, ..) => None,
        _ => caption::of_caption(text),
    };
    let of_time = || caption::time_of_caption(caption);
    caption::of_caption(caption).or_else(of_time).or_else(|| { headings }.find_map(of_heading))
}

fn is_number(text: &str) -> bool {
    matches!(quantity::read(&without_word(text)), CellContent::Number(..))
}

/// `16 threads`, `threads=16`, `64vu`, `c=8` without the word.
fn without_word(text: &str) -> String {
    counted(text).unwrap_or_else(|| text.to_owned())
}

/// The number of a text that says in words that it is of clients.
fn counted(text: &str) -> Option<String> {
    if text.len() > LONGEST || !text.contains(|c: char| c.is_numeric()) || text.contains('.') {
        return None;
    }
    let mut all = lower(&words(text));
    // `64vu`.
    if let [one] = &all[..] {
        let digits = one.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0)?;
        all = vec![one[..digits].to_owned(), one[digits..].to_owned()];
    }
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    if let Some(clients) = beside_threads(&all) {
        return Some(clients);
    }
    let (numbers, rest): (Vec<String>, Vec<String>) = all.into_iter().partition(is_number);
    let is_name = matches!(heading::read(&rest.join(" ")), HeadingMeaning::Figure(FigureKind::Clients, None, None))
        || matches!(&rest[..], [word] if is_among(word, "of-person"))
        || (rest == ["c"] && ["c=", "-c"].iter().any(|sign| text.trim().to_lowercase().starts_with(sign)));
    // `1,024 threads`.
    let is_grouped = numbers.len() == 1 || (text.contains(',') && numbers.iter().skip(1).all(|group| group.len() == 3));
    (!numbers.is_empty() && !rest.is_empty() && is_grouped && is_name).then(|| numbers.concat())
}

/// The number of clients beside that of the threads of the tool, as pgbench has both: `clients: 10, threads: 4`, `-c 10 -j 4`.
fn beside_threads(all: &[String]) -> Option<String> {
    let [a, b, c, d] = all else { return None };
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let pairs = match [a, b, c, d].map(is_number) {
        [false, true, false, true] => [(a, b), (c, d)],
        [true, false, true, false] => [(b, a), (d, c)],
        _ => return None,
    };
    let of = |names: &str| pairs.iter().find(|(word, _)| is_among(word, names));
    of("of-jobs")?;
    of("of-clients-beside-jobs").map(|(_, number)| (*number).clone())
}

/// A longer text is no number of clients.
const LONGEST: usize = 60;

/// The number of clients of a cell or name that says that it is one: `16 threads`.
pub fn clients_in_words(text: &str) -> Option<f64> {
    counted(text)?;
    whole(text)
}

/// The number of clients of a cell below a heading that says that they are counted: `10 users`, `8T`, with a counter word (`10` and one of the words
/// for pieces), and of several tools at the same time: `128 * 3`.
pub fn counted_clients(cell: &str) -> Option<f64> {
    if cell.len() > LONGEST {
        return None;
    }
    let of_each = || {
        let (one, other) = cell.split_once(['*', '×', 'x', 'X'])?;
        let product = plain_whole(one)? * plain_whole(other)?;
        (product <= MOST_CLIENTS).then_some(product)
    };
    let of_pieces = || {
        let [number, counter] = &words(cell)[..] else { return None };
        plain_whole(number).filter(|_| is_among(counter, "of-counter"))
    };
    let of_threads = || cell.strip_suffix(['T', 't']).and_then(plain_whole);
    clients_in_words(cell).or_else(of_each).or_else(of_pieces).or_else(of_threads)
}

/// A number in digits only.
fn plain_whole(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.len() < 9 && text.bytes().all(|b| b.is_ascii_digit());
    if is_number { text.parse().ok().filter(|n| *n > 0.0) } else { None }
}

/// Whether cells below a heading of clients are numbers of them, some at least with words.
pub fn are_counted_clients<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let (mut counted, mut others) = (0, 0);
    for cell in cells.filter(|cell| !matches!(quantity::read(cell), CellContent::Missing)) {
        match (counted_clients(cell), whole(cell)) {
            (Some(_), _) => counted += 1,
            (None, Some(_)) => {}
            (None, None) => others += 1,
        }
    }
    counted > 0 && others == 0
}

/// Whether cells are numbers of clients that say so.
pub fn are_clients_in_words<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let mut filled = cells.filter(|cell| !cell.is_empty()).peekable();
    filled.peek().is_some() && filled.all(|cell| clients_in_words(cell).is_some())
}

/// A whole number above zero: `64`, `1,024`, `16 threads`.
pub fn whole(text: &str) -> Option<f64> {
    let number = without_word(text);
    let CellContent::Number(quantity, None, false) = quantity::read(&number) else { return None };
    let is_whole = quantity.value.fract() == 0.0 && quantity.half <= 0.5;
    (is_whole && (1.0..=MOST_CLIENTS).contains(&quantity.value)).then_some(quantity.value)
}

/// Whether the cells below a name are percentages: `CPU | 35% | 70%`.
pub(crate) fn has_shares(cells: &[String]) -> bool {
    let Some((name, values)) = cells.split_first() else { return false };
    let is_of_load = matches!(heading::read(name), HeadingMeaning::Figure(FigureKind::Clients, ..));
    let mut filled = values.iter().filter(|cell| !cell.is_empty()).peekable();
    let any = filled.peek().is_some();
    !is_of_load && any && filled.all(|cell| matches!(quantity::read(cell), CellContent::Share(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(headings: &str) -> Vec<f64> {
        let headings: Vec<String> = headings.split(',').map(str::to_owned).collect();
        clients(&headings, &[]).into_iter().map(|(_, n)| n).collect()
    }

    #[test]
    fn threads_of_the_tool_beside_clients_are_not_the_clients() {
        for text in [
            "clients: 10, threads: 4",
            "-c 10 -j 4",
            "10 clients, 4 jobs",
            "クライアント数 10, スレッド数 4",
            "客户端数:10,线程数:4",
        ] {
            assert_eq!(clients_in_words(text), Some(10.0), "{text}");
        }
    }

    #[test]
    fn numbers_in_the_headings_are_clients_unless_they_may_be_something_else() {
        assert_eq!(numbers("threads,1,8,16"), [1.0, 8.0, 16.0]);
        assert_eq!(numbers("target,workload,16,１２８"), [16.0, 128.0]);
        assert_eq!(numbers(",1,8"), [1.0, 8.0]);
        assert_eq!(numbers("スレッド数,1,2,3"), [1.0, 2.0, 3.0]);
        assert_eq!(numbers("target / threads,50,95,99"), [50.0, 95.0, 99.0]);
        for other in [
            "target,1,2,3",
            "target,2023,2024",
            "target,50,95,99",
            "threads,16,8",
            "threads,8,8",
            "threads,0,8",
            "threads,-1,8",
            "threads,1.5,8",
            "threads,8",
            "threads,1,8,",
            "threads,1,8,tps",
            "1,8,16",
            "threads,1,1e300",
            "threads,1 ms,2 ms",
            "",
        ] {
            assert_eq!(numbers(other), [0.0; 0], "{other}");
        }
    }
}

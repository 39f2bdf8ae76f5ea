//! The result as text: the answer, the table, the verdict with its reasons: the end of every run on a terminal.

mod compared;

use crate::screen;
use crate::wrap;
use std::fmt::Write;
use tenbin_model::axis;
use tenbin_model::counted::truncated_cell;
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::{Cell, Summary};
use tenbin_model::tally::TransactionTally;
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::answer::{answers, caution, footnotes};
use tenbin_verdict::clocks::{self, WaitCause};
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::cost::costs;
use tenbin_verdict::counting;
use tenbin_verdict::host_share;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::lag;
use tenbin_verdict::reasons;
use tenbin_verdict::seconds_needed;
use tenbin_verdict::value_forms;
use tenbin_verdict::why;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::visible;

/// Columns where there is no terminal.
const WIDTH: usize = 80;

/// The width of tables: that of the terminal. They omit columns that are on the page rather than being wrapped.
fn room() -> usize {
    screen::columns().unwrap_or(WIDTH)
}

/// The most sentences on replicas; the page has all.
const MOST_REPLICAS: usize = 8;

/// The answer in figures and in words, one row per cell and target, then what limited them, the reasons of the verdict and the
/// conditions.
pub fn result(summary: &Summary, language: Language) -> String {
    let words = TerminalWords::new(language);
    let cells = summary.cells();
    let mut out = format!("\n{}\n", compared::head(summary, &words));
    out.push_str(&compared::block(summary, &words));
    let answers = answers(summary).into_iter().enumerate();
    let answers = answers.map(|(i, answer)| (if i == 0 { msg!("label-answer") } else { foreign("") }, answer));
    let caution = caution(summary).map(|caution| (msg!("label-caution"), caution));
    labelled(answers.chain(caution), &words, &mut out);
    out.push_str(&format!("\n{}", fitted(&columns(summary, cells, &words))));
    out.push_str(&below_table(summary, &words));
    out.push_str(&compared::by_cell(summary, &words));
    out.push_str(&beside(summary, language, &words));
    let limits = why::sentences(summary).into_iter().enumerate();
    let limits = limits.map(|(i, limit)| (if i == 0 { msg!("label-why") } else { foreign("") }, limit));
    let costs = costs(summary).into_iter().enumerate();
    let costs = costs.map(|(i, cost)| (if i == 0 { msg!("label-cost") } else { foreign("") }, cost.sentence()));
    out.push('\n');
    labelled(limits.chain(costs), &words, &mut out);
    reasons(summary, &words, &mut out);
    labelled(conditions(summary).map(|conditions| (msg!("label-measured"), conditions)), &words, &mut out);
    // What stands below the text behind a label; a remark in parentheses has none.
    let indent = |line: &str| if line.starts_with('(') { 0 } else { INDENT };
    wrap::lines(out.trim_end_matches('\n'), screen::columns(), indent)
}

/// Lines with a label each.
fn labelled(all: impl IntoIterator<Item = (Message, Message)>, words: &TerminalWords, out: &mut String) {
    for (label, text) in all {
        let _ = writeln!(out, "{} {}", words.label(label), words.text(text));
    }
}

/// The width of a label and the space behind it.
const INDENT: usize = 9;

/// What the columns of the table mean.
fn below_table(summary: &Summary, words: &TerminalWords) -> String {
    let cells = summary.cells();
    let mut out = String::new();
    let repeated = cells.iter().any(|c| c.tps.len() > 1);
    let are_seconds = cells.iter().all(|c| seconds_needed::of_cell(summary, c).is_some());
    let mut meaning = words.text(match (repeated, are_seconds) {
        (true, true) => msg!("table-seconds"),
        (true, false) => msg!("table-repeated"),
        (false, _) => msg!("table-times"),
    });
    // Its lines are those of 80 columns.
    if screen::columns().is_some() {
        meaning = meaning.replace('\n', if words.language == Language::Japanese { "" } else { " " });
    }
    if cells.iter().any(|cell| !cell.tps.is_empty()) {
        let _ = writeln!(out, "{meaning}");
    }
    if cells.iter().any(|cell| truncated_cell(summary, cell)) {
        let _ = writeln!(out, "{}", words.text(msg!("table-truncated")));
    }
    let due: Vec<Cell> = cells.iter().filter(|cell| falls_due(summary, cell)).cloned().collect();
    if let Some(clocks) = clocks(summary, &due, words) {
        out.push_str(&clocks);
        out.push_str(&waits(summary, words));
    }
    for note in footnotes(summary) {
        let _ = writeln!(out, "({})", words.text(note));
    }
    if cells.iter().any(|cell| !cell.left_out.is_empty()) {
        let _ = writeln!(out, "{}", words.text(msg!("table-invalid-left-out")));
    }
    out
}

/// What stands beside the table: TPC-C, groups of clients, replicas, load hosts.
fn beside(summary: &Summary, language: Language, words: &TerminalWords) -> String {
    let mut out = crate::tpcc::results(summary, language);
    let (head, groups) = tenbin_report::group_table(summary);
    if !groups.is_empty() {
        let head = head.into_iter().map(|name| words.text(name)).collect();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(groups).collect();
        let _ = write!(out, "\n{}", self::words(&without_empty(&rows)));
    }
    out.push_str(&value_lines(summary, words));
    // The answer has the only one.
    let replicas = Some(lag::of(summary)).filter(|all| all.len() > 1).unwrap_or_default();
    for replica in replicas.iter().take(MOST_REPLICAS) {
        let (label, trial, sentence) = (words.label(msg!("label-replica")), replica.trial, replica.sentence());
        let _ = writeln!(out, "{label} ({trial}) {}", words.text(sentence));
    }
    if replicas.len() > MOST_REPLICAS {
        let more = replicas.len() - MOST_REPLICAS;
        let _ = writeln!(out, "{} {}", words.label(foreign("")), words.text(msg!("more-replicas-on-page", n = more)));
    }
    if let Some(hosts) = host_share::in_one_line(&host_share::of(&summary.trials)) {
        let _ = writeln!(out, "{} {}", words.label(msg!("label-hosts")), words.text(hosts));
    }
    out
}

/// How the values of statements were sent: a line if it was the same everywhere, else one for each target that says it.
fn value_lines(summary: &Summary, words: &TerminalWords) -> String {
    let mut sentences: Vec<(&str, String)> = Vec::new();
    for cell in summary.cells() {
        let Some(sentence) = value_forms::sentence(&cell.tally).map(|sentence| words.text(sentence)) else { continue };
        if !sentences.iter().any(|(target, other)| *target == cell.target && *other == sentence) {
            sentences.push((&cell.target, sentence));
        }
    }
    let alike = sentences.first().is_some_and(|(_, first)| sentences.iter().all(|(_, other)| other == first));
    sentences.truncate(if alike { 1 } else { MOST_VALUE_LINES });
    let label = words.label(msg!("label-values"));
    let line = |(target, sentence): &(&str, String)| match alike {
        true => format!("{label} {sentence}\n"),
        false => format!("{label} {target}: {sentence}\n"),
    };
    sentences.iter().map(line).collect()
}

/// The most lines on how values were sent.
const MOST_VALUE_LINES: usize = 12;

/// A column of the table of results.
struct Column {
    head: String,
    cells: Vec<String>,
    /// Text is left-aligned, figures are right-aligned.
    left: bool,
    /// The higher, the sooner it is omitted if the line is too short; 0 never is.
    dispensable: u8,
}

/// What a column shows of a cell: a number, of which the digits stand below one another, or a text.
enum Shown<'t> {
    Number(&'t dyn Fn(&Cell, &Histogram) -> Option<f64>),
    Text(&'t dyn Fn(&Cell) -> String),
}

fn columns(summary: &Summary, cells: &[Cell], words: &TerminalWords) -> Vec<Column> {
    use Shown::{Number, Text};
    let mut columns = places(cells, words);
    let ms = |h: &Histogram, ns: f64| (h.count() > 0).then_some(ns / 1e6);
    let at = |h: &Histogram, q: f64| ms(h, h.quantile_ns(q) as f64);
    let mut figures: Vec<(Message, u8, Shown<'_>)> = Vec::new();
    // With one repeat there is no spread to show.
    let repeated = cells.iter().any(|c| c.tps.len() > 1);
    let n = |c: &Cell| c.tps.len().to_string();
    let tps = |c: &Cell, _: &Histogram| tenbin_report::figures::per_second(summary, c);
    let needed = |c: &Cell| seconds_needed::of_cell(summary, c);
    let seconds = |c: &Cell, _: &Histogram| needed(c).map(|needed| needed.mean);
    let least = |c: &Cell, _: &Histogram| needed(c).map(|needed| needed.low);
    let most = |c: &Cell, _: &Histogram| needed(c).map(|needed| needed.high);
    let each = |c: &Cell, _: &Histogram| needed(c).map(|needed| needed.each_ms);
    let qps = |c: &Cell, _: &Histogram| tenbin_report::figures::queries(summary, c);
    let spread = |c: &Cell| counting::spread(summary, c).unwrap_or_else(|| "–".into());
    let mean = |_: &Cell, h: &Histogram| ms(h, h.mean_ns());
    let p50 = |_: &Cell, h: &Histogram| at(h, 0.5);
    let p95 = |_: &Cell, h: &Histogram| at(h, 0.95);
    let p99 = |_: &Cell, h: &Histogram| at(h, 0.99);
    let max = |_: &Cell, h: &Histogram| ms(h, h.max_ns() as f64);
    figures.extend(repeated.then_some((foreign("n"), 5, Text(&n))));
    let [any_seconds, all_seconds] =
        [cells.iter().any(|c| needed(c).is_some()), cells.iter().all(|c| needed(c).is_some())];
    if any_seconds {
        figures.push((msg!("column-seconds"), 0, Number(&seconds)));
        if repeated {
            figures.push((msg!("column-seconds-least"), 1, Number(&least)));
            figures.push((msg!("column-seconds-most"), 1, Number(&most)));
        }
        figures.push((msg!("column-ms-of-statement"), 2, Number(&each)));
    }
    figures.push((foreign("TPS"), 0, Number(&tps)));
    figures.extend((repeated && !all_seconds).then_some((msg!("column-spread"), 0, Text(&spread))));
    let has_queries = cells.iter().any(|c| c.mean_qps().is_some());
    figures.extend(has_queries.then_some((msg!("published-qps"), 1, Number(&qps))));
    figures.extend([
        (msg!("column-mean"), 2, Number(&mean)),
        (foreign("p50"), 6, Number(&p50)),
        (foreign("p95"), 4, Number(&p95)),
        (foreign("p99"), 0, Number(&p99)),
        (msg!("column-max"), 3, Number(&max)),
    ]);
    if cells.iter().any(|c| c.tally.accounting.all_failed() > 0) {
        figures.push((msg!("column-failed"), 0, Text(&tenbin_report::failed)));
    }
    let times: Vec<Histogram> = cells.iter().map(|c| tenbin_report::figures::times(summary, c)).collect();
    let figures = figures.into_iter().map(|(head, dispensable, shown)| {
        let mut texts = match shown {
            Number(of) => figure::alike_or_none(cells.iter().zip(&times).map(|(c, t)| of(c, t))),
            Text(of) => cells.iter().map(of).collect(),
        };
        if head == foreign("p99") {
            let halted = texts.iter_mut().zip(cells).filter(|(_, c)| c.standstill.is_some());
            halted.for_each(|(text, _)| *text += " ‡");
        }
        Column { head: words.text(head), cells: texts, left: false, dispensable }
    });
    // A column of dashes says no more than that of the throughput.
    columns.extend(figures.filter(|column| column.head == "TPS" || column.cells.iter().any(|text| text != "–")));
    let verdict = |c: &Cell| match c.is_begun() {
        true => format!("{}{}", words.text(c.verdict.word()), if truncated_cell(summary, c) { " ✂" } else { "" }),
        false => "–".to_owned(),
    };
    // One that all cells have is that of the run, which is said apart.
    let verdicts: Vec<String> = cells.iter().map(verdict).collect();
    if verdicts.iter().any(|verdict| *verdict != verdicts[0] || verdict.ends_with('✂')) {
        let head = words.text(msg!("column-verdict"));
        columns.push(Column { head, cells: verdicts, left: true, dispensable: 0 });
    }
    columns
}

/// The columns for cell and target.
fn places(cells: &[Cell], words: &TerminalWords) -> Vec<Column> {
    let mut columns: Vec<Column> = Cell::axis_keys(cells)
        .into_iter()
        .map(|key| {
            let name = axis::name(key).filter(|_| words.language == Language::Japanese);
            let short = || key.rsplit('.').next().unwrap_or(key).to_owned();
            Column {
                head: name.map_or_else(short, |name| words.text(name)),
                cells: cells.iter().map(|c| c.axis_value(key).to_owned()).collect(),
                left: true,
                dispensable: 0,
            }
        })
        .collect();
    columns.push(Column {
        head: words.text(msg!("column-target")),
        cells: cells.iter().map(|c| c.target.clone()).collect(),
        left: true,
        dispensable: 0,
    });
    columns
}

/// Whether starts of the cell fall due by themselves; where they do not, none can wait.
fn falls_due(summary: &Summary, cell: &Cell) -> bool {
    cell.trials.iter().filter_map(|number| summary.trial(*number)).any(clocks::fall_due)
}

/// One of response time, service time and wait.
type Clock = fn(&TransactionTally) -> &Histogram;

/// What is shown of a clock, nanoseconds.
type ClockFigure = fn(&Histogram) -> f64;

/// Service time and wait next to the response time, if they differ: starts fell due while no client was free.
fn clocks(summary: &Summary, cells: &[Cell], words: &TerminalWords) -> Option<String> {
    let times: Vec<_> = cells.iter().map(|c| tenbin_report::figures::transactions(summary, c)).collect();
    if !times.iter().any(clocks::waited) {
        return None;
    }
    let mut columns = places(cells, words);
    let clocks: [(Message, Clock); 3] = [
        (msg!("clock-response"), |t| &t.response),
        (msg!("clock-service"), |t| &t.service),
        (msg!("clock-wait"), |t| &t.wait),
    ];
    let figures: [(Message, u8, ClockFigure); 2] =
        [(msg!("column-mean"), 1, Histogram::mean_ns), (foreign("p99"), 0, |h| h.quantile_ns(0.99) as f64)];
    for (clock, of) in &clocks {
        for (what, dispensable, figure) in &figures {
            columns.push(Column {
                head: words.text(Message::joined([clock.clone(), what.clone()], " ")),
                cells: figure::alike(&times.iter().map(|t| figure(of(t)) / 1e6).collect::<Vec<_>>()),
                left: false,
                dispensable: *dispensable,
            });
        }
    }
    Some(format!("\n{}{}\n", fitted(&columns), words.text(msg!("table-clocks"))))
}

/// Why starts waited, each reason once with its trials.
fn waits(summary: &Summary, words: &TerminalWords) -> String {
    let mut causes: Vec<(WaitCause, Vec<u32>)> = Vec::new();
    for t in summary.trials.iter().filter(|t| t.counts() && clocks::fall_due(t)) {
        let Some(cause) = clocks::of_trial(t) else { continue };
        match causes.iter_mut().find(|(known, _)| *known == cause) {
            Some((_, trials)) => trials.push(t.trial.number),
            None => causes.push((cause, vec![t.trial.number])),
        }
    }
    let line = |(cause, trials): (WaitCause, Vec<u32>)| {
        let first: Vec<String> = trials.iter().take(MOST_TRIALS).map(u32::to_string).collect();
        let more = if trials.len() > MOST_TRIALS { ", …" } else { "" };
        let trials = format!("{}{more}", first.join(", "));
        format!("{}\n", words.text(msg!("wait-in-trials", why = cause.words(), trials)))
    };
    causes.into_iter().map(line).collect()
}

/// The most trials that a line names.
const MOST_TRIALS: usize = 8;

/// The reasons of the run's verdict that weigh most, each once with the number of trials that it applies to. The verdict itself is
/// in the first line.
fn reasons(summary: &Summary, words: &TerminalWords, out: &mut String) {
    let of_run = summary.verdict();
    let reasons = reasons::of(summary);
    let mut all = Vec::new();
    let left_out = reasons.len().saturating_sub(MOST_REASONS);
    for reason in reasons.iter().take(MOST_REASONS) {
        let more = match (reason.found() - 1, reason.cells.is_empty()) {
            (0, _) => foreign(""),
            (n, true) => msg!("and-in-more-trials", n),
            (n, false) => msg!("and-in-more-cells", n),
        };
        // The word of the run is said already.
        let verdict = reason.doubt.verdict;
        let word = if verdict == of_run { String::new() } else { format!("{}: ", words.text(verdict.word())) };
        all.push(format!("{word}{}{}", words.problem(&reason.doubt.problem), words.text(more)));
    }
    if left_out > 0 {
        all.push(words.text(msg!("more-reasons-on-page", n = left_out)));
    }
    let within = format!("\n{}", " ".repeat(INDENT));
    for (at, text) in all.into_iter().enumerate() {
        let label = words.label(if at == 0 { msg!("label-reasons") } else { foreign("") });
        let _ = writeln!(out, "{label} {}", text.replace('\n', &within));
    }
}

/// The most reasons that the terminal shows; the page has all.
const MOST_REASONS: usize = 3;

/// The columns side by side; until a line fits into [`room`] the most dispensable are omitted, then long names shortened: a terminal
/// would cut off the last columns, which are those that matter.
fn fitted(columns: &[Column]) -> String {
    let room = room();
    let mut kept: Vec<&Column> = columns.iter().collect();
    let all = |kept: &[&Column]| kept.iter().map(|c| widest(c) + 2).sum::<usize>();
    while all(&kept) > room + 2 {
        let Some((i, _)) =
            kept.iter().enumerate().filter(|(_, c)| c.dispensable > 0).max_by_key(|(_, c)| c.dispensable)
        else {
            break;
        };
        kept.remove(i);
    }
    let over = all(&kept).saturating_sub(room + 2);
    let longest = kept.iter().filter(|c| c.left).map(|c| widest(c)).max().unwrap_or(0);
    let most = longest.saturating_sub(over).max(SHORTEST_NAME);
    let rows = kept.first().map_or(0, |c| c.cells.len());
    let line = |text: &dyn Fn(&Column) -> String| {
        let cells = kept.iter().map(|c| {
            let (mut text, mut pad) = (visible(&text(c)).into_owned(), widest(c));
            if c.left && over > 0 {
                (text, pad) = (shortened_among(&text, c.cells.iter().map(String::as_str), most), pad.min(most));
            }
            let pad = " ".repeat(pad.saturating_sub(width(&text)));
            if c.left { format!("{text}{pad}") } else { format!("{pad}{text}") }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let body = (0..rows).map(|i| line(&|c| c.cells[i].clone()));
    std::iter::once(line(&|c| c.head.clone())).chain(body).collect()
}

fn widest(c: &Column) -> usize {
    c.cells.iter().chain([&c.head]).map(|t| width(t)).max().unwrap_or(0)
}

/// No name is shortened to less.
const SHORTEST_NAME: usize = 12;

/// A text of at most `most` columns, as it is printed: the middle of a longer one is left out, because names often differ at their ends.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let text = &*visible(text);
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(1);
    let end: String = fill(&mut text.chars().rev(), room / 2).chars().rev().collect();
    let begin = fill(&mut text.chars(), room - width(&end));
    format!("{begin}…{end}")
}

/// The same of one of several names, so that they remain distinct: if another one would become the same, it is shown from where they begin to differ.
fn shortened_among<'t>(text: &str, all: impl IntoIterator<Item = &'t str>, most: usize) -> String {
    let short = shortened(text, most);
    let visible_text = visible(text);
    let differ_at = |other: &str| {
        let other = visible(other);
        (other != visible_text && shortened(&other, most) == short)
            .then(|| visible_text.chars().zip(other.chars()).take_while(|(a, b)| a == b).count())
    };
    let Some(at) = all.into_iter().filter_map(differ_at).min() else { return short };
    let from = at.saturating_sub(most / 4);
    let rest: String = visible_text.chars().skip(from).collect();
    let before = if from > 0 { "…" } else { "" };
    let room = most.saturating_sub(width(before));
    match width(&rest) <= room {
        true => format!("{before}{rest}"),
        false => format!("{before}{}…", fill(&mut rest.chars(), room.saturating_sub(1))),
    }
}

/// As many of these characters as fit into this many columns.
fn fill(chars: &mut dyn Iterator<Item = char>, room: usize) -> String {
    let mut taken = String::new();
    for c in chars {
        if width(&taken) + width(c.encode_utf8(&mut [0; 4])) > room {
            break;
        }
        taken.push(c);
    }
    taken
}

/// Columns of a terminal that a text takes as it is printed: a Japanese character takes two, and one that would not be seen is escaped.
pub(crate) fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(&*visible(text))
}

/// The rows without the columns that have nothing below their head.
fn without_empty(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let says = |column: usize| rows.iter().skip(1).any(|row| !row[column].is_empty());
    let row = |row: &Vec<String>| {
        row.iter().enumerate().filter(|(column, _)| says(*column)).map(|(_, text)| text.clone()).collect()
    };
    rows.iter().map(row).collect()
}

/// A left-aligned table of text.
pub fn words(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let text = |row: &Vec<String>, i: usize| row.get(i).map(|cell| visible(cell).into_owned()).unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(|i| rows.iter().map(|r| width(&text(r, i))).max().unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let padded = |i: usize| (text(row, i), widths[i].saturating_sub(width(&text(row, i))));
        let cells = (0..row.len()).map(padded).map(|(cell, pad)| format!("{cell}{}", " ".repeat(pad)));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up;
    use tenbin_model::event::Event;
    use tenbin_model::plan::{Plan, expand};

    /// Characters that cannot be seen are printed as escapes, which take columns too.
    #[test]
    fn no_line_of_a_table_is_wider_than_the_terminal() {
        let names = ["\u{202e}backwards\u{200b}".to_owned(), "n\u{200b}".repeat(20), "long name ".repeat(8)];
        for name in names {
            let column = |head: &str, cells: Vec<String>, left, dispensable| Column {
                head: head.to_owned(),
                cells,
                left,
                dispensable,
            };
            let figures = |head| column(head, vec!["1,234,567".to_owned(); 2], false, 0);
            let heads = ["TPS", "± 95 %", "p99", "failed"];
            let columns: Vec<Column> = [column("target", vec![name.clone(), "b".to_owned()], true, 0)]
                .into_iter()
                .chain(heads.map(figures))
                .collect();
            let table = fitted(&columns);
            let printed = |line: &str| unicode_width::UnicodeWidthStr::width(&*visible(line));
            assert!(table.lines().all(|line| printed(line) <= WIDTH), "{table}");
            let rights: Vec<usize> = table.lines().map(printed).collect();
            assert!(rights.iter().all(|right| *right == rights[0]), "{rights:?}\n{table}");
            let mut summary = Summary::default();
            summary.name = name;
            let head = compared::head(&summary, &TerminalWords::new(Language::English));
            assert!(printed(&head) <= WIDTH, "{head}");
        }
    }

    #[test]
    fn experiments_with_different_axes_have_a_column_for_each_axis() {
        let experiment = |name: &str, axis: &str| {
            format!(
                "[[experiment]]\nname = \"{name}\"\nload.workload = \"oltp_insert\"\nrepeats = 1\nmatrix.\"{axis}\" = [1, 2]\n"
            )
        };
        let plan = format!(
            "schema = 1\n[targets.a]\nsandbox = \"sqlite\"\n{}{}",
            experiment("one", "load.clients"),
            experiment("two", "load.rate")
        );
        let plan = Plan::parse(&plan, &tenbin_workloads::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut summary = Summary::default();
        for trial in expand(&plan) {
            summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: 4 });
        }
        let table = result(&summary, Language::English);
        let columns = |line: &str| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
        insta::assert_snapshot!(table.lines().skip_while(|line| !line.starts_with("experiment")).take(5).map(columns).collect::<Vec<_>>().join("\n"), @"
        experiment clients rate
        one 1 –
        one 2 –
        two – 1
        two – 2
        ");
    }

    /// A thousand statements in 2 and in 3 seconds: 400 per second, and not the mean of 500 and 333.
    #[test]
    fn the_table_of_numbers_of_statements_has_their_seconds() {
        let text = "schema = 1\n[targets.m]\ndsn = \"mysql://u@h/d\"\n[[experiment]]\nrepeats = 2\n\
                    load = { workload = \"slap\", clients = 1, queries = 1000 }\n";
        let plan = Plan::parse(text, &tenbin_workloads::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut summary = Summary::default();
        for (planned, seconds) in expand(&plan).into_iter().zip([2_u64, 3]) {
            made_up::completed(&mut summary, planned, seconds);
        }
        let table = result(&summary, Language::English);
        let head = table.lines().position(|line| line.contains("TPS") && line.contains("target"));
        let [head, row] = [0, 1].map(|at| head.and_then(|head| table.lines().nth(head + at)).unwrap_or_default());
        assert!(head.contains("seconds") && !head.contains("spread"), "{table}");
        let row: Vec<&str> = row.split_whitespace().collect();
        assert!(row.contains(&"2.50") && row.contains(&"400") && row[0] == "m", "{table}");
        assert!(table.contains("(seconds: mean of n repeats; TPS: statements over these seconds"), "{table}");
    }
}

//! The names that a text gives to the reports of one log, as headings and lines between them: `## MySQL 8.0`, `After the change`,
//! `* maxconn=80`. Without them reports that differ in nothing else would be repeats.

use super::{commands, prompts};
use crate::figure_kind::FigureKind;
use crate::load_in_names::without_clients;
use crate::matrix;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use crate::words::{is_among, lower, words};
use std::collections::BTreeSet;
use tenbin_model::{defaults, variables};
use tenbin_words::text::short;

/// A longer line is a sentence; of a name this much is kept.
const LONGEST: usize = 200;
/// A line of more words that counts clients is a sentence on several things.
const MOST_WORDS: usize = 12;
/// What the tools themselves write before a report.
const OF_TOOLS: &[&str] = &[
    "sysbench 0.",
    "sysbench 1.",
    "Running the test",
    "pgbench (",
    "pgbench:",
    "starting vacuum",
    "vacuuming",
    "creating ",
    "generating ",
    "progress:",
    "scaling factor",
    "transaction type",
    "Benchmark",
    "Running for engine",
    "WARNING",
    "NOTICE",
    "ERROR",
    "FATAL",
    "Warning",
    "mysqlslap:",
    "No DB drivers",
    "Using ",
    "Run finished, takes",
    "***************** properties",
    "SQL statistics",
    "OLTP test statistics",
    "Number of threads",
    "Random number generator",
    "Initializing ",
    "Threads started",
    "Report intermediate",
    "Vuser ",
    "\"",
];
/// What a report of sysbench begins with, above the line that is taken for its place.
const BEGIN: &str = "Running the test with following options";

/// Gives results that nothing but such lines distinguishes the names as targets, if each has one; otherwise what names some of them is an
/// axis of those, so that they are no repeats of the others.
pub(super) fn give(text: &str, results: &mut [PublishedResult]) {
    clients_in_words(text, results);
    commands::rates(text, results);
    if results.len() > 1 && has_alike(results) {
        prompts::give(text, results);
    }
    by_headings(text, results);
    if results.len() > 1 && has_alike(results) {
        commands::give(text, results);
        commands::changes(text, results);
    }
}

/// Reports that were cut out of their logs have the clients that the lines above them name, if each of them has such a line: `### 8 threads`,
/// `MySQL, 8 threads`, `threads=8`.
fn clients_in_words(text: &str, results: &mut [PublishedResult]) {
    if results.iter().all(|result| result.get(FigureKind::Clients).is_some()) {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut end = 0;
    let mut counts: Vec<(usize, f64)> = Vec::new();
    for (n, result) in results.iter().enumerate() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        if result.get(FigureKind::Clients).is_none() {
            let between = lines.get(end.min(at)..at).unwrap_or_default();
            let Some(clients) = between.iter().rev().find(|line| !is_passed(line)).and_then(|line| counted(line))
            else {
                return;
            };
            counts.push((n, clients));
        }
        end = at + 1;
    }
    for (n, clients) in counts {
        results[n].figures.insert(FigureKind::Clients, (Quantity::exact(clients), None));
    }
}

/// The only number of clients of a short line: `8 threads`, `threads=8`, `Threads: 8`. `client 8` may be a version.
fn counted(line: &str) -> Option<f64> {
    let all = lower(&words(line));
    let is_of_clients = |word: &String| is_among(word, "clients");
    let lowered = line.to_lowercase();
    let is_set = |name: &str, number: &str| {
        [":", ": ", "=", " = ", " : "].iter().any(|sign| lowered.contains(&format!("{name}{sign}{number}")))
    };
    let of_number = |(at, word): (usize, &String)| {
        let before = all.get(at + 1).is_some_and(is_of_clients);
        let behind = || at > 0 && is_of_clients(&all[at - 1]) && is_set(&all[at - 1], word);
        let is_number = word.bytes().all(|b| b.is_ascii_digit()) && (before || behind());
        matrix::whole(word).filter(|_| is_number)
    };
    let mut numbers = all.iter().enumerate().filter_map(of_number);
    let (first, other) = (numbers.next(), numbers.next());
    first.filter(|_| other.is_none() && all.len() <= MOST_WORDS && !line.starts_with([' ', '\t', '[', '|']))
}

fn by_headings(text: &str, results: &mut [PublishedResult]) {
    if results.len() < 2 || !has_alike(results) || results.iter().any(|result| result.target.is_some()) {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let (mut end, mut above) = (0, LoadAbove::default());
    let mut chains: Vec<Vec<String>> = Vec::new();
    for result in results.iter() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        chains.push(above.chain(lines.get(end.min(at)..at).unwrap_or_default(), result));
        end = at + 1;
    }
    // The title of the whole text says nothing of one of its reports.
    while !chains[0].is_empty() && chains.iter().all(|chain| chain.first() == chains[0].first()) {
        chains.iter_mut().for_each(|chain| _ = chain.remove(0));
    }
    let names: Vec<Option<String>> = chains.iter().map(|chain| chain.last().cloned()).collect();
    let of_all = chains.iter().map(|chain| Some(chain.join(", ")).filter(|name| !name.is_empty()));
    let of_all: Vec<Option<String>> = of_all.map(|name| name.map(|name| short(&name, LONGEST))).collect();
    // The last words of two sections may be the same.
    let distinct = |names: &[Option<String>]| names.iter().flatten().cloned().collect::<BTreeSet<String>>().len();
    let names = if distinct(&of_all) > distinct(&names) { of_all } else { names };
    let is_of_all = names.iter().all(Option::is_some);
    if distinct(&names) == 0 || (is_of_all && distinct(&names) == 1) {
        return;
    }
    for (result, name) in results.iter_mut().zip(names) {
        match name {
            Some(name) if is_of_all => result.target = Some(name),
            Some(name) => result.axes.push(("heading".to_owned(), name)),
            None => {}
        }
    }
}

/// What stands above a report: the headings that it is below, and the words of a line or a setting below the last of them.
#[derive(Default)]
struct LoadAbove {
    headings: Vec<(usize, String)>,
    words: Option<String>,
    settings: Option<String>,
    /// What distinguishes the reports below those words.
    loads: BTreeSet<String>,
}

impl LoadAbove {
    /// The names of a report, the outermost first, with these lines between it and the report before it. A heading and a setting are those of
    /// all reports below them; a line without the sign of a heading is that of all that differ in their clients only.
    fn chain(&mut self, between: &[&str], result: &PublishedResult) -> Vec<String> {
        let begin = between.iter().rposition(|line| line.trim_start().starts_with(BEGIN)).unwrap_or(between.len());
        let between = &between[..begin];
        for line in between.iter().filter(|line| line.starts_with('#') && !is_passed(line)) {
            let level = line.len() - line.trim_start_matches('#').len();
            let name = name(line, result);
            // One that says only the number of clients may have the level of the one above it.
            self.headings.retain(|(of, _)| *of < level || (name.is_none() && *of == level));
            if let Some(name) = name {
                self.headings.push((level, name));
                (self.words, self.settings) = (None, None);
            }
        }
        let load = format!("{:?} {}", result.get(FigureKind::Clients), result.group());
        if let Some(words) = words_above(between, result) {
            self.words = Some(words);
            self.loads.clear();
        }
        self.settings = commands::settings(between).or_else(|| self.settings.take());
        let is_first = self.loads.insert(load);
        let words = self.words.clone().filter(|_| is_first);
        let headings = self.headings.iter().map(|(_, name)| name.clone());
        headings.chain(words).chain(self.settings.clone()).collect()
    }
}

/// Whether some results have nothing that distinguishes them.
pub(super) fn has_alike(results: &[PublishedResult]) -> bool {
    let mut seen = BTreeSet::new();
    results.iter().any(|result| !seen.insert(key(result)))
}

/// What distinguishes a result from others.
pub(super) fn key(result: &PublishedResult) -> String {
    let load = [FigureKind::Clients, FigureKind::QueriesPerClient, FigureKind::Warehouses];
    format!("{:?} {:?} {:?}", result.target, result.group(), load.map(|kind| result.get(kind)))
}

/// What the last line above a report says that no tool has written and that is no heading, unless a heading that names something stands below it.
fn words_above(between: &[&str], result: &PublishedResult) -> Option<String> {
    let is_one = |line: &&&str| !is_passed(line) && commands::settings(&[**line]).is_none();
    let mut lines = between.iter().rev().filter(is_one);
    let line = lines.find(|line| !line.starts_with('#') || name(line, result).is_some())?;
    name(line, result).filter(|_| !line.starts_with('#'))
}

/// Whether a line above a report names nothing: it is empty, a command, or written by a tool.
pub(super) fn is_passed(line: &str) -> bool {
    if framed(line).is_some() {
        return false;
    }
    // What a shell prints of a loop that it executes (`bash -x`).
    let is_trace = ["+ for ", "+ while ", "+ sleep ", "+ echo "].iter().any(|begin| line.starts_with(begin));
    let is_empty = !line.contains(char::is_alphanumeric) || line.starts_with("```");
    let is_of_tool = OF_TOOLS.iter().any(|begin| line.starts_with(begin));
    is_empty || is_trace || is_of_tool || line.contains(" - Takes(s):") || commands::is_one(line)
}

/// Whether a name is that of a variable of a server: `innodb_flush_log_at_trx_commit`.
fn is_setting(name: &str) -> bool {
    defaults::is_known(&variables::canonical_name(name))
}

/// What a line names a report, or nothing if it is a part of a report, a command, or says when or how often it was made.
fn name(line: &str, result: &PublishedResult) -> Option<String> {
    let line = framed(line).or_else(|| after_moment(line)).unwrap_or(line);
    let is_of_report = line.starts_with([' ', '\t', '[', '$', '>', '|']) || line.len() > LONGEST;
    let text = line.trim_matches(|c: char| "#*=-_ ".contains(c)).trim_end_matches(':').trim();
    // `==> mysql/8.log <==`, as `tail` names the files that it shows.
    let text = text.strip_prefix("> ").and_then(|text| text.strip_suffix(" <")).unwrap_or(text);
    let all = lower(&words(text));
    // `label: 12.3`, `tps = 12`.
    let has_figure = line.split_once([':', '=']).is_some_and(|(label, value)| {
        let is_number = value.trim_start().starts_with(|c: char| c.is_ascii_digit());
        is_number
            && !line.starts_with(['#', '*', '-'])
            && !label.contains("==")
            && !label.contains(' ')
            && !is_setting(label)
            || line.starts_with("tps =")
            || line.contains(" = ") && line.ends_with(" ms")
    });
    let is_moment = text.match_indices(':').any(|(at, _)| {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        is_digit(text[..at].chars().next_back()) && is_digit(text[at + 1..].chars().next())
    });
    let is_command = line.contains(" --") || line.contains(" -c");
    let is_of_repeat = all.iter().any(|word| is_among(word, "of-repeat"));
    // What is left without the number of clients, which the report says itself.
    let number = result.get(FigureKind::Clients);
    let clients = number.map(|clients| clients.to_string());
    let says_nothing = |word: &&String| {
        Some(*word) == clients.as_ref() || ["clients", "of-client", "client-filler"].iter().any(|of| is_among(word, of))
    };
    let has_name = all.iter().filter(|word| !says_nothing(word)).any(|word| word.contains(char::is_alphabetic));
    // Clients that the report itself does not name.
    let counts = clients.is_none() && counted(line).is_some() && !is_command;
    let is_none = is_of_report || has_figure || is_command || is_moment || is_of_repeat || !has_name;
    let without = || number.map_or_else(|| text.to_owned(), |clients| without_clients(text, clients));
    (counts || !is_none).then(|| short(&without(), LONGEST))
}

/// A name alone in brackets or quotes, or behind signs: `[mysql]`, `>>> mysql`, `-- mysql --`.
fn framed(line: &str) -> Option<&str> {
    const FRAMES: [(&str, &str); 5] = [("[", "]"), ("\"", "\""), (">>>", ""), (">>", ""), ("--", "--")];
    let inner = FRAMES.iter().find_map(|(open, close)| line.trim().strip_prefix(open)?.strip_suffix(close))?.trim();
    let is_name = inner.starts_with(char::is_alphabetic) && !inner.contains(['"', ',', ':', '[', ']', '|', '=']);
    is_name.then_some(inner)
}

/// What stands behind a day and a time of day: `2024-01-01 10:00 mysql`.
fn after_moment(line: &str) -> Option<&str> {
    let is_sign = |c: char| c.is_ascii_digit() || "-/:.,T []".contains(c);
    let rest = line.trim_start_matches(is_sign);
    let moment = &line[..line.len() - rest.len()];
    let is_one = moment.len() >= SHORTEST_MOMENT && moment.contains(':') && moment.starts_with(['[', '1', '2']);
    let is_zone = ["UTC", "GMT", "JST", "Z "].iter().any(|zone| rest.starts_with(zone));
    (is_one && !is_zone && rest.starts_with(char::is_alphabetic)).then_some(rest)
}

/// The length of `2024-01-01 10:00`.
const SHORTEST_MOMENT: usize = 16;

#[cfg(test)]
mod tests {
    use crate::{audit, read};

    fn slap(clients: u32, mean: &str) -> String {
        format!(
            "Benchmark\n\tAverage number of seconds to run all queries: {mean} seconds\n\tNumber of clients running queries: {clients}\n\tAverage number of queries per client: 100\n\n"
        )
    }

    /// The targets and other words of each result, and whether they are taken for repeats.
    fn of(text: &str) -> (String, bool) {
        let read = read(text.as_bytes(), "x.log").unwrap();
        let one = |result: &crate::PublishedResult| [result.target_name(), &result.group()].join("/");
        let repeated = audit(&read).confirmed.iter().any(|message| message.is("published-repeated"));
        (read.results.iter().map(one).collect::<Vec<_>>().join(" "), repeated)
    }

    #[test]
    fn headings_and_lines_between_reports_name_them() {
        for (first, second, targets) in [
            ("## A 5.7", "## A 8.0", "A 5.7/ A 8.0/"),
            ("* maxconn=80", "* maxconn=90", "maxconn=80/ maxconn=90/"),
            ("=== old ===", "=== new ===", "old/ new/"),
            ("Before", "After:", "Before/ After/"),
            ("## old\n### 8 clients", "## new\n### 8 clients", "old/ new/"),
            ("[old]", "[new]", "old/ new/"),
            (">>> old", ">>> new", "old/ new/"),
            ("-- old --", "-- new --", "old/ new/"),
            ("\"old\"", "\"new\"", "old/ new/"),
            ("2024-01-01 10:00 old", "2024-01-01 11:00 new", "old/ new/"),
            ("[2024-01-01 10:00:00] old", "[2024-01-01 11:00:00] new", "old/ new/"),
            ("MySQL 5.7, 8 threads", "MySQL 8.0, 8 threads", "MySQL 5.7/ MySQL 8.0/"),
            ("user@old:~$ mysqlslap -c 8", "user@new:~$ mysqlslap -c 8", "old/ new/"),
            ("", "and with the index", "/ /heading and with the index"),
        ] {
            let text = format!("{first}\n```\n{}```\n{second}\n```\n{}```\n", slap(8, "5.559"), slap(8, "5.663"));
            assert_eq!(of(&text), (targets.to_owned(), false), "{text}");
        }
        let all = [slap(8, "5.5"), slap(16, "9.5")].concat();
        let sections = format!("## old\n{all}## new\n{all}");
        assert_eq!(of(&sections), ("old/ old/ new/ new/".to_owned(), false));
    }

    #[test]
    fn lines_that_differ_and_are_not_understood_leave_open_whether_reports_are_repeats() {
        for (first, second) in [
            ("threads: 8 db: old", "threads: 8 db: new"),
            ("$ ./run.sh old 8", "$ ./run.sh new 8"),
            ("$ ./run.sh pg16 8", "$ ./run.sh pg17 8"),
            ("[old] threads=8", "[new] threads=8"),
            ("Starting benchmark on old at 10:00", "Starting benchmark on new at 11:00"),
            ("Run 1 old", "Run 2 new"),
        ] {
            let text = format!("{first}\n{}{second}\n{}", slap(8, "5.559"), slap(8, "5.663"));
            let (names, repeated) = of(&text);
            let remarks = read(text.as_bytes(), "x.log").unwrap().remarks;
            let is_said = remarks.iter().any(|remark| remark.is("published-lines-unlike"));
            assert!(!repeated && (is_said || names != "/ /"), "{text}: {names}");
        }
    }

    #[test]
    fn what_numbers_or_dates_reports_leaves_them_repeats() {
        for (first, second) in [
            ("", ""),
            ("## Run 1", "## Run 2"),
            ("1回目", "2回目"),
            ("# 1", "# 2"),
            ("Sat Nov 28 03:37:56 UTC 2026", "Sat Nov 28 03:38:56 UTC 2026"),
            ("$ slap -c 8", "$ slap -c 8 again"),
            ("## 8 clients", "## 8 clients"),
        ] {
            let text = format!("{first}\n{}{second}\n{}", slap(8, "5.559"), slap(8, "5.663"));
            assert_eq!(of(&text), ("/ /".to_owned(), true), "{text}");
        }
        // Where the clients distinguish them a heading is of nothing else.
        let curve = format!("## old\n{}## new\n{}", slap(8, "5.559"), slap(16, "9.5"));
        assert_eq!(of(&curve).0, "/ /");
    }
}

//! The number of clients within a name, of a file or of a report: `MySQL 8.0, 8 threads`, `mysql-8.0-8t`. The report says it itself, and without
//! it the names of one curve are the same.

use crate::figure_kind::FigureKind;
use crate::result::PublishedResult;
use crate::words::{is_among, lower, words};
use std::collections::{BTreeMap, BTreeSet};

/// How names of files and reports write clients in short.
const IN_SHORT: [&str; 8] = ["t", "th", "thr", "thd", "c", "con", "conn", "conc"];
/// Words that are left before a number of clients.
const LEFT_OVER: [&str; 6] = ["with", "at", "using", "for", "on", "and"];

/// Whether a word is one for clients, or stands for it in a name.
pub(crate) fn is_of_clients(word: &str) -> bool {
    let word = word.to_lowercase();
    let is_it = |word: &str| ["clients", "of-client"].iter().any(|of| is_among(word, of));
    is_it(&word) || IN_SHORT.contains(&word.as_str())
}

/// A word of a text, with where it stands.
struct NameWord<'t> {
    at: usize,
    text: &'t str,
}

/// The words of a name: a version is one.
fn parts(text: &str) -> Vec<NameWord<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '.';
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(length) = text[at..].find(is_part) {
        at += length;
        let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |end| at + end);
        all.push(NameWord { at, text: text[at..end].trim_end_matches('.') });
        at = end;
    }
    all
}

/// A name without this number of clients and the word that it stands beside; as it is if there is none.
pub(crate) fn without_clients(text: &str, clients: f64) -> String {
    let number = clients.to_string();
    let all = parts(text);
    let is_number = |at: usize| all.get(at).is_some_and(|word| word.text == number);
    let is_word = |at: usize| all.get(at).is_some_and(|word| is_of_clients(word.text));
    let is_both = |at: usize| {
        let of = |rest: Option<&str>| rest.is_some_and(|rest| !rest.is_empty() && is_of_clients(rest));
        all.get(at).is_some_and(|word| of(word.text.strip_prefix(&*number)) || of(word.text.strip_suffix(&*number)))
    };
    let mut gone = vec![false; all.len()];
    for at in 0..all.len() {
        if is_both(at) {
            gone[at] = true;
        } else if !gone[at] && (is_number(at) && is_word(at + 1) || is_word(at) && is_number(at + 1)) {
            (gone[at], gone[at + 1]) = (true, true);
        }
    }
    if !gone.contains(&true) || gone.iter().all(|gone| *gone) {
        return text.to_owned();
    }
    for at in 1..all.len() {
        gone[at - 1] |= gone[at] && LEFT_OVER.contains(&all[at - 1].text);
    }
    let mut out = String::new();
    for (at, word) in all.iter().enumerate().filter(|(at, _)| !gone[*at]) {
        let before = all.get(at.wrapping_sub(1)).map_or(0, |before| before.at + before.text.len());
        out += if out.is_empty() { "" } else { &text[before..word.at] };
        out += word.text;
    }
    if let Some((last, false)) = all.last().zip(gone.last().copied()) {
        out += &text[last.at + last.text.len()..];
    }
    out += if out.contains('(') && !out.contains(')') { ")" } else { "" };
    out
}

/// Takes the number of clients off the targets of results if it stands in the name of each of them, and what is left is that of several:
/// `mysql 8` and `mysql 16` are one curve, but `MySQL 8` with 16 clients is a version.
pub(crate) fn leave_to_clients(results: &mut [PublishedResult]) {
    let mut of_name: BTreeMap<String, f64> = BTreeMap::new();
    for result in results.iter() {
        let (Some(target), clients) = (&result.target, result.get(FigureKind::Clients)) else { return };
        let Some(clients) = clients else { return };
        if *of_name.entry(target.clone()).or_insert(clients) != clients {
            return;
        }
    }
    let rest = |(name, clients): (&String, &f64)| Some((name.clone(), without_number(name, *clients)?));
    let Some(rests) = of_name.iter().map(rest).collect::<Option<BTreeMap<String, String>>>() else { return };
    let distinct = |all: &mut dyn Iterator<Item = (String, String)>| all.collect::<BTreeSet<_>>().len();
    let names = rests.values().collect::<BTreeSet<_>>().len();
    let curve = |(name, clients): (&String, &f64)| (rests[name].clone(), clients.to_string());
    // Two names that were told apart stay so.
    if names == rests.len() || distinct(&mut of_name.iter().map(curve)) < rests.len() {
        return;
    }
    for result in results {
        let rest = result.target.as_ref().and_then(|target| rests.get(target)).cloned();
        result.target = rest.filter(|rest| !rest.is_empty());
    }
}

/// A name without its last word that is this number, of a file with its extension, and without what separates it.
fn without_number(name: &str, clients: f64) -> Option<String> {
    let without = without_clients(name, clients);
    if without != name {
        return Some(without);
    }
    let number = clients.to_string();
    let is_number = |word: &&NameWord<'_>| {
        let rest = word.text.strip_prefix(&*number);
        rest.is_some_and(|rest| rest.is_empty() || EXTENSIONS.contains(&rest))
    };
    let all = parts(name);
    let word = all.iter().rev().find(is_number)?;
    let is_separator = |c: char| c.is_whitespace() || "-_/.,:;()[]@#|=".contains(c);
    let before = name[..word.at].trim_end_matches(is_separator);
    let after = name[word.at + word.text.len()..].trim_matches(is_separator);
    Some([before, after].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
}

/// What the names of logs end with.
const EXTENSIONS: [&str; 4] = [".log", ".txt", ".out", ".csv"];

/// Whether a part of a file's name numbers the measurements of the same: `run1`, `3回目`.
pub(crate) fn is_of_repeat(part: &str) -> bool {
    let letters = |c: &char| !c.is_ascii_digit();
    let (word, digits): (String, String) = part.to_lowercase().chars().partition(letters);
    let all = lower(&words(&word));
    !digits.is_empty() && !all.is_empty() && all.iter().all(|word| is_among(word, "of-repeat"))
}

/// Without a day and a time of day: `2024-01-02T030405`, `20240102_0304`.
pub(crate) fn without_moment(name: &str) -> String {
    let of = |from: usize| {
        let (mut digits, mut end) = (0, None);
        for (at, c) in name[from..].char_indices() {
            match c {
                c if c.is_ascii_digit() && digits < 14 => digits += 1,
                '-' | '_' | ':' | 'T' | 't' if [4, 6, 8, 10, 12].contains(&digits) => {}
                _ => break,
            }
            let is_last = !name[from + at + 1..].starts_with(|c: char| c.is_ascii_digit());
            if c.is_ascii_digit() && is_last && [8, 12, 14].contains(&digits) {
                end = Some(from + at + 1);
            }
        }
        let year = name.get(from..from + 4).and_then(|year| year.parse::<u32>().ok());
        end.filter(|_| year.is_some_and(|year| (1990..2100).contains(&year)))
    };
    let begins = |at: &usize| !name[..*at].ends_with(|c: char| c.is_ascii_digit());
    let date = name.char_indices().map(|(at, _)| at).filter(begins).find_map(|at| Some((at, of(at)?)));
    match date {
        Some((from, to)) => {
            let (before, after) = (name[..from].trim_end_matches(['-', '_', ' ', '.']), &name[to..]);
            if before.is_empty() || before.ends_with('/') {
                format!("{before}{}", after.trim_start_matches(['-', '_', ' ', '.']))
            } else {
                format!("{before}{after}")
            }
        }
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_taken_out_of_names() {
        for (text, name) in [
            ("MySQL 8.0, 8 threads", "MySQL 8.0"),
            ("mysql: threads=8", "mysql"),
            ("threads: 8 db: mysql", "db: mysql"),
            ("DB=mysql T=8", "DB=mysql"),
            ("Testing mysql with 8 threads...", "Testing mysql"),
            ("mysql 8\u{30b9}\u{30ec}\u{30c3}\u{30c9}", "mysql"),
            ("innodb_flush_log_at_trx_commit=1 threads=8", "innodb_flush_log_at_trx_commit=1"),
            ("MySQL (8 threads)", "MySQL"),
            ("MySQL (tuned, 8 threads)", "MySQL (tuned)"),
            ("MySQL (tuned)", "MySQL (tuned)"),
            ("MySQL 8", "MySQL 8"),
            ("8 threads", "8 threads"),
            ("16 threads, MySQL", "16 threads, MySQL"),
        ] {
            assert_eq!(without_clients(text, 8.0), name, "{text}");
        }
    }

    #[test]
    fn the_number_of_clients_in_all_names_is_no_part_of_them() {
        let targets = |names: &[&str], clients: &[u32]| {
            let row = |(name, clients): (&&str, &u32)| format!("{name},{clients},{}\n", clients * 100);
            let rows: String = names.iter().zip(clients).map(row).collect();
            let read = crate::read(format!("target,threads,tps\n{rows}"), "x.csv").unwrap();
            read.results.iter().map(|result| result.target_name().to_owned()).collect::<Vec<_>>().join("|")
        };
        for (names, wanted) in [
            (["mysql 8", "mysql 16", "maria 8", "maria 16"], "mysql|mysql|maria|maria"),
            (["mysql/8", "mysql/16", "maria/8", "maria/16"], "mysql|mysql|maria|maria"),
            (["mysql-8.0-8", "mysql-8.0-16", "mysql-8.4-8", "mysql-8.4-16"], "mysql-8.0|mysql-8.0|mysql-8.4|mysql-8.4"),
            (["a/8.log", "a/16.log", "b/8.log", "b/16.log"], "a|a|b|b"),
            (["8_a", "16_a", "8_b", "16_b"], "a|a|b|b"),
            (["mysql 8", "mysql 8", "maria 11", "maria 11"], "mysql 8|mysql 8|maria 11|maria 11"),
            (["mysql 8", "mysql 16", "maria", "pg"], "mysql 8|mysql 16|maria|pg"),
        ] {
            assert_eq!(targets(&names, &[8, 16, 8, 16]), wanted);
        }
        assert_eq!(targets(&["MySQL 8", "PG 16"], &[8, 16]), "MySQL 8|PG 16", "versions");
    }

    #[test]
    fn moments_and_numbers_of_runs_are_known() {
        for (name, rest) in [
            ("2024-01-02T030405-8", "8"),
            ("a-20240102", "a"),
            ("a_20240102_0304-8", "a-8"),
            ("a/2024-01-02/8", "a/8"),
            ("mysql-8.0.36", "mysql-8.0.36"),
            ("12345678", "12345678"),
        ] {
            assert_eq!(without_moment(name).replace("a//", "a/").replace('_', "-"), rest, "{name}");
        }
        assert!(["run1", "Run2", "3\u{56de}\u{76ee}"].into_iter().all(is_of_repeat));
        assert!(!["run", "1", "db1", "r5", "8.0"].into_iter().any(is_of_repeat));
    }
}

//! Lines of several logs with the name of its file before each, as `grep` writes them: `8-threads.log:    transactions: …`; or above all that
//! are its own, as `tail` does: `==> 8-threads.log <==`; and those of several hosts. They are the logs.

use super::find::{has, lines_with};
use crate::file_names::file_names;
use crate::result::Published;

/// How the names of logs end.
pub(super) const ENDS: [&str; 7] = [".log", ".txt", ".out", ".res", ".dat", ".result", ".sysbench"];
/// A longer text before a line is no path.
const LONGEST: usize = 200;
/// More files are something else.
const MOST: usize = 10_000;

/// The results of the logs, each read by `read` with the name of its file; `None` if these are no lines of several files.
pub(super) fn read(text: &str, read: impl Fn(&str, &str) -> Option<Published>) -> Option<Published> {
    let files = below_names(text).or_else(|| behind_names(text))?;
    if files.len() < 2 {
        return None;
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| &**path).collect();
    let names = file_names(&paths);
    let all = files.iter().zip(&names).filter_map(|((_, text), name)| read(text, name));
    Some(all.reduce(Published::and)?.with_files_as_targets())
}

/// The results of the logs of several hosts, whose lines stand in turns with the host's name before each, as `pdsh` writes them; `None` if these
/// are no such lines. `begins`: what a line of a report begins with.
pub(super) fn of_hosts(
    text: &str,
    begins: &[&str],
    read: impl Fn(&str, &str) -> Option<Published>,
) -> Option<Published> {
    let before = |line: &'_ str| {
        let at = begins.iter().find_map(|begin| line.find(begin))?;
        Some(line[..at].trim_end().to_owned())
    };
    // A log of one host is not searched for others.
    let with_name = lines_with(text, begins);
    with_name.iter().copied().find_map(before).filter(|name| is_host(name))?;
    let mut names: Vec<String> = Vec::new();
    for name in with_name.into_iter().filter_map(before).filter(|name| is_host(name)) {
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() > MOST_HOSTS {
            return None;
        }
    }
    if names.len() < 2 {
        return None;
    }
    let mut hosts: Vec<(&String, String)> = names.iter().map(|name| (name, String::new())).collect();
    let (mut all, mut of_none) = (0_usize, 0_usize);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        all += 1;
        // `db1` is the beginning of no `db10:`, as the sign behind the name is part of it.
        let Some((name, own)) = hosts.iter_mut().find(|(name, _)| line.starts_with(name.as_str())) else {
            of_none += 1;
            continue;
        };
        let rest = &line[name.len()..];
        own.push_str(rest.strip_prefix(' ').unwrap_or(rest));
        own.push('\n');
    }
    if of_none * LEAST_OF_NONE > all {
        return None;
    }
    let name = |host: &str| host.trim_matches([' ', ':', '[', ']', '(', ')', '|', '>']).to_owned();
    let results = hosts.iter().filter_map(|(host, text)| read(text, &name(host)));
    Some(results.reduce(Published::and)?.with_files_as_targets())
}

/// Whether what stands before a line is the name of a host: `db1:`, `[db1]`, `bench-1  |`, and no time.
fn is_host(before: &str) -> bool {
    let name = before.trim_end_matches([':', ']', ')', '|', '>']);
    let inner = name.trim_start_matches(['[', '(']).trim_end();
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    let is_time =
        inner.contains('.') && inner.chars().all(|c| c.is_ascii_digit() || c == '.') && inner.matches('.').count() < 3;
    name.len() < before.len()
        && !inner.is_empty()
        && inner.len() <= LONGEST
        && inner.chars().all(is_sign)
        && !is_time
        && !ENDS.iter().any(|end| inner.ends_with(end))
}

/// More names are something else.
const MOST_HOSTS: usize = 100;
/// One line of this many may be of none of the hosts.
const LEAST_OF_NONE: usize = 20;

/// Each file with the lines that `tail` has written below its name.
fn below_names(text: &str) -> Option<Vec<(&str, String)>> {
    if !has(text, "==> ") {
        return None;
    }
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match line.trim().strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <==")) {
            Some(_) if files.len() == MOST => return None,
            Some(path) => files.push((path, String::new())),
            None => {
                // What stands above the first name is the command, if anything.
                let Some((_, own)) = files.last_mut() else { continue };
                own.push_str(line);
                own.push('\n');
            }
        }
    }
    Some(files).filter(|files| !files.is_empty())
}

/// Each file with the lines that have its name before them.
fn behind_names(text: &str) -> Option<Vec<(&str, String)>> {
    let mut files: Vec<(&str, String)> = Vec::new();
    // Between matches with lines around them `grep` writes a line of its own.
    for line in text.lines().filter(|line| !line.trim().is_empty() && *line != "--") {
        let (path, rest) = apart(line, files.last().map(|(path, _)| *path))?;
        if files.last().is_none_or(|(last, _)| *last != path) {
            if files.len() == MOST {
                return None;
            }
            files.push((path, String::new()));
        }
        let (_, own) = files.last_mut()?;
        own.push_str(rest);
        own.push('\n');
    }
    Some(files)
}

/// The path before a line and what follows it. A line around a match has a hyphen instead of a colon.
fn apart<'l>(line: &'l str, last: Option<&str>) -> Option<(&'l str, &'l str)> {
    if let Some(last) = last
        && let Some(rest) = line.strip_prefix(last)
        && let Some(rest) = rest.strip_prefix([':', '-'])
    {
        return Some((&line[..last.len()], rest));
    }
    let head = &line[..line.floor_char_boundary(LONGEST)];
    let ends = ENDS.iter().flat_map(|end| [":", "-"].map(|sign| (*end, sign)));
    let end = ends.filter_map(|(end, sign)| head.find(&format!("{end}{sign}")).map(|at| at + end.len())).min()?;
    Some((&line[..end], &line[end + 1..]))
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Clients, Percentile, Tps};
    use crate::logs;

    #[test]
    fn lines_of_several_logs_are_a_result_for_each() {
        let one = |file: &str, tps: f64| {
            let lines = ["transactions:     100  ", "     95th percentile:     "];
            format!("{file}:    {}({tps} per sec.)\n{file}:    {}{tps}\n", lines[0], lines[1])
        };
        let read = logs::read(&[one("logs/a_8.log", 10.5), one("logs/a_16.log", 18.25)].concat(), "x").unwrap();
        let shown: Vec<String> = read
            .results
            .iter()
            .map(|r| format!("{} {:?} {:?}", r.target_name(), r.get(Tps), r.get(Percentile(9500))))
            .collect();
        assert_eq!(shown, ["a_8.log Some(10.5) Some(10.5)", "a_16.log Some(18.25) Some(18.25)"]);
        // Whole reports, which name their clients.
        let whole = |file: &str, n: u32| {
            let report =
                format!("Number of threads: {n}\n    queries performed:\n    transactions: 10 ({n}.50 per sec.)\n");
            report.lines().map(|line| format!("{file}:{line}\n")).collect::<String>()
        };
        let read = logs::read(&[whole("t-8.log", 8), whole("t-16.log", 16)].concat(), "x").unwrap();
        let shown: Vec<String> =
            read.results.iter().map(|r| format!("{} {:?} {:?}", r.target_name(), r.get(Clients), r.get(Tps))).collect();
        assert_eq!(shown, [" Some(8.0) Some(8.5)", " Some(16.0) Some(16.5)"]);
    }

    #[test]
    fn other_lines_are_not_taken_apart() {
        for text in ["a.log: transactions: 1 (1 per sec.)\n", "see a.log: no\nmore\n", "", "--\n"] {
            assert!(super::read(text, |_, _| panic!("{text}")).is_none(), "{text}");
        }
    }
}

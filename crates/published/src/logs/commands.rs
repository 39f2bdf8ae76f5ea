//! The commands that stand before the reports of a log, and the versions that the tools print: reports whose options differ are no repeats
//! of one another.

use crate::result::PublishedResult;
use std::collections::BTreeSet;
use tenbin_words::secret;
use tenbin_words::text::short;

/// The names of the tools in a command.
const TOOLS: [&str; 10] = [
    "sysbench",
    "pgbench",
    "mysqlslap",
    "mariadb-slap",
    "tpcc_start",
    "ycsb",
    "go-ycsb",
    "go-tpc",
    "tenbin",
    "./tpcc_start",
];
/// Options that say nothing of what is measured.
const OF_NO_LOAD: [&str; 19] = [
    "--threads",
    "--num-threads",
    "-c",
    "--client",
    "--clients",
    "--concurrency",
    "-threads",
    "--rand-seed",
    "--random-seed",
    "--report-interval",
    "--progress",
    "-P",
    "--log-file",
    "--output",
    "-o",
    "--mysql-password",
    "--pgsql-password",
    "--password",
    "-p",
];
/// This many words may stand before the name of a tool, such as `# time sudo -u postgres`.
const MOST_BEFORE: usize = 6;
/// At most this much of the options is kept.
const LONGEST: usize = 200;

/// Whether a line is a command: the name of a program with options.
pub(super) fn is_one(line: &str) -> bool {
    let line = line.trim_start();
    let is_option = |word: &str| {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        name.is_some_and(|name| name.starts_with(char::is_alphabetic))
    };
    let is_prompted = || line.starts_with("$ ");
    let is_of_tool = || line.split_whitespace().take(MOST_BEFORE).any(is_tool);
    !line.starts_with('|') && line.split_whitespace().any(is_option) && (is_prompted() || is_of_tool())
}

fn is_tool(word: &str) -> bool {
    let file = word.rsplit('/').next().unwrap_or(word).trim_end_matches(".sh");
    TOOLS.contains(&file)
}

/// Marks results whose command has a rate at which transactions are started: their clients may be idle, and their times may include a wait.
pub(super) fn rates(text: &str, results: &mut [PublishedResult]) {
    if !RATES.iter().any(|name| text.contains(name)) {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut from = 0;
    for result in results.iter_mut() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        let command = last(lines.get(from.min(at)..at).unwrap_or_default());
        result.is_open_loop |= command.is_some_and(|command| has_rate(&command));
        from = at + 1;
    }
}

/// Options of a rate.
const RATES: [&str; 7] = ["--rate", "--tx-rate", "-R", "-target", "--target", "target=", "-ptarget="];

/// Whether a command has a rate that is not 0: `--rate=500`, `-R 500`, `-R500`, `-p target=500` of YCSB.
fn has_rate(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.iter().enumerate().any(|(at, word)| {
        let Some(rest) = RATES.iter().find_map(|name| word.strip_prefix(name)) else { return false };
        let value = if rest.is_empty() { words.get(at + 1).copied().unwrap_or_default() } else { rest };
        value.trim_start_matches('=').parse::<f64>().is_ok_and(|rate| rate > 0.0)
    })
}

/// The last command of one of the tools, with the lines that continue it.
fn last(lines: &[&str]) -> Option<String> {
    let continued = |line: &str| line.trim_end().ends_with('\\');
    let command = |at: usize| {
        let more = lines[at..].iter().take_while(|line| continued(line)).count();
        let parts = lines[at..].iter().take(more + 1).map(|line| line.trim_end().trim_end_matches('\\'));
        Some(parts.collect::<Vec<_>>().join(" ")).filter(|command| is_of_tool(command))
    };
    let begins = |at: &usize| *at == 0 || !continued(lines[at - 1]);
    (0..lines.len()).rev().filter(begins).find_map(command)
}

/// Gives results what distinguishes the commands above them, if each has one; and the versions of the tool, if they differ.
pub(super) fn give(text: &str, results: &mut [PublishedResult]) {
    let lines: Vec<&str> = text.lines().collect();
    let (mut from, mut commands, mut versions) = (0, Vec::new(), Vec::new());
    let mut version = None;
    for result in results.iter() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        let between = lines.get(from.min(at)..at).unwrap_or_default();
        version = between.iter().rev().find_map(|line| version_of(line)).or(version);
        versions.push(version.clone());
        commands.push(last(between).map(|command| options(&command)));
        from = at + 1;
    }
    let all: Option<Vec<BTreeSet<String>>> = commands.into_iter().collect();
    if let Some(all) = all {
        let common = all.iter().skip(1).fold(all[0].clone(), |common, own| &common & own);
        for (result, own) in results.iter_mut().zip(&all) {
            let rest: Vec<&str> = own.difference(&common).map(String::as_str).collect();
            if !rest.is_empty() {
                result.axes.push(("options".to_owned(), short(&rest.join(" "), LONGEST)));
            }
        }
    }
    let distinct: BTreeSet<&String> = versions.iter().flatten().collect();
    if distinct.len() > 1 {
        for (result, version) in results.iter_mut().zip(&versions) {
            result.axes.extend(version.clone().map(|version| ("version".to_owned(), version)));
        }
    }
}

/// How a statement begins that changes a setting of a server.
const STATEMENTS: [&str; 5] = ["set global ", "set @@global.", "set persist ", "set @@persist.", "alter system set "];

/// The settings that statements within these lines give to a server: `sync_binlog=0` of `mysql -e "set global sync_binlog = 0"`.
pub(super) fn settings(lines: &[&str]) -> Option<String> {
    let mut all = Vec::new();
    for line in lines.iter().filter(|line| line.len() < MOST_BYTES) {
        let lowered = line.to_ascii_lowercase();
        let mut begins: Vec<usize> = STATEMENTS
            .iter()
            .flat_map(|begin| lowered.match_indices(begin).map(|(at, begin)| at + begin.len()))
            .collect();
        begins.sort_unstable();
        for at in begins {
            let end = line[at..].find([';', '"']).map_or(line.len(), |end| at + end);
            let text = line[at..end].replace(['\'', '`'], " ");
            let setting = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" = ", "=");
            if !setting.is_empty() && !secret::is_in(&setting) {
                all.push(setting);
            }
        }
    }
    (!all.is_empty()).then(|| short(&all.join(", "), LONGEST))
}

/// A longer line has no statement of a person.
const MOST_BYTES: usize = 1000;

/// This many words of a command show which program it starts.
const MOST_WORDS: usize = 40;

/// Programs that change a server or a machine, in commands between reports.
const CHANGING: [&str; 24] = [
    "mysql",
    "mariadb",
    "psql",
    "mysqladmin",
    "mariadb-admin",
    "systemctl",
    "service",
    "pg_ctl",
    "pg_ctlcluster",
    "mysqld",
    "mariadbd",
    "postgres",
    "docker",
    "podman",
    "kubectl",
    "sed",
    "vi",
    "vim",
    "nano",
    "echo",
    "sysctl",
    "mount",
    "tuned-adm",
    "aws",
];

/// Marks results before which a command may have changed what is measured: they are no repeats of those above them.
pub(super) fn changes(text: &str, results: &mut [PublishedResult]) {
    let lines: Vec<&str> = text.lines().collect();
    let is_change = |line: &&str| {
        let command = line.trim_start().strip_prefix("$ ").or_else(|| line.strip_prefix("# "));
        let words: Vec<&str> =
            command.unwrap_or(line).split_whitespace().take(MOST_WORDS).filter(|word| *word != "sudo").collect();
        let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
        let is_command = command.is_some() || words.iter().any(|word| word.starts_with('-'));
        is_command && CHANGING.contains(&program) && !words.iter().any(|word| is_tool(word))
    };
    let mut from = 0;
    for result in results.iter_mut() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        result.is_apart |= from > 0 && lines.get(from.min(at)..at).unwrap_or_default().iter().any(is_change);
        from = at + 1;
    }
}

/// Whether a command is one of the tools, whatever its options.
pub(super) fn names_tool(command: &str) -> bool {
    command.split_whitespace().take(MOST_BEFORE).any(is_tool)
}

/// Whether a line is the command of one of the tools.
fn is_of_tool(line: &str) -> bool {
    is_one(line) && line.split_whitespace().any(is_tool)
}

/// The options of a command, each with its value, and the comment behind it. What is done with the output is none.
fn options(line: &str) -> BTreeSet<String> {
    let (command, comment) = match line.trim_start_matches(['#', ' ']).split_once(" #") {
        Some((command, comment)) => (command, Some(comment.trim())),
        None => (line, None),
    };
    let end = command.find(['|', '>', ';']).filter(|at| *at > 2).unwrap_or(command.len());
    let words: Vec<&str> = command[..end].split_whitespace().collect();
    let mut all: BTreeSet<String> = comment.map(|comment| format!("# {comment}")).into_iter().collect();
    for (at, word) in words.iter().enumerate().filter(|(_, word)| word.starts_with('-')) {
        let name = word.split('=').next().unwrap_or(word);
        if OF_NO_LOAD.contains(&name) || is_password(name) {
            continue;
        }
        let value = words.get(at + 1).filter(|next| !word.contains('=') && !next.starts_with('-'));
        all.insert(value.map_or_else(|| (*word).to_owned(), |value| format!("{word} {value}")));
    }
    all
}

/// `-pSECRET` of MySQL's programs.
fn is_password(name: &str) -> bool {
    name.contains("password") || (name.starts_with("-p") && name.len() > 2 && !name.starts_with("-p="))
}

/// `pgbench (14.2)`, `sysbench 1.0.20 (using …)`.
fn version_of(line: &str) -> Option<String> {
    let line = line.trim();
    let of_pgbench = line.strip_prefix("pgbench (").and_then(|rest| rest.strip_suffix(')'));
    let of_sysbench = || line.strip_prefix("sysbench ")?.split([' ', ':']).next();
    let version = of_pgbench.or_else(of_sysbench)?;
    version.starts_with(|c: char| c.is_ascii_digit()).then(|| short(version, LONGEST))
}

#[cfg(test)]
mod tests {
    use crate::{audit, read};

    fn report(mean: &str) -> String {
        format!(
            "Benchmark\n\tAverage number of seconds to run all queries: {mean} seconds\n\tNumber of clients running queries: 8\n\tAverage number of queries per client: 100\n\n"
        )
    }

    fn are_repeats(text: &str) -> bool {
        let read = read(text.as_bytes(), "x.log").unwrap();
        audit(&read).confirmed.iter().any(|message| message.is("published-repeated"))
    }

    #[test]
    fn reports_below_commands_of_other_options_are_no_repeats() {
        let of =
            |first: &str, second: &str| are_repeats(&format!("{first}\n{}{second}\n{}", report("5.5"), report("5.6")));
        for (first, second) in [
            ("sysbench x --table-size=1000 run", "sysbench x --table-size=2000 run"),
            ("$ sysbench x --mysql-host=a run", "$ sysbench x --mysql-host=b run"),
            ("$ pgbench -c 8 -M simple b", "$ pgbench -c 8 -M prepared b"),
            ("$ pgbench -c 8 b # shared_buffers=1GB", "$ pgbench -c 8 b # shared_buffers=8GB"),
            ("pgbench (14.2)", "pgbench (15.0)"),
            ("sysbench 0.5: x", "sysbench 1.0.20 (using y)"),
        ] {
            assert!(!of(first, second), "{first}");
        }
        for (first, second) in [
            ("sysbench x --threads=8 run", "sysbench x --threads=8 run"),
            ("sysbench x --rand-seed=1 run > 1.log", "sysbench x --rand-seed=2 run > 2.log"),
            ("mysqlslap -c 8 -pa", "mysqlslap -c 8 -pb"),
            ("sysbench 1.0.20 (using y)", "sysbench 1.0.20 (using y)"),
        ] {
            assert!(of(first, second), "{first}");
        }
    }
}

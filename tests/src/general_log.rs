//! What a server's general log says about a client that drives TPC-C: the statements of each kind of transaction, in
//! order, with values left out and repetitions counted. Two clients with the same text send the same stream.

use std::collections::BTreeMap;
use std::fmt::Write;

/// One entry: connection, command, argument.
pub type LogEntry<'l> = (u64, &'l str, &'l str);

/// A statement, or statements that come several times over.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum LogItem {
    Once(String),
    Times(Vec<String>, usize),
}

/// Kinds of transactions by what their first statement has, each with how many of the first statements' values begin
/// one.
const KINDS: [(&str, &str); 5] = [
    ("new_order", "SELECT c_discount, c_last, c_credit, w_tax FROM"),
    ("payment", "UPDATE warehouse SET w_ytd"),
    ("order_status", " FROM customer WHERE c_w_id"),
    ("delivery", "SELECT COALESCE(MIN(no_o_id)"),
    ("stock_level", "SELECT d_next_o_id FROM district"),
];

/// How the log begins a delivery: with its first district.
const FIRST_DISTRICT: &str = "WHERE no_d_id = 1 AND";

/// The text: what a connection prepares, then each kind of transaction that was seen, the last of each connection left
/// out, because the end of the run may have cut it off.
pub fn described(log: &str) -> String {
    let mut connections: BTreeMap<u64, Vec<LogEntry<'_>>> = BTreeMap::new();
    for entry in log.lines().filter_map(entry) {
        connections.entry(entry.0).or_default().push(entry);
    }
    let mut out = String::new();
    let mut kinds: BTreeMap<(String, Vec<LogItem>), (usize, usize)> = BTreeMap::new();
    for entries in connections.values().filter(|all| all.iter().filter(|e| e.1 == "Prepare").count() > 1) {
        let (before, after) = entries.split_at(entries.iter().position(|e| e.1 == "Execute").unwrap_or(entries.len()));
        let mut prepares = String::from("a connection\n");
        for (_, command, argument) in before.iter().filter(|e| e.1 != "Connect") {
            let _ = writeln!(prepares, "    {command:<8} {argument}");
        }
        match out.as_str() {
            "" => out = prepares,
            first => assert_eq!(first, prepares, "connections differ"),
        }
        let mut all = transactions(after);
        all.pop();
        for statements in all {
            let steps = repeated(&statements);
            let count = steps.iter().find_map(|s| if let LogItem::Times(_, n) = s { Some(*n) } else { None });
            let executions = kinds.entry((name(&statements), uncounted(&steps))).or_insert((usize::MAX, 0));
            *executions = (executions.0.min(count.unwrap_or(1)), executions.1.max(count.unwrap_or(1)));
        }
    }
    for ((name, steps), (least, most)) in kinds {
        let _ = writeln!(out, "\n{name}");
        for step in steps {
            match step {
                LogItem::Once(statement) => out += &format!("    {statement}\n"),
                LogItem::Times(statements, _) => {
                    // How many there may be by chance is not stated; what the specification draws or fixes is.
                    let times = match name.as_str() {
                        "new_order" => format!("{least} to {most} times"),
                        "delivery" => format!("{most} times"),
                        _ => "some times".to_owned(),
                    };
                    let _ = writeln!(out, "    {times}");
                    statements.iter().for_each(|statement| out += &format!("        {statement}\n"));
                }
            }
        }
    }
    out
}

/// The same text as one piece for each kind of transaction, counts left out: what a short run saw is a part of what a
/// long one did.
pub fn kinds(described: &str) -> Vec<String> {
    let piece = |piece: &str| {
        let lines = piece.lines().map(|line| if line.ends_with(" times") { "    several times" } else { line });
        lines.collect::<Vec<_>>().join("\n")
    };
    described.split("\n\n").map(piece).collect()
}

/// A line of the log: time or nothing, number of the connection, command, argument.
pub fn entry(line: &str) -> Option<LogEntry<'_>> {
    let rest = line.strip_prefix("\t\t").or_else(|| line.split_once('\t').map(|(_, rest)| rest))?.trim_start();
    let (id, rest) = rest.split_once(' ')?;
    let (command, argument) = rest.split_once('\t')?;
    Some((id.parse().ok()?, command, argument))
}

/// What was executed or asked, transaction by transaction; closings are left out.
fn transactions(entries: &[LogEntry<'_>]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut over = true;
    for (_, command, argument) in entries.iter().filter(|e| ["Execute", "Query"].contains(&e.1)) {
        let ends = ["COMMIT", "ROLLBACK"].contains(&argument.to_ascii_uppercase().as_str());
        let goes_on = argument.starts_with(KINDS[3].1) && !argument.contains(FIRST_DISTRICT);
        // A COMMIT of nothing stands where a connection ends.
        if over && !goes_on && !ends {
            all.push(Vec::new());
        }
        if let Some(last) = all.last_mut().filter(|_| !(over && ends)) {
            let text = if ends { argument.to_ascii_uppercase() } else { masked(argument) };
            last.push(format!("{command:<8} {text}"));
        }
        over = ends;
    }
    all
}

/// The text with `?` for each value.
fn masked(sql: &str) -> String {
    let (mut out, mut chars) = (String::new(), sql.chars().peekable());
    while let Some(c) = chars.next() {
        let in_word = out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        match c {
            '\'' => {
                while let Some(inner) = chars.next() {
                    match inner {
                        '\\' => drop(chars.next()),
                        '\'' if chars.peek() == Some(&'\'') => drop(chars.next()),
                        '\'' => break,
                        _ => {}
                    }
                }
                out.push('?');
            }
            '-' if chars.peek().is_some_and(char::is_ascii_digit) => {}
            '0'..='9' if !in_word => {
                while chars.peek().is_some_and(|c| c.is_ascii_digit() || ['.', 'e', '+'].contains(c)) {
                    chars.next();
                }
                out.push('?');
            }
            _ => out.push(c),
        }
    }
    out
}

fn name(statements: &[String]) -> String {
    let has = |piece: &str| statements.iter().any(|s| s.contains(piece));
    let first = statements.first().map_or("", String::as_str);
    let mut name = KINDS.iter().find(|(_, begin)| first.contains(begin)).map_or("?", |(name, _)| name).to_owned();
    for (piece, what) in
        [("count(c_id)", ", by last name"), ("SELECT c_data", ", bad credit"), ("ROLLBACK", ", rolled back")]
    {
        if has(piece) {
            name += what;
        }
    }
    name
}

/// Finds the piece that comes several times one after the other: the shortest that does, from the first place on.
fn repeated(statements: &[String]) -> Vec<LogItem> {
    let (mut steps, mut at) = (Vec::new(), 0);
    while at < statements.len() {
        let times = |long: usize| {
            let piece = &statements[at..at + long];
            statements[at..].chunks(long).take_while(|chunk| *chunk == piece).count()
        };
        let longest = (statements.len() - at) / 2;
        match (1..=longest).find(|long| times(*long) > 1) {
            Some(long) => {
                let n = times(long);
                steps.push(LogItem::Times(statements[at..at + long].to_vec(), n));
                at += long * n;
            }
            None => {
                steps.push(LogItem::Once(statements[at].clone()));
                at += 1;
            }
        }
    }
    steps
}

fn uncounted(steps: &[LogItem]) -> Vec<LogItem> {
    let each =
        |step: &LogItem| if let LogItem::Times(all, _) = step { LogItem::Times(all.clone(), 0) } else { step.clone() };
    steps.iter().map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_left_out_and_names_are_not() {
        assert_eq!(
            masked("UPDATE x SET s_dist_01 = -12.5e+10, b = 'it''s \\'7\\'' WHERE a >= (3001 - 20)"),
            "UPDATE x SET s_dist_01 = ?, b = ? WHERE a >= (? - ?)"
        );
        assert_eq!(entry("261122  3:08:05\t     7 Quit\t"), Some((7, "Quit", "")));
        assert_eq!(entry("\t\t    12 Execute\tSELECT 1"), Some((12, "Execute", "SELECT 1")));
        assert_eq!(entry("Time\t\t    Id Command\tArgument"), None);
    }

    #[test]
    fn what_comes_several_times_is_said_once() {
        let all: Vec<String> = "a b c b c b c d".split(' ').map(str::to_owned).collect();
        let once = |s: &str| LogItem::Once(s.to_owned());
        assert_eq!(repeated(&all), [once("a"), LogItem::Times(vec!["b".into(), "c".into()], 3), once("d")]);
    }
}

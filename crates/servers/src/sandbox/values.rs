//! Which values of server variables a binary refuses or changes, according to the binary itself and without starting a server: it reads
//! its options before it prints its help.

use super::launch::program;
use super::variables::values_in;
use super::{available, scheme};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tenbin_model::dsn::Scheme;
use tenbin_model::variables::{TookEffect, canonical_name, of_option, plain, took_effect, written_option};
use tenbin_words::nearest::nearest;

/// A value that the server does not take as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongValue {
    /// The variable, as it was written.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What the server says about it; empty if it only changes it.
    pub complaint: String,
    /// What it would have instead.
    pub becomes: Option<String>,
    /// A right value that is near to it.
    pub right: Option<String>,
    /// Another right value: the one that the server has by default.
    pub default: Option<String>,
    /// The values that there are, if the server reports them.
    pub words: Vec<String>,
}

/// The most values of one server that are listed: each takes a start of the binary.
const MOST: usize = 8;

/// Values that the binary refuses, or would change. None if it cannot be asked: starting it will report the reason. Variables that it does not
/// know are not in it.
pub fn wrong_values(binary: &str, server: &BTreeMap<String, String>) -> Vec<WrongValue> {
    let Ok(path) = available(binary) else { return Vec::new() };
    let ask: fn(&Path, &BTreeMap<String, String>) -> Vec<WrongValue> = match scheme(binary) {
        Scheme::Postgres => of_postgres,
        Scheme::Mysql => of_mysql,
        Scheme::Sqlite => |_, server| of_sqlite(server),
        Scheme::Null | Scheme::Host => return Vec::new(),
    };
    let known = &mut *KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let pair = |(name, value): (&String, &String)| (path.display().to_string(), name.clone(), value.clone());
    // A plan may have hundreds of servers, which differ in one variable each.
    if server.iter().all(|own| known.contains(&pair(own))) {
        return Vec::new();
    }
    let mut left = server.clone();
    let mut wrong: Vec<WrongValue> = Vec::new();
    while wrong.len() < MOST {
        let mistakes = ask(&path, &left);
        if mistakes.is_empty() {
            known.extend(left.iter().map(pair));
            break;
        }
        // Some of them keep the binary from reading the others.
        mistakes.iter().for_each(|mistake| _ = left.remove(&mistake.name));
        wrong.extend(mistakes);
    }
    wrong
}

/// Binary, name and value that are right.
static KNOWN: Mutex<BTreeSet<(String, String, String)>> = Mutex::new(BTreeSet::new());

fn of_mysql(binary: &Path, server: &BTreeMap<String, String>) -> Vec<WrongValue> {
    let help = |server: &BTreeMap<String, String>| {
        let mut help = program(binary);
        super::mysql::dress_help(&mut help, binary);
        help.args(server.iter().map(|(name, value)| match written_option(name, value) {
            (name, Some(value)) => format!("--{}={value}", name.replace('_', "-")),
            (name, None) => format!("--{name}"),
        }));
        outcome(&mut help)
    };
    let Some((_, out, err)) = help(server) else { return Vec::new() };
    let shown = values_in(&out);
    let plain_help = help(&BTreeMap::new()).map(|(_, out, _)| out).unwrap_or_default();
    let (defaults, words) = (values_in(&plain_help), |name: &str| words_in(&plain_help, name));
    judge_mysql(server, &err, &shown, &defaults, words)
}

/// What standard error, and the values that the server would have, say about the options.
fn judge_mysql(
    server: &BTreeMap<String, String>,
    err: &str,
    shown: &BTreeMap<String, String>,
    defaults: &BTreeMap<String, String>,
    words: impl Fn(&str) -> Vec<String>,
) -> Vec<WrongValue> {
    let dashed = |name: &str| canonical_name(name).replace('_', "-");
    let wrong = |(name, value): (&String, &String)| {
        let about: Vec<&str> = err.lines().filter(|line| is_about(line, &dashed(name))).map(without_head).collect();
        let has = |variable: &str| shown.contains_key(variable);
        let (variable, asked) = of_option(name, value, has).unwrap_or((canonical_name(name), value.clone()));
        let now = shown.get(&variable).map(|now| as_switch(now));
        let becomes = now.filter(|now| is_changed(&variable, &asked, now));
        if about.is_empty() && becomes.is_none() {
            return None;
        }
        let words = words(&variable);
        let default = defaults.get(&variable).map(|now| as_switch(now).to_owned());
        let is_switch = default.as_deref().is_some_and(|default| ["ON", "OFF"].contains(&default));
        let right = spelt_as_size(value)
            .or_else(|| becomes.filter(|_| !is_switch).map(str::to_owned))
            .or_else(|| nearest(value, words.iter().map(String::as_str)).map(str::to_owned));
        let words = if is_switch { vec!["ON".to_owned(), "OFF".to_owned()] } else { words };
        Some(WrongValue {
            name: name.clone(),
            value: value.clone(),
            complaint: about.join("\n"),
            becomes: becomes.map(str::to_owned),
            right,
            default,
            words,
        })
    };
    server.iter().filter_map(wrong).collect()
}

/// Whether a line complains about the value of an option.
fn is_about(line: &str, dashed: &str) -> bool {
    let plain = line.replace('_', "-");
    let named = |quote: char| plain.contains(&format!("{quote}{dashed}{quote}"));
    let ends = plain.trim_end_matches(['.', '\r']).ends_with(&format!(" for {dashed}"));
    (named('\'') || named('"') || ends) && (line.contains("ERROR") || line.contains("arning"))
}

/// Without time and thread: `2026-11-27 11:42:05 0 [ERROR] `, `2026-11-27T11:42:08.748252Z 0 [ERROR] [MY-000077] [Server] `.
fn without_head(line: &str) -> &str {
    let mut rest = line.find('[').map_or(line, |at| &line[at..]);
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        rest = behind;
    }
    rest.trim()
}

/// `TRUE` and `FALSE` of the table as the servers' manuals write them.
fn as_switch(shown: &str) -> &str {
    match shown {
        "TRUE" => "ON",
        "FALSE" => "OFF",
        other => other,
    }
}

/// Variables that a server lowers if it may not open enough files here.
const BY_FILES: &[&str] =
    &["max_connections", "table_open_cache", "table_definition_cache", "open_files_limit", "innodb_open_files"];

/// Whether a server changes a value for another reason than that it counts in blocks, or determines it by itself (0 and -1).
fn is_changed(variable: &str, asked: &str, now: &str) -> bool {
    let number = |text: &str| plain(text).parse::<f64>().ok();
    match (number(asked), number(now), took_effect(variable, asked, now)) {
        (.., TookEffect::Yes) => false,
        (Some(asked), Some(_), _) if asked <= 0.0 => false,
        (Some(asked), Some(now), _) if BY_FILES.contains(&variable) => now > asked,
        (Some(asked), Some(now), TookEffect::Adjusted) => asked < 1024.0 || (asked - now).abs() > 0.05 * asked,
        // A word for a switch; what else is shown in another form cannot be known here.
        _ => ["ON", "OFF"].contains(&now) && !["0", "1", ""].contains(&plain(asked).as_str()),
    }
}

/// A size or a number that is written as elsewhere: `64MB` and `64 MiB` for `64M`, `1e6` for 1000000.
fn spelt_as_size(value: &str) -> Option<String> {
    let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let (number, unit) = (&value[..digits], value[digits..].trim().to_ascii_uppercase());
    let letter = unit.strip_suffix("IB").or_else(|| unit.strip_suffix('B')).unwrap_or(&unit);
    if !number.is_empty() && ["K", "M", "G", "T"].contains(&letter) && value[digits..] != *letter {
        return Some(format!("{number}{letter}"));
    }
    let whole = value.parse::<f64>().ok().filter(|n| value.contains(['e', 'E']) && n.fract() == 0.0 && n.abs() < 1e15);
    whole.map(|whole| format!("{whole}"))
}

/// The words that the help lists for an option: `One of: fsync, O_DSYNC`.
fn words_in(help: &str, variable: &str) -> Vec<String> {
    let head = format!("  --{}", variable.replace('_', "-"));
    let is_head =
        |line: &&str| line.strip_prefix(&head).is_some_and(|rest| rest.starts_with(['=', '[', ' ']) || rest.is_empty());
    let mut lines = help.lines().skip_while(|line| !is_head(line));
    let Some(first) = lines.next() else { return Vec::new() };
    let more = lines.take_while(|line| line.starts_with("          "));
    let text = std::iter::once(first).chain(more).map(str::trim).collect::<Vec<_>>().join(" ");
    let Some((_, list)) = ["One of: ", "Any combination of: "].iter().find_map(|head| text.split_once(head)) else {
        return Vec::new();
    };
    let list = list.split(". ").next().unwrap_or_default();
    list.split(',').map(|word| word.trim().trim_end_matches('.').to_owned()).filter(|word| !word.is_empty()).collect()
}

fn of_postgres(binary: &Path, server: &BTreeMap<String, String>) -> Vec<WrongValue> {
    let mut ask = program(binary);
    // `-C` as the first word: it reads its settings, prints this one, and may be root.
    ask.args(["-C", "data_directory", "-D", "/", "-c", "config_file=/dev/null"]);
    ask.args(server.iter().flat_map(|(name, value)| ["-c".to_owned(), format!("{name}={value}")]));
    match outcome(&mut ask) {
        Some((false, _, err)) => judge_postgres(server, &err).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The value that PostgreSQL refuses: it stops at the first.
fn judge_postgres(server: &BTreeMap<String, String>, err: &str) -> Option<WrongValue> {
    let part = |word: &str| err.lines().find_map(|line| Some(line.split_once(word)?.1.trim()));
    let (error, hint) = (part("FATAL:").or_else(|| part("ERROR:"))?, part("HINT:").unwrap_or_default());
    if error.contains("unrecognized configuration parameter") {
        return None;
    }
    let (name, value) = server.iter().find(|(name, _)| {
        error.to_ascii_lowercase().contains(&format!("parameter \"{}\"", name.to_ascii_lowercase()))
    })?;
    let mut words: Vec<String> = hint
        .strip_prefix("Available values: ")
        .map(|list| list.trim_end_matches('.').split(',').map(|word| word.trim().to_owned()).collect())
        .unwrap_or_default();
    if error.contains("requires a Boolean value") {
        words = vec!["on".to_owned(), "off".to_owned()];
    }
    let right = in_range(error)
        .or_else(|| hint.contains("Valid units").then(|| spelt_for_postgres(value)).flatten())
        .or_else(|| nearest(value, words.iter().map(String::as_str)).map(str::to_owned));
    let text = [error, hint].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
    Some(WrongValue {
        name: name.clone(),
        value: value.clone(),
        complaint: text,
        becomes: None,
        right,
        default: None,
        words,
    })
}

/// The nearer end of the range: `-5 is outside the valid range for parameter "max_connections" (1 .. 262143)`.
fn in_range(error: &str) -> Option<String> {
    let (value, rest) = error.split_once(" is outside the valid range")?;
    let (low, high) = rest.rsplit_once('(')?.1.trim_end_matches(')').split_once(" .. ")?;
    let value: f64 = value.split_whitespace().next()?.parse().ok()?;
    Some(if value < low.trim().parse().ok()? { low } else { high }.trim().to_owned())
}

/// A size with a unit of PostgreSQL: `64M`, `64mb`, `64m`.
fn spelt_for_postgres(value: &str) -> Option<String> {
    let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    let unit = match value[digits..].trim().to_ascii_uppercase().as_str() {
        "K" | "KB" => "kB",
        "M" | "MB" => "MB",
        "G" | "GB" => "GB",
        "T" | "TB" => "TB",
        _ => return None,
    };
    (digits > 0).then(|| format!("{}{unit}", &value[..digits]))
}

/// Values of SQLite's pragmas that it ignores or takes for others (<https://www.sqlite.org/pragma.html>).
fn of_sqlite(server: &BTreeMap<String, String>) -> Vec<WrongValue> {
    let wrong = |(name, value): (&String, &String)| {
        let lower = name.to_ascii_lowercase();
        let words = PRAGMAS.iter().find(|(pragma, _)| *pragma == lower).map(|(_, words)| *words);
        let numbers = [
            "cache_size",
            "mmap_size",
            "page_size",
            "busy_timeout_ms",
            "wal_autocheckpoint",
            "threads",
            "journal_size_limit",
        ];
        let is_right = match words {
            Some(words) => words.iter().any(|word| value.eq_ignore_ascii_case(word)),
            None => !numbers.contains(&lower.as_str()) || value.parse::<i64>().is_ok(),
        };
        let words: Vec<String> = words.unwrap_or_default().iter().map(|word| (*word).to_owned()).collect();
        let right = nearest(&value.to_lowercase(), words.iter().map(String::as_str)).map(str::to_owned);
        let default = words.is_empty().then(|| "1000".to_owned());
        let wrong = WrongValue {
            name: name.clone(),
            value: value.clone(),
            complaint: String::new(),
            becomes: None,
            right,
            default,
            words,
        };
        (!is_right).then_some(wrong)
    };
    server.iter().filter_map(wrong).collect()
}

/// Pragmas that take words, and the words.
const PRAGMAS: &[(&str, &[&str])] = &[
    ("journal_mode", &["delete", "truncate", "persist", "memory", "wal", "off"]),
    ("synchronous", &["off", "normal", "full", "extra", "0", "1", "2", "3"]),
    ("locking_mode", &["normal", "exclusive"]),
    ("temp_store", &["default", "file", "memory", "0", "1", "2"]),
    ("auto_vacuum", &["none", "full", "incremental", "0", "1", "2"]),
    ("begin", &["deferred", "immediate", "exclusive"]),
];

/// Whether a command succeeds, and what it prints to both.
fn outcome(command: &mut Command) -> Option<(bool, String, String)> {
    command.env("LC_ALL", "C").current_dir("/");
    let output =
        tenbin_intake::output_within(command.stdin(Stdio::null()), tenbin_intake::SMALL, tenbin_intake::SILENCE)
            .ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((output.status.success(), text(&output.stdout), text(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_mysql_and_mariadb_say_of_a_value() {
        let help = "  --innodb-flush-method=name \n                      With which method to flush data.. One of: fsync,\n                      O_DSYNC, O_DIRECT\n  --x=#  y\n";
        let judged = |pair: (&str, &str), err: &str, shown: &[(&str, &str)], defaults: &[(&str, &str)]| {
            let wrong = judge_mysql(&map(&[pair]), err, &map(shown), &map(defaults), |name| words_in(help, name));
            wrong
                .first()
                .map(|wrong| (wrong.right.clone().unwrap_or_default(), wrong.complaint.clone(), wrong.words.join(" ")))
        };
        let expected =
            |right: &str, said: &str, words: &str| Some((right.to_owned(), said.to_owned(), words.to_owned()));
        let commit = "innodb_flush_log_at_trx_commit";
        let adjusted = "option 'innodb-flush-log-at-trx-commit': unsigned value 7 adjusted to 3";
        let warning = format!("2026-11-27 11:42:05 0 [Warning] {adjusted}\n");
        assert_eq!(judged((commit, "7"), &warning, &[(commit, "3")], &[(commit, "1")]), expected("3", adjusted, ""));
        // MySQL says nothing about options of InnoDB.
        assert_eq!(judged((commit, "7"), "", &[(commit, "2")], &[(commit, "1")]), expected("2", "", ""));
        assert_eq!(judged((commit, "2"), "", &[(commit, "2")], &[(commit, "1")]), None);
        let (pool, size) = ("innodb_buffer_pool_size", [("innodb_buffer_pool_size", "134217728")]);
        let suffix = "Unknown suffix 'X' used for variable 'innodb-buffer-pool-size' (value '64X').";
        let error = format!("2026-11-27T11:42:08.879138Z 0 [ERROR] [MY-000058] [Server] {suffix}\n");
        assert_eq!(judged((pool, "64X"), &error, &size, &size), expected("", suffix, ""));
        assert_eq!(judged((pool, "64MB"), &error, &size, &size).map(|judgement| judgement.0).as_deref(), Some("64M"));
        let method = "2026-11-27 0 [ERROR] mariadbd: Error while setting value 'O_DIRCT' to 'innodb-flush-method'";
        let judgement = judged(("innodb_flush_method", "O_DIRCT"), method, &[], &[]);
        assert_eq!(
            judgement.map(|judgement| (judgement.0, judgement.2)),
            Some(("O_DIRECT".into(), "fsync O_DSYNC O_DIRECT".into()))
        );
        let log = [("slow_query_log", "FALSE")];
        assert_eq!(judged(("slow_query_log", "maybe"), "", &log, &log), expected("", "", "ON OFF"));
        assert_eq!(judged(("slow_query_log", "0"), "", &log, &log), None);
        // In blocks, as many as files can be opened, or by itself: no mistake.
        assert_eq!(judged(("max_allowed_packet", "1000000"), "", &[("max_allowed_packet", "999424")], &[]), None);
        assert_eq!(judged(("max_connections", "20000"), "", &[("max_connections", "19000")], &[]), None);
        assert_eq!(
            judged(("innodb_buffer_pool_instances", "0"), "", &[("innodb_buffer_pool_instances", "1")], &[]),
            None
        );
        assert_eq!(judged(("datadir", "/x"), "", &[("datadir", "/var/lib/x/")], &[]), None);
        assert_eq!(
            judged(("sort_buffer_size", "1e6"), "", &[("sort_buffer_size", "1152921504606846976")], &[]),
            expected("1000000", "", "")
        );
    }

    #[test]
    fn what_postgresql_says_of_a_value() {
        let judged = |pair: (&str, &str), err: &str| {
            let wrong = judge_postgres(&map(&[pair, ("other", "1")]), err)?;
            Some((wrong.right, wrong.words.len()))
        };
        let some = |right: &str, words| Some((Some(right.to_owned()), words));
        let at = "2026-11-27 11:42:07.390 GMT [25315]";
        let text = format!(
            "{at} FATAL:  invalid value for parameter \"synchronous_commit\": \"locl\"\n{at} HINT:  Available values: local, remote_write, on, off.\n"
        );
        assert_eq!(judged(("synchronous_commit", "locl"), &text), some("local", 4));
        let text =
            format!("{at} FATAL:  -5 is outside the valid range for parameter \"max_connections\" (1 .. 262143)\n");
        assert_eq!(judged(("max_connections", "-5"), &text), some("1", 0));
        let text = format!(
            "{at} FATAL:  invalid value for parameter \"shared_buffers\": \"64M\"\n{at} HINT:  Valid units for this parameter are \"B\", \"kB\", \"MB\", \"GB\", and \"TB\".\n"
        );
        assert_eq!(judged(("shared_buffers", "64M"), &text), some("64MB", 0));
        let text = format!("{at} FATAL:  parameter \"fsync\" requires a Boolean value\n");
        assert_eq!(judged(("fsync", "perhaps"), &text), Some((None, 2)));
        assert_eq!(judged(("x", "1"), &format!("{at} FATAL:  unrecognized configuration parameter \"x\"\n")), None);
    }
}

//! Statements that set variables, `ALTER SYSTEM SET`, `SET GLOBAL` and `SET PERSIST`, and answers to those that show single ones.

use super::arguments::Settings;
use std::collections::BTreeMap;
use tenbin_model::variables;

/// What the statements of a text give to a server.
pub(super) struct StatedSettings {
    pub settings: Settings,
    /// The variables that some of them set for a session, a role or a database only, beside those for the whole server.
    pub left: Vec<String>,
}

/// For whom a statement sets a variable.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    Server,
    Session,
    /// A role or a database.
    Part,
}

/// What the statements of a text set, in their order, or `None` if they set nothing. Those of sessions count if there are no others.
pub(super) fn read(text: &str) -> Option<StatedSettings> {
    let (mut of_server, mut of_sessions, mut left) = (InOrder::new(), InOrder::new(), Vec::new());
    let mut order = 0..;
    for statement in statements(text) {
        match reset(&statement) {
            Some(name) if name.is_empty() => of_server.clear(),
            Some(name) => _ = of_server.remove(&name),
            None => {}
        }
        for (at, (scope, (name, value))) in order.by_ref().zip(set(&statement)) {
            let of_scope = match scope {
                Scope::Server => &mut of_server,
                Scope::Session => &mut of_sessions,
                Scope::Part => {
                    left.push(name);
                    continue;
                }
            };
            // What has its default is not set.
            match value.eq_ignore_ascii_case("default") {
                true => _ = of_scope.remove(&name),
                false => _ = of_scope.insert(name, (at, value)),
            }
        }
    }
    if of_server.is_empty() {
        return (!of_sessions.is_empty()).then(|| StatedSettings { settings: settings(of_sessions), left });
    }
    left.extend(of_sessions.into_keys());
    left.sort();
    left.dedup();
    Some(StatedSettings { settings: settings(of_server), left })
}

/// Variables, each with the place at which it was set last, and its value.
type InOrder = BTreeMap<String, (usize, String)>;

fn settings(all: InOrder) -> Settings {
    let mut all: Vec<(usize, (String, String))> =
        all.into_iter().map(|(name, (at, value))| (at, (name, value))).collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, setting)| setting).collect()
}

/// The statements of a text without comments, each on one line. MySQL executes what stands in `/*! … */`; a quote that is not closed in its
/// line is an apostrophe.
fn statements(text: &str) -> Vec<String> {
    let (mut all, mut now, mut at, mut line_end) = (Vec::new(), String::new(), 0, 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        // A line may be as long as the text.
        if line_end <= at {
            line_end = rest.find('\n').map_or(text.len(), |length| at + length);
        }
        let line = &text[at..line_end];
        let length = match first {
            '\'' | '"' | '`' => {
                let end = line[1..].find(first).map_or(1, |end| end + 2);
                now.push_str(&rest[..end]);
                end
            }
            '-' | '#' if is_comment(line) && now.chars().next_back().is_none_or(char::is_whitespace) => line.len(),
            '/' if rest.starts_with("/*!") => {
                rest.len() - rest[3..].trim_start_matches(|c: char| c.is_ascii_digit()).len()
            }
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '*' if rest.starts_with("*/") => 2,
            ';' => {
                all.push(std::mem::take(&mut now));
                1
            }
            other => {
                now.push(other);
                other.len_utf8()
            }
        };
        at += length;
    }
    all.push(now);
    all.iter().map(|statement| statement.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn is_comment(line: &str) -> bool {
    line.starts_with("--") || line.starts_with('#')
}

/// The variable that `ALTER SYSTEM RESET work_mem` or `RESET PERSIST x` takes back; empty for all.
fn reset(statement: &str) -> Option<String> {
    const BEGINS: [&str; 2] = ["alter system reset", "reset persist"];
    let lower = statement.to_ascii_lowercase();
    let rest = BEGINS.iter().find_map(|begin| lower.find(begin).map(|at| lower[at + begin.len()..].trim()))?;
    let name = rest.strip_prefix("if exists ").unwrap_or(rest).trim();
    Some(if name == "all" { String::new() } else { variables::canonical_name(name) })
}

/// `ALTER SYSTEM SET work_mem TO '64MB'`, `SET PERSIST sync_binlog = 1`, `SET @@GLOBAL.sync_binlog = 1`, whatever prompt stands before it;
/// `SET work_mem = '64MB'` and SQLite's `PRAGMA x = 1` at the beginning of a statement. A statement of MySQL sets several, of which those
/// without a scope have that of the one before them.
fn set(statement: &str) -> Vec<(Scope, (String, String))> {
    let lower = statement.to_ascii_lowercase();
    const BEGINS: [&str; 7] = [
        "alter system set ",
        "set global ",
        "set persist ",
        "set persist_only ",
        "set @@global.",
        "set @@persist.",
        "set @@persist_only.",
    ];
    const OF_SESSIONS: [&str; 6] = ["set session ", "set local ", "set @@session.", "set @@local.", "pragma ", "set "];
    const OF_PARTS: [&str; 3] = ["alter role ", "alter user ", "alter database "];
    let of_all = || BEGINS.iter().find_map(|begin| lower.find(begin).map(|at| (Scope::Server, at + begin.len())));
    let of_one = || {
        let begin = OF_SESSIONS.iter().find(|begin| lower.starts_with(**begin))?;
        Some((Scope::Session, begin.len()))
    };
    let of_part = || {
        let is_it = OF_PARTS.iter().any(|begin| lower.starts_with(begin));
        Some((Scope::Part, lower.find(" set ").filter(|_| is_it)? + " set ".len()))
    };
    let Some((mut scope, at)) = of_part().or_else(of_all).or_else(of_one) else { return Vec::new() };
    let mut all: Vec<(Scope, (String, String))> = Vec::new();
    for part in split_outside_quotes(statement.get(at..).unwrap_or_default()) {
        let (own, part) = without_scope(part);
        scope = own.unwrap_or(scope);
        match (assigned(part), all.last_mut()) {
            (Some(setting), _) => all.push((scope, setting)),
            // A list of words.
            (None, Some((_, (_, value)))) => *value = format!("{value},{}", unquoted(part)),
            (None, None) => return all,
        }
    }
    all.retain(|(_, (_, value))| !value.contains(['\'', '"']) && !value.is_empty());
    all.into_iter().map(|(scope, (name, value))| (scope, (variables::canonical_name(&name), value))).collect()
}

/// The parts between commas.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let (mut all, mut from, mut quote) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ',' => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[from..].trim());
    all
}

/// The scope that an assignment names, and what follows it.
fn without_scope(part: &str) -> (Option<Scope>, &str) {
    const SCOPES: [(&str, Scope); 10] = [
        ("global ", Scope::Server),
        ("persist ", Scope::Server),
        ("persist_only ", Scope::Server),
        ("@@global.", Scope::Server),
        ("@@persist.", Scope::Server),
        ("@@persist_only.", Scope::Server),
        ("session ", Scope::Session),
        ("local ", Scope::Session),
        ("@@session.", Scope::Session),
        ("@@local.", Scope::Session),
    ];
    let of = |name: &str| part.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let named = SCOPES.iter().find(|(name, _)| of(name));
    named.map_or((None, part), |(name, scope)| (Some(*scope), &part[name.len()..]))
}

/// `name = value`, `name := value`, `name TO value`.
fn assigned(part: &str) -> Option<(String, String)> {
    let end = part.find(|c: char| !c.is_ascii_alphanumeric() && !"_.-".contains(c))?;
    let (name, value) = part.split_at(end);
    let value = value.trim_start();
    let value = value
        .strip_prefix(":=")
        .or_else(|| value.strip_prefix('='))
        .or_else(|| value.get(..3).filter(|to| to.eq_ignore_ascii_case("to ")).map(|_| &value[3..]))?;
    (!name.is_empty()).then(|| (name.to_owned(), unquoted(value)))
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    value.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"'])).unwrap_or(value).to_owned()
}

/// The answers of psql to `SHOW shared_buffers`: a name, a rule, a value and `(1 row)`; of `mysqld --verbose --help` the names and values below
/// its rule.
pub(super) fn shown(text: &str) -> Option<Settings> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
    let is_rule = |line: &str| line.len() > 2 && line.bytes().all(|b| b == b'-');
    let mut all = Settings::new();
    for four in lines.windows(4) {
        let [name, rule, value, end] = four else { continue };
        if is_name(name) && is_rule(rule) && *end == "(1 row)" {
            all.push((variables::canonical_name(name), (*value).to_owned()));
        }
    }
    let help = lines.iter().position(|line| line.starts_with("Variables (--variable-name=value)"));
    if let Some(at) = help {
        let below = lines[at..].iter().skip_while(|line| !line.starts_with("----")).skip(1);
        let pairs = below.take_while(|line| !line.is_empty()).filter_map(|line| {
            let (name, value) = line.split_once(char::is_whitespace)?;
            is_name(name).then(|| (variables::canonical_name(name), value.trim().to_owned()))
        });
        all.extend(pairs.filter(|(_, value)| value != "(No default value)"));
    }
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> String {
        of(read(text).map(|given| given.settings))
    }

    fn of(settings: Option<Settings>) -> String {
        settings.unwrap_or_default().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn statements_that_set_variables_are_read() {
        for (text, settings) in [
            (
                "ALTER SYSTEM SET shared_buffers = '8GB';\n-- x\nalter system set work_mem to '64MB';\nALTER SYSTEM SET fsync=off;\n",
                "shared_buffers=8GB work_mem=64MB fsync=off",
            ),
            (
                "SET GLOBAL sync_binlog=0;\nSET PERSIST innodb_io_capacity = 2000;\nset @@global.max_connections := 500;\n",
                "sync_binlog=0 innodb_io_capacity=2000 max_connections=500",
            ),
            ("mysql> SET GLOBAL sync_binlog = 0;\nQuery OK, 0 rows affected (0.00 sec)\n", "sync_binlog=0"),
            ("SET GLOBAL sync_binlog=0, GLOBAL max_connections = 5;", "sync_binlog=0 max_connections=5"),
            ("SET GLOBAL sync_binlog=0, max_connections = 5, SESSION flush_time=1;", "sync_binlog=0 max_connections=5"),
            ("/* SET GLOBAL flush_time=5; */ SET GLOBAL sync_binlog=0; # x", "sync_binlog=0"),
            ("/*!80000 SET GLOBAL sync_binlog=0 */; -- SET GLOBAL a=1;", "sync_binlog=0"),
            ("ALTER SYSTEM SET a=1; ALTER SYSTEM SET b=2; ALTER SYSTEM RESET a;", "b=2"),
            ("ALTER SYSTEM SET a=1; ALTER SYSTEM RESET ALL; ALTER SYSTEM SET b=2;", "b=2"),
            ("SET PERSIST a=1; RESET PERSIST IF EXISTS a; SET GLOBAL b=2;", "b=2"),
            ("ALTER SYSTEM SET a=1; ALTER SYSTEM SET a TO DEFAULT; ALTER SYSTEM SET b=2;", "b=2"),
            ("SET GLOBAL sort_buffer_size=262144;\nSET SESSION sort_buffer_size = 8388608;", "sort_buffer_size=262144"),
            ("ALTER SYSTEM SET log_line_prefix = '%m; %p -- # /*';", "log_line_prefix=%m; %p -- # /*"),
            ("Don't run it twice.\nSET GLOBAL sync_binlog=0;", "sync_binlog=0"),
            ("ALTER ROLE app SET work_mem = '1GB'; ALTER SYSTEM SET jit=off;", "jit=off"),
            ("ALTER DATABASE d SET work_mem = '1GB';", ""),
            ("ALTER SYSTEM SET search_path = 'a', 'b';", "search_path=a,b"),
            ("SET GLOBAL sql_mode='A,B';", "sql_mode=A,B"),
            ("SET work_mem='64MB';\nSET LOCAL jit TO off;", "work_mem=64MB jit=off"),
            ("PRAGMA journal_mode=WAL;", "journal_mode=WAL"),
            ("UPDATE t SET a = 1;", ""),
            ("SET NAMES utf8mb4; SELECT 1;", ""),
            ("ALTER SYSTEM RESET work_mem;", ""),
            ("a sentence on SET GLOBAL", ""),
        ] {
            assert_eq!(given(text), settings, "{text}");
        }
    }

    #[test]
    fn what_is_of_a_session_or_a_part_is_named_beside_what_is_of_the_server() {
        let left = |text: &str| read(text).map_or_else(Vec::new, |given| given.left);
        let text = "SET GLOBAL a=1; SET SESSION b=2; SET c=3; ALTER ROLE app SET d=4; ALTER DATABASE x SET d=5;";
        assert_eq!(left(text), ["b", "c", "d"]);
        assert_eq!(left("SET a=1; SET LOCAL b=2;"), [""; 0]);
    }

    #[test]
    fn answers_on_single_variables_are_read() {
        let psql = " shared_buffers \n----------------\n 128MB\n(1 row)\n\nbench=# SHOW fsync;\n fsync \n-------\n on\n(1 row)\n";
        assert_eq!(of(shown(psql)), "shared_buffers=128MB fsync=on");
        let help = "Usage\n\nVariables (--variable-name=value)\nand boolean options {FALSE|TRUE}     Value (after reading options)\n------------ ----------\nsync-binlog     1\nbind-address    *\nx   (No default value)\n\nTo see\n";
        assert_eq!(of(shown(help)), "sync_binlog=1 bind_address=*");
        assert_eq!(of(shown("a\n---\nb\n")), "");
    }

    /// Each of these would take minutes: a line was searched for its end at each of its characters, and a name among all before it.
    #[test]
    fn a_long_line_and_many_statements_end() {
        assert_eq!(given(&format!("<p>{}", "a 'b' ".repeat(200_000))), "");
        let many: String = (0..30_000).map(|n| format!("SET GLOBAL x_{n} = {n};\n")).collect();
        assert_eq!(read(&many).map_or(0, |given| given.settings.len()), 30_000);
    }
}

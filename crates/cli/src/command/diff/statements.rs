//! Statements that set variables, `ALTER SYSTEM SET`, `SET GLOBAL` and `SET PERSIST`, and answers to those that show single ones.

use super::arguments::Settings;
use tenbin_model::variables;

/// What the statements of a text set, or `None` if it has none of them.
pub(super) fn read(text: &str) -> Option<Settings> {
    let without_comments: String =
        text.lines().filter(|line| !is_comment(line)).flat_map(|line| [line, "\n"]).collect();
    let all: Settings = without_comments.split(';').flat_map(set).collect();
    (!all.is_empty()).then_some(all)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--") || line.starts_with('#')
}

/// `ALTER SYSTEM SET work_mem TO '64MB'`, `SET PERSIST sync_binlog = 1`, `SET @@GLOBAL.sync_binlog = 1`, whatever prompt stands before it;
/// `SET work_mem = '64MB'` and SQLite's `PRAGMA x = 1` at the beginning of a statement. A statement of MySQL sets several.
fn set(statement: &str) -> Settings {
    let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
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
    const OF_SESSIONS: [&str; 4] = ["set session ", "set local ", "pragma ", "set "];
    let of_all = BEGINS.iter().find_map(|begin| lower.find(begin).map(|at| at + begin.len()));
    let of_one = || OF_SESSIONS.iter().find_map(|begin| lower.strip_prefix(begin).map(|_| begin.len()));
    let Some(rest) = of_all.or_else(of_one).and_then(|at| statement.get(at..)) else { return Settings::new() };
    let mut all = Settings::new();
    for part in split_outside_quotes(rest) {
        match (assigned(without_scope(part)), all.last_mut()) {
            (Some(setting), _) => all.push(setting),
            // A list of words.
            (None, Some((_, value))) => *value = format!("{value},{}", unquoted(part)),
            (None, None) => return all,
        }
    }
    all.retain(|(_, value)| !value.contains(['\'', '"']) && !value.is_empty());
    all.into_iter().map(|(name, value)| (variables::canonical_name(&name), value)).collect()
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

fn without_scope(part: &str) -> &str {
    const SCOPES: [&str; 8] = [
        "global ",
        "session ",
        "persist ",
        "persist_only ",
        "@@global.",
        "@@session.",
        "@@persist.",
        "@@persist_only.",
    ];
    let of = |scope: &&str| part.get(..scope.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scope));
    SCOPES.iter().find(|scope| of(scope)).map_or(part, |scope| &part[scope.len()..])
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
            ("ALTER SYSTEM SET search_path = 'a', 'b';", "search_path=a,b"),
            ("SET GLOBAL sql_mode='A,B';", "sql_mode=A,B"),
            ("SET work_mem='64MB';\nSET LOCAL jit TO off;", "work_mem=64MB jit=off"),
            ("PRAGMA journal_mode=WAL;", "journal_mode=WAL"),
            ("UPDATE t SET a = 1;", ""),
            ("SET NAMES utf8mb4; SELECT 1;", ""),
            ("ALTER SYSTEM RESET work_mem;", ""),
            ("a sentence on SET GLOBAL", ""),
        ] {
            assert_eq!(of(read(text)), settings, "{text}");
        }
    }

    #[test]
    fn answers_on_single_variables_are_read() {
        let psql = " shared_buffers \n----------------\n 128MB\n(1 row)\n\nbench=# SHOW fsync;\n fsync \n-------\n on\n(1 row)\n";
        assert_eq!(of(shown(psql)), "shared_buffers=128MB fsync=on");
        let help = "Usage\n\nVariables (--variable-name=value)\nand boolean options {FALSE|TRUE}     Value (after reading options)\n------------ ----------\nsync-binlog     1\nbind-address    *\nx   (No default value)\n\nTo see\n";
        assert_eq!(of(shown(help)), "sync_binlog=1 bind_address=*");
        assert_eq!(of(shown("a\n---\nb\n")), "");
    }
}

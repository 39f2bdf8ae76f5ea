//! Statements that set variables, `ALTER SYSTEM SET`, `SET GLOBAL` and `SET PERSIST`, and answers to those that show single ones.

use super::arguments::Settings;
use tenbin_model::variables;

/// What the statements of a text set, or `None` if it has none of them.
pub(super) fn read(text: &str) -> Option<Settings> {
    let without_comments: String =
        text.lines().filter(|line| !is_comment(line)).flat_map(|line| [line, "\n"]).collect();
    let all: Settings = without_comments.split(';').filter_map(set).collect();
    (!all.is_empty()).then_some(all)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--") || line.starts_with('#')
}

/// `ALTER SYSTEM SET work_mem TO '64MB'`, `SET PERSIST sync_binlog = 1`, `SET @@GLOBAL.sync_binlog = 1`, whatever prompt stands before it.
fn set(statement: &str) -> Option<(String, String)> {
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
    let at = BEGINS.iter().find_map(|begin| lower.find(begin).map(|at| at + begin.len()))?;
    let rest = statement.get(at..)?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_.-".contains(c))?;
    let (name, value) = rest.split_at(end);
    let value = value.trim_start();
    let value = value
        .strip_prefix(":=")
        .or_else(|| value.strip_prefix('='))
        .or_else(|| value.get(..3).filter(|to| to.eq_ignore_ascii_case("to ")).map(|_| &value[3..]))?;
    let value = value.trim();
    let plain = value.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"'])).unwrap_or(value);
    let is_one = !name.is_empty() && !plain.contains(['\'', '"']) && !value.is_empty();
    is_one.then(|| (variables::canonical_name(name), plain.to_owned()))
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

    fn of(found: Option<Settings>) -> String {
        found.unwrap_or_default().iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
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

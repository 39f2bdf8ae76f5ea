//! Option files and files of PostgreSQL within the blocks of code of an article in Markdown: what the text around them says is not read.

use super::{conf, dump, keep, option_files};
use std::path::Path;
use tenbin_driver::credentials::option_file::{self, OptionLine};
use tenbin_model::defaults;
use tenbin_model::variables::{self, ServerVariables};

/// What begins and ends a block.
const FENCE: &str = "```";

/// The columns of the blocks that set something for a server: one of all, or one for each if a variable has two values. `None` if there is none.
pub(super) fn columns(text: &str, path: &Path, file: &str) -> Option<Vec<ServerVariables>> {
    let is_set = |column: &ServerVariables| !column.values.is_empty() || !column.secret.is_empty();
    let mut all: Vec<ServerVariables> = Vec::new();
    for block in blocks(text) {
        for column in of_block(&block, path, file).into_iter().filter(is_set) {
            match all.last_mut() {
                Some(known) if known.name == column.name && !dump::contradicts(known, column.values.iter()) => {
                    known.values.extend(column.values);
                    known.secret.extend(column.secret);
                }
                _ => all.push(column),
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The table of a list of changes, if each line is one: ``- `sync_binlog`: 1 → 0``.
pub(super) fn changes(text: &str) -> Option<String> {
    let listed = without_signs(text);
    let change = |line: &str| {
        let (name, values) = line.split_once([':', '='])?;
        let (old, new) = ["→", "->", "=>", "⇒"].iter().find_map(|arrow| values.split_once(arrow))?;
        let new = new.split_once(" (").map_or(new, |(new, _)| new);
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let name = name.trim().trim_matches(['`', '*']);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_of_name);
        let value = |text: &str| text.trim().trim_matches('`').to_owned();
        is_name.then(|| format!("| {name} | {} | {} |\n", value(old), value(new)))
    };
    let lines = listed.as_deref().unwrap_or(text).lines().map(str::trim).filter(|line| !line.is_empty());
    let rows = lines.map(change).collect::<Option<String>>()?;
    (!rows.is_empty()).then(|| format!("| Variable_name | before | after |\n|--|--|--|\n{rows}"))
}

/// The lines of a list of settings without their signs, if each line is an item: ``- `sync_binlog` = 0``.
pub(super) fn without_signs(text: &str) -> Option<String> {
    let item = |line: &str| {
        let line = line.trim_start();
        let numbered = || {
            line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ").filter(|_| !line.starts_with('.'))
        };
        let inner = ["- ", "* ", "• "].iter().find_map(|sign| line.strip_prefix(sign)).or_else(numbered)?;
        Some(inner.replace('`', ""))
    };
    let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(item).collect::<Option<_>>()?;
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The texts between fences, if the text has such.
fn blocks(text: &str) -> Vec<String> {
    let (mut all, mut open): (Vec<String>, Option<String>) = (Vec::new(), None);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with(FENCE);
        match (&mut open, is_fence) {
            (None, true) => open = Some(String::new()),
            (Some(_), true) => all.extend(open.take()),
            (Some(block), false) => block.extend([line, "\n"]),
            (None, false) => {}
        }
    }
    all
}

/// What a block sets, if it is the text of an option file with a group of a server, or of a file of PostgreSQL that sets what is known.
fn of_block(block: &str, path: &Path, file: &str) -> Vec<ServerVariables> {
    let is_of_server =
        |line: &OptionLine| matches!(line, OptionLine::Set(set) if option_files::is_of_server(&set.group));
    if option_file::lines(block).is_ok_and(|lines| lines.iter().any(is_of_server)) {
        return option_files::read(path, block).map_or(Vec::new(), |read| read.columns);
    }
    // Names and values alone are also how clients print what a server has.
    let is_set = |line: &str| line.contains('=') || line.trim_start().starts_with('#') || line.trim().is_empty();
    let Some(read) = conf::read(block).filter(|_| block.lines().all(is_set)) else { return Vec::new() };
    let is_known = |(name, _): &(String, String)| defaults::is_known(&variables::canonical_name(name));
    if !read.parameters.iter().any(is_known) {
        return Vec::new();
    }
    let mut column = ServerVariables { name: file.to_owned(), is_partial: true, ..ServerVariables::default() };
    read.parameters.into_iter().for_each(|(name, value)| keep(&mut column, name, value));
    vec![column]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each column as `variable=value, …`.
    fn shown(text: &str) -> String {
        values(&columns(text, Path::new("no-directory/x.md"), "x.md").unwrap_or_default())
    }

    fn values(all: &[ServerVariables]) -> String {
        let values = |column: &ServerVariables| {
            column.values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
        };
        all.iter().map(values).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_list_of_settings_is_read_without_its_signs() {
        let list = "- sync_binlog = 0\n\n* `max_connections` = `500`\n";
        assert_eq!(without_signs(list).as_deref(), Some("sync_binlog = 0\nmax_connections = 500"));
        assert_eq!(without_signs("1. fsync = on\n12. jit = off\n").as_deref(), Some("fsync = on\njit = off"));
        for other in ["", "sync_binlog = 0\n- fsync = on\n", "--- a\n-x\n"] {
            assert_eq!(without_signs(other), None, "{other}");
        }
    }

    #[test]
    fn a_list_of_changes_is_a_table_of_two_servers() {
        for text in
            ["- `sync_binlog`: `1` → `0`\n- fsync: on -> off (faster)\n", "sync_binlog = 1 => 0\n\nfsync = on => off\n"]
        {
            let table = changes(text).unwrap_or_default();
            let all = dump::printed(&table, "f").unwrap_or_default();
            let names: Vec<&str> = all.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(
                (names, values(&all).as_str()),
                (vec!["before", "after"], "fsync=on, sync_binlog=1; fsync=off, sync_binlog=0"),
                "{text}"
            );
        }
        for other in ["", "sync_binlog: 1\n", "- a: 1 → 2\n- b\n", "how it grew: 1 → 2\n"] {
            assert_eq!(changes(other), None, "{other}");
        }
    }

    #[test]
    fn blocks_of_an_article_are_option_files() {
        let block = |text: &str| format!("We changed this:\n\n```ini\n{text}```\n\nand saw [1] 20 % more.\n");
        let first = block("[mysqld]\nsync_binlog = 0\n");
        assert_eq!(shown(&first), "sync_binlog=0");
        assert_eq!(
            shown(&(first.clone() + &block("[mysqld]\nmax_connections=500\n"))),
            "max_connections=500, sync_binlog=0"
        );
        assert_eq!(shown(&(first.clone() + &block("[mysqld]\nsync_binlog=1\n"))), "sync_binlog=0; sync_binlog=1");
        assert_eq!(
            shown(&block("shared_buffers = 4GB\nwork_mem = 64MB # more\n")),
            "shared_buffers=4GB, work_mem=64MB"
        );
        for other in [
            "```\nx = 1\n```\n",
            "[mysqld]\nsync_binlog=0\n",
            "```\n[client]\nport=1\n```\n",
            "```\nmake -j8\n```\n",
            "```\n[mysqld]\n",
        ] {
            assert_eq!(columns(other, Path::new("x.md"), "x.md").map(|all| all.len()), None, "{other}");
        }
    }
}

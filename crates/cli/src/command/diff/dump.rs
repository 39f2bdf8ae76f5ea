//! Variables as clients of databases print them: SHOW VARIABLES and SHOW ALL in a frame, with tabs or one below the other, tables of
//! Markdown and of pages.

use super::heading::{Rows, heading, is_above, place_of_names};
use super::print_form::{
    barred, framed, framed_one_by_one, is_rule, one_below_the_other, page, pairs, ruled, selected, spaced, tabbed, xml,
};
use super::{keep, print_form};
use tenbin_model::defaults;
use tenbin_model::postgres_units::with_unit;
use tenbin_model::variables::{self, ServerVariables};
use tenbin_published::in_ascii;
use tenbin_terminal::exit;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;
use tenbin_words::text::short;

/// The columns of a text of tags, a page or XML, if it is one. `file` names the column of a single server. The message says why a page cannot be
/// read.
pub(super) fn tagged(text: &str, file: &str) -> Result<Option<Vec<ServerVariables>>, Message> {
    let rows = page(text)?.or_else(|| xml(text));
    Ok(rows.and_then(|rows| some(of_rows(rows, file))))
}

/// The columns of a text that a client has printed, or `None` if it is not such a text.
pub(super) fn printed(text: &str, file: &str) -> Option<Vec<ServerVariables>> {
    let text = &*in_ascii(text);
    let one = |rows: Rows| vec![rows];
    let tables = one_below_the_other(text)
        .or_else(|| framed_one_by_one(text))
        .or_else(|| ruled(text))
        .map(one)
        .or_else(|| framed(text))
        .or_else(|| barred(text).map(one))
        .or_else(|| tabbed(text).map(one))
        .or_else(|| spaced(text).map(one))
        .or_else(|| pairs(text).map(one))?;
    // A session shows several tables of one server; if a table has another value for a variable, they are of several.
    let mut all: Vec<ServerVariables> = Vec::new();
    let (of_status, of_variables): (Vec<Rows>, Vec<Rows>) = tables.into_iter().partition(is_of_status);
    if !of_status.is_empty() {
        exit::remark(&Problem::new(msg!("diff-figures-of-status")));
    }
    for column in of_variables.into_iter().flat_map(|rows| of_rows(rows, file)) {
        match all.iter_mut().rfind(|known| known.name == column.name) {
            Some(known) if !contradicts(known, column.values.iter()) => {
                known.values.extend(column.values);
                known.secret.extend(column.secret);
            }
            _ => all.push(column),
        }
    }
    if all.is_empty() && !of_status.is_empty() {
        return Some(vec![ServerVariables { name: file.to_owned(), ..ServerVariables::default() }]);
    }
    some(all)
}

/// The column of a text of names and values that nothing but blanks sets apart.
pub(super) fn aligned(text: &str, file: &str) -> Option<Vec<ServerVariables>> {
    some(of_rows(print_form::aligned(text)?, file))
}

/// Whether a column has another value for one of these variables. It is told, because what is of several servers is seldom meant as
/// such.
pub(super) fn contradicts<'v>(known: &ServerVariables, values: impl Iterator<Item = (&'v String, &'v String)>) -> bool {
    let other = values.filter_map(|(name, value)| Some((name, known.values.get(name)?, value)));
    let Some((name, former, now)) =
        other.into_iter().find(|(_, former, now)| variables::plain(former) != variables::plain(now))
    else {
        return false;
    };
    let shown = |value: &str| if secret::is_in(value) { "…".to_owned() } else { short(value, SHOWN) };
    let (former, now) = (shown(former), shown(now));
    exit::remark(&Problem::new(msg!("diff-two-values", file = known.name, name, former, now)));
    true
}

/// Whether most names are of SHOW STATUS, which writes them with a capital letter: figures, and no settings.
fn is_of_status(rows: &Rows) -> bool {
    let heads: Vec<String> =
        rows.first().map(|cells| cells.iter().map(|cell| heading(cell)).collect()).unwrap_or_default();
    let name_at = place_of_names(&heads).unwrap_or(0);
    let names: Vec<&String> = rows.iter().skip(1).filter_map(|cells| cells.get(name_at)).collect();
    let is_of_status = |name: &&&String| {
        let rest = name.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
        !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    2 * names.iter().filter(is_of_status).count() > names.len()
}

/// Whether a text is a table that a client has printed, whatever its file is called: with tabs, or with a rule.
pub(super) fn is_printed(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(3);
    let is_tabbed = |line: &str| line.contains('\t') && !line.contains([',', ';', '"']);
    lines.next().is_some_and(is_tabbed) || text.lines().take(3).any(|line| line.len() > 4 && is_rule(line.trim()))
}

fn some(columns: Vec<ServerVariables>) -> Option<Vec<ServerVariables>> {
    columns.iter().any(|column| !column.values.is_empty() || !column.secret.is_empty()).then_some(columns)
}

/// Of names beside values: the values of a server in each column. A text without headings has names and values. What stands in other
/// columns is not known without them.
fn of_rows(rows: Rows, file: &str) -> Vec<ServerVariables> {
    let rows = selected(&rows).unwrap_or(rows);
    let heads: Vec<String> =
        rows.first().map(|cells| cells.iter().map(|cell| heading(cell)).collect()).unwrap_or_default();
    if place_of_names(&heads).is_some() || are_servers(&heads) {
        return of_table(rows, file);
    }
    let is_known = |cell: &String| defaults::is_known(&variables::canonical_name(cell));
    // A row for each server.
    if heads.len() > 2 && heads.iter().skip(1).filter(|head| is_known(head)).count() * 2 >= heads.len() - 1 {
        let turned = (0..heads.len()).map(|at| rows.iter().filter_map(|cells| cells.get(at).cloned()).collect());
        return of_table(turned.collect(), file);
    }
    let first_is_known = rows.first().and_then(|cells| cells.first()).is_some_and(is_known);
    match heads.len() {
        0..=2 => of_table([vec!["name".to_owned(), "value".to_owned()]].into_iter().chain(rows).collect(), file),
        _ if !first_is_known && rows.iter().skip(1).filter_map(|cells| cells.first()).any(is_known) => {
            of_table(rows, file)
        }
        _ => Vec::new(),
    }
}

/// Whether headings without a word above the names are those of servers: `| | MySQL 5.7 | MySQL 8.0 |`.
fn are_servers(heads: &[String]) -> bool {
    heads.split_first().is_some_and(|(first, others)| {
        first.is_empty() && !others.is_empty() && others.iter().all(|head| !head.is_empty())
    })
}

/// The same of a table whose first row has headings. Where one of them is above values, the columns before the names and beside the
/// values say more about a variable, and are no servers.
pub(super) fn of_table(rows: Rows, file: &str) -> Vec<ServerVariables> {
    let Some(first) = rows.first() else { return Vec::new() };
    let heads: Vec<String> = first.iter().map(|cell| heading(cell)).collect();
    let name_at = place_of_names(&heads).unwrap_or(0);
    let places: Vec<usize> = match value_of_settings(&heads) {
        Some(at) => vec![at],
        None => of_servers(&heads, name_at, &rows),
    };
    let is_one = value_of_settings(&heads).is_some();
    let unit_at = heads.iter().position(|head| head == "unit").filter(|_| is_one);
    let name = |at: &usize| if is_one { file.to_owned() } else { first[*at].clone() };
    let several = places.len() > 1;
    let begun = || -> Vec<ServerVariables> {
        places.iter().map(|at| ServerVariables { name: name(at), ..ServerVariables::default() }).collect()
    };
    let (mut all, mut columns) = (Vec::new(), begun());
    // Tables that were joined have their headings once more.
    let is_head = |cells: &[String]| {
        cells.len() == heads.len() && cells.iter().map(|cell| heading(cell)).eq(heads.iter().cloned())
    };
    // A line of a file of PostgreSQL that is not in force.
    let applied_at = heads.iter().position(|head| head == "applied");
    let is_left = |cells: &[String]| applied_at.and_then(|at| cells.get(at)).is_some_and(|applied| applied == "f");
    for cells in rows.iter().skip(1).filter(|cells| !is_head(cells) && !is_left(cells)) {
        let Some(name) = cells.get(name_at).filter(|name| !name.is_empty()) else { continue };
        let of_words = in_words(without_link(name));
        let is_in_words = of_words.is_some();
        let name = of_words.unwrap_or_else(|| variables::canonical_name(without_link(name)));
        let unit = unit_at.and_then(|at| cells.get(at)).map_or("", String::as_str);
        let values: Vec<Option<String>> = places
            .iter()
            .map(|at| cells.get(*at).filter(|value| !(several && is_none(value))).map(|value| with_unit(value, unit)))
            .map(|value| value.map(|value| if is_in_words { without_thousands(value) } else { value }))
            .collect();
        let is_other = |(column, value): (&ServerVariables, &Option<String>)| {
            value.as_ref().is_some_and(|value| contradicts(column, [(&name, value)].into_iter()))
        };
        // The second value of a variable is that of another server.
        if columns.iter().zip(&values).any(is_other) {
            all.extend(std::mem::replace(&mut columns, begun()));
            if all.len() > MOST_PARTS * places.len() {
                return Vec::new();
            }
        }
        for (column, value) in columns.iter_mut().zip(values) {
            if let Some(value) = value {
                keep(column, name.clone(), value);
            }
        }
    }
    all.extend(columns);
    all
}

/// The variable whose name has blanks in it, as phpMyAdmin shows them: `innodb buffer pool size`.
fn in_words(name: &str) -> Option<String> {
    let name = name.trim();
    let joined = name.contains(' ').then(|| variables::canonical_name(&name.replace(' ', "_")))?;
    defaults::is_known(&joined).then_some(joined)
}

/// `134,217,728` without the signs between its thousands.
fn without_thousands(value: String) -> String {
    let is_group = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = value.split(',');
    let first = parts.next().unwrap_or_default();
    let is_number =
        (1..4).contains(&first.len()) && is_group(first) && parts.all(|part| part.len() == 3 && is_group(part));
    if is_number { value.replace(',', "") } else { value }
}

/// More parts that contradict one another are no tables of variables.
const MOST_PARTS: usize = 16;

/// A cell of a table of several servers by which people say that one has no value of its own.
fn is_none(cell: &str) -> bool {
    const WORDS: [&str; 12] = [
        "-",
        "–",
        "—",
        "n/a",
        "(n/a)",
        "(default)",
        "(none)",
        "not set",
        "(not set)",
        "unset",
        "(unset)",
        "not available",
    ];
    let cell = cell.trim().to_lowercase();
    WORDS.contains(&cell.as_str())
}

/// `[innodb_io_capacity](https://…)` of Markdown without its address.
fn without_link(name: &str) -> &str {
    let inner = name.strip_prefix('[').and_then(|rest| rest.split_once("](")).filter(|(_, rest)| rest.ends_with(')'));
    inner.map_or(name, |(name, _)| name.trim_matches('`'))
}

/// The places of servers after that of the names. Columns of remarks are left out, and said, unless there is nothing else.
fn of_servers(heads: &[String], name_at: usize, rows: &Rows) -> Vec<usize> {
    let (mut remarks, mut servers): (Vec<usize>, Vec<usize>) =
        (name_at + 1..heads.len()).partition(|at| is_above("remark", &heads[*at]));
    if let [first, second, ..] = servers[..] {
        let is_remark = |at: &usize| *at > second && (heads[*at].is_empty() || says_more(rows, [first, second], *at));
        let more;
        (more, servers) = servers.into_iter().partition(is_remark);
        remarks.extend(more);
        remarks.sort_unstable();
    }
    if servers.is_empty() {
        return remarks;
    }
    // Beside the only server a column of numbers is what it was changed to: `Before | Change`.
    if let [only] = servers[..]
        && let Some(at) = remarks
            .iter()
            .position(|at| *at > only && is_above("change", &heads[*at]) && has_its_numbers(rows, [only, *at]))
    {
        servers.push(remarks.remove(at));
    }
    let is_filled = |at: &usize| rows.iter().filter_map(|cells| cells.get(*at)).any(|cell| !cell.trim().is_empty());
    for at in remarks.into_iter().filter(is_filled) {
        let name = rows.first().and_then(|heads| heads.get(at)).map_or("", String::as_str);
        exit::remark(&Problem::new(msg!("diff-column-of-remarks", name = short(name, SHOWN))));
    }
    servers
}

/// Whether the second column has numbers wherever the first one has some.
fn has_its_numbers(rows: &Rows, [of, at]: [usize; 2]) -> bool {
    let cell =
        |cells: &Vec<String>, at: usize| cells.get(at).map(|cell| cell.trim().to_lowercase()).unwrap_or_default();
    let mut of_numbers = rows.iter().skip(1).filter(|cells| is_number(&cell(cells, of))).peekable();
    of_numbers.peek().is_some() && of_numbers.all(|cells| is_number(&cell(cells, at)))
}

/// Whether a column behind two of servers says more about their values: where both are numbers, its cells are words, marks or empty, and some
/// are no value that a server may have there.
fn says_more(rows: &Rows, of_servers: [usize; 2], at: usize) -> bool {
    let cell =
        |cells: &Vec<String>, at: usize| cells.get(at).map(|cell| cell.trim().to_lowercase()).unwrap_or_default();
    let mut any = false;
    for cells in rows.iter().skip(1) {
        if !of_servers.iter().all(|at| is_number(&cell(cells, *at))) {
            continue;
        }
        let text = cell(cells, at);
        if is_number(&text) {
            return false;
        }
        any |= !(text.is_empty() || is_none(&text) || MAY_BE_VALUES.contains(&text.as_str()));
    }
    any
}

/// Words that a setting may have in the place of a number.
const MAY_BE_VALUES: [&str; 12] =
    ["default", "auto", "autosize", "autosized", "unlimited", "infinite", "none", "null", "on", "off", "true", "false"];

/// `128`, `8G`, `512 MB`, `-1`, but not `2x` and `+50%`.
fn is_number(cell: &str) -> bool {
    let number = cell.strip_prefix('-').unwrap_or(cell);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit() || ".,_ ".contains(c));
    let is_unit =
        rest.chars().count() <= LONGEST_UNIT && rest.chars().all(|c| c.is_ascii_alphanumeric()) && rest != "x";
    number.starts_with(|c: char| c.is_ascii_digit()) && is_unit
}

/// `minutes`.
const LONGEST_UNIT: usize = 7;

/// What is shown of a heading in a sentence.
const SHOWN: usize = 40;

/// The place of the values of a table of one server: SHOW VARIABLES, pg_settings, SHOW ALL, the variables of TiDB with their scope.
fn value_of_settings(heads: &[String]) -> Option<usize> {
    let name_at = place_of_names(heads)?;
    let is_beside = |head: &str| is_above("beside", head) || is_above("remark", head);
    let is_value = |(at, head): (usize, &String)| at != name_at && is_above("value", head);
    let value_at = heads.iter().enumerate().position(is_value)?;
    (heads.len() == 2 || name_at > 0 || heads.iter().any(|head| is_beside(head))).then_some(value_at)
}

/// Whether the headings are those of a table of one server that says more about its variables.
pub(super) fn is_of_settings(heads: &[String]) -> bool {
    let heads: Vec<String> = heads.iter().map(|head| heading(head)).collect();
    heads.len() > 2 && value_of_settings(&heads).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each column as `name: variable=value, …`.
    fn shown(text: &str) -> String {
        let columns = tagged(text, "f")
            .unwrap()
            .or_else(|| printed(text, "f"))
            .or_else(|| aligned(text, "f"))
            .unwrap_or_default();
        let values = |column: &ServerVariables| {
            column.values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(", ")
        };
        columns.iter().map(|column| format!("{}: {}", column.name, values(column))).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_clients_print_is_read() {
        let framed = "+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| sync_binlog   | 1     |\n+---------------+-------+\n1 row in set\n";
        let psql = "      name      | setting |  unit | category\n----------------+---------+-------+------\n shared_buffers | 16384   | 8kB   | Memory\n(1 row)\n";
        let show_all = " name | setting | description\n------+---------+------\n fsync | on | Forces\n(1 row)\n";
        for (text, columns) in [
            (framed, "f: sync_binlog=1"),
            ("Variable_name\tValue\nsync_binlog\t1\nsql_mode\t\n", "f: sql_mode=, sync_binlog=1"),
            ("sync_binlog\t1\nmax_connections\t151\n", "f: max_connections=151, sync_binlog=1"),
            (
                "*************** 1. row ***************\nVariable_name: sync_binlog\n        Value: 1\n",
                "f: sync_binlog=1",
            ),
            (psql, "f: shared_buffers=131072kB"),
            (show_all, "f: fsync=on"),
            ("| Variable | A | B |\n|--|--|--|\n| `sync-binlog` | 0 | 1 |\n", "A: sync_binlog=0; B: sync_binlog=1"),
            (
                "+-------+---------------+-------+\n| Scope | Variable_name | Value |\n+-------+---------------+-------+\n|       | sync_binlog   | 0     |\n|       | x_filter      | a|b   |\n+-------+---------------+-------+\n",
                "f: sync_binlog=0, x_filter=a|b",
            ),
            ("| Variable | Value |\n|--|--|\n| x | a|b |\n| y | a\\|b |\n", "f: x=a|b, y=a|b"),
            (
                " category | name | setting | unit\n----------+------+---------+------\n Memory | work_mem | 4096 | kB\n",
                "f: work_mem=4096kB",
            ),
            ("Scope\tVariable_name\tValue\n\tsync_binlog\t0\n", "f: sync_binlog=0"),
            ("| Setting | A | B |\n|--|--|--|\n| fsync | on | off |\n", "A: fsync=on; B: fsync=off"),
            ("| パラメータ | A | B |\n|--|--|--|\n| fsync | on | off |\n", "A: fsync=on; B: fsync=off"),
            (
                "| Parameter | Before | After | Description |\n|--|--|--|--|\n| fsync | on | off | safe |\n",
                "Before: fsync=on; After: fsync=off",
            ),
            (
                "| パラメータ | 変更前 | 変更後 | 備考 |\n|--|--|--|--|\n| fsync | on | off | x |\n",
                "変更前: fsync=on; 変更後: fsync=off",
            ),
            ("| Parameter | Value | Notes |\n|--|--|--|\n| fsync | on | x |\n", "f: fsync=on"),
            ("| Parametro | Valor | Porqué |\n|--|--|--|\n| fsync | on | es seguro |\n", "f: fsync=on"),
            (
                "| 项 | 现状 | 调整 | 预期效果 |\n|--|--|--|--|\n| fsync | on(默认) | **off** (每秒) | 快 |\n| jit | on (default) | off | x |\n",
                "现状: fsync=on, jit=on; 调整: fsync=off (每秒), jit=off",
            ),
            (
                "| Parameter | Source | Replica |\n|--|--|--|\n| fsync | on | off |\n",
                "Source: fsync=on; Replica: fsync=off",
            ),
            (
                "<table><tr><th>Variable</th><th>A</th><th>B</th></tr><tr><td>x</td><td>1</td><td>2</td></tr></table>",
                "A: x=1; B: x=2",
            ),
            ("name|setting|unit\nshared_buffers|16384|8kB\n(1 row)\n", "f: shared_buffers=131072kB"),
            (
                "-[ RECORD 1 ]----\nname    | shared_buffers\nsetting | 16384\nunit    | 8kB\n-[ RECORD 2 ]----\nname    | fsync\nsetting | on\nunit    | \n",
                "f: fsync=on, shared_buffers=131072kB",
            ),
            (
                "Variable_name: sync_binlog\n        Value: 0\nVariable_name: fsync\n        Value: 1\n",
                "f: fsync=1, sync_binlog=0",
            ),
            ("Variable_name   Value\nsync_binlog     0\nsql_mode\n", "f: sync_binlog=0"),
            ("Variable_name\tValue\nx\t1\nVariable_name\tValue\ny\t2\n", "f: x=1, y=2"),
            ("| | A 5.7 | A 8.0 |\n|--|--|--|\n| x | 1 | 2 |\n", "A 5.7: x=1; A 8.0: x=2"),
            (
                "| 변수명 | 기존 | 변경 |\n|--|--|--|\n| sync_binlog | 1 | 0 |\n| fsync | on | off |\n",
                "기존: fsync=on, sync_binlog=1; 변경: fsync=off, sync_binlog=0",
            ),
            (
                "| 参数名 | 重启实例 | 默认值 | 当前值 | 取值范围 |\n|--|--|--|--|--|\n| sync_binlog | 否 | 1 | 0 | [0-100] |\n",
                "f: sync_binlog=0",
            ),
            (
                "参数名\t默认值\t运行参数值\t是否重启\t可修改参数值\nsync_binlog\t1\t0\t否\t[0-9]\nfsync\t1\t1\t否\t[0-1]\n",
                "f: fsync=1, sync_binlog=0",
            ),
            ("| Параметр | Значение |\n|--|--|\n| x | 1 |\n", "f: x=1"),
            ("| 参数名 | 参数值 |\n|--|--|\n| x | 1 |\n", "f: x=1"),
            ("| 설정 | A | B |\n|--|--|--|\n| x | 1 | 2 |\n", "A: x=1; B: x=2"),
            // A session, and a text with a table of something else.
            (
                "mysql> SHOW\n+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| x             | 0     |\n+---------------+-------+\n1 row in set\n\nmysql> SHOW\n+---------------+-------+\n| Variable_name | Value |\n+---------------+-------+\n| y             | 100   |\n+---------------+-------+\n",
                "f: x=0, y=100",
            ),
            (
                "# A\n\n| Threads | TPS |\n|--|--|\n| 8 | 100 |\n\n| Variable | Value |\n|--|--|\n| x | 1 |\n\n## B\n\n| Variable | Value |\n|--|--|\n| y | 2 |\n",
                "f: x=1, y=2",
            ),
            ("max_connections|100|\nshared_buffers|16384|8kB\n", "f: max_connections=100, shared_buffers=131072kB"),
            ("sync_binlog: 1\nmax_connections: 100\n", "f: max_connections=100, sync_binlog=1"),
            (
                "┌───────────────┬───────┐\n│ Variable_name │ Value │\n├───────────────┼───────┤\n│ sync_binlog   │ 1     │\n└───────────────┴───────┘\n",
                "f: sync_binlog=1",
            ),
            // One variable with two values is of two servers, or no variable.
            (
                "| Variable | Value |\n|--|--|\n| x | 1 |\n| y | 3 |\n\n| Variable | Value |\n|--|--|\n| x | 2 |\n",
                "f: x=1, y=3; f: x=2",
            ),
            ("sync_binlog\t1\nfsync\t0\nsync_binlog\t0\n", "f: fsync=0, sync_binlog=1; f: sync_binlog=0"),
            ("a.cnf:sync_binlog=1\na.cnf:fsync=0\n", ""),
            ("ROWS\tsync_binlog\t1\nROWS\tfsync\t0\n", ""),
            ("a_b: 1\nc_d: 2\n", ""),
            // Headings that no list has.
            ("| Knob | A | B |\n|--|--|--|\n| fsync | on | off |\n", "A: fsync=on; B: fsync=off"),
            (
                "| Host | fsync | jit |\n|--|--|--|\n| a | on | 1 |\n| b | off | 0 |\n",
                "a: fsync=on, jit=1; b: fsync=off, jit=0",
            ),
            ("| Knob | Before | After |\n|--|--|--|\n| a | 1 | 2 |\n", ""),
            // Cells without a value, names with addresses, and figures of a server.
            (
                "| Setting | A | B |\n|--|--|--|\n| [`fsync`](https://x) | on | N/A |\n| jit | - | off |\n",
                "A: fsync=on; B: jit=off",
            ),
            ("Variable_name\tValue\nUptime\t1\nOpen_tables\t2\n", "f: "),
            ("| fsync | on |\n| work_mem | 4MB |\n", "f: fsync=on, work_mem=4MB"),
            ("Variable\tValue\nsync binlog\t1\nx y\t2\n", "f: sync_binlog=1, x_y=2"),
            ("@@sync_binlog\t@@GLOBAL.x\n1\t2\n", "f: sync_binlog=1, x=2"),
            (
                "------\n| Title |\n+------+----+\n| fsync | on |\n| jit | off |\n+------+----+\n",
                "f: fsync=on, jit=off",
            ),
            ("VARIABLE_NAME\tSESSION_VALUE\tGLOBAL_VALUE\tDEFAULT_VALUE\nX\tNULL\t1\t2\n", "f: x=1"),
            ("name|current_setting|source\nfsync|on|default\n", "f: fsync=on"),
            ("sql_mode\nfsync    on\njit      (No default value)\n", "f: fsync=on, sql_mode="),
            (
                "------\n|  DescribeDBParameters  |\n+------+\n||      Parameters      ||\n|+-----+-----+|\n||  ApplyType       |  static  ||\n||  ParameterName   |  back_log  ||\n||  ParameterValue  |  100  ||\n|+-----+-----+|\n||      Parameters      ||\n|+-----+-----+|\n||  ParameterName   |  fsync  ||\n|+-----+-----+|\n||  ParameterName   |  x_y  ||\n||  ParameterValue  |  a|b  ||\n|+-----+-----+|\n",
                "f: back_log=100, x_y=a|b",
            ),
            (
                "Name         Value  DefaultValue  Source         AllowedValues\n-----------  -----  ------------  -------------  -------------\nsync_binlog  1      1             system-default 0-4294967295\nsql_mode            x             user-override\n",
                "f: sql_mode=, sync_binlog=1",
            ),
            ("PARAMETERS\t1\tsync_binlog\nPARAMETERS\t2\tfsync\n", ""),
            ("just words\nand more of them\n", ""),
            (
                "<?xml version=\"1.0\"?>\n<resultset>\n  <row>\n\t<field name=\"Variable_name\">sync_binlog</field>\n\t<field name=\"Value\">1</field>\n  </row>\n</resultset>\n",
                "f: sync_binlog=1",
            ),
            (
                "+---------------+-------------------+\n| @@sync_binlog | @@GLOBAL.x |\n+---------------+-------------------+\n| 1 | 2 |\n+---------------+-------------------+\n",
                "f: sync_binlog=1, x=2",
            ),
            ("*************** 1. row ***************\n@@sync_binlog: 1\n@@x: 2\n", "f: sync_binlog=1, x=2"),
        ] {
            assert_eq!(shown(text), columns, "{text}");
        }
    }

    #[test]
    fn a_page_with_too_many_columns_says_so() {
        let page = format!("<table><tr><th>Variable_name{}</table>", "<th>a".repeat(3000));
        assert!(tagged(&page, "f").is_err_and(|why| why.is("published-too-many-columns")));
    }
}

//! Variables as clients of databases print them: SHOW VARIABLES and SHOW ALL in a frame, with tabs or one below the other, tables of
//! Markdown, and the JSON of cloud providers, and tables of pages.

use super::keep;
use serde_json::Value;
use std::borrow::Cow;
use tenbin_model::postgres_units::with_unit;
use tenbin_model::variables::{self, ServerVariables};
use tenbin_terminal::exit;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::short;
use unicode_width::UnicodeWidthChar;

/// The columns of a text that a program has written: JSON, or a page. `file` names the column of a single server.
pub(super) fn structured(text: &str, file: &str) -> Option<Vec<ServerVariables>> {
    let rows = json(text).or_else(|| yaml(text)).or_else(|| page(text)).or_else(|| xml(text))?;
    some(of_rows(rows, file))
}

/// The columns of a text that a client has printed, or `None` if it is not such a text.
pub(super) fn printed(text: &str, file: &str) -> Option<Vec<ServerVariables>> {
    let text = &*in_ascii(text);
    let one = |rows: Rows| vec![rows];
    let tables = one_below_the_other(text)
        .map(one)
        .or_else(|| framed(text))
        .or_else(|| barred(text).map(one))
        .or_else(|| tabbed(text).map(one))
        .or_else(|| spaced(text).map(one))
        .or_else(|| pairs(text).map(one))?;
    // A session shows several tables of one server.
    let mut all: Vec<ServerVariables> = Vec::new();
    for column in tables.into_iter().flat_map(|rows| of_rows(rows, file)) {
        match all.iter_mut().find(|known| known.name == column.name) {
            Some(known) => {
                known.values.extend(column.values);
                known.secret.extend(column.secret);
            }
            None => all.push(column),
        }
    }
    some(all)
}

fn some(columns: Vec<ServerVariables>) -> Option<Vec<ServerVariables>> {
    columns.iter().any(|column| !column.values.is_empty() || !column.secret.is_empty()).then_some(columns)
}

/// Rows of cells; the first one may have headings.
type Rows = Vec<Vec<String>>;

/// The headings that are known, each with what it stands above.
const HEADINGS: &str = include_str!("headings.txt");
/// In pg_settings the value; in some tables the name, if no other heading is one.
const SETTING: &str = "setting";

/// Whether a heading stands above names, values, what is beside them, or remarks.
fn is_above(what: &str, head: &str) -> bool {
    HEADINGS.lines().filter_map(|line| line.split_once(": ")).any(|known| known == (what, head))
}

fn heading(cell: &str) -> String {
    cell.trim().trim_matches(['`', '*']).to_lowercase()
}

/// Whether a heading is one above names of variables.
pub(super) fn is_heading_of_names(cell: &str) -> bool {
    is_above("name", &heading(cell))
}

/// The place of the names: that of the first of the headings that are not also one above values.
fn place_of_names(heads: &[String]) -> Option<usize> {
    let of = |setting: bool| heads.iter().position(|head| is_above("name", head) && (head == SETTING) == setting);
    of(false).or_else(|| of(true))
}

/// Of names beside values: the values of a server in each column. A text without headings has names and values.
fn of_rows(rows: Rows, file: &str) -> Vec<ServerVariables> {
    let rows = selected(&rows).unwrap_or(rows);
    let heads: Vec<String> =
        rows.first().map(|cells| cells.iter().map(|cell| heading(cell)).collect()).unwrap_or_default();
    match place_of_names(&heads) {
        Some(_) => of_table(rows, file),
        None if are_servers(&heads) => of_table(rows, file),
        None => of_table([vec!["name".to_owned(), "value".to_owned()]].into_iter().chain(rows).collect(), file),
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
        None => of_servers(&heads, name_at, first),
    };
    let is_one = value_of_settings(&heads).is_some();
    let unit_at = heads.iter().position(|head| head == "unit").filter(|_| is_one);
    let name = |at: &usize| if is_one { file.to_owned() } else { first[*at].clone() };
    let mut columns: Vec<ServerVariables> =
        places.iter().map(|at| ServerVariables { name: name(at), ..ServerVariables::default() }).collect();
    // Tables that were joined have their headings once more.
    let is_head = |cells: &[String]| {
        cells.len() == heads.len() && cells.iter().map(|cell| heading(cell)).eq(heads.iter().cloned())
    };
    for cells in rows.iter().skip(1).filter(|cells| !is_head(cells)) {
        let Some(name) = cells.get(name_at).filter(|name| !name.is_empty()) else { continue };
        let name = variables::canonical_name(name);
        for (column, place) in columns.iter_mut().zip(&places) {
            let Some(value) = cells.get(*place) else { continue };
            let unit = unit_at.and_then(|at| cells.get(at));
            keep(column, name.clone(), with_unit(value, unit.map_or("", String::as_str)));
        }
    }
    columns
}

/// The places of servers after that of the names. Columns of remarks are left out, and said, unless there is nothing else.
fn of_servers(heads: &[String], name_at: usize, shown: &[String]) -> Vec<usize> {
    let (remarks, servers): (Vec<usize>, Vec<usize>) =
        (name_at + 1..heads.len()).partition(|at| is_above("remark", &heads[*at]));
    if servers.is_empty() {
        return remarks;
    }
    for at in remarks {
        exit::remark(&Problem::new(msg!("diff-column-of-remarks", name = short(&shown[at], SHOWN))));
    }
    servers
}

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

/// `*** 1. row ***`, as `\G` prints it, and `-[ RECORD 1 ]` of psql's `\x`.
fn one_below_the_other(text: &str) -> Option<Rows> {
    let is_row = |line: &str| line.starts_with("***") && line.contains(". row ***");
    let is_record = |line: &str| line.starts_with("-[ RECORD ");
    let begins = |line: &str| is_row(line) || is_record(line);
    let first = text.lines().find(|line| begins(line))?;
    let separator = if is_record(first) { '|' } else { ':' };
    let head = ["name", "setting", "unit"].map(str::to_owned).to_vec();
    let mut all: Rows = vec![head];
    let mut now: [Option<String>; 3] = [None, None, None];
    let end = |now: &mut [Option<String>; 3], all: &mut Rows| {
        let [name, value, unit] = std::mem::take(now);
        all.extend(name.zip(value).map(|(name, value)| vec![name, value, unit.unwrap_or_default()]));
    };
    for line in text.lines() {
        if begins(line) {
            end(&mut now, &mut all);
        }
        let Some((label, value)) = line.split_once(separator) else { continue };
        if let Some(name) = label.trim().strip_prefix("@@") {
            let name = name.to_lowercase();
            let name = name.strip_prefix("global.").unwrap_or(&name).to_owned();
            all.push(vec![name, value.trim().to_owned(), String::new()]);
            continue;
        }
        let place = match label.trim().to_lowercase().as_str() {
            "variable_name" | "name" => 0,
            "value" | "setting" | "variable_value" => 1,
            "unit" => 2,
            _ => continue,
        };
        now[place].get_or_insert_with(|| value.trim().to_owned());
    }
    end(&mut now, &mut all);
    (all.len() > 1).then_some(all)
}

/// Rows between `|`: of `mysql -t`, of psql, of Markdown. Of several tables those of variables, or else the first one.
fn framed(text: &str) -> Option<Vec<Rows>> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some((rows, end)) = framed_from(&lines, at) {
        let is_table = rows.len() > 1 && (rows[0].len() > 1 || rows[0].iter().any(|head| head.starts_with("@@")));
        all.extend(is_table.then_some(rows));
        at = end;
    }
    let is_of_variables = |rows: &Rows| {
        rows[0].iter().any(|head| is_heading_of_names(head)) || rows[0].iter().all(|head| head.starts_with("@@"))
    };
    match all.iter().any(is_of_variables) {
        true => all.retain(is_of_variables),
        false => all.truncate(1),
    }
    (!all.is_empty()).then_some(all)
}

fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| "+-|=: ".contains(c))
}

/// The first table from a line on, and the line behind it.
fn framed_from(lines: &[&str], from: usize) -> Option<(Rows, usize)> {
    // The first row stands above or below a line of dashes.
    let rule = from + lines.get(from..)?.iter().position(|line| is_rule(line))?;
    let head = if rule > from && lines[rule - 1].contains('|') { rule - 1 } else { rule + 1 };
    let rows = || lines.iter().skip(head).take_while(|line| line.contains('|') || is_rule(line));
    let end = (head + rows().count()).max(rule + 1);
    let plain = |cell: &str| cell.trim().trim_matches(['`', '*']).replace("\\|", "|");
    let mut all = Rows::new();
    for line in rows().filter(|line| !is_rule(line)) {
        let cells = below(lines[rule], line).unwrap_or_else(|| between(line));
        all.push(cells.into_iter().map(plain).collect());
    }
    // Of a name and a value, the value has what is left.
    if all.first().is_some_and(|first| first.len() == 2) {
        for cells in all.iter_mut().filter(|cells| cells.len() > 2) {
            let value = cells.split_off(1).join("|");
            cells.push(value);
        }
    }
    Some((all, end))
}

/// The cells of a row that is drawn as wide as the rule: a `|` within a value is not below a `+`.
fn below<'l>(rule: &str, line: &'l str) -> Option<Vec<&'l str>> {
    let corners: Vec<usize> = rule.char_indices().filter(|(_, c)| *c == '+').map(|(at, _)| at).collect();
    if corners.is_empty() {
        return None;
    }
    let (mut cells, mut from, mut column, mut met) = (Vec::new(), 0, 0, 0);
    for (at, c) in line.char_indices() {
        if corners.contains(&column) {
            if c != '|' {
                return None;
            }
            met += 1;
            cells.push(&line[from..at]);
            from = at + 1;
        }
        column += c.width().unwrap_or(0);
    }
    cells.push(&line[from..]);
    let is_boxed = rule.starts_with('+');
    (met == corners.len()).then(|| if is_boxed { cells[1..cells.len() - 1].to_vec() } else { cells })
}

fn between(line: &str) -> Vec<&str> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    let (mut cells, mut from) = (Vec::new(), 0);
    for (at, _) in line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')) {
        cells.push(&line[from..at]);
        from = at + 1;
    }
    cells.push(&line[from..]);
    cells
}

/// The tables of variables of a page.
fn page(text: &str) -> Option<Rows> {
    let tables = tenbin_published::page_tables(text)?;
    tables.into_iter().find(|rows| rows.first().is_some_and(|heads| heads.iter().any(|head| is_heading_of_names(head))))
}

/// Rows of as many cells between bars as the first one, which has headings: `psql -A`.
fn barred(text: &str) -> Option<Rows> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let heads = cells(lines.next()?);
    place_of_names(&heads.iter().map(|head| heading(head)).collect::<Vec<_>>()).filter(|_| heads.len() > 1)?;
    let width = heads.len();
    let rows = lines.map(cells).filter(|cells| cells.len() == width);
    let all: Rows = [heads].into_iter().chain(rows).collect();
    (all.len() > 1).then_some(all)
}

/// `Variable_name   Value`, and lines of a name and a value below it: what a terminal makes of tabs.
fn spaced(text: &str) -> Option<Rows> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let cells = |line: &str| {
        let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        vec![name.to_owned(), value.trim().to_owned()]
    };
    let heads = cells(lines.next()?);
    let known: Vec<String> = heads.iter().map(|head| heading(head)).collect();
    if !is_above("name", &known[0]) || !is_above("value", &known[1]) {
        return None;
    }
    let rows: Rows = lines.map(cells).filter(|cells| is_name(&cells[0]) && !cells[1].is_empty()).collect();
    (!rows.is_empty()).then(|| [heads].into_iter().chain(rows).collect())
}

/// Frames of clients that draw them, in the characters of others.
fn in_ascii(text: &str) -> Cow<'_, str> {
    if !text.contains(['│', '┃', '║']) {
        return Cow::Borrowed(text);
    }
    let ascii = |c: char| match c {
        '│' | '┃' | '║' => '|',
        '─' | '━' | '═' => '-',
        '\u{250c}'..='\u{254b}' | '\u{2552}'..='\u{2570}' => '+',
        c => c,
    };
    Cow::Owned(text.chars().map(ascii).collect())
}

/// A name and a value in each line, and perhaps a unit: `name|setting|unit` of `psql -At`, `name: value`.
fn pairs(text: &str) -> Option<Rows> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let separator = ['|', ':'].into_iter().find(|sign| lines.first().is_some_and(|line| line.contains(*sign)))?;
    let head = ["name", "setting", "unit"].map(str::to_owned).to_vec();
    let row = |line: &&str| {
        let mut parts = line.splitn(if separator == '|' { 3 } else { 2 }, separator).map(str::trim);
        let (name, value) = (parts.next()?, parts.next()?);
        is_name(name).then(|| vec![name.to_owned(), value.to_owned(), parts.next().unwrap_or_default().to_owned()])
    };
    let rows: Rows = lines.iter().map(row).collect::<Option<_>>()?;
    // One line, or words without values, may be anything.
    let is_setting = |cells: &Vec<String>| !cells[1].is_empty() && cells[0].contains(['_', '.']);
    (rows.len() > 1 && rows.iter().any(is_setting)).then(|| [head].into_iter().chain(rows).collect())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

/// `<field name="Variable_name">…</field>` and the value below it, as `mysql -X` prints them.
fn xml(text: &str) -> Option<Rows> {
    let tree = roxmltree::Document::parse(text.trim_start()).ok()?;
    let (mut all, mut name) = (Rows::new(), None);
    for field in tree.descendants().filter(|node| node.has_tag_name("field")) {
        let said = field.text().unwrap_or_default().to_owned();
        match field.attribute("name").unwrap_or_default().to_lowercase().as_str() {
            "variable_name" | "name" => name = Some(said),
            "value" | "variable_value" => all.extend(name.take().map(|name| vec![name, said])),
            _ => {}
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The answer to `SELECT @@a, @@b`: a column for each variable.
fn selected(rows: &Rows) -> Option<Rows> {
    let [heads, values] = rows.as_slice() else { return None };
    let name = |head: &String| {
        let name = head.trim().strip_prefix("@@")?.to_ascii_lowercase();
        let name = ["global.", "session.", "local."]
            .iter()
            .find_map(|scope| name.strip_prefix(scope))
            .unwrap_or(&name)
            .to_owned();
        Some(name)
    };
    let names: Vec<String> = heads.iter().map(name).collect::<Option<_>>()?;
    Some(names.into_iter().zip(values).map(|(name, value)| vec![name, value.clone()]).collect())
}

/// `databaseFlags` of Cloud SQL as gcloud prints it: `- name: x` and `value: '1'` below it.
fn yaml(text: &str) -> Option<Rows> {
    let has_flags = text.lines().any(|line| line.trim() == "databaseFlags:");
    has_flags.then(|| of_value(&tenbin_published::yaml(text)?)).flatten()
}

/// A name, a tab and a value in each line, as `mysql -B` prints it.
fn tabbed(text: &str) -> Option<Rows> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let heads: Vec<String> = lines.first()?.split('\t').map(heading).collect();
    let name_at = place_of_names(&heads).unwrap_or(0);
    let all: Rows = lines
        .iter()
        .map(|line| line.split('\t').map(|cell| cell.trim_end_matches('\r').to_owned()).collect::<Vec<_>>())
        .filter(|cells| cells.len() > 1 && cells.get(name_at).is_some_and(|name| is_name(name)))
        .collect();
    (!all.is_empty() && 10 * all.len() >= 9 * lines.len()).then_some(all)
}

/// `aws rds describe-db-parameters`, the flags of Cloud SQL, and an object of names and values.
fn json(text: &str) -> Option<Rows> {
    if !text.trim_start().starts_with(['{', '[']) || text.trim_start().starts_with("[mysql") {
        return None;
    }
    of_value(&serde_json::from_str(text).ok()?)
}

fn of_value(value: &Value) -> Option<Rows> {
    let list = ["Parameters", "databaseFlags", "parameters", "flags"].iter().find_map(|name| value.get(*name));
    let list = list.or_else(|| value.get("settings")?.get("databaseFlags")).unwrap_or(value);
    // `mysqld-auto.cnf` of SET PERSIST.
    let mut persisted = Rows::new();
    of_persisted(value, &mut persisted);
    if value.get("Version").is_some() && !persisted.is_empty() {
        return Some(persisted);
    }
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    let pair = |entry: &Value| {
        let of = |names: &[&str]| names.iter().find_map(|name| word(entry.get(*name)?));
        Some(vec![
            of(&["ParameterName", "name", "Variable_name"])?,
            of(&["ParameterValue", "value", "Value", "setting"])?,
        ])
    };
    let rows: Rows = match list {
        Value::Array(all) => all.iter().filter_map(pair).collect(),
        Value::Object(all) => all.iter().filter_map(|(name, value)| Some(vec![name.clone(), word(value)?])).collect(),
        _ => Vec::new(),
    };
    (!rows.is_empty()).then_some(rows)
}

/// The variables with a value within a JSON object: `{"mysql_server": {"sync_binlog": {"Value": "0", "Metadata": {…}}}}`.
fn of_persisted(value: &Value, all: &mut Rows) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        match inner.get("Value").and_then(Value::as_str) {
            Some(value) => all.push(vec![name.clone(), value.to_owned()]),
            None => of_persisted(inner, all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each column as `name: variable=value, …`.
    fn shown(text: &str) -> String {
        let columns = structured(text, "f").or_else(|| printed(text, "f")).unwrap_or_default();
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
                "{\"Parameters\":[{\"ParameterName\":\"sync_binlog\",\"ParameterValue\":\"1\"},{\"ParameterName\":\"x\"}]}",
                "f: sync_binlog=1",
            ),
            (
                "{\"settings\":{\"databaseFlags\":[{\"name\":\"max_connections\",\"value\":\"9\"}]}}",
                "f: max_connections=9",
            ),
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
            (
                "| Parameter | Source | Replica |\n|--|--|--|\n| fsync | on | off |\n",
                "Source: fsync=on; Replica: fsync=off",
            ),
            ("[{\"name\":\"sync_binlog\",\"value\":\"0\",\"source\":\"x\"}]", "f: sync_binlog=0"),
            ("[\n  {\n    \"name\": \"sync_binlog\",\n    \"value\": \"0\"\n  }\n]\n", "f: sync_binlog=0"),
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
                "settings:\n  databaseFlags:\n  - name: max_connections\n    value: '100'\n  - value: on\n    name: fsync\n  tier: x\n",
                "f: fsync=on, max_connections=100",
            ),
            ("Variable_name   Value\nsync_binlog     0\nsql_mode\n", "f: sync_binlog=0"),
            ("Variable_name\tValue\nx\t1\nVariable_name\tValue\ny\t2\n", "f: x=1, y=2"),
            ("| | A 5.7 | A 8.0 |\n|--|--|--|\n| x | 1 | 2 |\n", "A 5.7: x=1; A 8.0: x=2"),
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
            (
                "{\"Version\":1,\"mysql_server\":{\"sync_binlog\":{\"Value\":\"0\",\"Metadata\":{\"User\":\"a\"}}}}",
                "f: sync_binlog=0",
            ),
        ] {
            assert_eq!(shown(text), columns, "{text}");
        }
    }
}

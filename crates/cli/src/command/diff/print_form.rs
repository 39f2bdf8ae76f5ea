//! The forms in which clients print variables, each read as rows of cells: frames and bars, tabs and blanks, one below the other, and tags.

use super::heading::{Rows, heading, is_above, is_heading_of_names, place_of_names};
use std::collections::BTreeMap;
use tenbin_model::{defaults, variables};
use tenbin_published::in_ascii;
use tenbin_words::message::Message;
use unicode_width::UnicodeWidthChar;

/// `*** 1. row ***`, as `\G` prints it, and `-[ RECORD 1 ]` of psql's `\x`.
pub(super) fn one_below_the_other(text: &str) -> Option<Rows> {
    let is_row = |line: &str| line.starts_with("***") && line.contains(". row ***");
    let is_record = |line: &str| line.starts_with("-[ RECORD ");
    let begins = |line: &str| is_row(line) || is_record(line);
    // Without the lines between them, if somebody has looked for some.
    let is_name = |line: &&str| line.trim_start().starts_with("Variable_name:");
    let first = text.lines().find(|line| begins(line)).or_else(|| text.lines().find(is_name))?;
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
        let column = match label.trim().to_lowercase().as_str() {
            "variable_name" | "name" => {
                if now[0].is_some() && now[1].is_some() {
                    end(&mut now, &mut all);
                }
                0
            }
            "value" | "setting" | "variable_value" | "global_value" | "current_setting" => 1,
            "unit" => 2,
            _ => continue,
        };
        now[column].get_or_insert_with(|| value.trim().to_owned());
    }
    end(&mut now, &mut all);
    (all.len() > 1).then_some(all)
}

/// Rows between `|`: of `mysql -t`, of psql, of Markdown. Of several tables those of variables, or else the first one.
pub(super) fn framed(text: &str) -> Option<Vec<Rows>> {
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

/// A table of more servers, with the column of the names, is not one of variables.
pub(super) const MOST_COLUMNS: usize = 257;

/// The number of servers of a printed table that has too many to be read; `None` if there is no such table. Found by its tabs, its rules, or the
/// bars of its first line.
pub(super) fn too_many_servers(text: &str) -> Option<usize> {
    let text = &*in_ascii(text);
    let first = text.lines().find(|line| !line.trim().is_empty());
    let servers = |line: &str| {
        let bare = line.trim();
        let count = |sign: char| bare.matches(sign).count();
        let (bars, has_frame) = match is_rule(bare) {
            true => (count('|').max(count('+')), bare.starts_with(['|', '+'])),
            false if first == Some(line) => (count('|'), bare.starts_with('|')),
            false => (0, false),
        };
        // One column is that of the names.
        count('\t').max(bars.saturating_sub(if has_frame { 2 } else { 0 }))
    };
    text.lines().map(servers).max().filter(|servers| *servers >= MOST_COLUMNS)
}

pub(super) fn is_rule(line: &str) -> bool {
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
        all.push(match below(lines[rule], line) {
            Some(cells) => cells.into_iter().map(plain).collect(),
            None => between(line).into_iter().map(|cell| without_note(&without_emphasis(cell, plain))).collect(),
        });
    }
    // The title of a table of `aws --output table`.
    if all.len() > 2 && all[0].len() == 1 && all[1].len() > 1 {
        all.remove(0);
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

/// A cell of Markdown of which a part is emphasized, `**2** (was 1)`, without the marks.
fn without_emphasis(cell: &str, plain: impl Fn(&str) -> String) -> String {
    const MARK: &str = "**";
    if cell.matches(MARK).count() == 2 { plain(&cell.replace(MARK, "")) } else { plain(cell) }
}

/// A value without the word that says that it is the default: `1 (default)`.
fn without_note(cell: &str) -> String {
    let of_default = || {
        let inner = cell.strip_suffix([')', '）'])?;
        let (value, note) = inner.rsplit_once(['(', '（'])?;
        (!value.trim().is_empty() && is_above("default", &note.trim().to_lowercase())).then(|| value.trim().to_owned())
    };
    of_default().unwrap_or_else(|| cell.to_owned())
}

/// The cells of a row that is drawn as wide as the rule: a `|` within a value is not below a `+`.
fn below<'l>(rule: &str, line: &'l str) -> Option<Vec<&'l str>> {
    let corners: Vec<usize> = rule.char_indices().filter(|(_, c)| *c == '+').map(|(at, _)| at).collect();
    if corners.is_empty() {
        return None;
    }
    let (mut cells, mut from, mut column, mut met) = (Vec::new(), 0, 0, 0);
    for (at, c) in line.char_indices() {
        // They are in order: a table may have thousands.
        if corners.binary_search(&column).is_ok() {
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

/// The table that `aws rds describe-db-parameters --output table` prints of parameters with few columns: a frame for each, with a line for
/// each of its names and values.
pub(super) fn framed_one_by_one(text: &str) -> Option<Rows> {
    let mut all: Rows = vec![["name", "value"].map(str::to_owned).to_vec()];
    let (mut name, mut value): (Option<String>, Option<String>) = (None, None);
    for line in text.lines().map(str::trim).chain(["+"]) {
        let inner = line.trim_matches('|').trim();
        if inner.starts_with('+') || inner.starts_with("--") {
            all.extend(name.take().zip(value.take()).map(|(name, value)| vec![name, value]));
            (name, value) = (None, None);
            continue;
        }
        let Some((label, cell)) = inner.split_once('|').filter(|_| line.starts_with("||")) else { continue };
        match heading(label).as_str() {
            "parametername" => name = Some(cell.trim().to_owned()),
            "parametervalue" => value = Some(cell.trim().to_owned()),
            _ => {}
        }
    }
    (all.len() > 1).then_some(all)
}

/// Columns below lines of dashes, apart by blanks: `az mysql flexible-server parameter list --output table`.
pub(super) fn ruled(text: &str) -> Option<Rows> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &&str| line.starts_with("--") && line.contains(" -") && line.chars().all(|c| "- ".contains(c));
    let rule = lines.iter().position(is_rule).filter(|rule| *rule > 0)?;
    let dashes: Vec<char> = lines[rule].chars().collect();
    let begins: Vec<usize> =
        (0..dashes.len()).filter(|at| dashes[*at] == '-' && (*at == 0 || dashes[*at - 1] == ' ')).collect();
    let row = |line: &&str| -> Vec<String> {
        let all: Vec<char> = line.chars().collect();
        let ends = begins.iter().skip(1).copied().chain([all.len()]);
        let cell = |(begin, end): (&usize, usize)| {
            all.get(*begin..end.clamp(*begin, all.len().max(*begin)))
                .map_or(String::new(), |cell| cell.iter().collect())
        };
        begins.iter().zip(ends).map(cell).map(|cell: String| cell.trim().to_owned()).collect()
    };
    let heads = row(&lines[rule - 1]);
    place_of_names(&heads.iter().map(|head| heading(head)).collect::<Vec<_>>())?;
    let rows = lines[rule + 1..].iter().take_while(|line| !line.trim().is_empty()).map(row);
    let all: Rows = [heads].into_iter().chain(rows).collect();
    (all.len() > 1).then_some(all)
}

/// The table of variables of a page, if it has one. The message says why its tables cannot be read.
pub(super) fn page(text: &str) -> Result<Option<Rows>, Message> {
    let tables = tenbin_published::page_tables(text)?;
    let has_names = |rows: &Rows| rows.first().is_some_and(|heads| heads.iter().any(|head| is_heading_of_names(head)));
    Ok(tables.into_iter().find(has_names))
}

/// Rows of as many cells between bars as the first one, which has headings: `psql -A`.
pub(super) fn barred(text: &str) -> Option<Rows> {
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
pub(super) fn spaced(text: &str) -> Option<Rows> {
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
    (!rows.is_empty() && are_names(&rows)).then(|| [heads].into_iter().chain(rows).collect())
}

/// Names and values without headings, apart by blanks, most of them known: what a terminal makes of tabs, and lines of
/// `mysqld --verbose --help`.
pub(super) fn aligned(text: &str) -> Option<Rows> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let row = |line: &str| {
        let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        is_name(name).then(|| vec![name.to_owned(), value.trim().to_owned()])
    };
    let rows: Rows = lines.map(row).collect::<Option<_>>()?;
    let is_known = |cells: &&Vec<String>| defaults::is_known(&variables::canonical_name(&cells[0]));
    let is_like_name = |cells: &Vec<String>| is_known(&cells) || cells[0].contains(['_', '-']);
    // Further columns are not known without headings.
    let has_columns = rows.iter().any(|cells| cells[1].contains("  "));
    let head = ["name", "value"].map(str::to_owned).to_vec();
    let has_value = |cells: &Vec<String>| cells[1] != "(No default value)";
    (rows.iter().any(|cells| is_known(&cells)) && rows.iter().all(is_like_name) && !has_columns && are_names(&rows))
        .then(|| [head].into_iter().chain(rows.into_iter().filter(has_value)).collect())
}

/// A row without its frame, of which somebody has looked for some (`mysqladmin variables | grep`).
fn without_frame(line: &str) -> &str {
    let inner = line.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
    inner.map_or(line, str::trim)
}

/// A name and a value in each line, and perhaps a unit: `name|setting|unit` of `psql -At`, `name: value`.
pub(super) fn pairs(text: &str) -> Option<Rows> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).map(without_frame).collect();
    let separator = ['|', ':'].into_iter().find(|sign| lines.first().is_some_and(|line| line.contains(*sign)))?;
    let head = ["name", "setting", "unit"].map(str::to_owned).to_vec();
    let row = |line: &&str| {
        let mut parts = line.splitn(if separator == '|' { 3 } else { 2 }, separator).map(str::trim);
        let (name, value) = (parts.next()?, parts.next()?);
        is_name(name).then(|| vec![name.to_owned(), value.to_owned(), parts.next().unwrap_or_default().to_owned()])
    };
    let rows: Rows = lines.iter().map(row).collect::<Option<_>>()?;
    // One line, or words without values, may be anything.
    let is_setting = |cells: &Vec<String>| {
        let is_known = defaults::is_known(&variables::canonical_name(&cells[0]));
        !cells[1].is_empty() && (is_known || separator == '|' && cells[0].contains(['_', '.']))
    };
    (rows.len() > 1 && rows.iter().any(is_setting) && are_names(&rows))
        .then(|| [head].into_iter().chain(rows).collect())
}

/// Whether the first cells of rows without headings are names: what stands there again with another value is known, or it is
/// a word of something else, such as the name of a file.
fn are_names(rows: &Rows) -> bool {
    let mut values = BTreeMap::new();
    rows.iter().all(|cells| {
        let former = values.insert(&cells[0], &cells[1]);
        former.is_none_or(|value| *value == cells[1]) || defaults::is_known(&variables::canonical_name(&cells[0]))
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
}

/// `<field name="Variable_name">…</field>` and the value below it, as `mysql -X` prints them.
pub(super) fn xml(text: &str) -> Option<Rows> {
    let tree = roxmltree::Document::parse(text.trim_start()).ok()?;
    let (mut all, mut name) = (Rows::new(), None);
    for field in tree.descendants().filter(|node| node.has_tag_name("field")) {
        let content = field.text().unwrap_or_default().to_owned();
        match field.attribute("name").unwrap_or_default().to_lowercase().as_str() {
            "variable_name" | "name" => name = Some(content),
            "value" | "variable_value" => all.extend(name.take().map(|name| vec![name, content])),
            _ => {}
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The answer to `SELECT @@a, @@b`: a column for each variable.
pub(super) fn selected(rows: &Rows) -> Option<Rows> {
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

/// A name, a tab and a value in each line, as `mysql -B` prints it; below headings also names with blanks, as phpMyAdmin shows them.
pub(super) fn tabbed(text: &str) -> Option<Rows> {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.contains("[Warning] ")).collect();
    let heads: Vec<String> = lines.first()?.split('\t').map(heading).collect();
    let name_column = place_of_names(&heads);
    let name_at = name_column.unwrap_or(0);
    let cells = |line: &&str| {
        let mut cells: Vec<String> = line.split('\t').map(|cell| cell.trim_end_matches('\r').to_owned()).collect();
        if let Some(name) = cells.get_mut(name_at).filter(|_| name_column.is_some()) {
            *name = name.trim().replace(' ', "_");
        }
        cells
    };
    let is_of_select = lines.len() == 2 && heads.iter().all(|head| head.starts_with("@@"));
    // Headings in other languages are no names of variables.
    let head = name_column.map(|at| heads[at].replace(' ', "_"));
    let may_be = |name: &String| is_name(name) || head.as_ref().is_some_and(|head| *head == heading(name));
    let is_row = |cells: &Vec<String>| is_of_select || cells.len() > 1 && cells.get(name_at).is_some_and(may_be);
    let all: Rows = lines.iter().map(cells).filter(is_row).collect();
    let is_table = is_of_select || !all.is_empty() && 10 * all.len() >= 9 * lines.len();
    // `PARAMETERS` before each line of `aws --output text` is no heading.
    let is_repeated = |cells: &Vec<String>| heading(&cells[name_at]) == heads[name_at];
    if name_column.is_some() && all.len() > 1 && all.iter().all(is_repeated) {
        return None;
    }
    (is_table && (name_column.is_some() || is_of_select || are_names(&all))).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_too_many_servers_is_found_in_each_form() {
        let of = |columns: usize| {
            let row = |before: &str, cell: &str, between: &str, after: &str| {
                format!("{before}{}{after}\n", vec![cell; columns].join(between))
            };
            let (heads, rule) = (row("|", " a ", "|", "|"), row("+", "---", "+", "+"));
            [
                row("", "a", "\t", "") + &row("", "b", "\t", ""),
                format!("{rule}{heads}{rule}{heads}{rule}"),
                format!("{heads}{}{heads}", row("|", "---", "|", "|")),
                row("", " a ", "|", "") + &row("", "---", "+", "") + &row("", " b ", "|", ""),
                row("", "a", "|", "") + &row("", "b", "|", ""),
                row("│", " a ", "│", "│") + &row("├", "───", "┼", "┤"),
            ]
        };
        assert_eq!(of(200_000).map(|text| too_many_servers(&text)), [Some(199_999); 6]);
        assert_eq!(of(MOST_COLUMNS).map(|text| too_many_servers(&text)), [None; 6]);
        let value = format!("Variable_name\tValue\nx\t{}\n", "a|b+c-".repeat(1000));
        assert_eq!(too_many_servers(&value), None, "a value may have such signs");
        // Within the limit the cells of a frame are found without a search for each character.
        let framed = &of(200)[1];
        assert_eq!(super::framed(framed).unwrap()[0][0].len(), 200);
    }
}

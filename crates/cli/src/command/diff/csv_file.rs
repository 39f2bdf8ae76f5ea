//! CSV files of variables: a column of names, and one of values for each server. What exports them may separate them by semicolons.

use super::print_form::MOST_COLUMNS;
use super::{dump, heading};
use tenbin_model::defaults;
use tenbin_model::variables::{self, ServerVariables};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// A table of more values is not one of variables.
const MOST_VALUES: usize = 500_000;

/// What stands before the headings that MySQL Workbench copies.
const WORKBENCH: &str = "# ";

/// Whether a text begins with the headings of such a file, whatever the file is called.
pub(super) fn is_one(text: &str) -> bool {
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let head = head.strip_prefix(WORKBENCH).unwrap_or(head);
    let separator = separator(head);
    head.contains(char::from(separator)) && {
        let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(head.as_bytes());
        reader.headers().is_ok_and(|heads| heads.iter().any(heading::is_heading_of_names))
    }
}

fn separator(head: &str) -> u8 {
    let count = |separator: char| head.matches(separator).count();
    if count(';') > count(',') { b';' } else { b',' }
}

/// The columns of such a file; `file` names the column of a single server.
pub(super) fn read(text: &str, file: &str) -> Result<Vec<ServerVariables>, Message> {
    // MySQL Workbench: `# Variable_name, Value`, and `'a', 'b'` below it.
    let of_workbench = text.starts_with(WORKBENCH).then(|| text[WORKBENCH.len()..].replace("', '", "','"));
    let quote = if of_workbench.is_some() { b'\'' } else { b'"' };
    let text = of_workbench.as_deref().unwrap_or(text);
    let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.flexible(true).delimiter(separator(head)).quote(quote).from_reader(text.as_bytes());
    let heads: Vec<String> = reader.headers().map_err(foreign)?.iter().map(str::to_owned).collect();
    if heads.len() > MOST_COLUMNS {
        return Err(msg!("diff-too-many-columns", columns = heads.len() - 1, most = MOST_COLUMNS - 1));
    }
    let is_of_settings = dump::is_of_settings(&heads);
    let (width, mut values) = (heads.len(), 0);
    // A file without headings begins with a variable (`psql -At -F,`, INTO OUTFILE).
    let is_of_values =
        width == 2 && heads.first().is_some_and(|name| defaults::is_known(&variables::canonical_name(name)));
    let no_heads = || vec!["name".to_owned(), "value".to_owned()];
    let mut rows = if is_of_values { vec![no_heads(), heads] } else { vec![heads] };
    for record in reader.records() {
        let record = record.map_err(foreign)?;
        let line = || record.position().map_or(0, csv::Position::line);
        // Otherwise an open quote would hide all lines up to the next one. The descriptions of settings may have several lines.
        if !is_of_settings && record.iter().any(|field| field.contains('\n')) {
            return Err(msg!("diff-csv-field-of-lines", line = line()));
        }
        values += record.len().min(width);
        if values > MOST_VALUES {
            return Err(msg!("diff-too-many-values", most = MOST_VALUES));
        }
        if record.len() > width {
            // An unquoted comma in a value: a part of it would be taken for the whole.
            return Err(msg!("diff-csv-too-many-fields", line = line()));
        }
        rows.push(record.iter().map(str::to_owned).collect());
    }
    let columns = dump::of_table(rows, file);
    if columns.iter().all(|column| column.values.is_empty() && column.secret.is_empty()) {
        return Err(msg!("diff-csv-is-empty"));
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the columns of values of a table in Markdown, HTML and CSV, if they agree.
    fn servers(head: &str, cells: [&str; 3]) -> String {
        let rows = [
            ["Variable", "A", "B", head],
            ["sync_binlog", "1", "0", cells[0]],
            ["max_connections", "500", "500", cells[1]],
            ["innodb_buffer_pool_size", "8G", "16G", cells[2]],
        ];
        let line = |row: &[&str; 4]| format!("| {} |\n", row.join(" | "));
        let [first, others @ ..] = &rows;
        let markdown = line(first) + "|--|--|--|--|\n" + &others.iter().map(line).collect::<String>();
        let html = |row: &[&str; 4]| format!("<tr>{}</tr>", row.map(|cell| format!("<td>{cell}</td>")).concat());
        let html = format!("<table>{}</table>", rows.iter().map(html).collect::<String>());
        let csv: String = rows.iter().map(|row| row.join(",") + "\n").collect();
        let names = |columns: Vec<ServerVariables>| {
            columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(", ")
        };
        let all = [
            names(dump::printed(&markdown, "f").unwrap_or_default()),
            names(dump::tagged(&html, "f").unwrap().unwrap_or_default()),
            names(read(&csv, "f").unwrap_or_default()),
        ];
        assert!(all.iter().all(|names| *names == all[0]), "{head}: {all:?}");
        all[0].clone()
    }

    #[test]
    fn what_is_said_of_two_servers_is_no_third_one() {
        let words = "Same, Diff, Match, Changed, 差異, 差分, 一致, 是否一致, 다름, Restart required, 再起動, 需要重启, Type, 类型, 分類, Since, Why, 目的, \
                     効果, 変更理由, 影响, 作用, Impact, Link, #, 判定, Reason, Unterschied, Причина";
        for head in words.split(", ").chain(["", "Entscheidung", "Verdikt der Gruppe"]) {
            assert_eq!(servers(head, ["no", "yes", "no"]), "A, B", "{head}");
            assert_eq!(servers(head, ["≠", "", "≠"]), "A, B", "{head}");
        }
        for cells in [["1", "151", "128M"], ["1", "", "128M"], ["", "", ""], ["-", "default", "auto"]] {
            assert_eq!(servers("Default", cells), "A, B, Default", "{cells:?}");
            assert_eq!(servers("C", cells), "A, B, C", "{cells:?}");
        }
    }

    #[test]
    fn names_and_values_stand_where_their_headings_are() {
        let shown = |text: &str| {
            let all = read(text, "f").unwrap();
            all.iter().map(|column| format!("{} {:?}", column.name, column.values)).collect::<Vec<_>>().join("; ")
        };
        for (text, columns) in [
            ("VARIABLE_NAME,VARIABLE_VALUE\nSYNC_BINLOG,0\n", r#"f {"sync_binlog": "0"}"#),
            ("category,name,setting,unit\nMemory,work_mem,4096,kB\n", r#"f {"work_mem": "4096kB"}"#),
            ("variable;a;b\nx;1,5;2\n", r#"a {"x": "1,5"}; b {"x": "2"}"#),
            ("variable,a\nx,1\n", r#"a {"x": "1"}"#),
            // phpMyAdmin.
            (
                "Variable;Value\ninnodb buffer pool size;134,217,728\nsync binlog;1,5\n",
                r#"f {"innodb_buffer_pool_size": "134217728", "sync_binlog": "1,5"}"#,
            ),
            ("variable,a,value\nx,1,2\n", r#"a {"x": "1"}; value {"x": "2"}"#),
            ("anything,a\nx,1\n", r#"a {"x": "1"}"#),
            ("# Variable_name, Value\n'sync_binlog', '1'\n'x', 'a,b'\n", r#"f {"sync_binlog": "1", "x": "a,b"}"#),
            ("fsync,on\njit,off\n", r#"f {"fsync": "on", "jit": "off"}"#),
        ] {
            assert_eq!(shown(text), columns, "{text}");
        }
        for (text, is) in [
            ("VARIABLE_NAME,VARIABLE_VALUE\nX,0\n", true),
            ("Scope;Variable_name;Value\n;x;1\n", true),
            ("name = x, y\n", false),
            ("a,b\n1,2\n", false),
            ("", false),
        ] {
            assert_eq!(is_one(text), is, "{text}");
        }
        assert!(read("variable,a\nx,1,2\n", "f").is_err());
    }
}

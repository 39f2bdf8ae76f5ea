//! Rows of which each column has a line of its own: `\x` of psql, `\G` of mysql.

use super::Block;
use crate::raw_table::{Extent, Rows};
use tenbin_words::message::Message;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let Some(separator) = head(lines[at]) else { return Ok(None) };
    let (mut names, mut rows, mut end): (Vec<String>, Rows, usize) = (Vec::new(), Vec::new(), at);
    for (n, line) in lines.iter().enumerate().skip(at) {
        if head(line).is_some() {
            rows.last().map_or(Ok(()), |(_, row)| extent.take(row.len()))?;
            rows.push((n as u64 + 1, Vec::new()));
        } else if let (Some((name, value)), Some((_, row))) = (line.split_once(separator), rows.last_mut()) {
            let (name, value) = (name.trim(), value.trim());
            let at = names.iter().position(|known| known == name).unwrap_or(names.len());
            if at == names.len() {
                extent.columns(at)?;
                names.push(name.to_owned());
            }
            row.resize(row.len().max(at + 1), String::new());
            value.clone_into(&mut row[at]);
        } else {
            break;
        }
        end = n + 1;
    }
    rows.insert(0, (at as u64 + 1, names));
    Ok(Some(Block { rows, caption: None, end }))
}

/// What stands between name and value below the head of a row: `-[ RECORD 1 ]---+---`, `*** 1. row ***`.
fn head(line: &str) -> Option<&'static str> {
    let line = line.trim();
    let of_psql = line.starts_with("-[ RECORD ") || line.starts_with("─[ RECORD ");
    let of_mysql = line.starts_with("****") && line.ends_with("****") && line.contains(". row ");
    if of_psql { Some("|") } else { of_mysql.then_some(":") }
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    #[test]
    fn each_row_has_the_columns_that_it_names() {
        let wanted = [(1, vec!["threads", "tps"]), (1, vec!["8", "1000"]), (4, vec!["16", "1500"])];
        let wanted = wanted.map(|(line, cells)| (line, cells.into_iter().map(str::to_owned).collect::<Vec<_>>()));
        let psql = "-[ RECORD 1 ]-\nthreads | 8\ntps     | 1000\n-[ RECORD 2 ]-\nthreads | 16\ntps     | 1500\n";
        let stars = "*".repeat(27);
        let mysql = format!(
            "{stars} 1. row {stars}\nthreads: 8\n    tps: 1000\n{stars} 2. row {stars}\nthreads: 16\n    tps: 1500\n2 rows in set (0.00 sec)\n"
        );
        for text in [psql, &mysql] {
            assert_eq!(tables(text).unwrap()[0].rows, wanted, "{text}");
        }
    }

    /// A row has all columns up to the last one that it names.
    #[test]
    fn rows_of_few_lines_and_many_columns_are_refused() {
        let first: String = (0..1500).map(|n| format!("c{n} | 1\n")).collect();
        let others = "-[ RECORD 2 ]-\nc1499 | 1\n".repeat(10_000);
        let refused = tables(&format!("-[ RECORD 1 ]-\n{first}{others}")).unwrap_err();
        assert!(refused.is("published-too-many-cells"), "{refused:?}");
    }
}

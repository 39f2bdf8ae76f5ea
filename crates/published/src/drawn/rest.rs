//! Tables of reStructuredText that are directives: `.. csv-table:: pgbench`, whose rows are CSV, and `.. list-table::`, whose rows are lists of cells.

use super::Block;
use crate::raw_table::{Extent, Rows};
use tenbin_words::message::{Message, foreign};

/// What a directive has below it.
struct Body<'t> {
    /// Its options, without their colons.
    options: Vec<(&'t str, &'t str)>,
    /// Its lines behind them, each with its place in the text.
    lines: Vec<(usize, &'t str)>,
    end: usize,
}

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let Some((kind, title)) = lines[at].trim_start().strip_prefix(".. ").and_then(|rest| rest.split_once("::")) else {
        return Ok(None);
    };
    let body = body(lines, at);
    let rows = match kind {
        "csv-table" => of_csv(&body, at, extent)?,
        "list-table" => of_list(&body, extent)?,
        _ => return Ok(None),
    };
    let caption = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
    Ok((rows.len() > 1).then_some(Block { rows, caption, end: body.end }))
}

/// The lines below the directive that are indented further, or empty.
fn body<'t>(lines: &[&'t str], at: usize) -> Body<'t> {
    let indented = |line: &str| line.len() - line.trim_start().len();
    let own = |line: &&&str| line.trim().is_empty() || indented(line) > indented(lines[at]);
    let below = &lines[at + 1..];
    let end = at + 1 + below.iter().take_while(own).count();
    let mut body = Body { options: Vec::new(), lines: Vec::new(), end };
    for (n, line) in lines.iter().enumerate().take(end).skip(at + 1) {
        let option = || line.trim().strip_prefix(':')?.split_once(':');
        match option().filter(|(name, _)| body.lines.is_empty() && !name.contains(' ')) {
            Some((name, value)) => body.options.push((name, value.trim())),
            None if line.trim().is_empty() && body.lines.is_empty() => {}
            None => body.lines.push((n, line)),
        }
    }
    body
}

impl Body<'_> {
    fn option(&self, wanted: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
    }
}

fn of_csv(body: &Body, at: usize, extent: &mut Extent) -> Result<Rows, Message> {
    let separator = match body.option("delim") {
        Some("tab") => b'\t',
        Some("space") => b' ',
        Some(sign) => sign.bytes().next().unwrap_or(b','),
        None => b',',
    };
    let mut all = Rows::new();
    let header = body.option("header").filter(|header| !header.is_empty()).map(|header| (at, header));
    let filled = body.lines.iter().copied().filter(|(_, line)| !line.trim().is_empty());
    for (n, line) in header.into_iter().chain(filled) {
        // A blank behind a comma stands before a quote, and is no part of the cell.
        let line =
            line.trim().replace(&format!("{} \"", char::from(separator)), &format!("{}\"", char::from(separator)));
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .delimiter(separator)
            .from_reader(line.as_bytes());
        for record in reader.records() {
            let record = record.map_err(foreign)?;
            extent.take(record.len())?;
            all.push((n as u64 + 1, record.iter().map(|cell| cell.trim().to_owned()).collect()));
        }
    }
    Ok(all)
}

fn of_list(body: &Body, extent: &mut Extent) -> Result<Rows, Message> {
    let mut all = Rows::new();
    for (n, line) in &body.lines {
        let text = line.trim();
        let (is_row, cell) = match text.strip_prefix("* -") {
            Some(cell) => (true, Some(cell)),
            None => (false, text.strip_prefix('-').filter(|cell| cell.is_empty() || cell.starts_with(' '))),
        };
        if is_row {
            all.push((*n as u64 + 1, Vec::new()));
        }
        let Some((_, row)) = all.last_mut() else { continue };
        match (cell, row.last_mut()) {
            (Some(cell), _) => row.push(cell.trim().to_owned()),
            // A cell of several lines.
            (None, Some(last)) if !text.is_empty() => *last = format!("{last} {text}").trim().to_owned(),
            _ => {}
        }
        extent.columns(row.len())?;
    }
    all.iter().try_for_each(|(_, row)| extent.take(row.len()))?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    #[test]
    fn directives_have_options_headings_and_rows() {
        let rows = |text: &str| -> Vec<String> {
            let all = tables(text).unwrap_or_default();
            all.iter()
                .flat_map(|table| {
                    let row = |(line, cells): &(u64, Vec<String>)| format!("{line}: {}", cells.join("|"));
                    std::iter::once(table.caption.clone()).chain(table.rows.iter().map(row))
                })
                .collect()
        };
        let csv = ".. csv-table:: pgbench\n   :header: \"Clients\", TPS, avg (ms)\n   :widths: 10, 10, 10\n\n   8, \"12,000\", 0.67\n   16, 20100, 0.80\n";
        assert_eq!(rows(csv), ["pgbench", "1: Clients|TPS|avg (ms)", "5: 8|12,000|0.67", "6: 16|20100|0.80"]);
        let list = "Text.\n\n.. list-table::\n   :header-rows: 1\n\n   * - Threads\n     - TPS\n   * - 8\n     -\n   * - 16\n     - 2010\n       (best)\n\nText.\n";
        assert_eq!(rows(list), ["Text.", "6: Threads|TPS", "8: 8|", "10: 16|2010 (best)"]);
        let both = rows(&format!("{list}\n{csv}"));
        assert_eq!(both.len(), 8, "{both:?}");
        for cut in [
            ".. csv-table::",
            ".. list-table:: x\n",
            ".. csv-table::\n   :header:\n\n   \"\n",
            ".. list-table::\n\n  text",
        ] {
            let _ = tables(cut);
        }
    }
}

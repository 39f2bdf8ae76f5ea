//! Rows of which each is an item of a list in YAML: `- threads: 8` with its other columns below it, or `- {threads: 8, tps: 1000}`.
//!
//! Every item has the same names, two at least: an ordinary list of a text has not. Of mappings within mappings, `latency` of `p95`, the names are joined,
//! as those of JSON are.

use super::Block;
use crate::raw_table::{Extent, Rows};
use tenbin_words::message::Message;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let Some((begins, _)) = item(lines[at]) else { return Ok(None) };
    let (mut names, mut rows, mut end): (Vec<String>, Rows, usize) = (Vec::new(), Vec::new(), at);
    let mut next = at;
    while let Some((row, after)) = row(lines, next, begins) {
        if row.len() < 2 {
            break;
        }
        if rows.is_empty() {
            names = row.iter().map(|(name, _)| name.clone()).collect();
            extent.columns(names.len())?;
        }
        let cells: Option<Vec<String>> = (row.len() == names.len())
            .then(|| names.iter().map(|name| row.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())))
            .and_then(Iterator::collect);
        let Some(cells) = cells else { break };
        extent.take(cells.len())?;
        rows.push((next as u64 + 1, cells));
        (end, next) = (after, after);
        while lines.get(next).is_some_and(|line| is_empty(line)) {
            next += 1;
        }
    }
    if rows.len() < 2 {
        return Ok(None);
    }
    rows.insert(0, (at as u64 + 1, names));
    Ok(Some(Block { rows, caption: None, end }))
}

/// How far the first name of an item is indented, and the item.
fn item(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start();
    let content = rest.strip_prefix("- ")?.trim_start();
    Some((line.len() - rest.len(), content))
}

/// The names and values of the item that begins with a line, and the line after it. `begins`: how far the items of the list are indented.
fn row(lines: &[&str], at: usize, begins: usize) -> Option<(Vec<(String, String)>, usize)> {
    let (indented, content) = item(lines.get(at)?).filter(|(indented, _)| *indented == begins)?;
    if let Some(inner) = content.strip_prefix('{') {
        let pairs = inner.trim_end().strip_suffix('}')?.split(',').map(pair);
        return Some((pairs.collect::<Option<Vec<(String, String)>>>()?, at + 1));
    }
    let mut row = Vec::new();
    // The names that the current line is within, and how far they are indented.
    let mut within: Vec<(usize, String)> = Vec::new();
    let mut take = |indented: usize, text: &str| {
        let (name, value) = pair(text)?;
        within.retain(|(of, _)| *of < indented);
        if value.is_empty() {
            within.push((indented, name));
        } else if !value.starts_with(['[', '{', '&', '*', '|', '>']) {
            let above = within.iter().map(|(_, name)| name.as_str());
            row.push((above.chain([name.as_str()]).collect::<Vec<_>>().join(" "), value));
        }
        Some(())
    };
    take(lines[at].len() - content.len(), content)?;
    let mut next = at + 1;
    while let Some(line) = lines.get(next) {
        let text = line.trim_start();
        let deeper = line.len() - text.len() > indented && !text.starts_with("- ");
        if !is_empty(line) && (!deeper || take(line.len() - text.len(), text).is_none()) {
            break;
        }
        next += 1;
    }
    // Empty lines behind it are not its own.
    while is_empty(lines[next - 1]) {
        next -= 1;
    }
    Some((row, next))
}

/// `name: value`, without quotes and comments; the value may be empty.
fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once(':')?;
    if !value.is_empty() && !value.starts_with(' ') {
        return None;
    }
    let value = value.split(" #").next().unwrap_or_default();
    let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_owned();
    let name = plain(name);
    (!name.is_empty()).then(|| (name, plain(value)))
}

/// Whether a line has nothing but a comment.
fn is_empty(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use crate::split::tables;

    fn rows(text: &str) -> Vec<Vec<String>> {
        tables(text).unwrap()[0].rows.iter().map(|(_, cells)| cells.clone()).collect()
    }

    #[test]
    fn items_are_rows() {
        let wanted = [["threads", "tps", "latency p95"], ["8", "1000", "12.5"], ["16", "1500", "16.5"]];
        let block = "results:\n  - threads: 8\n    tps: 1000 # three runs\n    latency:\n      p95: 12.5\n\n  - threads: 16\n    \"tps\": '1500'\n    latency:\n      p95: 16.5\nend: 1\n";
        assert_eq!(rows(block), wanted);
        let flow = "- {threads: 8, tps: 1000, latency p95: 12.5}\n- {threads: 16, tps: 1500, latency p95: 16.5}\n";
        assert_eq!(rows(flow), wanted);
    }

    /// What lists of texts look like.
    #[test]
    fn other_lists_are_none() {
        let table = "\n| threads | tps |\n|---|---|\n| 8 | 1000 |\n";
        for list in [
            "- Server: MySQL 8\n- Client: sysbench\n",
            "- Server: MySQL 8\n  Disk: NVMe\n- Client: sysbench\n  Threads: 8\n",
            "- one\n- two: and three\n",
            "- a: 1\n",
            "- {a: 1\n- {b\n",
        ] {
            assert_eq!(rows(&format!("{list}{table}")), [["threads", "tps"], ["8", "1000"]], "{list}");
        }
    }
}

//! Charts of Mermaid, as Markdown has them in a block of code: `xychart-beta` with the values of its axis and a list of numbers for each line or bar.

use super::Block;
use crate::raw_table::{Extent, Rows};
use tenbin_words::message::Message;

/// What a chart begins with.
const BEGINS: [&str; 2] = ["xychart-beta", "xychart"];
/// A chart has no more lines.
const MOST_LINES: usize = 200;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    if !lines[at].split_whitespace().next().is_some_and(|first| BEGINS.contains(&first)) {
        return Ok(None);
    }
    let is_end = |line: &&str| line.trim_start().starts_with("```");
    let last = lines.len().min(at + MOST_LINES);
    let end = lines[at..last].iter().position(is_end).map_or(last, |n| at + n);
    let (mut title, mut of_values, mut axis) = (String::new(), String::new(), (String::new(), Vec::new()));
    let mut series: Vec<(u64, String, Vec<String>)> = Vec::new();
    for (n, line) in lines.iter().enumerate().take(end).skip(at + 1) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match (word, list(rest)) {
            ("title", None) => title = rest.trim().trim_matches('"').to_owned(),
            ("x-axis", Some(values)) => axis = values,
            // The range behind the name is that of the picture.
            ("y-axis", _) => {
                of_values = rest.trim().trim_start_matches('"').split('"').next().unwrap_or("").trim().to_owned()
            }
            ("line" | "bar", Some((name, values))) => {
                let name = if name.is_empty() { format!("{word} {}", series.len() + 1) } else { name };
                series.push((n as u64 + 1, name, values));
            }
            _ => {}
        }
    }
    let has_all = |(_, _, values): &(u64, String, Vec<String>)| values.len() == axis.1.len();
    if axis.1.is_empty() || series.is_empty() || !series.iter().all(has_all) {
        return Ok(None);
    }
    let line = series[0].0;
    let names: Vec<String> = match series.as_slice() {
        [_] if !of_values.is_empty() => vec![of_values.clone()],
        several => several.iter().map(|(_, name, _)| name.clone()).collect(),
    };
    let mut rows: Rows = vec![(at as u64 + 1, std::iter::once(axis.0).chain(names).collect())];
    for (n, value) in axis.1.into_iter().enumerate() {
        extent.take(series.len() + 1)?;
        rows.push((
            line,
            std::iter::once(value).chain(series.iter().map(|(_, _, values)| values[n].clone())).collect(),
        ));
    }
    let caption = if series.len() > 1 && !of_values.is_empty() { of_values } else { title };
    Ok(Some(Block { rows, caption: Some(caption), end }))
}

/// The name before a list in brackets, and its items: `"threads" [1, 8, 64]`.
fn list(text: &str) -> Option<(String, Vec<String>)> {
    let (name, items) = text.trim().strip_suffix(']')?.split_once('[')?;
    let items = items.split(',').map(|item| item.trim().trim_matches('"').to_owned()).collect();
    Some((name.trim().trim_matches('"').to_owned(), items))
}

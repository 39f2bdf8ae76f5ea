//! Tables that stand below one another in one: `threads,tps` above its rows, and `threads,latency` above those of the second. Without the second
//! headings its figures would be those of the first.

use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::{MOST_TABLES, RawTable};

/// The tables of which one consists: each begins with headings below rows of numbers, or with its title above them. Rows that repeat the first
/// headings begin none.
pub(crate) fn apart(table: RawTable) -> Vec<RawTable> {
    let is_number = |cell: &String| matches!(quantity::read(cell), CellContent::Number(..));
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.is_empty()).count();
    let is_figure = |cell: &String| matches!(heading::read(cell), HeadingMeaning::Figure(_, _, None));
    let are_headings = |cells: &[String]| {
        let mut named = cells.iter().filter(|cell| !cell.is_empty());
        filled(cells) > 1
            && !cells.iter().any(is_number)
            && cells.iter().any(is_figure)
            && named.all(|cell| heading::read(cell) != HeadingMeaning::Unknown)
    };
    let RawTable { caption, rows, spaced, by_semicolon, has_points } = table;
    let begun = |caption, rows| RawTable { caption, rows, spaced, by_semicolon, has_points };
    let (mut all, mut now) = (Vec::new(), begun(caption, Vec::new()));
    let (mut head, mut has_numbers): (Option<Vec<String>>, bool) = (None, false);
    for (line, cells) in rows {
        let is_other = || head.as_ref().is_none_or(|head| *head != cells) && are_headings(&cells);
        if head.is_none() && is_other() {
            head = Some(cells.clone());
        } else if has_numbers && all.len() < MOST_TABLES && is_other() {
            let is_title = |(_, cells): &mut (u64, Vec<String>)| filled(cells) == 1 && !cells.iter().any(is_number);
            let title = now.rows.pop_if(is_title);
            all.push(std::mem::replace(&mut now, begun(String::new(), title.into_iter().collect())));
            (head, has_numbers) = (Some(cells.clone()), false);
        }
        has_numbers |= head.is_some() && cells.iter().any(is_number);
        now.rows.push((line, cells));
    }
    all.push(now);
    all
}

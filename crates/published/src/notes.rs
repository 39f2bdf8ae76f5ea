//! Signs of footnotes behind headings and numbers, which are no part of them: `TPS¹`, `p95 ms (1)`, `13.2※1`.

use crate::heading::{self, HeadingMeaning};
use crate::quantity::{self, CellContent};
use crate::raw_table::RawTable;
use crate::words::{half_width, is_among, words};

/// A longer cell is text.
const LONGEST: usize = 120;
/// A longer mark is a part of the heading.
const LONGEST_MARK: usize = 20;

/// Takes the signs of footnotes off the headings and numbers of a table. Of two headings that would then be the same each has its own: `TPS (1)` and
/// `TPS (2)` are two runs.
pub(crate) fn without(table: &mut RawTable) {
    for (_, cells) in &mut table.rows {
        let plain: Vec<Option<String>> = cells.iter().map(|cell| plain(cell).map(str::to_owned)).collect();
        let is_number = |text: &str| matches!(quantity::read(text), CellContent::Number(..) | CellContent::Share(_));
        let times = |text: &String| plain.iter().flatten().chain(cells.iter()).filter(|other| *other == text).count();
        let is_mark = |text: &String| is_number(text) || times(text) == 1;
        let marked: Vec<bool> = plain.iter().map(|text| text.as_ref().is_some_and(is_mark)).collect();
        for ((cell, text), is_marked) in cells.iter_mut().zip(plain).zip(marked) {
            if let Some(text) = text.filter(|_| is_marked) {
                *cell = text;
            }
        }
    }
}

/// A heading that is known, or a number, without the sign of a footnote behind it.
pub(crate) fn plain(cell: &str) -> Option<&str> {
    let last = cell.chars().next_back().filter(|last| !last.is_ascii_alphabetic())?;
    if cell.len() > LONGEST {
        return None;
    }
    let sign = if last.is_ascii_digit() { numbered(cell) } else { signs(cell).or_else(|| numbered(cell)) };
    let text = sign.or_else(|| in_brackets(cell))?;
    match quantity::read(text) {
        CellContent::Number(..) | CellContent::Share(_) => sign.is_some().then_some(text),
        _ => matches!(heading::read(text), HeadingMeaning::Figure(..) | HeadingMeaning::Named(_)).then_some(text),
    }
}

/// What stands before the number of a note.
const SIGNS: [char; 2] = ['※', '＊'];

/// A text without raised or enclosed numbers and letters, or daggers, at its end. Those of `10³` and `s⁻¹` are exponents.
fn signs(cell: &str) -> Option<&str> {
    let is_raised = |c: char| "¹²³⁰⁴⁵⁶⁷⁸⁹".contains(c);
    let is_sign = |c: char| {
        is_raised(c) || matches!(c, '①'..='⓿' | '❶'..='➓' | 'ᵃ'..='ᶻ' | '†' | '‡' | '*' | '＊' | '※' | ',') || c == 'ª'
    };
    let text = cell.trim_end_matches(is_sign).trim_end();
    let is_exponent = cell[text.len()..].starts_with(is_raised) && (is_ten(text) || text.ends_with(['⁻', '⁺']));
    (text.len() < cell.len() && !text.is_empty() && !cell.ends_with(',') && !is_exponent).then_some(text)
}

/// Whether a text ends with the ten of a power: `x10`, but not `2,010`.
fn is_ten(text: &str) -> bool {
    text.strip_suffix("10").is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_digit() || ",.".contains(c)))
}

/// `TPS※1`, `TPS*1`, `13.2[1]`, and with the word for a note: the text before it.
fn numbered(cell: &str) -> Option<&str> {
    let digits = |text: &str| {
        !text.is_empty() && text.chars().count() < 3 && half_width(text).bytes().all(|b| b.is_ascii_digit())
    };
    // `128 * 3` is a product.
    let star =
        || cell.rsplit_once('*').filter(|(text, _)| text.ends_with(char::is_alphabetic) || text.ends_with([')', ']']));
    let behind_sign = || cell.rsplit_once(SIGNS).or_else(star).filter(|(_, number)| digits(number.trim()));
    let in_square = || cell.strip_suffix([']', '］'])?.rsplit_once(['[', '［']).filter(|(_, number)| digits(number));
    // `TPS^1^`, as Pandoc writes what is raised.
    let raised = || {
        let (text, number) = cell.strip_suffix('^')?.rsplit_once('^')?;
        (digits(number) && !is_ten(text)).then_some((text, number))
    };
    let behind_word = || {
        let text = cell.trim_end_matches(|c: char| c.is_numeric());
        let last = text.chars().next_back().filter(|_| text.len() < cell.len())?;
        let before = &text[..text.len() - last.len_utf8()];
        (!last.is_ascii() && is_among(&last.to_string(), "remark")).then_some((before, ""))
    };
    let (text, _) = behind_sign().or_else(in_square).or_else(raised).or_else(behind_word)?;
    Some(text.trim_end()).filter(|text| !text.is_empty())
}

/// `TPS (1)`, `TPS (a)`, `TPS (see note 1)`, with the sign of a note within the brackets: the text before them.
fn in_brackets(cell: &str) -> Option<&str> {
    let (text, inner) = cell.strip_suffix([')', '）', ']'])?.rsplit_once(['(', '（', '['])?;
    let inner = half_width(inner).to_lowercase();
    let number = inner.trim_start_matches(|c: char| SIGNS.contains(&c) || c == '*' || c == '#').trim();
    // Larger numbers are of clients, and `h` is a unit.
    let is_single = |low: u8, high: u8| matches!(number.as_bytes(), [one] if (low..=high).contains(one));
    let (is_number, is_letter) = (is_single(b'1', b'5'), is_single(b'a', b'f'));
    let mut all = words(number);
    all.retain(|word| !word.bytes().all(|b| b.is_ascii_digit()) && !["see", "cf"].contains(&word.as_str()));
    let is_note = !all.is_empty() && all.iter().all(|word| is_among(word, "remark") || word == "footnote");
    let is_mark = number.len() <= LONGEST_MARK && (is_number || is_letter || is_note);
    Some(text.trim_end()).filter(|text| is_mark && !text.is_empty())
}

//! What a note below a table says of one of its columns: `TPS*` and `* in thousands`. The scale or the unit is that of the column; other notes change nothing.

use crate::caption;
use crate::heading::{self, HeadingMeaning};
use crate::raw_table::RawTable;
use crate::scale;
use crate::words::{half_width, is_among, lower, unit, words};
use std::collections::BTreeMap;

/// Headings are in the first rows.
const HEAD_ROWS: usize = 6;
/// A longer note says something else.
const LONGEST: usize = 120;
/// In a longer text they are not looked for.
const LONGEST_TEXT: usize = 1 << 20;

/// Puts what the notes of a text say of a scale or a unit into the headings that have their signs.
pub(crate) fn explain(tables: &mut [RawTable], text: &str) {
    if text.len() > LONGEST_TEXT {
        return;
    }
    let notes = of_text(text);
    if notes.is_empty() {
        return;
    }
    let cells = tables.iter_mut().flat_map(|table| table.rows.iter_mut().take(HEAD_ROWS));
    for cell in cells.flat_map(|(_, cells)| cells) {
        let name = crate::notes::plain(cell).unwrap_or(cell);
        if name.is_empty() || name.len() > LONGEST || !matches!(heading::read(name), HeadingMeaning::Figure(..)) {
            continue;
        }
        let explained = notes.iter().find_map(|(sign, of_sign)| {
            let explained = of_sign.iter().find_map(|note| explained(name, note))?;
            has_sign(text, name, sign).then_some(explained)
        });
        if let Some(explained) = explained {
            *cell = explained;
        }
    }
}

/// The notes of a text, of each sign.
fn of_text(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        if let Some((sign, note)) = of_line(line).filter(|(_, note)| says_unit(note)) {
            all.entry(sign).or_default().push(note);
        }
    }
    all
}

/// The sign and the words of a line that is a note: `* in thousands`, `[^1]: in thousands`, `<p><sup>1</sup> in thousands</p>`.
fn of_line(line: &str) -> Option<(String, String)> {
    const SIGNS: &str = "*＊†‡※[]()（）^:：.\\#";
    if line.len() > 2 * LONGEST {
        return None;
    }
    let text = half_width(&without_tags(line));
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "-|>".contains(c));
    let without_word = text.strip_prefix("Note").or_else(|| text.strip_prefix("note"));
    let text = without_word.unwrap_or(text).trim_start();
    let text = text.strip_prefix(|c: char| !c.is_ascii() && is_among(&c.to_string(), "remark")).unwrap_or(text);
    let is_part = |c: char| digit(c).is_some() || c.is_ascii_digit() || SIGNS.contains(c);
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (mark, rest) = text.split_at(end);
    let digits: String = mark.chars().filter_map(|c| digit(c).or(c.is_ascii_digit().then_some(c))).collect();
    let signs: String = mark.chars().filter(|c| "*＊†‡※".contains(*c)).collect();
    let sign = if digits.is_empty() { signs } else { digits };
    let note = rest.trim().trim_end_matches(['.', '|', '。', ' ']).to_owned();
    (!sign.is_empty() && sign.chars().count() < 4 && !note.is_empty()).then_some((sign, note))
}

/// The digit that a raised or enclosed one stands for.
fn digit(c: char) -> Option<char> {
    const RAISED: [char; 9] = ['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let at = RAISED.iter().position(|raised| *raised == c);
    let at = at.or_else(|| ('①'..='⑨').position(|enclosed| enclosed == c))?;
    char::from_digit(at as u32 + 1, 10)
}

fn without_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut parts = line.split('<');
    out.extend(parts.next());
    for part in parts {
        match part.split_once('>') {
            Some((_, text)) => out.push_str(text),
            None => out.extend(["<", part]),
        }
    }
    out
}

/// Whether words may say of which scale or unit something is.
fn says_unit(note: &str) -> bool {
    let all = lower(&words(note));
    let is_unit = |length: usize| all.windows(length).any(|few| unit(few).is_some());
    note.len() <= LONGEST && (scale::says_scale(&all) || is_unit(1) || is_unit(2))
}

/// A heading with what a note says of its figure, if that is a scale or a unit that it does not name itself.
fn explained(name: &str, note: &str) -> Option<String> {
    let figure = |text: &str| match heading::read(text) {
        HeadingMeaning::Figure(kind, unit, of) => Some((kind, unit, of)),
        _ => None,
    };
    let (kind, None, of) = figure(name)? else { return None };
    let with = |words: &str| {
        let joined = format!("{name} ({words})");
        let (of_joined, unit, name) = figure(&joined)?;
        (unit.is_some() && name == of && of_joined == kind).then_some(joined)
    };
    let scale = || {
        const FILLER: [&str; 9] = [
            "of-scale",
            "of-sentence",
            "of-caption",
            "of-note",
            "of-unit",
            "of-transaction",
            "of-query",
            "per",
            "a-second",
        ];
        let mut all = lower(&words(note));
        all.retain(|word| {
            !FILLER.iter().any(|of| is_among(word, of)) && figure(word).is_none_or(|(of, ..)| of != kind)
        });
        match all.as_slice() {
            [word] if heading::is_rate(kind) && scale::of_word(word).is_some() => with(word),
            _ => None,
        }
    };
    let time = || with(caption::unit_of_time(note).or_else(|| caption::unit_alone(note))?);
    with(note).or_else(scale).or_else(time)
}

/// Whether the sign of a note stands behind this heading in the text.
fn has_sign(text: &str, name: &str, sign: &str) -> bool {
    let forms: Vec<String> = match sign.parse::<u32>() {
        Ok(number) => {
            const AROUND: [(&str, &str); 10] = [
                ("[", "]"),
                ("[^", "]"),
                ("(", ")"),
                ("（", "）"),
                ("^", "^"),
                ("※", ""),
                ("*", ""),
                ("\\*", ""),
                ("<sup>", "</sup>"),
                ("<sup>[", "]</sup>"),
            ];
            let single = char::from_digit(number, 10);
            let raised = "¹²³⁴⁵⁶⁷⁸⁹①②③④⑤⑥⑦⑧⑨".chars().filter(|c| digit(*c) == single).map(String::from);
            AROUND.iter().map(|(before, after)| format!("{before}{sign}{after}")).chain(raised).collect()
        }
        Err(_) => vec![sign.to_owned(), sign.replace('*', "\\*"), format!("<sup>{sign}</sup>")],
    };
    let is_it = |(at, _): (usize, &str)| {
        let behind = text[at + name.len()..].trim_start_matches(' ');
        // `*TPS*` is printed in italics.
        let is_emphasis = text[..at].ends_with('*');
        let goes_on = |rest: &str| rest.starts_with(|c: char| c == '*' || c.is_ascii_digit());
        let is_word = |c: char| !c.is_ascii() && is_among(&c.to_string(), "remark");
        let behind_word = behind.strip_prefix(is_word).and_then(|rest| rest.strip_prefix(sign));
        let behind_sign = forms.iter().filter_map(|form| behind.strip_prefix(&**form));
        !is_emphasis && behind_sign.chain(behind_word).any(|rest| !goes_on(rest))
    };
    text.match_indices(name).any(is_it)
}

#[cfg(test)]
mod tests {
    use crate::{FigureKind, read};

    /// TPS and the times of the first result.
    fn of(text: &str) -> (Option<f64>, Option<f64>) {
        let read = read(text.as_bytes(), "x.md").unwrap();
        (read.results[0].get(FigureKind::Tps), read.results[0].get(FigureKind::Percentile(9500)))
    }

    #[test]
    fn the_scale_and_the_unit_of_a_note_are_those_of_its_column() {
        for (sign, note) in [
            ("*", "\\* in thousands"),
            ("*", "* in thousands"),
            ("[^1]", "[^1]: in thousands"),
            ("[^1]", "[^1]: Values are in thousands of transactions per second."),
            ("¹", "¹ thousands"),
            (" (1)", "(1) in thousands"),
            ("※1", "※1 単位は千件/秒"),
            ("<sup>1</sup>", "<sup>1</sup> in thousands"),
            ("†", "† thousand TPS"),
        ] {
            let text =
                format!("| Threads | TPS{sign} | p95 |\n|--|--|--|\n| 8 | 1.2 | 9 |\n| 16 | 2.1 | 10 |\n\n{note}\n");
            assert_eq!(of(&text), (Some(1200.0), Some(9.0)), "{text}");
            let text = format!(
                "Results{sign}\n\n| Threads | TPS | p95 |\n|--|--|--|\n| 8 | 1.2 | 9 |\n| 16 | 2.1 | 10 |\n\n{note} ?\n"
            );
            let _ = of(&text);
        }
        let text =
            "| Threads | TPS | p95* |\n|--|--|--|\n| 8 | 1200 | 0.009 |\n| 16 | 2100 | 0.010 |\n\n\\* in seconds\n";
        assert_eq!(of(text), (Some(1200.0), Some(9.0)));
        let page = "<table><tr><th>Threads<th>TPS<sup>1</sup><th>p95<tr><td>8<td>1.2<td>9<tr><td>16<td>2.1<td>10</table>\n<p><sup>1</sup> in thousands</p>";
        assert_eq!(of(page), (Some(1200.0), Some(9.0)));
    }

    #[test]
    fn other_notes_change_nothing() {
        for (sign, note) in [
            ("*", "\\* median of 3 runs"),
            ("*", "\\* measured for 60 seconds with a thousand warehouses each"),
            ("", "* in thousands"),
            ("¹", "² in thousands"),
            ("[^1]", "[^1]: see the appendix"),
        ] {
            let text =
                format!("| Threads | TPS{sign} | p95 |\n|--|--|--|\n| 8 | 1.2 | 9 |\n| 16 | 2.1 | 10 |\n\n{note}\n");
            assert_eq!(of(&text), (Some(1.2), Some(9.0)), "{text}");
        }
        let text = "| Threads | *TPS* | p95 |\n|--|--|--|\n| 8 | 1.2 | 9 |\n| 16 | 2.1 | 10 |\n\n* in thousands\n";
        assert_eq!(of(text), (Some(1.2), Some(9.0)));
    }
}

//! Lines that are longer than a terminal is wide, broken between words: a terminal would break them within.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Each line of the text with at most this many columns, further lines indented: by more than the line itself, if that is indented
/// more. A word that is longer stays whole. Without a width (no terminal) the text stays as it is.
pub fn wrapped(text: &str, columns: Option<usize>, indent: usize) -> String {
    let Some(columns) = columns.map(|columns| columns.max(indent + 20)) else { return text.to_owned() };
    text.split('\n').map(|line| one(line, columns, indent)).collect::<Vec<_>>().join("\n")
}

/// The same with an indent for each line.
pub fn lines(text: &str, columns: Option<usize>, indent: impl Fn(&str) -> usize) -> String {
    text.split('\n').map(|line| wrapped(line, columns, indent(line))).collect::<Vec<_>>().join("\n")
}

fn one(line: &str, columns: usize, indent: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let own = line.width() - line.trim_start().width();
    let hanging = if own > indent { own + 2 } else { indent };
    let (mut out, mut now) = (String::new(), String::new());
    for piece in pieces(line) {
        if now.width() + piece.trim_end().width() > columns && !now.trim().is_empty() {
            out += now.trim_end();
            out.push('\n');
            now = " ".repeat(hanging) + piece.trim_start();
        } else {
            now += piece;
        }
    }
    out + now.trim_end()
}

/// Closing marks and small letters of Japanese, before which no line is broken, and opening ones, behind which none is.
const NEVER_FIRST: &str = "\u{3001}\u{3002}\u{300d}\u{ff09}\u{30fc}\u{3063}\u{3083}\u{3085}\u{3087}\u{30c3}\u{30e3}\u{30e5}\u{30e7}\u{30fb}\u{ff1a}";
const NEVER_LAST: &str = "\u{300c}\u{ff08}";

/// The pieces between which a line may be broken: behind spaces, and between characters that are two columns wide, which Japanese is
/// written with, but not before a closing mark.
fn pieces(line: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut from = 0;
    let mut before: Option<char> = None;
    let is_wide = |c: char| c.width() == Some(2);
    for (at, c) in line.char_indices() {
        let may_break = match before {
            Some(' ') => c != ' ',
            Some(b) => is_wide(b) && is_wide(c) && !NEVER_FIRST.contains(c) && !NEVER_LAST.contains(b),
            None => false,
        };
        if may_break {
            all.push(&line[from..at]);
            from = at;
        }
        before = Some(c);
    }
    all.push(&line[from..]);
    all
}

#[cfg(test)]
mod tests {
    use super::{lines, wrapped};
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn words_stay_whole_and_further_lines_are_indented() {
        let text = "answer   flush-2 completed 1.51 times the transactions per second of flush-1 (95 % interval)";
        assert_eq!(wrapped(text, None, 9), text);
        let lines = wrapped(text, Some(40), 9);
        assert!(lines.lines().all(|line| line.width() <= 40), "{lines}");
        assert!(
            lines.lines().skip(1).all(|line| line.starts_with("         ") && !line.starts_with("          ")),
            "{lines}"
        );
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
        let within = wrapped(&format!("{}evidence  of the cores others used most", " ".repeat(11)), Some(40), 9);
        assert_eq!(within.lines().nth(1), Some("             used most"), "{within}");
        let long = format!("a {}", "x".repeat(100));
        assert_eq!(wrapped(&long, Some(40), 2).lines().last().map(str::trim), Some(&*"x".repeat(100)), "a long word");
    }

    #[test]
    fn each_line_is_indented_as_it_says() {
        let text = "label    some words that are too long for it\n(a remark that is too long for it, too)\nshort";
        let indent = |line: &str| if line.starts_with('(') { 0 } else { 9 };
        assert_eq!(
            lines(text, Some(30), indent),
            "label    some words that are\n         too long for it\n(a remark that is too long for\nit, too)\nshort"
        );
        assert_eq!(lines(text, None, indent), text);
    }

    #[test]
    fn japanese_is_broken_between_characters_and_not_before_a_mark() {
        let text = "結論     flush-2 の毎秒トランザクション数は flush-1 の 1.51 倍です。ただし、耐久性が異なります。";
        let lines = wrapped(text, Some(40), 9);
        assert!(lines.lines().count() > 1 && lines.lines().all(|line| line.width() <= 40), "{lines}");
        assert!(lines.lines().all(|line| !line.trim_start().starts_with(['、', '。'])), "{lines}");
    }
}

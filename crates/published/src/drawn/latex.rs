//! Tables of LaTeX: `\begin{tabular} … \end{tabular}` and its relatives.

use super::Block;
use crate::grid::Grid;
use crate::raw_table::{Extent, MOST_COLUMNS};
use tenbin_words::message::Message;

/// The environments whose body is rows of cells.
const ENVIRONMENTS: [&str; 8] =
    ["tabular", "tabular*", "tabularx", "tabulary", "longtable", "longtabu", "tabu", "array"];
/// Rules, and what else stands between rows; in the second list with an argument.
const RULES: [&str; 9] =
    ["hline", "toprule", "midrule", "bottomrule", "addlinespace", "endhead", "endfirsthead", "endfoot", "endlastfoot"];
const RULES_OF_PART: [&str; 5] = ["cline", "cmidrule", "rowcolor", "noalign", "specialrule"];
/// The caption is looked for in this many lines around a table.
const AROUND: usize = 8;
/// A table is read up to this many lines.
const MOST_LINES: usize = 50_000;
/// At most this much of a cell, and of a caption, is read: its commands may stand within one another.
const LONGEST: usize = 400;

pub(super) fn read(lines: &[&str], at: usize, extent: &mut Extent) -> Result<Option<Block>, Message> {
    let Some((environment, _)) = begun(lines[at]) else { return Ok(None) };
    let (open, close) = (format!("\\begin{{{environment}}}"), format!("\\end{{{environment}}}"));
    // One that is left open ends with the text; one within a cell (`\begin{tabular}[c]{@{}c@{}}TPS\\(k)\end{tabular}`) ends in its line.
    let most = lines.len().min(at + MOST_LINES) - 1;
    let is_end = |line: &str| line.matches(&close).count() > line.matches(&open).count();
    let is_one_line = |line: &str| begun(line).is_some_and(|(_, rest)| is_end(rest));
    let end = match is_one_line(lines[at]) {
        true => at,
        false => lines[(at + 1).min(most)..=most].iter().position(|line| is_end(line)).map_or(most, |n| at + 1 + n),
    };
    let body = |n: usize| {
        let text = if n == at { begun(lines[n]).map_or("", |(_, rest)| rest) } else { lines[n] };
        let text = without_comment(text);
        if n == end { text.rsplit_once(&close).map_or(text, |(text, _)| text) } else { text }
    };
    // Braces that are never closed hold nothing together.
    let mut depth = Depth::default();
    (at..=end).for_each(|n| _ = depth.split(body(n), ENDS_OF_ROWS));
    let is_closed = depth.braces == 0 && depth.environments == 0;
    let (mut grid, mut row, mut line) = (Grid::default(), String::new(), at as u64 + 1);
    let mut depth = Depth::default();
    for n in at..=end {
        let mut parts = depth.split(body(n), ENDS_OF_ROWS).into_iter().peekable();
        while let Some(part) = parts.next() {
            // `\\[2pt]` asks for room below the row.
            let part = part.strip_prefix('[').and_then(|part| part.split_once(']')).map_or(part, |(_, part)| part);
            if row.trim().is_empty() {
                line = n as u64 + 1;
            }
            row.push_str(part);
            row.push(' ');
            if !is_closed {
                depth = Depth::default();
            }
            if parts.peek().is_some() || n == end {
                ended(&std::mem::take(&mut row), line, &mut grid, extent)?;
            }
        }
    }
    Ok(Some(Block { rows: grid.rows, caption: caption(lines, at, end), end: end + 1 }))
}

/// What ends a row.
const ENDS_OF_ROWS: &[&str] = &["\\\\", "\\tabularnewline"];

/// What a text is within.
#[derive(Default)]
struct Depth {
    braces: usize,
    environments: usize,
}

impl Depth {
    /// The parts of a text between these signs, where they stand in no braces and in no table within a cell: `\makecell{TPS\\(k)}` is one.
    fn split<'t>(&mut self, text: &'t str, signs: &[&str]) -> Vec<&'t str> {
        let (mut all, mut from, mut at) = (Vec::new(), 0, 0);
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let sign = signs.iter().find(|sign| rest.starts_with(**sign));
            let length = match (sign, c) {
                (Some(sign), _) if self.braces == 0 && self.environments == 0 => {
                    all.push(&text[from..at]);
                    from = at + sign.len();
                    sign.len()
                }
                (_, '\\') => {
                    self.environments += usize::from(rest.starts_with("\\begin{"));
                    self.environments -= usize::from(self.environments > 0 && rest.starts_with("\\end{"));
                    1 + rest[1..].chars().next().map_or(0, char::len_utf8)
                }
                (_, '{') => {
                    self.braces += 1;
                    1
                }
                (_, '}') => {
                    self.braces = self.braces.saturating_sub(1);
                    1
                }
                (_, c) => c.len_utf8(),
            };
            at += length;
        }
        all.push(&text[from..]);
        all
    }
}

/// The environment that begins on a line, and what stands behind it and its arguments.
fn begun(line: &str) -> Option<(&'static str, &str)> {
    let (name, rest) = line.split_once("\\begin{")?.1.split_once('}')?;
    let name = *ENVIRONMENTS.iter().find(|environment| **environment == name)?;
    let mut rest = rest;
    while let Some((_, behind)) = argument(rest, '{', '}').or_else(|| argument(rest, '[', ']')) {
        rest = behind;
    }
    Some((name, rest))
}

/// The argument at the start of a text, and what stands behind it.
fn argument(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let mut depth = 0;
    text.strip_prefix(open)?;
    for (at, c) in text.char_indices() {
        depth += usize::from(c == open);
        if c == close {
            depth -= 1;
            if depth == 0 {
                return Some((&text[1..at], &text[at + 1..]));
            }
        }
    }
    None
}

fn without_comment(line: &str) -> &str {
    let sign = line.match_indices('%').find(|(at, _)| !line[..*at].ends_with('\\'));
    sign.map_or(line, |(at, _)| &line[..at])
}

/// Adds a row.
fn ended(row: &str, line: u64, grid: &mut Grid, extent: &mut Extent) -> Result<(), Message> {
    let row = without_rules(row);
    if row.trim().is_empty() {
        return Ok(());
    }
    grid.begin_row(line);
    for cell in Depth::default().split(row, &["&"]) {
        let cell = cell.trim();
        let columns = || {
            let (columns, _) = argument(cell.strip_prefix("\\multicolumn")?, '{', '}')?;
            columns.trim().parse().ok()
        };
        grid.cell(line, &text(cell), columns().unwrap_or(1usize).min(MOST_COLUMNS), 1)?;
    }
    grid.end_row(extent)
}

/// A row without the rules above it.
fn without_rules(row: &str) -> &str {
    let mut rest = row.trim_start();
    loop {
        let Some(command) = rest.strip_prefix('\\') else { return rest };
        let name_end = command.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(command.len());
        let (name, mut behind) = command.split_at(name_end);
        if !RULES.contains(&name) && !RULES_OF_PART.contains(&name) {
            return rest;
        }
        // `\toprule {Threads}`: a cell in braces behind a rule that has no argument in them.
        let arguments = [('(', ')'), ('[', ']'), ('{', '}')];
        let own = if RULES.contains(&name) { &arguments[1..2] } else { &arguments[..] };
        while let Some((_, next)) = own.iter().find_map(|(open, close)| argument(behind, *open, *close)) {
            behind = next;
        }
        rest = behind.trim_start();
    }
}

/// The words of a cell: of a command its last argument, of a number with a unit both.
fn text(cell: &str) -> String {
    let (mut out, mut rest) = (String::new(), &cell[..cell.floor_char_boundary(LONGEST)]);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (name, behind) = rest.split_at(end);
                rest = behind;
                match name {
                    "" => {
                        // `\%`, `\&`; `\,` is a narrow blank.
                        let sign = rest.chars().next().unwrap_or(' ');
                        rest = rest.get(sign.len_utf8()..).unwrap_or("");
                        // `\\` begins another line of the cell.
                        out.push(if ",;:! \\".contains(sign) { ' ' } else { sign });
                    }
                    "times" => out.push('×'),
                    "pm" => out.push('±'),
                    "mu" | "micro" | "textmu" => out.push('µ'),
                    "textasciitilde" | "sim" | "approx" => out.push('~'),
                    "textsuperscript" => {
                        let (raised, behind) = argument(rest, '{', '}').unwrap_or(("", rest));
                        rest = behind;
                        raise(&mut out, &text(raised));
                    }
                    "begin" | "end" => {
                        for (open, close) in [('{', '}'), ('[', ']'), ('{', '}')] {
                            let next = argument(rest, open, close).filter(|_| name == "begin" || open == '{');
                            rest = next.map_or(rest, |(_, behind)| behind);
                        }
                    }
                    "si" | "unit" => {
                        let (unit, behind) = argument(rest, '{', '}').unwrap_or(("", rest));
                        rest = behind;
                        out.push_str(&of_siunitx(unit));
                    }
                    "footnote" | "cite" | "label" | "ref" | "cellcolor" | "color" | "rule" => {
                        rest = argument(rest, '[', ']').map_or(rest, |(_, behind)| behind);
                        rest = argument(rest, '{', '}').map_or(rest, |(_, behind)| behind);
                    }
                    // `\multicolumn{2}{c}{text}`, `\multirow{2}{*}{text}`, `\textcolor{red}{text}`.
                    "multicolumn" | "multirow" | "textcolor" | "makecell" | "SI" | "qty" | "num" => {
                        rest = argument(rest, '[', ']').map_or(rest, |(_, behind)| behind);
                        let mut all = Vec::new();
                        while let Some((inner, behind)) = argument(rest, '{', '}') {
                            all.push(inner);
                            rest = behind;
                        }
                        let last = all.pop().unwrap_or("");
                        // Arguments within arguments end: each is shorter than what it stands in.
                        if matches!(name, "SI" | "qty") && !all.is_empty() {
                            out.push_str(&format!("{} {}", text(all[0]), of_siunitx(last)));
                        } else {
                            out.push_str(&text(last));
                        }
                    }
                    _ => {}
                }
            }
            '^' => {
                let one = || rest.chars().next().map(|c| rest.split_at(c.len_utf8()));
                let (raised, behind) = argument(rest, '{', '}').or_else(one).unwrap_or(("", rest));
                rest = behind;
                raise(&mut out, &text(raised));
            }
            '{' | '}' | '$' => {}
            '~' => out.push(' '),
            c => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds what is raised above a text: the exponent of ten, or the ending of an ordinal number. A sign of a footnote is no part of a cell.
fn raise(out: &mut String, raised: &str) {
    let is_power = out.strip_suffix("10").is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_digit()));
    let is_note = raised.chars().count() < 2 || raised.bytes().all(|b| b.is_ascii_digit() || b == b',');
    match (is_power, out.is_empty() || !is_note) {
        (true, _) => out.extend(["^", raised]),
        (false, true) => out.push_str(raised),
        (false, false) => {}
    }
}

/// A unit in the macros of siunitx: `\milli\second` is ms. The name of one that is not known stays, so that no unit is taken for another.
fn of_siunitx(unit: &str) -> String {
    const MACROS: [(&str, &str); 18] = [
        ("nano", "n"),
        ("micro", "µ"),
        ("milli", "m"),
        ("kilo", "k"),
        ("mega", "M"),
        ("second", "s"),
        ("minute", "min"),
        ("hour", "h"),
        ("percent", "%"),
        ("byte", "B"),
        ("per", "/"),
        ("ns", "ns"),
        ("us", "µs"),
        ("ms", "ms"),
        ("s", "s"),
        ("min", "min"),
        ("hr", "h"),
        ("giga", "G"),
    ];
    if !unit.contains('\\') {
        return text(unit);
    }
    let (mut out, mut rest) = (String::new(), &unit[..unit.floor_char_boundary(LONGEST)]);
    while let Some((before, behind)) = rest.split_once('\\') {
        let (name, after) = behind.split_at(behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len()));
        let known = MACROS.iter().find(|(of, _)| *of == name).map_or(name, |(_, sign)| sign);
        out.push_str(before.trim_matches(['{', '}', ' ']));
        out.push_str(known);
        rest = after;
    }
    out + rest.trim_matches(['{', '}', ' '])
}

/// The caption of a table, which stands above or below it.
fn caption(lines: &[&str], at: usize, end: usize) -> Option<String> {
    let below = lines[end..].iter().take(AROUND).take_while(|line| !line.contains("\\end{table"));
    let above = lines[at.saturating_sub(AROUND)..at].iter().rev().take_while(|line| !line.contains("\\end{table"));
    let of_line = |line: &&str| {
        let rest = line.split_once("\\caption")?.1;
        let rest = argument(rest, '[', ']').map_or(rest, |(_, rest)| rest);
        argument(rest, '{', '}').map(|(words, _)| text(words))
    };
    below.chain(above).find_map(of_line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::tables;

    #[test]
    fn rules_spans_and_commands() {
        let page = "\\section{Results}\n\\begin{table}[t]\n\\caption{Read only}\n\\begin{tabular}{@{}rr r@{}}\n\\toprule\n\
                    \\textbf{Threads} & \\multicolumn{2}{c}{Latency (ms)} \\\\\n\\cmidrule(lr){2-3}\n & mean & 95\\,\\% \\\\[2pt]\n\
                    \\midrule % a comment\n8 & $8.0$ & \\num{12} \\\\\n\\rowcolor{gray!10} 16 & \\SI{9}{ms} &\n 1{,}000 \\\\\n\\bottomrule\n\
                    \\end{tabular}\n\\end{table}\n";
        let all = tables(page).unwrap();
        assert_eq!((all.len(), all[0].caption.as_str()), (1, "Read only"));
        let rows: Vec<String> =
            all[0].rows.iter().map(|(line, cells)| format!("{line}: {}", cells.join("|"))).collect();
        assert_eq!(rows, ["5: Threads|Latency (ms)|", "7: |mean|95 %", "9: 8|8.0|12", "11: 16|9 ms|1,000"]);
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for page in [
            "\\begin{tabular}",
            "\\begin{tabular}{\n\\end{tabular}",
            "\\begin{tabular}{l}\n\\multicolumn{9999999999}{c}{a\\\\\n\\end{tabular}",
            "\\begin{tabular}\\end{tabular}",
            "\\begin{tabular}{l}\\\\\\\\ & \\ \\end{tabular}",
            "\\begin{tabular}{l} \\",
        ] {
            let _ = tables(page);
        }
        // Each of these would take minutes or the stack.
        let deep = ["\\num{".repeat(300_000), "a".to_owned(), "}".repeat(300_000)].concat();
        for page in [
            format!("\\begin{{tabular}}{{l}}\n{deep}\\\\\n\\end{{tabular}}\n\\caption{{{deep}}}"),
            "\\begin{tabular}\n".repeat(200_000),
        ] {
            let _ = tables(&page);
        }
        assert_eq!(text("\\num{\\num{5}}"), "5");
    }

    #[test]
    fn units_and_what_is_raised() {
        for (cell, shown) in [
            ("\\makecell{TPS\\\\(10\\textsuperscript{3})}", "TPS (10^3)"),
            ("TPS ($10^{3}$)", "TPS (10^3)"),
            ("TPS$^{a}$", "TPS"),
            ("95\\textsuperscript{th}", "95th"),
            ("p95 (\\si{\\milli\\second})", "p95 (ms)"),
            ("\\SI{0.0206}{\\second}", "0.0206 s"),
            ("\\qty[round-mode=none]{82}{\\us}", "82 µs"),
            ("\\SI{12}{\\kilo\\byte\\per\\second}", "12 kB/s"),
            ("\\SI{12}{\\fortnight}", "12 fortnight"),
            ("\\begin{tabular}[c]{@{}c@{}}avg\\\\ (ms)\\end{tabular}", "avg (ms)"),
        ] {
            assert_eq!(text(cell), shown, "{cell}");
        }
    }
}

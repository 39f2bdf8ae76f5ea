//! Lines of one form, each with a result: `8 threads: 1000 TPS, 8.0 ms`, `- MySQL 8.0 - 5400 tps, 11.8 ms`. That all of them have it says that the time
//! which none of them names is that of a response, and that the words before a colon are what was measured.

use super::tokens::{self, Token};
use super::{LONGEST_NAME, MOST_RESULTS, SentenceResult, is_word, speaks_of_throughput, understood, unit_of_time};
use crate::figure_kind::FigureKind;
use crate::heading::{self, HeadingMeaning};
use crate::percentile::is_percentile;
use crate::{beside, listed, matrix};
use tenbin_words::text::short;

/// One line alone has no form.
const LEAST: usize = 2;
/// A longer text before a colon is no name, and at most this much is kept of one above the lines.
const LONGEST: usize = 60;
/// The level of words above lines that are no heading of Markdown.
const OF_TEXT: usize = 8;

/// The results of a text in which every line that speaks of throughput has the same form, or `None` if one has another.
pub(super) fn results(text: &str) -> Option<Vec<(u64, SentenceResult)>> {
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut all: Vec<(u64, Vec<String>, SentenceResult)> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if text.starts_with('|') {
            return None;
        }
        if text.starts_with("```") || !text.contains(char::is_alphanumeric) {
            continue;
        }
        if let Some(of_line) = of_line(text).filter(|_| !text.starts_with('#')) {
            let names: Vec<String> = above.iter().map(|(_, name)| name.clone()).collect();
            all.extend(of_line.into_iter().map(|result| (line, names.clone(), result)));
            continue;
        }
        let words = tokens::tokens(text);
        // `Latency is the 95th percentile.` says what the times are.
        if speaks_of_throughput(&words) || words.iter().any(says_statistic) || all.len() > MOST_RESULTS {
            return None;
        }
        let (level, name) = listed::name(text).unwrap_or((OF_TEXT, short(text.trim_end_matches(':'), LONGEST)));
        above.retain(|(of, _)| *of < level);
        above.push((level, name));
    }
    let form = |result: &SentenceResult| {
        let kinds: Vec<FigureKind> = result.figures.iter().map(|(kind, _)| *kind).collect();
        (result.target.is_some(), result.workload.is_some(), result.clients.is_some(), kinds, result.has_bare_time)
    };
    let first = form(&all.first()?.2);
    if all.len() < LEAST || all.iter().any(|(.., result)| form(result) != first) {
        return None;
    }
    // What stands above all lines tells none of them from the others.
    while all.iter().all(|(_, names, _)| names.first().is_some_and(|name| Some(name) == all[0].1.first())) {
        all.iter_mut().for_each(|(_, names, _)| _ = names.remove(0));
    }
    let has_target = first.0;
    for (_, names, result) in &mut all {
        let name = Some(names.join(", ")).filter(|name| !name.is_empty());
        match (has_target, &result.workload) {
            (false, _) => result.target = name,
            (true, None) => result.workload = name,
            (true, Some(_)) if name.is_some() => return None,
            (true, Some(_)) => {}
        }
    }
    Some(all.into_iter().map(|(line, _, result)| (line, result)).collect())
}

/// The results of a line, of which no two are of the same.
fn of_line(text: &str) -> Option<Vec<SentenceResult>> {
    let text = text.trim_start_matches(['-', '*', '+', '•', '\u{30fb}', '>', ' ']).replace("**", "");
    let (number, rest) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
    // `1. 8 threads: …`.
    let text = [". ", ") "].iter().find_map(|sign| rest.strip_prefix(sign)).filter(|_| !number.is_empty());
    let text = text.map_or_else(|| format!("{number}{rest}"), str::to_owned);
    let all = results_of(&text).or_else(|| named(&text))?;
    let is_same = |one: &SentenceResult, other: &SentenceResult| {
        (&one.target, &one.workload, &one.clients) == (&other.target, &other.workload, &other.clients)
    };
    let is_again = |at: usize| all[..at].iter().any(|before| is_same(before, &all[at]));
    // `tps: 1000` alone is a line of something else: what it is of stands in other lines.
    let is_of_something = all.iter().all(|result| result.target.is_some() || result.clients.is_some());
    (is_of_something && !(0..all.len()).any(is_again)).then_some(all)
}

/// The results of a text, of which signs between words part what belongs together.
fn results_of(text: &str) -> Option<Vec<SentenceResult>> {
    const SIGNS: [&str; 7] = [" - ", " – ", " — ", " -> ", " → ", " => ", " @ "];
    let apart = SIGNS.iter().fold(text.to_owned(), |text, sign| text.replace(sign, "; "));
    understood(&tokens::tokens(&apart), true)
}

/// A line with a name before its figures: `binlog off: 5400 tps, 11.8 ms`.
fn named(text: &str) -> Option<Vec<SentenceResult>> {
    let signs = [": ", "：", " - ", " – ", " — "];
    let (name, rest) = signs.iter().filter_map(|sign| text.split_once(sign)).min_by_key(|(name, _)| name.len())?;
    let name = name.trim_matches(['_', '`', ' ']);
    let is_figure = matches!(heading::read(name), HeadingMeaning::Figure(..) | HeadingMeaning::PerPeriod(_));
    let is_name = name.contains(char::is_alphabetic) && name.chars().count() <= LONGEST && !is_figure;
    // `Update: we got …` is a sentence.
    let is_of_sentence = |token: &Token| matches!(token, Token::Word(word) if ["of-sentence", "of-clause"].iter().any(|of| is_word(word, of)));
    let is_plain = !tokens::tokens(rest).iter().any(is_of_sentence);
    if !is_name || !is_plain || matrix::says_clients(name) || beside::is_repeat(name) {
        return None;
    }
    let mut all = results_of(rest)?;
    match &mut all[..] {
        [only] if only.target.is_none() => only.target = Some(name.to_owned()),
        _ => return None,
    }
    Some(all)
}

/// The statistic that a word beside a time names: `max 20 ms`.
pub(super) fn statistic(tokens: &[Token]) -> Option<FigureKind> {
    let Token::Word(word) = tokens.first()? else { return None };
    let kinds = [("of-mean", FigureKind::Mean), ("of-min", FigureKind::Min), ("of-max", FigureKind::Max)];
    kinds.into_iter().find(|(of, _)| is_word(word, of)).map(|(_, kind)| kind)
}

/// Whether tokens begin with a number of a unit of time.
pub(super) fn is_time(tokens: &[Token]) -> bool {
    matches!(tokens.first(), Some(Token::Number(_))) && unit_of_time(&tokens[1..]).is_some()
}

/// How many words name a response time, and no statistic of it: `latency`, `response time`.
pub(super) fn latency(tokens: &[Token]) -> Option<usize> {
    let words = tokens.iter().take(LONGEST_NAME).map_while(|token| match token {
        Token::Word(word) => Some(word.as_str()),
        _ => None,
    });
    let words: Vec<&str> = words.collect();
    (1..=words.len()).rev().find(|length| {
        let name = words[..*length].join(" ");
        beside::says_latency(&name) && heading::read(&name) == HeadingMeaning::Figure(FigureKind::Mean, None, None)
    })
}

fn says_statistic(token: &Token) -> bool {
    let Token::Word(word) = token else { return false };
    let word = word.to_lowercase();
    is_percentile(&word) || ["median", "of-min", "of-max", "percentile-sign"].iter().any(|of| is_word(&word, of))
}

#[cfg(test)]
mod tests {
    use super::super::of_lines;

    fn shown(text: &str) -> String {
        let rows = of_lines(text).map_or(Vec::new(), |table| table.rows);
        rows.iter().map(|(_, cells)| cells.join("|")).collect::<Vec<_>>().join(" / ")
    }

    #[test]
    fn lines_of_the_same_form_are_rows() {
        let curve = "threads|tps|latency / 8|1000|8.0 ms / 16|1500|10.67 ms";
        for text in [
            "8 threads: 1000 TPS, 8.0 ms\n16 threads: 1500 TPS, 10.67 ms\n",
            "Results:\n\n- 8 threads: 1,000 TPS, 8.0 ms\n- 16 threads: 1,500 TPS, 10.67 ms\n",
            "1. **8 threads:** 1000 TPS (8.0 ms)\n2. **16 threads:** 1500 TPS (10.67 ms)\n",
            "* 8 threads – 1000 tps / 8.0ms latency\n* 16 threads – 1500 tps / 10.67ms latency\n",
            "8 threads -> latency: 8.0 ms, 1000 TPS\n16 threads -> latency: 10.67 ms, 1500 TPS\n",
            "8スレッド: 1000 TPS、8.0 ms\n16スレッド: 1500 TPS、10.67 ms\n",
            "8线程：1000 TPS，8.0ms\n16线程：1500 TPS，10.67ms\n",
        ] {
            assert_eq!(shown(text), curve, "{text}");
        }
        for (text, rows) in [
            (
                "## A\n- 8 threads: 1000 TPS, 8 ms\n## B\n- 8 threads: 1100 TPS, 7 ms\n",
                "target|threads|tps|latency / A|8|1000|8 ms / B|8|1100|7 ms",
            ),
            (
                "- MySQL 8.0 - 5400 tps, 11.8 ms\n- MariaDB - 5200 tps, 12.3 ms\n",
                "target|tps|latency / MySQL 8.0|5400|11.8 ms / MariaDB|5200|12.3 ms",
            ),
            (
                "- binlog off: 5400 tps, avg 11.8 ms, max 90 ms\n- binlog on: 5200 tps, avg 12.3 ms, max 80 ms\n",
                "target|tps|average latency|maximum latency / binlog off|5400|11.8 ms|90 ms / binlog on|5200|12.3 ms|80 ms",
            ),
        ] {
            assert_eq!(shown(text), rows, "{text}");
        }
    }

    /// Of each another figure could be meant.
    #[test]
    fn other_lines_are_none() {
        for text in [
            "8 threads: 1000 TPS, 8.0 ms\n",
            "8 threads: 1000 TPS, 8.0 ms\n16 threads: 1500 TPS\n",
            "8 threads: 1000 TPS, 60 s\n16 threads: 1500 TPS, 60 s\n",
            "8 threads: 1000 TPS, 8 ms, 9 ms\n16 threads: 1500 TPS, 9 ms, 10 ms\n",
            "8 threads: 1000 TPS 8 ms p95 12 ms\n16 threads: 1500 TPS 9 ms p95 13 ms\n",
            "Latency is the 95th percentile.\n8 threads: 1000 TPS, 8.0 ms\n16 threads: 1500 TPS, 9 ms\n",
            "8 threads: 1000 TPS, 8.0 ms\n16 threads: about as many TPS as 8, 9 ms\n",
            "Update: we got 1000 TPS, 8.0 ms\nLater: we got 1100 TPS, 7.0 ms\n",
            "1000 TPS, 8.0 ms\n1100 TPS, 7.0 ms\n",
            "- threads: 8\n  tps: 1000\n- threads: 16\n  tps: 1600\n",
        ] {
            assert_eq!(shown(text), "", "{text}");
        }
    }
}

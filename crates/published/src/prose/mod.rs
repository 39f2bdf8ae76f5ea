//! Figures within sentences: `MySQL 8.0 reached 12,345 TPS with 64 threads, MariaDB 10.6 only 9,870 TPS`. They are read from a text without a table or a log.
//!
//! A sentence is read if every word of it is known; one word more may turn its meaning round (`not`, `up to`, `than`). Of one that speaks of
//! throughput and is not understood, that is said. Lines that all have the same form are less open than sentences ([`of_lines`]).

mod lines;
mod tokens;

use crate::beside;
use crate::figure_kind::{FigureKind, Measure};
use crate::heading::{self, HeadingMeaning};
use crate::raw_table::RawTable;
use crate::words::{has_part, lower, meaning, unit, words};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;
use tokens::{Number, Sentence, Token};

/// A larger text is none of sentences.
const MOST_BYTES: usize = 256 << 10;
/// More sentences are not read.
const MOST_RESULTS: usize = 500;
/// This much of a sentence is shown.
const SHOWN: usize = 80;
/// A longer name of a figure is none.
const LONGEST_NAME: usize = 5;

/// What the sentences of a text say: a table with a row for each result, and the sentences with figures that are not understood.
pub(crate) struct Prose {
    pub table: Option<RawTable>,
    pub not_understood: Vec<Message>,
}

/// The figures of a text of sentences.
pub(crate) fn read(text: &str) -> Prose {
    let (mut results, mut not_understood) = (Vec::new(), Vec::new());
    if text.len() <= MOST_BYTES && !text.trim_start().starts_with('<') {
        for sentence in tokens::sentences(text) {
            if results.len() > MOST_RESULTS || not_understood.len() > MOST_RESULTS {
                break;
            }
            if !speaks_of_throughput(&sentence.tokens) {
                continue;
            }
            match understood(&sentence.tokens, false) {
                Some(all) => results.extend(all.into_iter().map(|result| (sentence.line, result))),
                None => not_understood.push(not_read(&sentence)),
            }
        }
    }
    Prose { table: table(&results), not_understood }
}

/// The results of a text of lines that all have one form, as a table.
pub(crate) fn of_lines(text: &str) -> Option<RawTable> {
    let may_be = text.len() <= MOST_BYTES && !text.trim_start().starts_with(['<', '{', '[']);
    may_be.then(|| lines::results(text)).flatten().and_then(|results| table(&results))
}

fn not_read(sentence: &Sentence) -> Message {
    msg!("published-sentence-not-understood", line = sentence.line, text = foreign(short(&sentence.text, SHOWN)))
}

/// What a sentence says of one result. What it says of all its results stands in each.
#[derive(Debug, Clone, Default, PartialEq)]
struct SentenceResult {
    target: Option<String>,
    workload: Option<String>,
    clients: Option<String>,
    /// Figures with their numbers as a table would have them: `12345`, `5.2 ms`.
    figures: Vec<(FigureKind, String)>,
    /// Whether the mean is a response time of which no word says that it is one.
    has_bare_time: bool,
    /// Whether target and clients are those of the result before it.
    inherits: (bool, bool),
}

/// A part of a sentence that has a meaning.
#[derive(Debug, Clone, PartialEq)]
enum SentencePart {
    Target(String),
    Workload(String),
    Clients(String),
    Figure(FigureKind, String),
    /// A response time of which no word says which statistic it is.
    Time(String),
    /// What separates results: a comma, `and`.
    Separator,
}

/// The results of a sentence, or of a line of a list, or `None` if a word of it is not known, or if it is not sure which figure belongs to what.
fn understood(tokens: &[Token], is_line: bool) -> Option<Vec<SentenceResult>> {
    let parts = parts(tokens, is_line)?;
    let (mut done, mut now, mut is_separated): (Vec<SentenceResult>, SentenceResult, bool) =
        (Vec::new(), SentenceResult::default(), false);
    for part in parts {
        let conflicts = match &part {
            SentencePart::Target(_) => now.target.is_some() && !now.inherits.0,
            SentencePart::Clients(_) => now.clients.is_some() && !now.inherits.1,
            SentencePart::Workload(_) => now.workload.is_some(),
            SentencePart::Figure(kind, _) => now.figures.iter().any(|(known, _)| known == kind),
            SentencePart::Time(_) => now.figures.iter().any(|(known, _)| *known == FigureKind::Mean),
            SentencePart::Separator => false,
        };
        if conflicts {
            // Two of a kind in one breath, or a result without a figure.
            if !is_separated || now.figures.is_empty() {
                return None;
            }
            let next = SentenceResult {
                target: now.target.clone(),
                clients: now.clients.clone(),
                inherits: (true, true),
                ..SentenceResult::default()
            };
            done.push(std::mem::replace(&mut now, next));
        }
        is_separated = part == SentencePart::Separator;
        match part {
            SentencePart::Target(name) => (now.target, now.inherits.0) = (Some(name), false),
            SentencePart::Clients(number) => (now.clients, now.inherits.1) = (Some(number), false),
            SentencePart::Workload(name) => now.workload = Some(name),
            SentencePart::Figure(kind, number) => now.figures.push((kind, number)),
            SentencePart::Time(number) => {
                now.figures.push((FigureKind::Mean, number));
                now.has_bare_time = true;
            }
            SentencePart::Separator => {}
        }
    }
    done.push(now);
    done.iter().all(|said| !said.figures.is_empty()).then_some(done)
}

/// The parts of a sentence, if all of its words are known.
fn parts(tokens: &[Token], is_line: bool) -> Option<Vec<SentencePart>> {
    let (mut all, mut at) = (Vec::new(), 0);
    // A name of a figure that waits for its number: `p95 latency of`.
    let mut waiting: Option<FigureKind> = None;
    while let Some(token) = tokens.get(at) {
        if let Some((name, length)) = target(&tokens[at..]) {
            all.push(SentencePart::Target(name));
            at += length;
            continue;
        }
        match token {
            Token::Separator => {
                all.push(SentencePart::Separator);
                at += 1;
            }
            Token::Number(number) => {
                let (part, length) = figure(number, &tokens[at + 1..], &mut waiting, is_line)?;
                all.push(part);
                at += 1 + length;
            }
            Token::Word(word) => {
                let of_time = lines::statistic(&tokens[at..]).filter(|_| is_line && lines::is_time(&tokens[at + 1..]));
                let name = figure_name(&tokens[at..]).or(of_time.map(|kind| (kind, 1)));
                if let Some((kind, length)) = name {
                    // Two names before one number.
                    if waiting.replace(kind).is_some() {
                        return None;
                    }
                    at += length;
                } else if word.starts_with("oltp_") && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_') {
                    all.push(SentencePart::Workload(word.clone()));
                    at += 1;
                } else if let Some(length) = lines::latency(&tokens[at..]).filter(|_| is_line) {
                    at += length;
                } else if is_word(word, "of-clause") {
                    all.push(SentencePart::Separator);
                    at += 1;
                } else if ["of-sentence", "of-mean", "of-tool"].iter().any(|of| is_word(word, of)) {
                    at += 1;
                } else {
                    return None;
                }
            }
            Token::Other => return None,
        }
    }
    waiting.is_none().then_some(all)
}

/// A number with what stands behind it, or with the name that waits for it; and how many tokens behind it belong to it.
fn figure(
    number: &Number,
    behind: &[Token],
    waiting: &mut Option<FigureKind>,
    is_line: bool,
) -> Option<(SentencePart, usize)> {
    if let Some((unit, length)) = unit_of_time(behind) {
        let value = format!("{} {unit}", number.exactly()?);
        if let Some(kind) = waiting.take() {
            return is_time(kind).then_some((SentencePart::Figure(kind, value), length));
        }
        // `5.2 ms p95 latency`.
        let after = &behind[length..];
        let of_time = lines::statistic(after).filter(|_| is_line).map(|kind| (kind, 1));
        return match figure_name(after).or(of_time) {
            // `8 ms p95 12 ms`: the name of either.
            Some((_, more)) if is_line && matches!(after.get(more), Some(Token::Number(_))) => None,
            Some((kind, more)) => is_time(kind).then_some((SentencePart::Figure(kind, value), length + more)),
            // Seconds may be those of the run.
            None => (is_line && unit != "s").then_some((SentencePart::Time(value), length)),
        };
    }
    match figure_name(behind) {
        Some((FigureKind::Clients, length)) => {
            let is_plain = waiting.is_none() && number.is_whole();
            is_plain.then(|| (SentencePart::Clients(number.text.clone()), length))
        }
        Some((kind, length)) if heading::is_rate(kind) => {
            // `a TPS of 12,345 TPS` says it twice.
            let fits = waiting.take().is_none_or(|other| other == kind);
            fits.then(|| Some((SentencePart::Figure(kind, number.exactly()?), length)))?
        }
        Some(_) => None,
        None => match waiting.take()? {
            FigureKind::Clients => number.is_whole().then(|| (SentencePart::Clients(number.text.clone()), 0)),
            kind if heading::is_rate(kind) => Some((SentencePart::Figure(kind, number.exactly()?), 0)),
            _ => None,
        },
    }
}

fn is_time(kind: FigureKind) -> bool {
    kind.measure() == Measure::Milliseconds
}

/// The longest name of a figure that tokens begin with, and their number: `p95 latency`, `transactions per second`.
fn figure_name(tokens: &[Token]) -> Option<(FigureKind, usize)> {
    let texts: Vec<&str> = tokens
        .iter()
        .take(LONGEST_NAME)
        .map_while(|token| if let Token::Word(word) = token { Some(word.as_str()) } else { None })
        .collect();
    (1..=texts.len()).rev().find_map(|length| {
        let text = texts[..length].join(" ");
        let HeadingMeaning::Figure(kind, None, None) = heading::read(&text) else { return None };
        let all = lower(&words(&text)).join(" ");
        let is_sure = match kind {
            FigureKind::Clients => true,
            FigureKind::Percentile(_) => true,
            // `average` alone may be that of anything, and `latency` any statistic.
            FigureKind::Mean | FigureKind::Min | FigureKind::Max => {
                has_part(&all, "of-latency") && STATISTICS.iter().any(|of| has_part(&all, of))
            }
            kind => heading::is_rate(kind) && !beside::is_general_rate(&text),
        };
        is_sure.then_some((kind, length))
    })
}

const STATISTICS: [&str; 3] = ["of-mean", "of-min", "of-max"];

/// The unit of time that tokens begin with, and their number.
fn unit_of_time(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let Token::Word(word) = tokens.first()? else { return None };
    let unit = unit(&lower(&words(word)))?;
    ["us", "ms", "s"].contains(&unit).then_some((unit, 1))
}

/// The name of a product with its version that tokens begin with, and their number: `Percona Server 8.0`.
fn target(tokens: &[Token]) -> Option<(String, usize)> {
    let is_product = |word: &str| is_word(word, "of-product") && !is_word(word, "of-tool");
    let is_part = |word: &str| is_product(word) || is_word(word, "of-product-name");
    let names: Vec<&str> = tokens
        .iter()
        .map_while(|token| match token {
            Token::Word(word) if is_part(word) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    if !names.iter().any(|word| is_product(word)) {
        return None;
    }
    let mut length = names.len();
    let mut name = names.join(" ");
    if let Some(Token::Number(number)) = tokens.get(length)
        && number.is_version()
    {
        let behind = &tokens[length + 1..];
        // `MySQL 64 threads`.
        if unit_of_time(behind).is_none() && figure_name(behind).is_none() {
            name = format!("{name} {}", number.written);
            length += 1;
        }
    }
    Some((name, length))
}

/// Whether a word, in whatever case, is one of this line of `words.txt`.
fn is_word(word: &str, of: &str) -> bool {
    meaning(&[word.to_lowercase()], |meaning| meaning == of).is_some()
}

/// Whether a sentence has a number and the name of a rate.
fn speaks_of_throughput(tokens: &[Token]) -> bool {
    let is_rate = |at: usize| figure_name(&tokens[at..]).is_some_and(|(kind, _)| heading::is_rate(kind));
    tokens.iter().any(|token| matches!(token, Token::Number(_))) && (0..tokens.len()).any(is_rate)
}

/// A word or number that a result has beside its figures.
type ResultWord = fn(&SentenceResult) -> Option<&String>;

/// A table with a row for each result.
fn table(results: &[(u64, SentenceResult)]) -> Option<RawTable> {
    let (first, first_said) = results.first()?;
    let mut kinds: Vec<FigureKind> =
        results.iter().flat_map(|(_, words)| words.figures.iter().map(|(kind, _)| *kind)).collect();
    kinds.sort();
    kinds.dedup();
    let columns: [(&str, ResultWord); 3] = [
        ("target", |words| words.target.as_ref()),
        ("workload", |words| words.workload.as_ref()),
        ("threads", |words| words.clients.as_ref()),
    ];
    let kept: Vec<(&str, ResultWord)> =
        columns.into_iter().filter(|(_, of)| results.iter().any(|(_, words)| of(words).is_some())).collect();
    let names = kinds.iter().map(|kind| match kind {
        FigureKind::Mean if first_said.has_bare_time => "latency".to_owned(),
        FigureKind::Mean => "average latency".to_owned(),
        FigureKind::Min => "minimum latency".to_owned(),
        FigureKind::Max => "maximum latency".to_owned(),
        FigureKind::Percentile(_) => format!("{} latency", kind.percentile_name()),
        kind => kind.name().into_owned(),
    });
    let headings = kept.iter().map(|(name, _)| (*name).to_owned()).chain(names).collect();
    let row = |(line, words): &(u64, SentenceResult)| {
        let own = kept.iter().map(|(_, of)| of(words).cloned().unwrap_or_else(|| NONE.to_owned()));
        let figure = |kind: &FigureKind| words.figures.iter().find(|(of, _)| of == kind).map_or("", |(_, text)| text);
        (*line, own.chain(kinds.iter().map(|kind| figure(kind).to_owned())).collect())
    };
    let rows = std::iter::once((*first, headings)).chain(results.iter().map(row)).collect();
    Some(RawTable { rows, ..RawTable::default() })
}

/// A cell of nothing, which is not filled with that of the row above.
const NONE: &str = "–";

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let read = read(text);
        let rows = read.table.map_or(Vec::new(), |table| table.rows);
        let mut all: Vec<String> = rows.iter().map(|(_, cells)| cells.join("|")).collect();
        all.extend((!read.not_understood.is_empty()).then(|| format!("{} not understood", read.not_understood.len())));
        all.join(" / ")
    }

    #[test]
    fn sentences_of_known_words_are_read() {
        for (text, rows) in [
            (
                "MySQL 8.0 reached 12,345 TPS with 64 threads, MariaDB 10.6 only 9,870 TPS.",
                "target|threads|tps / MySQL 8.0|64|12345 / MariaDB 10.6|64|9870",
            ),
            (
                "At 128 threads, PostgreSQL 16 delivered 45,210 QPS with a p95 latency of 5.2 ms.",
                "target|threads|qps|p95 latency / PostgreSQL 16|128|45210|5.2 ms",
            ),
            (
                "MySQL 8.0 got 1,000 TPS with 8 threads and 1,600 TPS with 16 threads.",
                "target|threads|tps / MySQL 8.0|8|1000 / MySQL 8.0|16|1600",
            ),
            (
                "- MySQL 8.0: 12k TPS (64 threads)\n- MariaDB: 9870 transactions per second (32 threads)\n",
                "target|threads|tps / MySQL 8.0|64|12k / MariaDB|32|9870",
            ),
            ("MySQL 8.0: 12,345 TPS\nMariaDB: 9,870 TPS\n", "target|tps / MySQL 8.0|12345 / MariaDB|9870"),
            (
                "We ran sysbench oltp_read_only with 16 threads on PostgreSQL 15 and got 33,000 QPS.",
                "target|workload|threads|qps / PostgreSQL 15|oltp_read_only|16|33000",
            ),
            ("The average latency was 5.18 ms, and the TPS was 12345.", "tps|average latency / 12345|5.18 ms"),
            (
                "64スレッドでMySQL 8.0は12,345 TPS、MariaDB 10.6は9,870 TPSだった。",
                "target|threads|tps / MySQL 8.0|64|12345 / MariaDB 10.6|64|9870",
            ),
            (
                "MySQL 8.0 在64线程下的TPS为12345,平均延迟为5.18ms。",
                "target|threads|tps|average latency / MySQL 8.0|64|12345|5.18 ms",
            ),
            (
                "MySQL reached 900 TPS. It was a long day. MariaDB did\n~1,000 TPS on oltp_read_only.",
                "target|workload|tps / MySQL|–|900 / MariaDB|oltp_read_only|~1000",
            ),
        ] {
            assert_eq!(shown(text), rows, "{text}");
        }
    }

    /// Each has a word that makes it another figure, or leaves open whose it is.
    #[test]
    fn other_sentences_are_said_not_to_be_understood() {
        for text in [
            "Throughput dropped from 12,000 TPS to 8,000 TPS.",
            "MySQL 8.0 did not reach 12,000 TPS.",
            "MySQL 8.0 reached up to 12,000 TPS.",
            "MySQL 8.0 reached between 10,000 and 12,000 TPS.",
            "MySQL 8.0 reached 10,000–12,000 TPS.",
            "MySQL 8.0 reached 12,345 of 20,000 TPS.",
            "MySQL 8.0 reached 12,345 TPS of 20,000 TPS.",
            "MySQL 8.0 reached a maximum of 12,345 TPS.",
            "MySQL 8.0 reached 12.345 TPS.",
            "MySQL 8.0 and MariaDB 10.6 reached 12,345 TPS.",
            "12,345 TPS on MySQL 8.0, 5 ms p95 on MariaDB.",
            "MySQL 8.0 reached 12,345 TPS, a latency of 5 ms.",
            "MySQL 8.0 reached 12 dozen TPS.",
            "MySQL 8.0 reached 12,345 TPS in 5 seconds.",
            "MySQL 8.0 was 20% faster at 12,345 TPS.",
            "MySQL 8.0 erreichte 12,345 TPS.",
        ] {
            assert_eq!(shown(text), "1 not understood", "{text}");
        }
        // Of something else.
        for text in ["MySQL 8.0 has 64 threads.", "TPS is what counts.", "", "<p>MySQL reached 5 TPS.</p>"] {
            assert_eq!(shown(text), "", "{text}");
        }
    }
}

//! The summary of a job on GitHub: the answer, the table, how much the repeats of this very run differ, and a link. Markdown, to be
//! appended to the file that `GITHUB_STEP_SUMMARY` names.

use super::{escaped, markdown_groups};
use crate::figures::named;
use crate::rows::{cells, head};
use std::collections::BTreeMap;
use std::fmt::Write;
use tenbin_model::counted::truncated_cell;
use tenbin_model::doubt::Verdict;
use tenbin_model::question::Question;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_verdict::answer::{answer, caution, footnotes, percent};
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::cost::costs;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::question;
use tenbin_verdict::reasons;
use tenbin_verdict::why::sentences;
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The most rows of the table; the page has all.
const MOST_ROWS: usize = 40;
/// The most reasons for less than VALID.
const MOST_DOUBTS: usize = 3;

/// The text. `link` is where the page is.
pub fn summary(of: &Summary, language: Language, link: Option<&str>) -> String {
    let says = |message: &Message| escaped(&message.text(language));
    let verdict = of.verdict();
    let mark = match verdict {
        Verdict::Valid => "✅",
        Verdict::Degraded => "⚠️",
        Verdict::Invalid => "❌",
    };
    let mut out = format!("### {mark} {}: {}\n\n**{}**\n\n", escaped(&of.name), verdict.name(), says(&answer(of)));
    for sentence in sentences(of) {
        let _ = write!(out, "{}\n\n", says(&sentence));
    }
    if let Some(caution) = caution(of) {
        let _ = write!(out, "> {}\n\n", says(&caution));
    }
    let columns: Vec<String> = head(of).iter().map(says).collect();
    let _ = writeln!(out, "| {} |\n|{}", columns.join(" | "), "---|".repeat(columns.len()));
    let rows = cells(of);
    for row in rows.iter().take(MOST_ROWS) {
        let _ = writeln!(out, "| {} |", row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "));
    }
    if rows.len() > MOST_ROWS {
        let _ = write!(out, "\n{}\n", says(&msg!("github-more-rows", n = rows.len() - MOST_ROWS)));
    }
    markdown_groups(of, language, &mut out);
    let cut_off = of.cells().iter().any(|cell| truncated_cell(of, cell)).then(|| msg!("cut-off-by-time"));
    for note in cut_off.into_iter().chain(footnotes(of)) {
        let _ = write!(out, "\n{}\n", says(&note));
    }
    let costs = costs(of).into_iter().map(|cost| cost.sentence());
    for sentence in costs.chain(noise(of)) {
        let _ = write!(out, "\n{}\n", says(&sentence));
    }
    // An empty line before and after a list: what follows without one is a part of its last entry.
    let doubts = doubts(of);
    if !doubts.is_empty() {
        out.push('\n');
    }
    for doubt in &doubts {
        let _ = writeln!(out, "- {}", says(doubt));
    }
    if let Some(conditions) = conditions(of) {
        let _ = write!(out, "\n<sub>{}</sub>\n", says(&conditions));
    }
    if let Some(link) = link.filter(|link| is_address(link)) {
        let _ = write!(out, "\n[{}]({link})\n", says(&msg!("github-page")));
    }
    out
}

/// An address that can stand in a link as it is.
fn is_address(link: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%".contains(c);
    (link.starts_with("https://") || link.starts_with("http://")) && link.chars().all(plain)
}

/// How much repeats of a cell differ in the figures that answer the questions: below that nothing can be seen. The levels of a search are
/// no repeats.
fn noise(of: &Summary) -> Vec<Message> {
    let mut by_question: BTreeMap<Question, Vec<(&Cell, Option<f64>)>> = BTreeMap::new();
    for cell in of.cells() {
        let trials: Vec<&TrialResult> = cell.trials.iter().filter_map(|number| of.trial(*number)).collect();
        let Some(question) = trials.first().map(|t| Question::of(t)) else { continue };
        let values: Vec<f64> = trials.iter().filter_map(|t| question::of_one_run(question.figure(), t)).collect();
        let spread = || Some(statistics::deviation(&values)? / statistics::mean(&values)?);
        by_question.entry(question).or_default().push((cell, spread().filter(|spread| spread.is_finite())));
    }
    by_question.remove(&Question::Limit);
    let of_question = |(question, cells): (Question, Vec<(&Cell, Option<f64>)>)| {
        let (cells, spreads): (Vec<&Cell>, Vec<Option<f64>>) = cells.into_iter().unzip();
        let figure = named(of, &cells, question.figure());
        let mut all: Vec<f64> = spreads.into_iter().flatten().collect();
        all.sort_by(f64::total_cmp);
        match (statistics::median(&all), all.last()) {
            (Some(median), Some(most)) => {
                msg!("github-noise", figure, n = all.len(), median = percent(median), most = percent(*most))
            }
            _ => msg!("github-noise-unknown", figure),
        }
    };
    by_question.into_iter().map(of_question).collect()
}

/// The gravest reasons for less than VALID, each once.
fn doubts(of: &Summary) -> Vec<Message> {
    let mut all: Vec<Message> = Vec::new();
    for reason in reasons::of(of) {
        let what = reason.doubt.problem.what.without_full_stop();
        if !all.contains(&what) && all.len() < MOST_DOUBTS {
            all.push(what);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_cannot_end_its_own_markup() {
        assert!(is_address("https://github.com/a/b/actions/runs/1?check=2#s"));
        for strange in ["javascript:alert(1)", "https://a)b", "https://a b", "https://a](x", "ftp://a", "https://a\n"] {
            assert!(!is_address(strange), "{strange}");
        }
    }
}

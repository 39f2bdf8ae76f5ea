//! The results of the workload `tpcc` as text, below the table of results.

use std::fmt::Write;
use tenbin_model::summary::Summary;
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::tpcc_result::{self, per_cent};
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use unicode_width::UnicodeWidthStr;

/// A block for each cell and target with this workload; empty otherwise.
pub fn results(summary: &Summary, language: Language) -> String {
    let (mut out, words) = (String::new(), TerminalWords::new(language));
    let cells = summary.cells();
    let results: Vec<_> = cells.iter().filter_map(|cell| Some((cell, tpcc_result::result(summary, cell)?))).collect();
    for (at, (cell, result)) in results.iter().enumerate() {
        let label = tenbin_model::summary::label(&cell.axes);
        let heading = if label.is_empty() { cell.target.clone() } else { format!("{}, {label}", cell.target) };
        block(result, &heading, words, &mut out);
        // What holds for several results in a row stands below the last of them.
        let remarks = told(result, words);
        if results.get(at + 1).is_none_or(|(_, next)| self::told(next, words) != remarks) {
            remarks.iter().for_each(|text| out += &format!("         {text}\n"));
        }
    }
    out
}

fn block(r: &tpcc_result::Result, heading: &str, words: TerminalWords, out: &mut String) {
    let together = if r.together { msg!("tpcc-line-together") } else { foreign("") };
    let whole = msg!(
        "tpcc-line",
        nopm = figure::grouped(r.nopm),
        committed = figure::grouped(r.nopm_committed),
        size = r.size(),
        terminals = r.terminals(),
        together,
    );
    let _ = writeln!(out, "\ntpcc     {heading}: {}", words.text(whole));
    let mut line = |text: String| {
        let _ = writeln!(out, "         {text}");
    };
    if let Some(share) = r.efficiency.map(per_cent) {
        line(words.text(msg!("tpcc-line-efficiency", share)));
    }
    if let Some(steady) = &r.steady {
        line(words.text(steady.render()));
    }
    for x in &r.types {
        // Of no transaction there is no time.
        let of_some = |q: f64| (x.tally.completed > 0).then(|| x.tally.response.quantile_ns(q) as f64);
        let ms = |q: f64| of_some(q).map_or_else(|| "–".to_owned(), figure::milliseconds);
        let kept = if x.in_time() && x.enough() { msg!("tpcc-line-kept") } else { msg!("tpcc-line-not-kept") };
        let least =
            x.least.map(|least| words.text(msg!("tpcc-line-least", share = per_cent(least)))).unwrap_or_default();
        line(format!(
            "{:<12} {:>9}  {:>7}{least}{} p90 {} p99 {} ({})  {}",
            x.of.name(),
            figure::whole(i128::from(x.tally.completed)),
            per_cent(x.share),
            " ".repeat(20usize.saturating_sub(least.width())),
            ms(0.9),
            ms(0.99),
            words.text(msg!("tpcc-line-limit", time = figure::milliseconds(x.limit_ns as f64))),
            words.text(kept),
        ));
    }
    for s in r.shares.iter().filter(|s| !s.in_range()) {
        let [value, from, to] = [s.value, s.range.0, s.range.1].map(|value| s.shown(value));
        line(words.text(msg!("tpcc-line-out-of-range", what = s.what, value, from, to)));
    }
}

/// The profile, the clauses that it departs from, and the sentence that accompanies all results.
fn told(r: &tpcc_result::Result, words: TerminalWords) -> [String; 3] {
    let clauses = Message::list(r.deviations.iter().map(|d| foreign(d.clause)));
    [tpcc_result::told_of(&r.profile), msg!("tpcc-line-departs", clauses), tpcc_result::sentence()]
        .map(|text| words.text(text))
}

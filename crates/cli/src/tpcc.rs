//! The results of the workload `tpcc` as text, below the table of results.

use crate::words::TerminalWords;
use std::fmt::Write;
use tenbin_model::answer::Language;
use tenbin_model::figure;
use tenbin_model::summary::Summary;
use tenbin_model::tpcc::{self, SENTENCE, Share};
use unicode_width::UnicodeWidthStr;

/// A block for each cell and target with this workload; empty otherwise.
pub fn results(summary: &Summary, language: Language) -> String {
    let mut out = String::new();
    for cell in summary.cells() {
        let Some(result) = tpcc::result(summary, &cell) else { continue };
        let label = tenbin_model::summary::label(&cell.axes);
        let place = if label.is_empty() { cell.target.clone() } else { format!("{}, {label}", cell.target) };
        block(&result, &place, TerminalWords::new(language), &mut out);
    }
    out
}

fn block(r: &tpcc::Result, place: &str, words: TerminalWords, out: &mut String) {
    let pick = |(en, ja): (&'static str, &'static str)| words.pick(en, ja);
    let (nopm, committed) = (figure::grouped(r.nopm), figure::grouped(r.nopm_committed));
    let (size, size_ja) = r.size();
    let _ = match words.language {
        Language::English => writeln!(
            out,
            "\ntpcc     {place}: {nopm} NOPM, {committed} without rolled-back orders; {size}, {}{}",
            r.terminals(),
            if r.together { ", statements sent together" } else { "" }
        ),
        Language::Japanese => writeln!(
            out,
            "\ntpcc     {place}: {nopm} NOPM(ロールバックした注文を除くと {committed})、{size_ja}、端末 {}{}",
            r.terminals,
            if r.together { "、文をまとめて送信" } else { "" }
        ),
    };
    let mut line = |text: String| {
        let _ = writeln!(out, "         {text}");
    };
    line(pick(tpcc::told_of(&r.profile)).to_owned());
    if let Some(efficiency) = r.efficiency.map(per_cent) {
        line(match words.language {
            Language::English => format!("efficiency {efficiency} of 12.86 per warehouse"),
            Language::Japanese => format!("効率: 倉庫あたり 12.86 の {efficiency}"),
        });
    }
    if let Some(steady) = &r.steady {
        let (en, ja) = steady.render();
        line(words.pick(&en, &ja).to_owned());
    }
    for x in &r.types {
        let ms = |q: f64| figure::milliseconds(x.tally.response.quantile_ns(q) as f64);
        let kept = match x.in_time() && x.enough() {
            true => words.pick("ok", "適合"),
            false => words.pick("NOT KEPT", "不適合"),
        };
        let (least, limit) = (x.least.map(per_cent), figure::milliseconds(x.limit_ns as f64));
        let (least, limit) = match words.language {
            Language::English => (least.map(|l| format!(" (at least {l})")), format!("p90 at most {limit}")),
            Language::Japanese => (least.map(|l| format!("({l} 以上)")), format!("p90 の上限 {limit}")),
        };
        let least = least.unwrap_or_default();
        line(format!(
            "{:<12} {:>9}  {:>7}{least}{} p90 {} p99 {} ({limit})  {kept}",
            x.name,
            figure::whole(i128::from(x.tally.completed)),
            per_cent(x.share),
            " ".repeat(20usize.saturating_sub(least.width())),
            ms(0.9),
            ms(0.99),
        ));
    }
    for s in r.shares.iter().filter(|s| !s.in_range()) {
        let (what, value) = (pick(s.what), shown(s, s.value));
        let (from, to) = (shown(s, s.range.0), shown(s, s.range.1));
        line(match words.language {
            Language::English => format!("out of range: {what} {value} ({from} to {to})"),
            Language::Japanese => format!("範囲外: {what} {value}({from}〜{to})"),
        });
    }
    let clauses: Vec<&str> = r.deviations.iter().map(|d| d.clause).collect();
    line(match words.language {
        Language::English => format!("departs from clauses {}; the page tells how", clauses.join(", ")),
        Language::Japanese => format!("仕様の条項 {} と相違があります(内容はページに記載)", clauses.join("、")),
    });
    line(pick(SENTENCE).to_owned());
}

fn per_cent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn shown(s: &Share, value: f64) -> String {
    if s.per_cent { per_cent(value) } else { format!("{value:.2}") }
}

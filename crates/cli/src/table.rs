//! The result as a table of text, with the verdict and the answer: the end of every run on a terminal.

use std::fmt::Write;
use tenbin_model::answer::{Language, answer, caution};
use tenbin_model::audit::Verdict;
use tenbin_model::counted::truncated_cell;
use tenbin_model::figure;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary};

/// One row per cell and target, then the verdict with its reasons, then the answer.
pub fn result(summary: &Summary, language: Language) -> String {
    let cells = summary.cells();
    let axes: Vec<String> = cells.first().map(|c| c.axes.iter().map(|(k, _)| k.clone()).collect()).unwrap_or_default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut head: Vec<String> = axes.iter().map(|a| a.rsplit('.').next().unwrap_or(a).to_owned()).collect();
    head.extend(
        ["target", "n", "TPS", "±", "mean", "p50", "p95", "p99", "max", "failed", "verdict"].map(str::to_owned),
    );
    rows.push(head);
    rows.extend(cells.iter().map(|cell| row(summary, cell)));
    let mut out = String::from("\n");
    out.push_str(&aligned(&rows, axes.len() + 1));
    if cells.iter().any(|c| c.tps.len() > 1) {
        out.push_str(
            "(TPS: mean of n repeats; ±: half its 95 % interval; times in ms, percentiles over all repeats together)\n",
        );
    } else {
        out.push_str("(times in ms)\n");
    }
    if cells.iter().any(|cell| truncated_cell(summary, cell)) {
        out.push_str("(✂: truncated: cut off by time before its count was done)\n");
    }
    out.push_str(&crate::tpcc::results(summary, language));
    verdict(summary, language, &mut out);
    if let Some(caution) = caution(summary, language) {
        let _ = write!(out, "\ncaution  {caution}");
    }
    let _ = write!(out, "\nanswer   {}", answer(summary, language));
    out
}

fn row(summary: &Summary, cell: &Cell) -> Vec<String> {
    let all = cell.tally.all_transactions();
    let ms = |ns: f64| if all.completed == 0 { "–".into() } else { figure::grouped(ns / 1e6) };
    let tps = statistics::mean(&cell.tps).map_or("–".into(), figure::grouped);
    let spread = statistics::mean_confidence(&cell.tps).map_or("–".into(), |c| figure::grouped(c.high - c.value));
    let mut row: Vec<String> = cell.axes.iter().map(|(_, v)| v.clone()).collect();
    row.extend([
        cell.target.clone(),
        cell.tps.len().to_string(),
        tps,
        spread,
        ms(all.response.mean_ns()),
        ms(all.response.quantile_ns(0.5) as f64),
        ms(all.response.quantile_ns(0.95) as f64),
        ms(all.response.quantile_ns(0.99) as f64),
        ms(all.response.max_ns() as f64),
        figure::whole(i128::from(cell.tally.accounting.failed)),
        format!("{}{}", cell.verdict.name(), if truncated_cell(summary, cell) { " ✂" } else { "" }),
    ]);
    row
}

/// Verdict of the run, each reason once with the number of trials it was found in.
fn verdict(summary: &Summary, language: Language, out: &mut String) {
    let _ = write!(out, "\nverdict  {}", summary.verdict().name());
    let mut reasons: Vec<(Verdict, String, String, usize)> = Vec::new();
    for doubt in summary.trials.iter().filter(|t| t.begun).flat_map(|t| t.doubts()) {
        match reasons.iter_mut().find(|r| r.1 == doubt.code) {
            Some(known) => known.3 += 1,
            None => {
                let told = doubt.told(language).to_string().replace('\n', "\n         ");
                reasons.push((doubt.verdict, doubt.code, told, 1));
            }
        }
    }
    let not_run = summary.trials.iter().filter(|t| !t.begun).count();
    if not_run > 0 {
        let _ = write!(out, "\n         {not_run} of {} trials were not run", summary.trials.len());
    }
    for (weight, _, text, trials) in reasons {
        let more = if trials > 1 { format!("  (and in {} more trials)", trials - 1) } else { String::new() };
        let _ = write!(out, "\n         {}: {text}{more}", weight.name());
    }
}

/// Columns as wide as they need be; the first `left` of them flush left, figures flush right.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> =
        (0..columns).map(|i| rows.iter().filter_map(|r| r.get(i)).map(|c| width(c)).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[i] - width(cell));
            let words = i < left || i + 1 == columns;
            if words { line += &format!("{cell}{pad}  ") } else { line += &format!("{pad}{cell}  ") }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Any table of words, flush left.
pub fn words(rows: &[Vec<String>]) -> String {
    aligned(rows, usize::MAX)
}

//! What the workload `tpcc` comes to, as text below the table of results.

use std::fmt::Write;
use tenbin_model::answer::Language;
use tenbin_model::figure;
use tenbin_model::summary::Summary;
use tenbin_model::tpcc::{self, SENTENCE, Share};

/// A block for each cell and target that ran it; nothing otherwise.
pub fn results(summary: &Summary, language: Language) -> String {
    let mut out = String::new();
    let japanese = language == Language::Japanese;
    let pick = |(en, ja): (&'static str, &'static str)| if japanese { ja } else { en };
    for cell in summary.cells() {
        let Some(r) = tpcc::result(summary, &cell) else { continue };
        let label = tenbin_model::summary::label(&cell.axes);
        let place = if label.is_empty() { cell.target.clone() } else { format!("{}, {label}", cell.target) };
        let _ = writeln!(
            out,
            "\ntpcc     {place}: {} NOPM, {} without rolled-back orders; {}, {}{}",
            figure::grouped(r.nopm),
            figure::grouped(r.nopm_committed),
            r.size().0,
            r.terminals(),
            if r.together { ", statements sent together" } else { "" }
        );
        let _ = writeln!(out, "         {}", pick(tpcc::told_of(&r.profile)));
        if let Some(efficiency) = r.efficiency {
            let _ = writeln!(out, "         efficiency {} of 12.86 per warehouse", per_cent(efficiency));
        }
        if let Some(steady) = &r.steady {
            let (en, ja) = steady.told();
            let _ = writeln!(out, "         {}", if japanese { ja } else { en });
        }
        for x in &r.types {
            let ms = |q: f64| figure::milliseconds(x.tally.response.quantile_ns(q) as f64);
            let least = x.least.map_or(String::new(), |l| format!(" (at least {})", per_cent(l)));
            let kept = if x.in_time() && x.enough() { "ok" } else { "NOT KEPT" };
            let _ = writeln!(
                out,
                "         {:<12} {:>9}  {:>7}{least:<20} p90 {} p99 {} (p90 at most {})  {kept}",
                x.name,
                figure::whole(i128::from(x.tally.completed)),
                per_cent(x.share),
                ms(0.9),
                ms(0.99),
                figure::milliseconds(x.limit_ns as f64),
            );
        }
        for s in r.shares.iter().filter(|s| !s.in_range()) {
            let (from, to) = (shown(s, s.range.0), shown(s, s.range.1));
            let _ = writeln!(out, "         out of range: {} {} ({from} to {to})", pick(s.what), shown(s, s.value));
        }
        let clauses: Vec<&str> = r.deviations.iter().map(|d| d.clause).collect();
        let _ = writeln!(out, "         departs from clauses {}; the page tells how", clauses.join(", "));
        let _ = writeln!(out, "         {}", pick(SENTENCE));
    }
    out
}

fn per_cent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn shown(s: &Share, value: f64) -> String {
    if s.per_cent { per_cent(value) } else { format!("{value:.2}") }
}

//! The answer in one sentence, in English or Japanese: at the top of the page and at the end of the terminal output.

use crate::audit::{self, Verdict};
use crate::axis;
use crate::comparison::{Comparable, Comparison, Measure, reading};
use crate::durability;
use crate::summary::{Cell, Summary, TrialResult};
use crate::tpcc;

/// A language of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 日本語.
    Japanese,
}

/// The result of the run in one or two sentences. Claims a difference only if the interval excludes "none".
pub fn answer(summary: &Summary, language: Language) -> String {
    let cells = summary.cells();
    let best = |target: &str| {
        cells.iter().filter(|c| c.target == target && !c.tps.is_empty()).max_by(|x, y| centre(x).total_cmp(&centre(y)))
    };
    let targets = summary.targets();
    let measured: Vec<&String> = targets.iter().filter(|t| best(t).is_some()).collect();
    let mut sentences = vec![match (summary.verdict_pair(), measured.as_slice()) {
        (Some(c), all) => compared(&c, all.len(), language),
        // Targets that share no cell cannot be compared; each is reported by itself.
        (None, all) if !all.is_empty() => all
            .iter()
            .filter_map(|t| Some(alone(summary, t, best(t)?, language)))
            .collect::<Vec<_>>()
            .join(gap(language)),
        (None, _) => nothing(summary, language),
    }];
    let unmeasured: Vec<&str> =
        targets.iter().filter(|t| !measured.contains(t)).map(String::as_str).filter(|_| !measured.is_empty()).collect();
    if !unmeasured.is_empty() {
        sentences.push(match language {
            Language::English => format!("Of {} there is no result.", unmeasured.join(", ")),
            Language::Japanese => format!("{} の結果はありません。", unmeasured.join("、")),
        });
    }
    if !measured.is_empty() {
        sentences.extend(left_out(summary, language));
    }
    sentences.join(gap(language))
}

/// How many trials are excluded from these figures, and why the first of them is.
fn left_out(summary: &Summary, language: Language) -> Option<String> {
    let begun = summary.trials.iter().filter(|t| t.begun).count();
    let invalid: Vec<&TrialResult> =
        summary.trials.iter().filter(|t| t.begun && t.verdict() == Verdict::Invalid).collect();
    let (n, why) = (invalid.len(), why(invalid.first()?, language)?);
    Some(match (language, n) {
        (Language::English, 1) => format!("1 of {begun} trials is INVALID and not in these figures: {why}."),
        (Language::English, _) => {
            format!("{n} of {begun} trials are INVALID and not in these figures; the first one because {why}.")
        }
        (Language::Japanese, 1) => {
            format!("{begun} 試行のうち 1 つは無効(INVALID)で、上の数値に含まれません。理由: {why}。")
        }
        (Language::Japanese, _) => {
            format!("{begun} 試行のうち {n} は無効(INVALID)で、上の数値に含まれません。最初の試行の理由: {why}。")
        }
    })
}

/// The most serious doubt about a trial, with its evidence.
fn why(trial: &TrialResult, language: Language) -> Option<String> {
    let doubts = trial.doubts();
    let gravest = doubts.iter().find(|d| d.verdict == audit::verdict(doubts))?;
    let what = gravest.problem.what.text(language);
    let what = what.trim_end_matches(['.', '。']);
    Some(match (gravest.problem.evidence.as_ref().map(|seen| seen.text(language)), language) {
        (None, _) => what.to_owned(),
        (Some(seen), Language::English) => format!("{what} ({seen})"),
        (Some(seen), Language::Japanese) => format!("{what}({seen})"),
    })
}

/// Warnings that accompany the answer: differing durability, which the page shows as a table and other outputs as a sentence,
/// and differing profiles of TPC-C.
pub fn caution(summary: &Summary, language: Language) -> Option<String> {
    let durability = durability::difference(summary).map(|d| durability::sentence(&d, language));
    let profiles = tpcc::caution(summary).map(|(en, ja)| match language {
        Language::English => en.to_owned(),
        Language::Japanese => ja.to_owned(),
    });
    let all: Vec<String> = durability.into_iter().chain(profiles).collect();
    (!all.is_empty()).then(|| all.join(gap(language)))
}

/// The meaning of ‡ after a percentile, if there is one.
pub fn footnote(summary: &Summary, language: Language) -> Option<String> {
    let longest = summary.cells().iter().filter_map(|c| c.standstill).map(|s| s.longest_ns).max()?;
    let seconds = longest as f64 / 1e9;
    Some(match language {
        Language::English => {
            format!("‡: for a time, up to {seconds:.1} s, no transaction completed, and percentiles hardly show it.")
        }
        Language::Japanese => {
            format!(
                "‡: 最長 {seconds:.1} 秒の間、完了したトランザクションがありません。パーセンタイルにはほとんど表れません。"
            )
        }
    })
}

fn gap(language: Language) -> &'static str {
    if language == Language::English { " " } else { "" }
}

fn centre(cell: &Cell) -> f64 {
    crate::statistics::mean(&cell.tps).unwrap_or(0.0)
}

fn nothing(summary: &Summary, language: Language) -> String {
    let some: Vec<&TrialResult> = summary.trials.iter().filter(|t| t.begun && t.tps() > 0.0).collect();
    if let Some(why) = some.first().and_then(|t| why(t, language)) {
        let begun = summary.trials.iter().filter(|t| t.begun).count();
        return match (language, begun) {
            (Language::English, 1) => format!("There is no result: the trial is INVALID, because {why}."),
            (Language::English, n) => {
                format!("There is no result: all {n} trials are INVALID, the first one because {why}.")
            }
            (Language::Japanese, 1) => format!("結果はありません。試行は無効(INVALID)です。理由: {why}。"),
            (Language::Japanese, n) => {
                format!("結果はありません。{n} 試行のすべてが無効(INVALID)です。最初の試行の理由: {why}。")
            }
        };
    }
    let failed = summary.trials.iter().find_map(|t| t.failure()).or_else(|| summary.notes.first().map(|(_, p)| p));
    match (language, failed) {
        (Language::English, None) => "Nothing was measured.".into(),
        (Language::Japanese, None) => "測定値がありません。".into(),
        (Language::English, Some(p)) => format!("Nothing was measured: {}.", p.what.trim_end_matches('.')),
        (Language::Japanese, Some(p)) => {
            format!("測定値がありません。原因: {}", p.what.text(language).trim_end_matches('。'))
        }
    }
}

fn alone(summary: &Summary, target: &str, cell: &Cell, language: Language) -> String {
    let grouped = crate::figure::grouped;
    let milliseconds = |ns: u64| crate::figure::milliseconds(ns as f64);
    let place = axis::cell(&cell.axes, language);
    let (done, p99) = match (tpcc::result(summary, cell), language) {
        (Some(tpcc), language) => {
            let orders = tpcc.types.iter().find(|t| t.name == "new_order");
            let p99 = milliseconds(orders.map_or(0, |t| t.tally.response.quantile_ns(0.99)));
            let nopm = grouped(tpcc.nopm);
            match language {
                Language::English => (format!("{nopm} New-Orders per minute"), format!("{p99} for a New-Order")),
                Language::Japanese => {
                    (format!("毎分 {nopm} 件の新規注文"), format!("新規注文の応答時間の p99 は {p99}"))
                }
            }
        }
        (None, language) => {
            let p99 = milliseconds(cell.tally.all_starts().response.quantile_ns(0.99));
            let tps = grouped(centre(cell));
            match language {
                Language::English => (format!("{tps} transactions per second"), p99),
                Language::Japanese => (format!("毎秒 {tps} トランザクション"), format!("応答時間の p99 は {p99}")),
            }
        }
    };
    match language {
        Language::English => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            let still = cell.standstill.map_or_else(String::new, |s| {
                format!(" For {:.1} s none completed, which that hardly shows.", s.longest_ns as f64 / 1e9)
            });
            format!("{target} completed {done}{at}, with a p99 response time of {p99}.{still}")
        }
        Language::Japanese => {
            let at = if place.is_empty() { String::new() } else { format!("、{place}のとき") };
            let still = cell.standstill.map_or_else(String::new, |s| {
                format!(
                    "このほか、{:.1} 秒の間まったく完了がなく、p99 にはほとんど表れていません。",
                    s.longest_ns as f64 / 1e9
                )
            });
            format!("{target} は{at}{done}を処理しました({p99})。{still}")
        }
    }
}

fn compared(c: &Comparison, targets: usize, language: Language) -> String {
    match language {
        Language::English => compared_en(c, targets),
        Language::Japanese => compared_ja(c, targets),
    }
}

fn compared_en(c: &Comparison, targets: usize) -> String {
    let unit = match c.measure {
        Measure::Transactions => "transactions per second",
        Measure::NewOrders => "New-Orders per minute",
    };
    let (a, b, ratio, pairs) = (&c.a, &c.b, times(c.ratio), c.pairs);
    let interval = c.confidence.map(|i| format!("{} to {}", times(i.low), times(i.high))).unwrap_or_default();
    let first = if targets > 2 { format!("The two fastest of {targets} targets: ") } else { String::new() };
    match reading(c.confidence) {
        Comparable::Alike { within } => format!(
            "{first}{} difference between {a} and {b} is larger than {}: {b} completed {ratio} the {unit} of {a} (95 % interval {interval}, {pairs} pairs of runs).",
            if first.is_empty() { "No" } else { "no" },
            percent(within)
        ),
        Comparable::Unclear => format!(
            "{first}{} runs cannot tell {a} and {b} apart: {b} completed {ratio} the {unit} of {a}, but anything from {interval} would fit (95 % interval, {pairs} pairs of runs).{}",
            if first.is_empty() { "These" } else { "these" },
            match c.more_repeats {
                Some(more @ 1..=100) => format!(" About {more} more {} would narrow it to ±5 %.", if more == 1 { "repeat" } else { "repeats" }),
                Some(101..) => " It would take more than 100 further repeats to narrow it to ±5 %: first find out why the repeats differ so much.".into(),
                _ => String::new(),
            }
        ),
        Comparable::Faster | Comparable::Slower | Comparable::Chance => {
            let sure = match c.confidence {
                Some(_) => format!("95 % interval {interval}, {pairs} pairs of runs"),
                None => "one repeat only: how much of this is chance cannot be said".into(),
            };
            let range = extremes(c).map_or_else(String::new, |(l, h)| {
                let at = |r: &crate::comparison::CellRatio| format!("{} at {}", times(r.ratio), axis::cell(&r.axes, Language::English));
                format!(" It ranges from {} to {}.", at(l), at(h))
            });
            format!("{first}{b} completed {ratio} the {unit} of {a} ({sure}).{range}")
        }
    }
}

fn compared_ja(c: &Comparison, targets: usize) -> String {
    let unit = match c.measure {
        Measure::Transactions => "毎秒トランザクション数",
        Measure::NewOrders => "毎分新規注文数",
    };
    let (a, b, ratio, pairs) = (&c.a, &c.b, times_ja(c.ratio), c.pairs);
    let interval = c.confidence.map(|i| format!("{}〜{}", self::ratio(i.low), times_ja(i.high))).unwrap_or_default();
    let first =
        if targets > 2 { format!("{targets} 対象のうち上位 2 つの比較です。") } else { String::new() };
    match reading(c.confidence) {
        Comparable::Alike { within } => format!(
            "{first}{a} と {b} に {} を超える差はありません。{b} の{unit}は {a} の {ratio}です(95% 信頼区間 {interval}、{pairs} 組)。",
            percent_ja(within)
        ),
        Comparable::Unclear => format!(
            "{first}今回の試行では {a} と {b} の優劣を判断できません。{b} の{unit}は {a} の {ratio}ですが、95% 信頼区間は {interval}に及びます({pairs} 組)。{}",
            match c.more_repeats {
                Some(more @ 1..=100) => format!("区間を ±5% に狭めるには、繰り返しがあと {more} 回ほど必要です。"),
                Some(101..) => "区間を ±5% に狭めるには 100 回を超える追加の繰り返しが必要です。まず、繰り返しごとの値がこれほどばらつく原因を調べてください。".into(),
                _ => String::new(),
            }
        ),
        Comparable::Faster | Comparable::Slower | Comparable::Chance => {
            let sure = match c.confidence {
                Some(_) => format!("95% 信頼区間 {interval}、{pairs} 組"),
                None => "繰り返しが 1 回のため、偶然の差かどうかは判断できません".into(),
            };
            let range = extremes(c).map_or_else(String::new, |(l, h)| {
                let at = |r: &crate::comparison::CellRatio| format!("{}で {}", axis::cell(&r.axes, Language::Japanese), times_ja(r.ratio));
                format!("条件別では、最小は{}、最大は{}です。", at(l), at(h))
            });
            format!("{first}{b} の{unit}は {a} の {ratio}です({sure})。{range}")
        }
    }
}

/// The cells with the lowest and the highest ratio, if there is more than one.
fn extremes(c: &Comparison) -> Option<(&crate::comparison::CellRatio, &crate::comparison::CellRatio)> {
    let lowest = c.cells.iter().min_by(|x, y| x.ratio.total_cmp(&y.ratio))?;
    let highest = c.cells.iter().max_by(|x, y| x.ratio.total_cmp(&y.ratio))?;
    (lowest.cell != highest.cell).then_some((lowest, highest))
}

/// A ratio, with more digits near 1, where they matter.
pub fn ratio(value: f64) -> String {
    match value {
        v if (v - 1.0).abs() < 0.01 => format!("{v:.3}"),
        v if v >= 10.0 => format!("{v:.0}"),
        v => format!("{v:.2}"),
    }
}

fn times(value: f64) -> String {
    format!("{}×", ratio(value))
}

fn times_ja(value: f64) -> String {
    format!("{} 倍", ratio(value))
}

/// A share in percent: `3.1 %`.
pub fn percent(share: f64) -> String {
    if share >= 0.1 { format!("{:.0} %", share * 100.0) } else { format!("{:.1} %", share * 100.0) }
}

fn percent_ja(share: f64) -> String {
    percent(share).replace(' ', "")
}

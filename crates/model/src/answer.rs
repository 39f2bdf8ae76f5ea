//! The answer in one sentence, in English or Japanese: what stands first on the page and last on the terminal.

use crate::audit::Verdict;
use crate::summary::{Cell, Comparison, Summary, label};

/// A language of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// 日本語.
    Japanese,
}

/// What the run says, in one or two sentences. Claims a difference only when the interval excludes "none".
pub fn answer(summary: &Summary, language: Language) -> String {
    let cells = summary.cells();
    let best = |target: &str| {
        cells.iter().filter(|c| c.target == target && !c.tps.is_empty()).max_by(|x, y| centre(x).total_cmp(&centre(y)))
    };
    let invalid = summary.verdict() == Verdict::Invalid;
    let sentence = match (summary.verdict_pair(), summary.targets().as_slice()) {
        (Some(c), _) => compared(&c, language),
        (None, [only]) => match best(only) {
            Some(cell) => alone(only, cell, language),
            None => nothing(language),
        },
        (None, _) => match summary.targets().iter().find_map(|t| best(t).map(|c| (t.clone(), c))) {
            Some((target, cell)) => alone(&target, cell, language),
            None => nothing(language),
        },
    };
    match (invalid, language) {
        (false, _) => sentence,
        (true, Language::English) => {
            format!("{sentence} At least one trial is INVALID: do not rely on this before reading why.")
        }
        (true, Language::Japanese) => format!(
            "{sentence} INVALID と判定された試行があります。理由を確認するまで、この結果を根拠にしないでください。"
        ),
    }
}

fn centre(cell: &Cell) -> f64 {
    crate::statistics::mean(&cell.tps).unwrap_or(0.0)
}

fn nothing(language: Language) -> String {
    match language {
        Language::English => "Nothing was measured.".into(),
        Language::Japanese => "測定値がありません。".into(),
    }
}

fn alone(target: &str, cell: &Cell, language: Language) -> String {
    let tps = crate::figure::grouped(centre(cell));
    let p99 = crate::figure::milliseconds(cell.tally.all_transactions().response.quantile_ns(0.99) as f64);
    let place = label(&cell.axes);
    match language {
        Language::English => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!("{target} completed {tps} transactions per second{at}, with a p99 response time of {p99}.")
        }
        Language::Japanese => {
            let at = if place.is_empty() { String::new() } else { format!("{place} のとき、") };
            format!("{target} は{at}毎秒 {tps} トランザクションを処理しました(応答時間の p99 は {p99})。")
        }
    }
}

fn compared(c: &Comparison, language: Language) -> String {
    let (a, b) = (&c.a, &c.b);
    let lowest = c.cells.iter().min_by(|x, y| x.2.total_cmp(&y.2));
    let highest = c.cells.iter().max_by(|x, y| x.2.total_cmp(&y.2));
    match (c.confidence, language) {
        (Some(i), Language::English) if i.low <= 1.0 && i.high >= 1.0 => format!(
            "No difference between {a} and {b} could be shown: throughput of {b} over {a} is {:.3} (95 % interval {:.3} to {:.3}, {} pairs of runs), so a difference larger than {} is unlikely.",
            c.ratio,
            i.low,
            i.high,
            c.pairs,
            percent((i.high - 1.0).max(1.0 - i.low))
        ),
        (Some(i), Language::Japanese) if i.low <= 1.0 && i.high >= 1.0 => format!(
            "{a} と {b} に有意な差は認められません。スループット比({b} ÷ {a})は {:.3}(95% 信頼区間 {:.3}〜{:.3}、{} 組)で、{} を超える差がある可能性は低いといえます。",
            c.ratio,
            i.low,
            i.high,
            c.pairs,
            percent((i.high - 1.0).max(1.0 - i.low))
        ),
        (i, Language::English) => {
            let range = match (lowest, highest) {
                (Some(l), Some(h)) if l.0 != h.0 => {
                    format!(" It ranges from {} at {} to {} at {}.", times(l.2), l.1, times(h.2), h.1)
                }
                _ => String::new(),
            };
            let sure = match i {
                Some(i) => format!("95 % interval {} to {}, {} pairs of runs", times(i.low), times(i.high), c.pairs),
                None => "one repeat only: how much of this is chance cannot be said".into(),
            };
            format!("{b} completed {} the transactions per second of {a} ({sure}).{range}", times(c.ratio))
        }
        (i, Language::Japanese) => {
            let range = match (lowest, highest) {
                (Some(l), Some(h)) if l.0 != h.0 => {
                    format!("条件別では {} で {}、{} で {} です。", l.1, times_ja(l.2), h.1, times_ja(h.2))
                }
                _ => String::new(),
            };
            let sure = match i {
                Some(i) => format!("95% 信頼区間 {}〜{}、{} 組", times_ja(i.low), times_ja(i.high), c.pairs),
                None => "繰り返しが 1 回のため、偶然の差かどうかは判断できません".into(),
            };
            format!("{b} の毎秒トランザクション数は {a} の {} です({sure})。{range}", times_ja(c.ratio))
        }
    }
}

fn times(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.0}×") } else { format!("{ratio:.2}×") }
}

fn times_ja(ratio: f64) -> String {
    if ratio >= 10.0 { format!("{ratio:.0} 倍") } else { format!("{ratio:.2} 倍") }
}

fn percent(share: f64) -> String {
    if share >= 0.1 { format!("{:.0} %", share * 100.0) } else { format!("{:.1} %", share * 100.0) }
}

//! The answer in one sentence, in English or Japanese: what stands first on the page and last on the terminal.

use crate::audit::Verdict;
use crate::axis;
use crate::comparison::{Comparison, Reading, reading};
use crate::durability;
use crate::summary::{Cell, Summary};

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
    let targets = summary.targets();
    let measured: Vec<&String> = targets.iter().filter(|t| best(t).is_some()).collect();
    let mut sentences = vec![match (summary.verdict_pair(), measured.as_slice()) {
        (Some(c), all) => compared(&c, all.len(), language),
        // Targets that share no cell cannot be compared; each stands for itself.
        (None, all) if !all.is_empty() => {
            all.iter().filter_map(|t| Some(alone(t, best(t)?, language))).collect::<Vec<_>>().join(gap(language))
        }
        (None, _) => nothing(summary, language),
    }];
    let unmeasured: Vec<&str> =
        targets.iter().filter(|t| !measured.contains(t)).map(String::as_str).filter(|_| !measured.is_empty()).collect();
    if !unmeasured.is_empty() {
        sentences.push(match language {
            Language::English => format!("Of {} nothing was measured.", unmeasured.join(", ")),
            Language::Japanese => format!("{} の測定値はありません。", unmeasured.join("、")),
        });
    }
    if summary.verdict() == Verdict::Invalid && !measured.is_empty() {
        sentences.push(match language {
            Language::English => "At least one trial is INVALID: do not rely on this before reading why.".into(),
            Language::Japanese => {
                "無効(INVALID)と判定された試行があります。理由を確認するまで、この結果を根拠にしないでください。".into()
            }
        });
    }
    sentences.join(gap(language))
}

/// What must be known beside the answer: durability that differs. The page shows it as a table, others as this sentence.
pub fn caution(summary: &Summary, language: Language) -> Option<String> {
    durability::difference(summary).map(|d| durability::sentence(&d, language))
}

fn gap(language: Language) -> &'static str {
    if language == Language::English { " " } else { "" }
}

fn centre(cell: &Cell) -> f64 {
    crate::statistics::mean(&cell.tps).unwrap_or(0.0)
}

fn nothing(summary: &Summary, language: Language) -> String {
    let failed = summary.trials.iter().find_map(|t| t.failure()).or_else(|| summary.notes.first().map(|(_, p)| p));
    match (language, failed) {
        (Language::English, None) => "Nothing was measured.".into(),
        (Language::Japanese, None) => "測定値がありません。".into(),
        (Language::English, Some(p)) => format!("Nothing was measured: {}.", p.what.trim_end_matches('.')),
        (Language::Japanese, Some(p)) => {
            let what = crate::phrase::problem(p, language).what;
            format!("測定値がありません。原因: {}", what.trim_end_matches('。'))
        }
    }
}

fn alone(target: &str, cell: &Cell, language: Language) -> String {
    let tps = crate::figure::grouped(centre(cell));
    let p99 = crate::figure::milliseconds(cell.tally.all_transactions().response.quantile_ns(0.99) as f64);
    let place = axis::cell(&cell.axes, language);
    match language {
        Language::English => {
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            format!("{target} completed {tps} transactions per second{at}, with a p99 response time of {p99}.")
        }
        Language::Japanese => {
            let at = if place.is_empty() { String::new() } else { format!("、{place}のとき") };
            format!("{target} は{at}毎秒 {tps} トランザクションを処理しました(応答時間の p99 は {p99})。")
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
    let (a, b, ratio, pairs) = (&c.a, &c.b, times(c.ratio), c.pairs);
    let interval = c.confidence.map(|i| format!("{} to {}", times(i.low), times(i.high))).unwrap_or_default();
    let first = if targets > 2 { format!("The two fastest of {targets} targets: ") } else { String::new() };
    match reading(c.confidence) {
        Reading::Alike { within } => format!(
            "{first}{} difference between {a} and {b} is larger than {}: {b} completed {ratio} the transactions per second of {a} (95 % interval {interval}, {pairs} pairs of runs).",
            if first.is_empty() { "No" } else { "no" },
            percent(within)
        ),
        Reading::Unclear => format!(
            "{first}{} runs cannot tell {a} and {b} apart: {b} completed {ratio} the transactions per second of {a}, but anything from {interval} would fit (95 % interval, {pairs} pairs of runs).{}",
            if first.is_empty() { "These" } else { "these" },
            match c.more_repeats {
                Some(more @ 1..=100) => format!(" About {more} more {} would narrow it to ±5 %.", if more == 1 { "repeat" } else { "repeats" }),
                Some(101..) => " It would take more than 100 further repeats to narrow it to ±5 %: first find out why the repeats differ so much.".into(),
                _ => String::new(),
            }
        ),
        Reading::Faster | Reading::Slower | Reading::Chance => {
            let sure = match c.confidence {
                Some(_) => format!("95 % interval {interval}, {pairs} pairs of runs"),
                None => "one repeat only: how much of this is chance cannot be said".into(),
            };
            let range = extremes(c).map_or_else(String::new, |(l, h)| {
                let at = |r: &crate::comparison::CellRatio| format!("{} at {}", times(r.ratio), axis::cell(&r.axes, Language::English));
                format!(" It ranges from {} to {}.", at(l), at(h))
            });
            format!("{first}{b} completed {ratio} the transactions per second of {a} ({sure}).{range}")
        }
    }
}

fn compared_ja(c: &Comparison, targets: usize) -> String {
    let (a, b, ratio, pairs) = (&c.a, &c.b, times_ja(c.ratio), c.pairs);
    let interval = c.confidence.map(|i| format!("{}〜{}", self::ratio(i.low), times_ja(i.high))).unwrap_or_default();
    let first =
        if targets > 2 { format!("{targets} 対象のうち上位 2 つの比較です。") } else { String::new() };
    match reading(c.confidence) {
        Reading::Alike { within } => format!(
            "{first}{a} と {b} に {} を超える差はありません。{b} の毎秒トランザクション数は {a} の {ratio}です(95% 信頼区間 {interval}、{pairs} 組)。",
            percent_ja(within)
        ),
        Reading::Unclear => format!(
            "{first}今回の試行では {a} と {b} の優劣を判断できません。{b} の毎秒トランザクション数は {a} の {ratio}ですが、95% 信頼区間は {interval}に及びます({pairs} 組)。{}",
            match c.more_repeats {
                Some(more @ 1..=100) => format!("区間を ±5% に狭めるには、繰り返しがあと {more} 回ほど必要です。"),
                Some(101..) => "区間を ±5% に狭めるには 100 回を超える追加の繰り返しが必要です。まず、繰り返しごとの値がこれほどばらつく原因を調べてください。".into(),
                _ => String::new(),
            }
        ),
        Reading::Faster | Reading::Slower | Reading::Chance => {
            let sure = match c.confidence {
                Some(_) => format!("95% 信頼区間 {interval}、{pairs} 組"),
                None => "繰り返しが 1 回のため、偶然の差かどうかは判断できません".into(),
            };
            let range = extremes(c).map_or_else(String::new, |(l, h)| {
                let at = |r: &crate::comparison::CellRatio| format!("{}で {}", axis::cell(&r.axes, Language::Japanese), times_ja(r.ratio));
                format!("条件別では、{}、{}です。", at(l), at(h))
            });
            format!("{first}{b} の毎秒トランザクション数は {a} の {ratio}です({sure})。{range}")
        }
    }
}

/// The cells with the lowest and the highest ratio, where there is more than one.
fn extremes(c: &Comparison) -> Option<(&crate::comparison::CellRatio, &crate::comparison::CellRatio)> {
    let lowest = c.cells.iter().min_by(|x, y| x.ratio.total_cmp(&y.ratio))?;
    let highest = c.cells.iter().max_by(|x, y| x.ratio.total_cmp(&y.ratio))?;
    (lowest.cell != highest.cell).then_some((lowest, highest))
}

/// A ratio, with more digits near 1, where they decide.
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

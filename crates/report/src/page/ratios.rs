//! Each target against the first: the ratio of throughput with its interval, overall and in every cell, and what may be read out of it.

use super::Section;
use super::context::PageContext;
use super::glance::{self, Along};
use crate::bilingual::{self, Bilingual};
use crate::chart::{Chart, ChartLine};
use minijinja::{Value, context};
use tenbin_model::answer::{percent, ratio};
use tenbin_model::comparison::{Comparable, Comparison, reading};
use tenbin_model::statistics::Confidence;

pub(super) const SECTION: Section = Section {
    id: "ratios",
    title: ("Ratios between the targets", "対象間の比"),
    values,
    template: r#"<p>{{ t("Throughput against", "スループットの比。基準:") }} {{ base }}</p>
{% if charts %}<div class="grid">{% for c in charts %}{{ c }}{% endfor %}</div>{% endif %}
{% call folded(count, 60) %}<div class="scroll"><table class="ratios"><thead><tr><th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("cell", "条件") }}</th><th>{{ t("ratio", "比") }}</th><th>{{ t("95 % interval", "95% 信頼区間") }}</th><th>{{ t("pairs", "組数") }}</th><th class="w">{{ t("what it says", "読み取れること") }}</th></tr></thead>
{% for c in comparisons %}<tbody>{% for r in c.rows %}<tr{% if loop.first %} class="all"{% endif %}><td class="w">{{ c.target }}</td><td class="w">{{ r.cell }}</td><td>{{ r.ratio }}</td><td>{{ r.interval }}</td><td>{{ r.pairs }}</td><td class="w wide">{{ r.says }}</td></tr>{% endfor %}</tbody>{% endfor %}</table></div>{% endcall %}
<p class="hint">{{ t("Ratios come from pairs of runs made close together (same cell, same repeat): the mean of their logarithms, with Student's t over the pairs. The interval over all cells pools the spread within cells.", "比は、時間的に近い試行の組(同じ条件・同じ繰り返し)から求めます。比の対数の平均と、組の間のばらつきによる t 区間です。全体の区間は、条件内のばらつきを合算して求めます。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured: Vec<&String> =
        m.targets.iter().filter(|t| m.cells.iter().any(|c| c.target == **t && !c.tps.is_empty())).collect();
    // Of two, the slower: the table then says what the answer says. Of more, the first named.
    let pair = m.summary.verdict_pair().filter(|_| measured.len() == 2);
    let base = measured.iter().find(|t| pair.as_ref().is_none_or(|p| p.a == ***t))?;
    let comparisons: Vec<Comparison> =
        m.targets.iter().filter(|t| t != base).filter_map(|t| m.summary.compare(base, t)).collect();
    if comparisons.is_empty() {
        return None;
    }
    let count: usize = comparisons.iter().map(|c| c.cells.len() + 1).sum();
    let charts = glance::along(&m.cells).map(|axis| charts(m, &axis, &comparisons));
    let tables: Vec<Value> =
        comparisons.iter().map(|c| context! { target => m.target(&c.b), rows => rows(c) }).collect();
    Some(context! { base => m.target(base), charts, count, comparisons => tables })
}

fn rows(c: &Comparison) -> Vec<Value> {
    let row = |cell: String, value: f64, confidence: Option<Confidence>, pairs: usize, more: Option<usize>| {
        context! {
            cell => Value::from_safe_string(cell), ratio => ratio(value), pairs, says => says(confidence, more).value(),
            interval => confidence.map_or("–".into(), |i| format!("{} – {}", ratio(i.low), ratio(i.high))),
        }
    };
    let all = row(Bilingual::new("all cells", "全条件").html(), c.ratio, c.confidence, c.pairs, c.more_repeats);
    let each = c.cells.iter().map(|r| row(bilingual::cell_html(&r.axes), r.ratio, r.confidence, r.pairs, None));
    // One cell is all there is.
    if c.cells.len() < 2 { vec![all] } else { std::iter::once(all).chain(each).collect() }
}

fn says(confidence: Option<Confidence>, more: Option<usize>) -> Bilingual {
    let close = |share: f64| percent(share).replace(' ', "");
    match (reading(confidence), confidence) {
        // Beyond twice as fast, per cents are no longer read but calculated back.
        (Comparable::Faster, Some(i)) if i.high >= 3.0 => Bilingual::new(
            format!("{} to {} times as fast", ratio(i.low), ratio(i.high)),
            format!("{}〜{} 倍速い", ratio(i.low), ratio(i.high)),
        ),
        (Comparable::Faster, Some(i)) => {
            let (low, high) = (i.low - 1.0, i.high - 1.0);
            Bilingual::new(
                format!("faster by {} to {}", percent(low), percent(high)),
                format!("{}〜{} 速い", close(low), close(high)),
            )
        }
        (Comparable::Slower, Some(i)) => {
            let (low, high) = (1.0 - i.high, 1.0 - i.low);
            Bilingual::new(
                format!("slower by {} to {}", percent(low), percent(high)),
                format!("{}〜{} 遅い", close(low), close(high)),
            )
        }
        (Comparable::Alike { within }, _) => Bilingual::new(
            format!("no difference larger than {}", percent(within)),
            format!("{} を超える差はない", close(within)),
        ),
        (Comparable::Unclear, _) => match more {
            Some(n @ 1..=100) => Bilingual::new(
                format!("cannot be told apart; about {n} more {} for ±5 %", if n == 1 { "repeat" } else { "repeats" }),
                format!("優劣を判断できない。±5% にはあと {n} 回ほどの繰り返しが必要"),
            ),
            Some(101..) => Bilingual::new(
                "cannot be told apart; more than 100 further repeats for ±5 %",
                "優劣を判断できない。±5% には 100 回を超える追加の繰り返しが必要",
            ),
            _ => Bilingual::new("cannot be told apart", "優劣を判断できない"),
        },
        _ => Bilingual::new("one pair only: chance cannot be judged", "1 組のみのため、偶然かどうか判断できない"),
    }
}

fn charts(m: &PageContext<'_>, axis: &Along, comparisons: &[Comparison]) -> Vec<Value> {
    let mut charts = Vec::new();
    for group in glance::groups(&m.cells, axis) {
        let line = |c: &Comparison| {
            let mut line = ChartLine { name: c.b.clone(), style: m.style(&c.b), ..ChartLine::default() };
            for r in c.cells.iter().filter(|r| axis.rest(&r.axes) == group) {
                let Some(x) = axis.place(&r.axes) else { continue };
                line.points.push((x, r.ratio));
                line.bars.extend(r.confidence.map(|i| (x, i.low, i.high)));
            }
            line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
            line
        };
        let lines: Vec<ChartLine> = comparisons.iter().map(line).filter(|l| l.points.len() > 1).collect();
        if lines.is_empty() {
            continue;
        }
        let chart = Chart {
            title: Bilingual::new("Ratio of throughput, with 95 % intervals", "スループットの比(95% 信頼区間)"),
            of: bilingual::cell(&group),
            unit: Bilingual::same("×"),
            x_name: bilingual::axis_name(&axis.key),
            x: axis.x.clone(),
            may_be_logarithmic: false,
            shade: None,
            reference: Some(1.0),
        };
        charts.push(m.figure(&chart, &lines));
    }
    charts
}

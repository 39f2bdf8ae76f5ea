//! What the workload `tpcc` comes to: New-Orders per minute, limits, mix, shares, and every departure from TPC-C.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use minijinja::{Value, context};
use tenbin_model::figure;
use tenbin_model::tpcc::{self, SENTENCE, Share, Steady};

pub(super) const SECTION: Section = Section {
    id: "tpcc",
    title: ("Derived from TPC-C", "TPC-C に基づく結果"),
    values,
    template: r#"<p><strong>{{ sentence }}</strong></p>
{% for c in cells %}<h3>{{ c.target }}{% if c.cell %} {{ c.cell }}{% endif %}</h3>
<p>{{ c.nopm }}</p>
<p>{{ c.profile }}</p>
{% if c.series %}<details><summary>{{ t("New-Orders per minute, stretch by stretch", "毎分の新規注文(10 秒ごと)") }}</summary>
<div class="scroll"><table><thead><tr><th>{{ t("from second", "秒") }}</th>{% for n in c.repeats %}<th>{{ t("repeat", "繰り返し") }} {{ n }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in c.series %}<tr>{% for f in row %}<td>{{ f }}</td>{% endfor %}</tr>{% endfor %}</tbody></table></div></details>
{% endif %}<div class="scroll"><table><thead><tr><th class="w">{{ t("transaction", "トランザクション") }}</th><th>{{ t("completed", "完了") }}</th><th>{{ t("failed", "失敗") }}</th><th>{{ t("retries", "再試行") }}</th><th>{{ t("share", "比率") }}</th><th>{{ t("at least", "最小") }}</th><th>{{ t("mean ms", "平均 ms") }}</th><th>p50</th><th>p90</th><th>p95</th><th>p99</th><th>{{ t("max", "最大") }}</th><th>{{ t("limit of p90", "p90 の制限") }}</th><th class="w">{{ t("kept", "判定") }}</th></tr></thead>
<tbody>{% for x in c.types %}<tr><td class="w">{{ own(x.name) }}</td>{% for f in x.figures %}<td>{{ f }}</td>{% endfor %}<td class="w">{{ x.kept }}</td></tr>{% endfor %}</tbody></table></div>
<div class="scroll"><table><thead><tr><th class="w">{{ t("measured share", "実測の割合") }}</th><th>{{ t("value", "値") }}</th><th>{{ t("range", "範囲") }}</th><th>{{ t("of", "母数") }}</th><th class="w">{{ t("kept", "判定") }}</th></tr></thead>
<tbody>{% for x in c.shares %}<tr><td class="w">{{ x.what }}</td><td>{{ x.value }}</td><td>{{ x.range }}</td><td>{{ x.of }}</td><td class="w">{{ x.kept }}</td></tr>{% endfor %}</tbody></table></div>
<p>{{ t("Departures from the specification, by clause:", "仕様との相違(条項別):") }}</p>
<ul>{% for d in c.deviations %}<li>{{ d.clause }}: {{ d.what }}</li>{% endfor %}</ul>
{% endfor %}
<p class="hint">{{ t("Response times in ms, from the intended start to the last row; with keying and think times the intended start is the end of keying. A range counts as kept when chance alone (three standard errors of so many) explains the distance.", "応答時間は予定開始から最終行までの ms です。キー入力時間があるときは入力の終わりが予定開始です。範囲との差が偶然(標準誤差の 3 倍)で説明できるときは範囲内とします。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let cells: Vec<Value> = m
        .cells
        .iter()
        .filter_map(|cell| {
            let r = tpcc::result(m.summary, cell)?;
            let kept = |yes: bool| if yes { Bilingual::new("yes", "可") } else { Bilingual::new("no", "不可") }.value();
            let types: Vec<Value> = r
                .types
                .iter()
                .map(|x| {
                    let ms = |ns: f64| if x.tally.completed == 0 { "–".into() } else { figure::grouped(ns / 1e6) };
                    let at = |q: f64| ms(x.tally.response.quantile_ns(q) as f64);
                    let count = |n: u64| figure::whole(i128::from(n));
                    let figures = [
                        count(x.tally.completed),
                        count(x.tally.failed),
                        count(x.tally.retries),
                        per_cent(x.share),
                        x.least.map_or("–".into(), per_cent),
                        ms(x.tally.response.mean_ns()),
                        at(0.5),
                        at(0.9),
                        at(0.95),
                        at(0.99),
                        ms(x.tally.response.max_ns() as f64),
                        figure::grouped(x.limit_ns as f64 / 1e6),
                    ];
                    context! { name => x.name, figures, kept => kept(x.in_time() && x.enough()) }
                })
                .collect();
            let shares: Vec<Value> = r
                .shares
                .iter()
                .map(|s| {
                    let what = Bilingual::new(s.what.0, s.what.1).value();
                    let range = format!("{}–{}", shown(s, s.range.0), shown(s, s.range.1));
                    context! { what, value => shown(s, s.value), range, of => figure::whole(i128::from(s.of)), kept => kept(s.in_range()) }
                })
                .collect();
            let deviations: Vec<Value> = r
                .deviations
                .iter()
                .map(|d| context! { clause => d.clause, what => Bilingual::new(d.what.0.clone(), d.what.1.clone()).value() })
                .collect();
            let cell_name = (!cell.axes.is_empty()).then(|| Value::from_safe_string(bilingual::cell_html(&cell.axes)));
            let (repeats, series) = r.steady.as_ref().map(series).unwrap_or_default();
            Some(context! {
                repeats, series,
                target => m.target(&cell.target), cell => cell_name, nopm => nopm(&r).value(), profile => profile(&r).value(), types, shares, deviations,
            })
        })
        .collect();
    (!cells.is_empty()).then(|| context! { sentence => Bilingual::new(SENTENCE.0, SENTENCE.1).value(), cells })
}

/// The repeats' numbers, and a row for each stretch: its begin, and New-Orders per minute in each repeat.
fn series(steady: &Steady) -> (Vec<usize>, Vec<Vec<String>>) {
    let longest = steady.series.iter().map(Vec::len).max().unwrap_or(0);
    let row = |at: usize| {
        let begin = steady.series.iter().find_map(|s| s.get(at)).map_or(0.0, |s| s.from_s);
        let each = steady.series.iter().map(|s| s.get(at).map_or("–".into(), |s| figure::grouped(s.nopm())));
        std::iter::once(format!("{begin:.0}")).chain(each).collect()
    };
    ((1..=steady.series.len()).collect(), (0..longest).map(row).collect())
}

fn profile(r: &tpcc::Result) -> Bilingual {
    let (en, ja) = tpcc::told_of(&r.profile);
    Bilingual::new(en, ja)
}

fn nopm(r: &tpcc::Result) -> Bilingual {
    let (all, committed) = (figure::grouped(r.nopm), figure::grouped(r.nopm_committed));
    let ((w, w_ja), t) = (r.size(), r.terminals);
    let mut both = Bilingual::new(
        format!(
            "{all} New-Orders per minute (NOPM) on {w} with {}; {committed} without those rolled back.",
            r.terminals()
        ),
        format!("毎分の新規注文(NOPM)は {all} です({w_ja}、端末 {t})。ロールバックした分を除くと {committed} です。"),
    );
    if r.together {
        both.en += " Statements that need nothing from one another went out together (pipeline = on).";
        both.ja += "互いの応答を待つ必要のない文はまとめて送りました(pipeline = on)。";
    }
    if let Some(steady) = &r.steady {
        let (en, ja) = steady.render();
        both.en += &format!(" {en}");
        both.ja += &ja;
    }
    if let Some(efficiency) = r.efficiency {
        let share = per_cent(efficiency);
        both.en += &format!(" That is {share} of the 12.86 per warehouse that terminals can make at most.");
        both.ja += &format!("端末が出せる上限(倉庫あたり 12.86)の {share} です。");
    }
    both
}

fn per_cent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

fn shown(s: &Share, value: f64) -> String {
    if s.per_cent { per_cent(value) } else { format!("{value:.2}") }
}

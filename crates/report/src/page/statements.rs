//! Counts and times of each statement, by cell and target.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::figure;

pub(super) const SECTION: Section = Section {
    id: "statements",
    title: ("Statements", "ステートメント別"),
    values,
    template: r#"{% call folded(rows|length, 48) %}<div class="scroll"><table class="sortable"><thead><tr>{% if cells %}<th class="w">{{ t("cell", "条件") }}</th>{% endif %}<th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("statement", "文") }}</th><th>{{ t("completed", "完了") }}</th><th>{{ t("rows", "行数") }}</th><th>{{ t("mean ms", "平均 ms") }}</th><th>p50</th><th>p95</th><th>p99</th><th>{{ t("max", "最大") }}</th><th>{{ t("errors", "エラー") }}</th></tr></thead>
<tbody>{% for s in rows %}<tr{% if s.first %} class="first"{% endif %}>{% if cells %}<td class="w">{{ s.cell }}</td>{% endif %}<td class="w">{{ s.target }}</td><td class="w">{{ own(s.name) }}</td><td>{{ s.completed }}</td><td>{{ s.rows }}</td>{% for x in s.times %}<td>{{ x }}</td>{% endfor %}<td>{{ s.errors }}</td></tr>{% endfor %}</tbody></table></div>{% endcall %}
<p class="hint">{{ t("Service times in ms: from sending the statement to its last row. All repeats together; errors by code stand in the next section.", "ステートメントの送信から最終行の受信までの時間(ms)です。全繰り返しの合算です。エラーのコード別の内訳は次の節にあります。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let mut rows = Vec::new();
    let mut before = None;
    for c in &m.cells {
        for (name, s) in &c.tally.statements {
            let ms = |ns: f64| if s.completed == 0 { "–".to_owned() } else { figure::grouped(ns / 1e6) };
            let at = |q: f64| ms(s.service.quantile_ns(q) as f64);
            let errors: u64 = s.errors.values().sum();
            let first = before.replace((c.cell, &c.target)).is_some_and(|b| b != (c.cell, &c.target));
            rows.push(context! {
                cell => Value::from_safe_string(bilingual::cell_html(&c.axes)), target => m.target(&c.target), name, first,
                completed => figure::whole(i128::from(s.completed)), rows => figure::whole(i128::from(s.rows)),
                times => [ms(s.service.mean_ns()), at(0.5), at(0.95), at(0.99), ms(s.service.max_ns() as f64)],
                errors => figure::whole(i128::from(errors)),
            });
        }
    }
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    (!rows.is_empty()).then(|| context! { rows, cells })
}

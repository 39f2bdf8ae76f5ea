//! Where every transaction went, trial by trial: nothing is missing from the record.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::figure;

pub(super) const SECTION: Section = Section {
    id: "accounting",
    title: ("Where every transaction went", "トランザクションの内訳"),
    values,
    template: r#"{% call folded(rows|length, 40) %}<div class="scroll"><table class="sortable"><thead><tr><th>{{ t("trial", "試行") }}</th><th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("cell", "条件") }}</th><th>{{ t("repeat", "繰り返し") }}</th><th>{{ t("scheduled", "予定") }}</th><th>{{ t("completed", "完了") }}</th><th>{{ t("failed", "失敗") }}</th><th>{{ t("skipped", "見送り") }}</th><th>{{ t("open", "実行中") }}</th><th>{{ t("retries", "再試行") }}</th><th>{{ t("reconnects", "再接続") }}</th><th>TPS</th><th class="w">{{ t("state", "状態") }}</th><th class="w">{{ t("verdict", "判定") }}</th></tr></thead>
<tbody>{% for a in rows %}<tr><td>{{ a.trial }}</td><td class="w">{{ a.target }}</td><td class="w">{{ a.cell }}</td><td>{{ a.repeat }}</td>{% for n in a.counts %}<td>{{ n }}</td>{% endfor %}<td>{{ a.tps }}</td><td class="w">{{ a.state }}</td><td class="w">{{ a.badge }}</td></tr>{% endfor %}</tbody></table></div>{% endcall %}
<p class="hint">{{ t("scheduled = completed + failed + skipped + open, in the measured window of each trial.", "各試行の計測区間で、予定 = 完了 + 失敗 + 見送り + 実行中 が成り立ちます。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let rows: Vec<Value> = m
        .summary
        .trials
        .iter()
        .filter(|t| t.begun)
        .map(|t| {
            let a = &t.tally.accounting;
            let counts = [
                i128::from(a.scheduled),
                i128::from(a.completed),
                i128::from(a.failed),
                i128::from(a.skipped),
                i128::from(a.open),
                i128::from(t.tally.all_transactions().retries),
                i128::from(t.tally.reconnects),
            ];
            context! {
                trial => t.trial.number, target => m.target(&t.trial.target.name), repeat => t.trial.repeat,
                cell => Value::from_safe_string(bilingual::cell_html(&t.trial.axes)), counts => counts.map(figure::whole),
                tps => figure::grouped(t.tps()), state => bilingual::state(t.state).value(), badge => bilingual::badge(t.verdict()),
            }
        })
        .collect();
    (!rows.is_empty()).then(|| context! { rows })
}

//! What client and server used while they were measured, trial by trial.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::figure;

pub(super) const SECTION: Section = Section {
    id: "observed",
    title: ("Observed meanwhile", "計測中の観測値"),
    values,
    template: r#"{% call folded(rows|length, 40) %}<div class="scroll"><table class="sortable"><thead><tr><th>{{ t("trial", "試行") }}</th><th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("cell", "条件") }}</th><th>{{ t("client CPU, cores", "クライアント CPU(コア)") }}</th><th>{{ t("workers", "ワーカー") }}</th><th>{{ t("server CPU, cores", "サーバー CPU(コア)") }}</th><th>{{ t("steal, cores", "スティール(コア)") }}</th><th>{{ t("server disk writes", "サーバーのディスク書き込み") }}</th><th>fsync/s</th></tr></thead>
<tbody>{% for o in rows %}<tr><td>{{ o.trial }}</td><td class="w">{{ o.target }}</td><td class="w">{{ o.cell }}</td>{% for x in o.figures %}<td>{{ x }}</td>{% endfor %}</tr>{% endfor %}</tbody></table></div>{% endcall %}
<p class="hint">{{ t("Means over the measured window; – where it was not observed.", "計測区間の平均です。– は観測していないことを示します。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured = m.summary.trials.iter().filter(|t| t.measured_ns() > 0);
    let rows: Vec<Value> = measured
        .map(|t| {
            let seconds = t.measured_ns() as f64 / 1e9;
            let rate = |observer: &str, name: &str| t.observed_change(observer, name).map(|v| v / seconds);
            let cores = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.2}"));
            let server =
                rate("server.process", "cpu_user_s").zip(rate("server.process", "cpu_system_s")).map(|(u, s)| u + s);
            let disk = rate("server.process", "disk_write_bytes");
            let fsyncs = rate("server.status", "innodb_data_fsyncs");
            let figures = [
                cores(Some(t.client_cpu_ns as f64 / 1e9 / seconds)),
                t.workers.to_string(),
                cores(server),
                cores(rate("client.host", "cpu_steal_s")),
                disk.map_or("–".to_owned(), |v| format!("{}/s", figure::bytes(v))),
                fsyncs.map_or("–".to_owned(), figure::grouped),
            ];
            context! {
                trial => t.trial.number, target => m.target(&t.trial.target.name),
                cell => Value::from_safe_string(bilingual::cell_html(&t.trial.axes)), figures,
            }
        })
        .collect();
    (!rows.is_empty()).then(|| context! { rows })
}

//! The plan as given, how to run it again, and what nobody controlled.

use super::Section;
use super::context::PageContext;
use minijinja::{Value, context};

pub(super) const SECTION: Section = Section {
    id: "plan",
    title: ("The plan", "プラン"),
    values,
    template: r#"{% if plan %}<pre translate="no">{{ plan }}</pre>
<p class="hint">{{ t("Run it again: save it as plan.toml, then", "再実行するには、このプランをファイルに保存し、次を実行します:") }} <code>tenbin run plan.toml</code></p>{% endif %}
<h3>{{ t("Not controlled", "制御していない要因") }}</h3>
<p class="hint">{{ t("Other work on the machines, temperature and clock speed of processors, caches of disks and hypervisors, and the network between client and server are observed at best, not controlled. A closed loop hides what waits outside of it: give a rate to see response times under a fixed load.", "マシン上のほかの処理、CPU の温度とクロック、ディスクやハイパーバイザーのキャッシュ、クライアントとサーバー間のネットワークは、観測できても制御はしていません。クローズドループでは、その外側での待ちは見えません。一定の負荷での応答時間を見るには、レートを指定してください。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    Some(context! { plan => m.summary.plan.clone() })
}

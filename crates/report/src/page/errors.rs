//! Errors are data: statement by error code, and what became of the transactions: tried again, given up, reconnected.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use minijinja::{Value, context};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::figure;
use tenbin_model::summary::Cell;
use tenbin_model::tally::StatementTally;

pub(super) const SECTION: Section = Section {
    id: "errors",
    title: ("Errors", "エラー"),
    values,
    template: r#"{% if quiet %}<p>{{ t("No errors: none of", "エラーはありません。実行した文:") }} {{ quiet }} {{ t("statements failed, no transaction was tried again or given up, no connection was lost.", "件。失敗した文、再試行や断念したトランザクション、失われた接続は、いずれもありません。") }}</p>
{% else %}{% if rows %}<div class="scroll"><table class="matrix"><caption>{{ t("Failed statements by error code, all cells together", "失敗した文(エラーコード別、全条件の合計)") }}</caption><thead><tr><th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("statement", "文") }}</th>{% for c in codes %}<th>{{ own(c.code) }}{% if c.means %}<br><small>{{ c.means }}</small>{% endif %}</th>{% endfor %}<th>{{ t("all", "計") }}</th><th>{{ t("of completed", "完了に対する割合") }}</th></tr></thead>
<tbody>{% for r in rows %}<tr><td class="w">{{ r.target }}</td><td class="w">{{ own(r.name) }}</td>{% for n in r.counts %}<td{% if n != "0" %} class="some"{% endif %}>{{ n }}</td>{% endfor %}<td>{{ r.all }}</td><td>{{ r.share }}</td></tr>{% endfor %}</tbody></table></div>{% endif %}
{% call folded(fates|length, 60) %}<div class="scroll"><table class="sortable"><caption>{{ t("What became of the transactions", "トランザクションの結末") }}</caption><thead><tr>{% if cells %}<th class="w">{{ t("cell", "条件") }}</th>{% endif %}<th class="w">{{ t("target", "対象") }}</th><th>{{ t("completed", "完了") }}</th><th>{{ t("tried again", "再試行") }}</th><th>{{ t("given up", "断念") }}</th><th>{{ t("skipped", "見送り") }}</th><th>{{ t("reconnects", "再接続") }}</th><th class="w">{{ t("statement errors", "文のエラー") }}</th></tr></thead>
<tbody>{% for f in fates %}<tr>{% if cells %}<td class="w">{{ f.cell }}</td>{% endif %}<td class="w">{{ f.target }}</td>{% for n in f.counts %}<td>{{ n }}</td>{% endfor %}<td class="w">{{ own(f.codes) }}</td></tr>{% endfor %}</tbody></table></div>{% endcall %}
<p class="hint">{{ t("A failed statement ends an attempt. Conflicts are tried again as often as the plan allows; what still fails then is given up and counts as failed. All in the measured windows.", "文が失敗すると、その試みは終わります。競合はプランで許された回数まで再試行し、それでも失敗したものは断念して失敗に数えます。いずれも計測区間内の件数です。") }}</p>{% endif %}"#,
};

/// Codes that readers meet often: what they mean.
const MEANINGS: &[(&str, &str, &str)] = &[
    ("1213", "deadlock", "デッドロック"),
    ("1205", "lock wait timeout", "ロック待ちタイムアウト"),
    ("1020", "row changed meanwhile", "行が変更済み"),
    ("1062", "duplicate key", "キーの重複"),
    ("1040", "too many connections", "接続数超過"),
    ("1461", "too many prepared statements", "プリペアド文の上限"),
    ("1290", "server is read-only", "サーバーが読み取り専用"),
    ("1317", "interrupted", "中断"),
    ("2006", "connection gone", "接続断"),
    ("2013", "connection lost", "接続断"),
    ("5", "database busy", "データベース使用中"),
    ("517", "snapshot out of date", "スナップショットが古い"),
    ("lost", "connection lost", "接続断"),
    ("conflict", "conflict", "競合"),
    ("refused", "refused", "接続拒否"),
    ("limit", "limit reached", "上限到達"),
    ("protocol", "protocol", "プロトコル"),
    ("sql", "statement wrong", "文の誤り"),
    ("40001", "serialization failure", "直列化の失敗"),
    ("40P01", "deadlock", "デッドロック"),
    ("23505", "duplicate key", "キーの重複"),
    ("57014", "cancelled", "取り消し"),
];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let statements: u64 = m.cells.iter().flat_map(|c| c.begun.statements.values()).map(|s| s.completed).sum();
    let begun = m.summary.trials.iter().any(|t| t.begun);
    if !begun {
        return None;
    }
    if m.cells.iter().all(quiet) {
        // Where nothing ran, nothing is said of errors.
        return (statements > 0).then(|| context! { quiet => figure::whole(i128::from(statements)) });
    }
    let codes: BTreeSet<String> = m.cells.iter().flat_map(|c| c.begun.errors().into_keys()).collect();
    let codes: Vec<String> = codes.into_iter().collect();
    let heads: Vec<Value> = codes.iter().map(|code| context! { code, means => meaning(code) }).collect();
    let cells = m.cells.iter().any(|c| !c.axes.is_empty());
    Some(context! { rows => matrix(m, &codes), codes => heads, fates => fates(m), cells })
}

fn quiet(c: &Cell) -> bool {
    let all = c.begun.all_transactions();
    c.begun.errors().is_empty() && all.retries == 0 && c.begun.reconnects == 0 && c.begun.accounting.failed == 0
}

fn meaning(code: &str) -> Option<Value> {
    MEANINGS.iter().find(|m| m.0 == code).map(|(_, en, ja)| Bilingual::new(*en, *ja).value())
}

/// One row per target and statement that failed at least once.
fn matrix(m: &PageContext<'_>, codes: &[String]) -> Vec<Value> {
    let mut rows: BTreeMap<(usize, &str), StatementTally> = BTreeMap::new();
    for c in &m.cells {
        for (name, s) in &c.begun.statements {
            rows.entry((m.style(&c.target), name)).or_default().merge(s);
        }
    }
    rows.into_iter()
        .filter(|(_, s)| !s.errors.is_empty())
        .map(|((place, name), StatementTally { completed, errors, .. })| {
            let whole = |n: u64| figure::whole(i128::from(n));
            let all: u64 = errors.values().sum();
            let share = if completed == 0 {
                "–".into()
            } else {
                format!("{} %", figure::grouped(100.0 * all as f64 / completed as f64))
            };
            let counts: Vec<String> = codes.iter().map(|c| whole(errors.get(c).copied().unwrap_or(0))).collect();
            context! { target => m.target(&m.targets[place]), name, counts, all => whole(all), share }
        })
        .collect()
}

/// One row per cell and target that was not quiet.
fn fates(m: &PageContext<'_>) -> Vec<Value> {
    m.cells
        .iter()
        .filter(|c| !quiet(c))
        .map(|c| {
            let all = c.begun.all_transactions();
            let codes: Vec<String> = c.begun.errors().iter().map(|(code, n)| format!("{n} × {code}")).collect();
            let a = &c.begun.accounting;
            let counts = [a.completed, all.retries, a.failed, a.skipped, c.begun.reconnects];
            context! {
                cell => Value::from_safe_string(bilingual::cell_html(&c.axes)), target => m.target(&c.target),
                counts => counts.map(|n| figure::whole(i128::from(n))), codes => if codes.is_empty() { "–".into() } else { codes.join(", ") },
            }
        })
        .collect()
}

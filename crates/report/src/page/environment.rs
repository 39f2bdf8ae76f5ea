//! The client's machine and the targets: what they are, without their settings.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::durability;

pub(super) const SECTION: Section = Section {
    id: "environment",
    title: ("Environment", "環境"),
    values,
    template: r#"<div class="grid">{% for f in facts %}<table class="facts"><caption>{{ f.about }}</caption><tbody>{% for r in f.rows %}<tr><th>{{ r.name }}</th><td class="w">{{ r.value }}</td></tr>{% endfor %}</tbody></table>{% endfor %}</div>"#,
};

/// Facts under the names they are recorded with, and their names for readers, in reading order.
const NAMES: &[(&str, &str, &str)] = &[
    ("version", "version", "バージョン"),
    ("address", "address", "接続先"),
    ("encryption", "encryption", "暗号化"),
    ("cpu", "processor", "CPU"),
    ("cores", "cores Tenbin may use", "利用できるコア数"),
    ("machine_cores", "cores of the machine", "マシンのコア数"),
    ("cgroup_cpu_limit", "processor limit (cgroup)", "CPU 制限(cgroup)"),
    ("memory", "memory", "メモリ"),
    ("system", "system", "OS"),
    ("os", "system", "OS"),
    ("kernel", "kernel", "カーネル"),
    ("governor", "processor governor", "CPU ガバナー"),
    ("clock_source", "clock source", "クロックソース"),
    ("transparent_huge_pages", "transparent huge pages", "透過的ヒュージページ"),
    ("virtualised", "virtual machine", "仮想マシン"),
    ("load_average", "load average before the run", "実行前のロードアベレージ"),
    ("tenbin", "Tenbin", "Tenbin"),
];

fn values(m: &PageContext<'_>) -> Option<Value> {
    let known = std::iter::once("client").chain(m.targets.iter().map(String::as_str));
    let facts: Vec<Value> = known
        .filter_map(|about| {
            let facts = m.summary.facts.get(about)?;
            let title = if about == "client" {
                Bilingual::new("client", "クライアント").value()
            } else {
                m.target(about)
            };
            let mut rows = rows(facts);
            rows.extend(kept(m, about, facts));
            Some(context! { about => title, rows })
        })
        .collect();
    (!facts.is_empty()).then(|| context! { facts })
}

/// How the target keeps what is committed.
fn kept(m: &PageContext<'_>, target: &str, facts: &BTreeMap<String, String>) -> Vec<Value> {
    if !facts.keys().any(|name| name.starts_with("variable.")) {
        return Vec::new();
    }
    let engines = durability::engines(m.summary, target).map(|engines| {
        let name = Bilingual::new("storage engine of the tables", "テーブルのストレージエンジン");
        context! { name => name.value(), value => Value::from_safe_string(bilingual::foreign(&engines)) }
    });
    let promise = durability::of_target(m.summary, target);
    let says = Bilingual::of(|l| promise.map_or(durability::not_known(l), |p| p.words(l)).to_owned());
    let promise = context! { name => Bilingual::new("durability", "耐久性").value(), value => says.value() };
    engines.into_iter().chain([promise]).collect()
}

fn rows(facts: &BTreeMap<String, String>) -> Vec<Value> {
    let place = |key: &str| NAMES.iter().position(|n| n.0 == key).unwrap_or(NAMES.len());
    let mut shown: Vec<(&String, &String)> =
        facts.iter().filter(|(k, _)| !["variable.", "status."].iter().any(|of| k.starts_with(of))).collect();
    shown.sort_by_key(|(k, _)| place(k));
    shown
        .into_iter()
        .map(|(key, value)| {
            let name = NAMES.get(place(key)).map_or_else(|| Bilingual::same(key), |n| Bilingual::new(n.1, n.2));
            context! { name => name.value(), value => Value::from_safe_string(bilingual::sentence(value)) }
        })
        .collect()
}

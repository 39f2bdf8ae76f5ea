//! A banner where the targets' commits promise different things: the faster one may simply do less.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{Bilingual, foreign};
use minijinja::{Value, context};
use tenbin_model::durability;

pub(super) const SECTION: Section = Section {
    id: "durability",
    title: ("Durability settings differ", "耐久性の設定が異なります"),
    values,
    template: r#"<div class="banner">
<p>{{ t("The targets do not promise the same at commit. This is no like-for-like comparison of speed, unless the price of durability is the question.", "コミット時に保証する内容が対象間で異なります。耐久性の代償そのものを調べる目的でなければ、同じ条件での速度比較にはなりません。") }}</p>
<div class="scroll"><table><thead><tr><th></th>{% for target in targets %}<th class="w">{{ target }}</th>{% endfor %}</tr></thead><tbody>
{%- for row in rows %}<tr><th translate="no">{{ row.name }}</th>{% for value in row.found %}<td class="w">{{ value }}</td>{% endfor %}</tr>{% endfor -%}
{%- if promises %}<tr class="promise"><th>{{ t("so that", "そのため") }}</th>{% for p in promises %}<td class="w">{{ p }}</td>{% endfor %}</tr>{% endif -%}
</tbody></table></div></div>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let difference = durability::difference(m.summary)?;
    let shown = |name: &str, value: &Option<String>| {
        Value::from_safe_string(value.as_ref().map_or("–".into(), |v| foreign(&named(name, v))))
    };
    let rows: Vec<Value> = difference
        .settings
        .iter()
        .map(|(name, values)| context! { name => *name, found => values.iter().map(|v| shown(name, v)).collect::<Vec<_>>() })
        .collect();
    let promises: Vec<Value> = difference
        .promises
        .iter()
        .map(|p| Bilingual::of(|l| p.map_or(durability::not_known(l), |p| p.words(l)).to_owned()).value())
        .collect();
    let known = difference.promises.iter().any(Option::is_some);
    Some(context! {
        targets => difference.targets.iter().map(|t| m.target(t)).collect::<Vec<_>>(),
        rows,
        promises => known.then_some(promises),
    })
}

/// SQLite gives `synchronous` as a number.
fn named(name: &str, value: &str) -> String {
    let word = match (name, value) {
        ("synchronous", "0") => "OFF",
        ("synchronous", "1") => "NORMAL",
        ("synchronous", "2") => "FULL",
        ("synchronous", "3") => "EXTRA",
        _ => return value.to_owned(),
    };
    format!("{value} ({word})")
}

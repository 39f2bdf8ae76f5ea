//! The table of all cells: one row per cell and target, the best of each cell in bold.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::rows;
use minijinja::{Value, context};
use tenbin_model::answer::{Language, footnote};

pub(super) const SECTION: Section = Section {
    id: "results",
    title: ("Results", "結果"),
    values,
    template: r#"{% call folded(rows|length, 60) %}<div class="scroll"><table class="sortable results"><thead><tr>{% for h in head %}<th{% if h.words %} class="w"{% endif %}>{{ h.name }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in rows %}<tr{% if row.first %} class="first"{% endif %}>{% for c in row.cells %}<td{% if c.class %} class="{{ c.class }}"{% endif %}>{{ c.text }}</td>{% endfor %}</tr>{% endfor %}</tbody></table></div>{% endcall %}
<p class="hint">{{ t("Bold: the best of its cell. TPS: transactions per second, mean of the repeats; ± half its 95 % interval over runs. Response times in ms, from the intended start to the last row; percentiles from the merged histogram of all repeats. INVALID trials are not in these figures.", "太字は条件ごとの最良値です。TPS(毎秒トランザクション数)は繰り返しの平均、± は試行間の 95% 信頼区間の半幅です。応答時間(ms)は、開始予定時刻から最終行の受信までです。パーセンタイルは全繰り返しを合算したヒストグラムから求めています。無効(INVALID)の試行は含みません。") }}{% if still %} {{ still }}{% endif %}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let first = m.cells.first()?;
    let axes = first.axes.len();
    let (en, ja) = (rows::head(m.summary, Language::English), rows::head(m.summary, Language::Japanese));
    let head: Vec<Value> = (0..en.len())
        .map(|i| {
            let name = match first.axes.get(i) {
                Some((key, _)) => bilingual::axis_name(key),
                None => bilingual::Bilingual::new(&en[i], &ja[i]),
            };
            context! { name => name.value(), words => i == axes || i + 1 == en.len() }
        })
        .collect();
    let best = rows::best(m.summary);
    let mut cell = None;
    let rows: Vec<Value> = rows::cells(m.summary)
        .into_iter()
        .zip(&m.cells)
        .zip(best)
        .map(|((texts, c), best)| {
            let last = texts.len() - 1;
            let cells: Vec<Value> = texts
                .into_iter()
                .enumerate()
                .map(|(i, text)| match i {
                    i if i == axes => context! { class => "w", text => m.target(&c.target) },
                    i if i == last => context! { class => "w", text => bilingual::badge(c.verdict) },
                    i if i < axes && text.parse::<f64>().is_err() => {
                        context! { class => "w", text => Value::from_safe_string(bilingual::foreign(&text)) }
                    }
                    _ => context! { class => if best[i] { Some("best") } else { None }, text },
                })
                .collect();
            let first = cell.replace(c.cell).is_some_and(|before| before != c.cell);
            context! { cells, first }
        })
        .collect();
    let still = footnote(m.summary, Language::English)
        .zip(footnote(m.summary, Language::Japanese))
        .map(|(en, ja)| bilingual::Bilingual::new(en, ja).value());
    Some(context! { head, rows, still })
}

//! How far each trial can be relied on, with the reasons: stands near the top, and only where not all trials are VALID.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use minijinja::{Value, context};
use tenbin_model::answer::Language;
use tenbin_model::audit::{Doubt, Verdict};
use tenbin_model::message::Message;
use tenbin_model::summary::TrialResult;

pub(super) const SECTION: Section = Section {
    id: "trust",
    title: ("How far it can be relied on", "結果の信頼性"),
    values,
    template: r#"<p>{% for c in counts %}{{ c.badge }} {{ c.words }}{% if not loop.last %} · {% endif %}{% endfor %}</p>
<ul class="reasons">{% for r in reasons %}<li>{{ r.badge }} <b>{{ r.what }}</b> <small>({{ r.trials }})</small>{% if r.evidence %}<br>{% if r.first %}<small>{{ r.first }}</small> {% endif %}{{ r.evidence }}{% endif %}{% if r.hint %}<br><em>{{ r.hint }}</em>{% endif %}</li>{% endfor %}</ul>
{% if trials %}<details><summary>{{ t("Verdict of each trial, with its own evidence", "試行ごとの判定とその根拠") }} ({{ trials|length }})</summary>
<div class="scroll"><table class="sortable"><thead><tr><th>{{ t("trial", "試行") }}</th><th class="w">{{ t("target", "対象") }}</th><th class="w">{{ t("cell", "条件") }}</th><th>{{ t("repeat", "繰り返し") }}</th><th class="w">{{ t("verdict", "判定") }}</th><th class="w">{{ t("reasons", "理由") }}</th></tr></thead>
<tbody>{% for x in trials %}<tr><td>{{ x.number }}</td><td class="w">{{ x.target }}</td><td class="w">{{ x.cell }}</td><td>{{ x.repeat }}</td><td class="w">{{ x.badge }}</td><td class="w wide">{% for r in x.reasons %}{{ r }}{% if not loop.last %}<br>{% endif %}{% else %}–{% endfor %}</td></tr>{% endfor %}</tbody></table></div></details>{% endif %}
<p class="hint">{{ t("VALID: nothing found that would weaken it. DEGRADED: it stands, with the reasons named. INVALID: do not use it as a measurement of the target.", "有効(VALID): 結果を弱める要因は見つかりませんでした。要注意(DEGRADED): 理由を踏まえれば使えます。無効(INVALID): 対象の測定値として使わないでください。") }}</p>"#,
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let begun: Vec<(&TrialResult, &[Doubt])> =
        m.summary.trials.iter().filter(|t| t.begun).map(|t| (t, t.doubts())).collect();
    let verdicts: Vec<Verdict> = begun.iter().map(|(_, d)| tenbin_model::audit::verdict(d)).collect();
    let not_begun: Vec<u32> = m.summary.trials.iter().filter(|t| !t.begun).map(|t| t.trial.number).collect();
    let sound = verdicts.iter().all(|v| *v == Verdict::Valid) && m.cells.iter().all(|c| c.doubts.is_empty());
    if not_begun.is_empty() && sound {
        return None;
    }
    let mut counts: Vec<Value> = [Verdict::Invalid, Verdict::Degraded, Verdict::Valid]
        .into_iter()
        .map(|v| (v, verdicts.iter().filter(|x| **x == v).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(v, n)| {
            let words = Bilingual::new(format!("{n} {}", if n == 1 { "trial" } else { "trials" }), format!("{n} 試行"));
            context! { badge => bilingual::badge(v), words => words.value() }
        })
        .collect();
    if !not_begun.is_empty() {
        let n = not_begun.len();
        counts.push(context! { words => Bilingual::new(format!("{n} not run"), format!("{n} 試行は未実行")).value() });
    }
    Some(context! { counts, reasons => reasons(m, &begun), trials => trials(m, &begun) })
}

/// Each reason once, gravest first, with the trials it was found in. Evidence that differs from trial to trial is given for the first.
fn reasons(m: &PageContext<'_>, begun: &[(&TrialResult, &[Doubt])]) -> Vec<Value> {
    let mut all: Vec<(&Doubt, Vec<u32>)> = Vec::new();
    for (t, doubts) in begun {
        for d in *doubts {
            match all.iter_mut().find(|a| a.0.code == d.code && a.0.verdict == d.verdict) {
                Some(known) => known.1.push(t.trial.number),
                None => all.push((d, vec![t.trial.number])),
            }
        }
    }
    // A doubt about a cell is one about all its trials, and each cell has evidence of its own.
    all.extend(m.cells.iter().flat_map(|c| c.doubts.iter().map(|d| (d, c.trials.clone()))));
    all.sort_by_key(|(d, _)| std::cmp::Reverse(d.verdict));
    all.into_iter()
        .map(|(d, trials)| {
            let many = trials.len() > 1;
            let first =
                many.then(|| Bilingual::new(format!("trial {}:", trials[0]), format!("試行 {}:", trials[0])).value());
            let each = bilingual::numbers(trials);
            let trials = Bilingual::new(format!("{} {each}", if many { "trials" } else { "trial" }), format!("試行 {each}"));
            context! {
                badge => bilingual::badge(d.verdict), trials => trials.value(), first, what => part(d, |p| Some(&p.what)),
                evidence => part(d, |p| p.evidence.as_ref()), hint => part(d, |p| p.hint.as_ref()),
            }
        })
        .collect()
}

/// A part of a doubt in both languages; what is the same in both came from outside.
fn part(d: &Doubt, of: fn(&tenbin_model::problem::Problem) -> Option<&Message>) -> Option<Value> {
    let part = of(&d.problem)?;
    Some(Bilingual::of(|language| part.text(language)).value())
}

fn trials(m: &PageContext<'_>, begun: &[(&TrialResult, &[Doubt])]) -> Vec<Value> {
    let line = |d: &Doubt| {
        Bilingual::of(|l| {
            let what = d.problem.what.text(l);
            match (d.problem.evidence.as_ref().map(|seen| seen.text(l)), l) {
                (None, _) => what,
                (Some(seen), Language::English) => format!("{what}: {seen}"),
                (Some(seen), Language::Japanese) => format!("{what}({seen})"),
            }
        })
        .value()
    };
    begun
        .iter()
        .map(|(t, doubts)| {
            context! {
                number => t.trial.number, repeat => t.trial.repeat, target => m.target(&t.trial.target.name),
                cell => Value::from_safe_string(bilingual::cell_html(&t.trial.axes)),
                badge => bilingual::badge(tenbin_model::audit::verdict(doubts)), reasons => doubts.iter().map(line).collect::<Vec<_>>(),
            }
        })
        .collect()
}

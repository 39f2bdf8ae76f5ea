//! What stands first: the answer, how far it can be trusted, whom it is about; and what the run directory has lost.

use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use minijinja::{Value, context};
use tenbin_model::answer::{Language, answer};
use tenbin_model::conditions::conditions;
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_model::tpcc;
use tenbin_model::trial::Schedule;

pub fn values(m: &PageContext<'_>, doubts: &[Problem]) -> Value {
    let s = m.summary;
    let measured = s.trials.iter().filter(|t| t.counts()).count();
    let planned = s.trials.len();
    let took = s.last_ns as f64 / 1e9;
    let answer = Bilingual::of(|l: Language| answer(s, l));
    context! {
        name => s.name.clone(),
        tool => s.tool.clone(),
        started => moment(&s.started),
        answer => Value::from_safe_string(format!("<span lang=\"en\">{}</span><span lang=\"ja\">{}</span>", bilingual::escape(&answer.en), bilingual::escape(&answer.ja))),
        conditions => under(m),
        derived => derived(m).map(|sentence| sentence.value()),
        verdict => bilingual::badge(s.verdict()),
        state => bilingual::state(s.state).value(),
        measured => Bilingual::new(
            format!("{measured} of {planned} trials measured"),
            format!("{planned} 試行のうち {measured} を測定"),
        ).value(),
        whole => measured == planned,
        schedule => schedule(m).value(),
        took => Bilingual::new(figure::span(took), figure::span_ja(took)).value(),
        targets => m.targets.iter().map(|t| m.target(t)).collect::<Vec<_>>(),
        missing => doubts.iter().map(bilingual::problem).collect::<Vec<_>>(),
    }
}

/// Under what conditions the answer holds. Names of workloads and products stand in it, as they are.
fn under(m: &PageContext<'_>) -> Option<Value> {
    conditions(m.summary, Language::English)?;
    let line = Bilingual::of(|l| conditions(m.summary, l).unwrap_or_default());
    Some(Value::from_safe_string(line.html().replace("<span lang", "<span translate=\"no\" lang")))
}

/// What must stand beside every figure of a workload derived from TPC-C, first of all the answer's.
fn derived(m: &PageContext<'_>) -> Option<Bilingual> {
    let profile = m.cells.iter().find_map(|cell| tpcc::result(m.summary, cell))?.profile;
    let (en, ja) = tpcc::caution(m.summary).unwrap_or_else(|| tpcc::told_of(&profile));
    Some(Bilingual::new(format!("{} {en}", tpcc::SENTENCE.0), format!("{}{ja}", tpcc::SENTENCE.1)))
}

/// Whether starts fell due by the clock: it decides what response times mean.
fn schedule(m: &PageContext<'_>) -> Bilingual {
    let closed = m.summary.trials.iter().filter(|t| t.trial.load.schedule == Schedule::Closed).count();
    match m.summary.trials.len() - closed {
        0 => Bilingual::new("closed loop", "クローズドループ"),
        _ if closed == 0 => Bilingual::new("open loop, at a rate", "オープンループ(レート指定)"),
        _ => Bilingual::new("closed and open loops", "クローズドループとオープンループ"),
    }
}

/// `2026-11-21T01:31:00+09:00[Asia/Tokyo]` as `2026-11-21 01:31:00 +09:00`.
fn moment(rfc3339: &str) -> String {
    let text = rfc3339.split('[').next().unwrap_or(rfc3339);
    let Some((day, time)) = text.split_once('T') else { return text.to_owned() };
    let zone = time.find(['+', '-', 'Z']).unwrap_or(time.len());
    let clock = time[..zone].split('.').next().unwrap_or_default();
    format!("{day} {clock} {}", &time[zone..])
}

#[cfg(test)]
mod tests {
    #[test]
    fn moments_read_well() {
        assert_eq!(super::moment("2026-11-21T01:31:00.123+09:00[Asia/Tokyo]"), "2026-11-21 01:31:00 +09:00");
        assert_eq!(super::moment("2026-11-21T01:31:00Z"), "2026-11-21 01:31:00 Z");
        assert_eq!(super::moment("yesterday"), "yesterday");
    }
}

//! What stands around the result card: name and time of the run, cautions and conditions, the answer in words, and what the run
//! directory lacks.

use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::event::EndState;
use tenbin_model::trial::{Load, Schedule};
use tenbin_verdict::answer::{answers, try_out, weakened};
use tenbin_verdict::conditions::conditions;
use tenbin_verdict::cost::costs;
use tenbin_verdict::durability;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::tpcc_result;
use tenbin_verdict::why;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn values(m: &PageContext<'_>, doubts: &[Problem]) -> Value {
    let s = m.summary;
    let measured = s.trials.iter().filter(|t| t.counts()).count();
    let planned = s.trials.len();
    let took = s.last_ns as f64 / 1e9;
    context! {
        name => match &s.labels.name { Some(name) => format!("{name} ({})", s.name), None => s.name.clone() },
        tags => s.labels.tags.clone(), note => s.labels.note.clone(),
        tool => s.tool.clone(),
        started => s.starts().into_iter().map(moment).collect::<Vec<_>>().join(", "),
        try_out => try_out(s).map(|sentence| bilingual::html(&sentence)),
        cautions => cautions(m),
        answers => answers(s).iter().map(bilingual::sentence).collect::<Vec<_>>(),
        costs => costs(s).iter().map(|cost| bilingual::html(&cost.sentence())).collect::<Vec<_>>(),
        limits => why::in_short(s).iter().map(bilingual::sentence).collect::<Vec<_>>(),
        conditions => conditions(s).map(|line| bilingual::names(&line)),
        derived => derived(m).map(|sentence| bilingual::html(&sentence)),
        verdict => bilingual::badge(s.verdict()),
        state => (s.state != Some(EndState::Complete)).then(|| bilingual::state(s.state)),
        measured => bilingual::html(&msg!("trials-measured", measured, planned)),
        whole => measured == planned,
        schedule => bilingual::html(&schedule(m)),
        took => bilingual::html(&figure::duration(took)),
        targets => m.targets.iter().map(|t| m.target(t)).collect::<Vec<_>>(),
        missing => doubts.iter().map(bilingual::problem).collect::<Vec<_>>(), most_missing => MOST_MISSING,
    }
}

/// The most problems of the run directory that are not folded.
const MOST_MISSING: usize = 3;

/// What makes the comparison weaker than it looks: it must be on the first screen, beside the answer.
fn cautions(m: &PageContext<'_>) -> Vec<Value> {
    let durability = durability::difference(m.summary).map(|d| durability::sentence(&d));
    weakened(m.summary).into_iter().chain(durability).map(|caution| bilingual::html(&caution)).collect()
}

/// The sentences that accompany all results of a workload derived from TPC-C; `None` for other workloads.
fn derived(m: &PageContext<'_>) -> Option<Message> {
    let profile = m.cells.iter().find_map(|cell| tpcc_result::result(m.summary, cell))?.profile;
    let profile = tpcc_result::caution(m.summary).unwrap_or_else(|| tpcc_result::told_of(&profile));
    Some(Message::joined([tpcc_result::sentence(), profile], msg!("between-sentences")))
}

/// Whether the loop was closed or open (starts at scheduled times), which determines the meaning of response times.
fn schedule(m: &PageContext<'_>) -> Message {
    let of = |loads: &dyn Fn(&Load) -> bool| m.summary.trials.iter().filter(|t| loads(&t.trial.load)).count();
    // Groups of one trial may be of both kinds.
    let (closed, open) = (of(&|load| load.schedule == Schedule::Closed), of(&|load| !load.is_closed()));
    match open {
        0 => msg!("closed-loop"),
        _ if closed == 0 => msg!("open-loop"),
        _ => msg!("closed-and-open-loops"),
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
    fn moments_have_date_time_and_offset() {
        assert_eq!(super::moment("2026-11-21T01:31:00.123+09:00[Asia/Tokyo]"), "2026-11-21 01:31:00 +09:00");
        assert_eq!(super::moment("2026-11-21T01:31:00Z"), "2026-11-21 01:31:00 Z");
        assert_eq!(super::moment("yesterday"), "yesterday");
    }
}

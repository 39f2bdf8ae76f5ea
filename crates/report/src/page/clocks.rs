//! Response time, service time and wait of the trials in which they differ, and why starts waited. Their course is among the
//! charts over time.

use super::Section;
use super::columns::aligned;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::clocks;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const SECTION: Section =
    Section { id: "clocks", heading: || msg!("section-clocks"), values, template: table::TEMPLATE };

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured = || m.summary.trials.iter().filter(|t| t.counts() && clocks::fall_due(t));
    let waited: Vec<&TrialResult> = measured().filter(|t| clocks::waited(&t.tally.all_starts())).collect();
    let of_clock = |clock: Message| {
        let mean = format!("{} {}", bilingual::html(&clock), bilingual::html(&msg!("column-mean-ms")));
        let mean = context! { name => Value::from_safe_string(mean) };
        [mean, table::plain("p99"), table::column(&msg!("column-max"))]
    };
    let clocks = [msg!("clock-response"), msg!("clock-service"), msg!("clock-wait")].into_iter().flat_map(of_clock);
    let columns = clocks.chain([table::words(&msg!("column-why-waited"))]);
    let mut table = SectionTable::new(40, table::trial_columns(m, columns));
    let times = aligned(waited.iter().map(|t| times(t)).collect());
    table.rows.extend(waited.iter().zip(times).map(|(t, times)| (false, row(m, t, times))));
    table.values(&[], &msg!("about-clocks"))
}

/// Mean, p99 and maximum of each clock, milliseconds.
fn times(t: &TrialResult) -> Vec<Value> {
    let all = question::transactions(t);
    let figures =
        |h: &Histogram| [h.mean_ns(), h.quantile_ns(0.99) as f64, h.max_ns() as f64].map(|ns| Value::from(ns / 1e6));
    [&all.response, &all.service, &all.wait].into_iter().flat_map(figures).collect()
}

fn row(m: &PageContext<'_>, t: &TrialResult, times: Vec<Value>) -> Vec<Value> {
    let cause = clocks::of_trial(t).map_or_else(|| Value::from("–"), |cause| bilingual::html(&cause.words()));
    let times = times.into_iter().map(table::figure);
    table::trial_cells(m, t, times.chain([context! { text => cause, class => "w wide" }]))
}

//! Response time, service time and wait of the trials in which they differ, and why starts waited. Their course is among the
//! charts over time.

use super::Section;
use super::context::PageContext;
use super::table::{self, SectionTable};
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::clocks;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
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
    table.rows.extend(waited.iter().map(|t| (false, row(m, t))));
    table.values(&[], &msg!("about-clocks"))
}

fn row(m: &PageContext<'_>, t: &TrialResult) -> Vec<Value> {
    let all = question::transactions(t);
    let figures = |h: &Histogram| {
        [h.mean_ns(), h.quantile_ns(0.99) as f64, h.max_ns() as f64].map(|ns| figure::grouped(ns / 1e6))
    };
    let times = [&all.response, &all.service, &all.wait].into_iter().flat_map(figures).map(table::figure);
    let cause = clocks::of_trial(t).map_or_else(|| Value::from("–"), |cause| bilingual::html(&cause.words()));
    table::trial_cells(m, t, times.chain([context! { text => cause, class => "w wide" }]))
}

//! Response time, service time and wait of the trials in which they differ, and why starts waited. Their course is among the
//! charts over time.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::clocks;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "clocks",
    heading: || msg!("section-clocks"),
    values,
    template: include_str!("../../templates/clocks.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let measured = || m.summary.trials.iter().filter(|t| t.counts() && clocks::fall_due(t));
    let waited: Vec<&TrialResult> = measured().filter(|t| clocks::waited(&t.tally.all_starts())).collect();
    if waited.is_empty() {
        return None;
    }
    let rows: Vec<Value> = waited.iter().map(|t| row(m, t)).collect();
    Some(context! { rows })
}

fn row(m: &PageContext<'_>, t: &TrialResult) -> Value {
    let all = question::transactions(t);
    let figures = |h: &Histogram| {
        [h.mean_ns(), h.quantile_ns(0.99) as f64, h.max_ns() as f64].map(|ns| figure::grouped(ns / 1e6))
    };
    let times: Vec<String> = [&all.response, &all.service, &all.wait].into_iter().flat_map(figures).collect();
    let cause = clocks::of_trial(t);
    context! {
        trial => t.trial.number, target => m.target(&t.trial.target.name), cell => bilingual::cell(&t.trial.axes), times,
        cause => cause.map(|cause| bilingual::html(&cause.words())),
    }
}

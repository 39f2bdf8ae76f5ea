//! The plan as given, the command that runs it again, and the factors that were not controlled.

use super::Section;
use super::context::PageContext;
use minijinja::{Value, context};
use tenbin_model::msg;
use tenbin_model::plan::regression_limits;

pub(super) const SECTION: Section = Section {
    id: "plan",
    heading: || msg!("section-plan"),
    values,
    template: include_str!("../../templates/plan.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let limits = regression_limits(&m.summary.plan);
    // To a ten-thousandth of a percent.
    let percent = |share: f64| (share * 1e6).round() / 1e4;
    let limits: Vec<String> = limits.iter().map(|l| format!("{} {} %", l.figure.code(), percent(l.share))).collect();
    Some(context! { plan => m.summary.plan.clone(), scale => m.summary.scale(), limits => limits.join(", ") })
}

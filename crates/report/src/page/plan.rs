//! The plan as given, the command that runs it again, the digest of the run's files, and the factors that were not controlled.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_model::plan::regression_limits;
use tenbin_model::record::RecordState;
use tenbin_words::message::Message;
use tenbin_words::msg;

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
    let record = record(m.summary.record.state).map(|words| bilingual::html(&words));
    let digest = m.summary.record.digest.clone();
    let (plan, scale) = (m.summary.plan.clone(), m.summary.scale());
    Some(context! { plan, scale, limits => limits.join(", "), record, digest })
}

/// What is known of the files that the run was read from.
fn record(state: RecordState) -> Option<Message> {
    match state {
        RecordState::NotRead => None,
        RecordState::Unchanged => Some(msg!("record-unchanged")),
        RecordState::Unfinished => Some(msg!("record-unfinished")),
        RecordState::Altered => Some(msg!("record-is-altered")),
        RecordState::WithoutDigest => Some(msg!("record-without-digest")),
    }
}

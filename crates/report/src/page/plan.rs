//! The plan as given, the command that runs it again, and the factors that were not controlled.

use super::Section;
use super::context::PageContext;
use minijinja::{Value, context};
use tenbin_model::msg;

pub(super) const SECTION: Section = Section {
    id: "plan",
    heading: || msg!("section-plan"),
    values,
    template: include_str!("../../templates/plan.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    Some(context! { plan => m.summary.plan.clone(), scale => m.summary.scale() })
}

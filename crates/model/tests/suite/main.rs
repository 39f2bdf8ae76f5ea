//! What the pure functions of the model answer: plans and what becomes of them.

mod common;
mod data_use;
mod edits;
mod format_doc;
mod plan;
mod plan_errors;
mod plan_groups;
mod plan_guide;
mod plan_order;
mod plan_scale;

//! What the pure functions of the model answer: plans, agendas, audits, diagnoses, answers.

mod adaptive;
mod answers;
mod common;
mod data_use;
mod durability;
mod format_doc;
mod lag;
mod load_hosts;
mod plan;
mod plan_errors;
mod plan_guide;
mod plan_order;
mod plan_scale;
mod search;
mod server_settings;
mod sessions;
mod tpcc;
mod trust;
mod warmup;
mod why;

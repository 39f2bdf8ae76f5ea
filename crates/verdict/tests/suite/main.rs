//! What a run shows: agendas, audits, comparisons, diagnoses, answers.

mod adaptive;
mod along_axis;
mod answers;
mod client;
#[path = "../../../model/tests/suite/common/mod.rs"]
mod common;
mod costs;
mod drained;
mod duet;
mod durability;
mod finished;
mod gate;
mod gate_at_rate;
mod group_ratios;
mod history;
mod lag;
mod load_hosts;
mod rate;
mod scaling;
mod search;
mod seconds;
mod server;
mod server_settings;
mod sessions;
mod starts;
mod tpcc;
mod trust;
mod try_out;
mod warmup;
mod why;

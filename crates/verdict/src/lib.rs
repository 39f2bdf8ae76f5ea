//! What a run shows: pure functions over its summary.
//!
//! [`audit`] finds doubts, [`judged`] makes cells and a verdict of them, [`comparison`] compares targets, [`why`] says what limited
//! them, [`answer`] states the result in a sentence with its [`conditions`], and an [`agenda`] decides by all of it which trial is
//! next. Nothing here accesses a file, a socket, a clock or a terminal.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod agenda;
pub mod answer;
mod apart;
pub mod audit;
pub mod client_groups;
pub mod client_use;
pub mod clocks;
pub mod cloudwatch;
pub mod compared;
mod compared_cells;
pub mod comparison;
pub mod conditions;
pub mod contender;
pub mod cost;
pub mod counting;
mod duets;
pub mod durability;
mod enough;
pub mod gate;
pub mod gate_check;
pub mod group_ratios;
pub mod history;
pub mod host_share;
pub mod judged;
pub mod judged_trial;
pub mod lag;
pub mod limit;
pub mod limit_ratio;
pub mod machine;
pub mod network_path;
pub mod processors;
pub mod question;
pub mod rate;
pub mod reasons;
pub mod scaling;
pub mod search;
pub mod seconds_needed;
pub mod sessions;
pub mod settling;
mod shown_interval;
pub mod steady;
pub mod subset;
pub mod tpcc_result;
pub mod try_out;
pub mod value_forms;
pub mod why;

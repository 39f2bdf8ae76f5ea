//! Tenbin's concepts as plain data, and pure functions over them.
//!
//! All other crates use these terms: a [`plan`] describes a comparison, a [`trial`] is one fully resolved execution of
//! a cell, an [`agenda`] determines the next trial, an [`event`] reports what happens, a [`tally`] contains counts, a
//! [`summary`] is folded from events, and [`audit`] finds doubts. Nothing here accesses a file, a socket, a clock or a
//! terminal: time and text are passed in as values.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod agenda;
pub mod answer;
pub mod audit;
pub mod axis;
pub mod bottleneck;
pub mod catalogue;
pub mod ceiling;
pub mod changed_server;
pub mod client_use;
pub mod clocks;
pub mod cloud;
pub mod cloudwatch;
pub mod comparison;
pub mod completions;
pub mod conditions;
pub mod cost;
pub mod counted;
pub mod data_use;
pub mod described;
pub mod digest;
pub mod doubt;
pub mod dsn;
pub mod durability;
pub mod event;
pub mod exporter;
pub mod exposition;
pub mod figure;
pub mod figures;
pub mod gate;
pub mod halts;
pub mod heat_map;
pub mod hex;
pub mod histogram;
pub mod history;
pub mod host_share;
pub mod idle;
pub mod inspection;
pub mod labels;
pub mod lag;
pub mod language;
pub mod limit;
pub mod load_host;
pub mod machine;
pub mod message;
pub mod nearest;
pub mod network_path;
pub mod observed;
mod omit;
pub mod packed;
pub mod pin;
pub mod plan;
pub mod postgres_units;
pub mod precision;
pub mod price;
pub mod problem;
mod processors;
pub mod question;
pub mod random;
pub mod reading;
pub mod readings;
pub mod record;
pub mod remedy;
pub mod scaling;
pub mod search;
pub mod secret;
pub mod sessions;
pub mod settling;
pub mod shell;
pub mod ssh_access;
pub mod standstill;
pub mod statistics;
pub mod steady;
pub mod stop;
pub mod summary;
pub mod tally;
pub mod tested_limit;
pub mod text;
pub mod tpcc;
pub mod trial;
pub mod try_out;
pub mod units;
pub mod variables;
pub mod warmup;
pub mod why;
pub mod workload;

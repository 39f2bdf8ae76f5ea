//! The concepts of a run as plain data, and pure functions over them.
//!
//! A [`plan`] describes a comparison, a [`trial`] is one fully resolved execution of a cell, an [`event`] reports what happens, a
//! [`tally`] contains counts, and a [`summary`] is folded from events. What a run shows is judged above, in `tenbin-verdict`.
//! Nothing here accesses a file, a socket, a clock or a terminal: time and text are passed in as values.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod absolute_limit;
mod accounting;
pub mod axis;
mod beside;
pub mod bottleneck;
pub mod ceiling;
pub mod changed_files;
pub mod changed_server;
pub mod cloud;
pub mod compared_axis;
pub mod completions;
pub mod continued;
pub mod counted;
pub mod data_use;
pub mod defaults;
pub mod digest;
pub mod doubt;
mod drained;
pub mod dsn;
pub mod edits;
pub mod event;
pub mod exporter;
pub mod exposition;
pub mod figures;
pub mod gate;
pub mod gate_limits;
pub mod halts;
pub mod heat_map;
pub mod histogram;
pub mod idle;
pub mod inspection;
pub mod labels;
pub mod load_host;
pub mod log_options;
mod meaning;
pub mod names;
pub mod observed;
mod omit;
pub mod packed;
pub mod pin;
pub mod plan;
pub mod postgres_units;
pub mod precision;
pub mod price;
pub mod promise;
pub mod question;
pub mod random;
pub mod reading;
pub mod readings;
pub mod record;
pub mod repeats;
mod same_name;
pub mod search;
pub mod server_kind;
pub mod ssh_access;
pub mod standstill;
pub mod statistics;
pub mod stop;
pub mod summary;
pub mod tally;
pub mod tested_limit;
pub mod tpcc;
pub mod trial;
pub mod unlike_tables;
pub mod variables;
pub mod warmup;
pub mod workload;

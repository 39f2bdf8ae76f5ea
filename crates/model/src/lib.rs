//! Tenbin's words as plain data, and pure functions over them.
//!
//! Every other crate speaks in these terms: a [`plan`] is what was asked, a [`trial`] is one fully resolved
//! cell of it, an [`agenda`] says which trial is next, an [`event`] is what was seen, a [`tally`] is what was counted, a [`summary`] is what it
//! comes to and [`audit`] is what we doubt about it. Nothing here touches a file, a socket, a clock or a
//! terminal: time and text come in as values, values go out.

pub mod agenda;
pub mod answer;
pub mod audit;
pub mod axis;
pub mod catalogue;
pub mod comparison;
pub mod conditions;
pub mod counted;
pub mod dsn;
pub mod durability;
pub mod event;
pub mod figure;
pub mod histogram;
pub mod message;
pub mod observed;
pub mod older_recording;
pub mod plan;
pub mod problem;
pub mod reading;
pub mod readings;
pub mod shell;
pub mod standstill;
pub mod statistics;
pub mod stop;
pub mod summary;
pub mod tally;
pub mod text;
pub mod tpcc;
pub mod trial;
pub mod units;
pub mod workload;

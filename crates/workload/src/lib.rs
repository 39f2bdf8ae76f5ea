//! What clients do: tables, rows, statements, transactions, random data.
//!
//! A [`Workload`] makes [`Client`]s; the engine decides when a client's next transaction starts and a [`Turn`]
//! takes down how long each statement took. A [`Dataset`] creates, fills, recognises and drops the tables.
//! A new workload is one new file and one line in [`workloads`].

mod client;
mod dataset;

pub use client::{Client, Mark, Step, Turn, Workload};
pub use dataset::{Dataset, Found, Progress};

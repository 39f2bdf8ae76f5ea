//! (h) TPC-C: loading it, driving it, carrying terminals, and tpcc_start by name. Against go-tpc and tpcc-mysql, which
//! stand in no package: their paths are arguments, and what needs one that was not given is left out and said so.
//!
//! Schemas and work are made alike where options can (`side.rs`); where they cannot, Tenbin has the stricter set: all
//! of tpcc-mysql's indexes, exact money in wider types, remote stock that really is remote, retries that count.

mod drive;
mod load;
mod name;
mod side;
mod terminals;

use crate::measurement::{Column, Measurement};
use crate::options::{Options, TPCC_PARTS};
use crate::paired::Better::{Less, More};
use side::Sides;
use std::io;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let sides = Sides::of(options)?;
    let wants = |part: &str| options.tpcc_parts.iter().any(|p| p == part);
    let mut points = Vec::new();
    if wants(TPCC_PARTS[0]) {
        points.extend(load::run(options, &sides)?);
    }
    if wants(TPCC_PARTS[1]) {
        points.extend(drive::run(options, &sides)?);
    }
    if wants(TPCC_PARTS[2]) {
        points.extend(terminals::run(options, &sides)?);
    }
    if wants(TPCC_PARTS[3]) {
        points.extend(name::run(options, &sides)?);
    }
    Ok(Measurement {
        key: "h",
        name: "TPC-C: loading with indexes, New-Orders per minute on shared cores, paced terminals on the null server, tpcc_start by name".into(),
        columns: vec![
            Column::new("load_s", "seconds", Less),
            Column::new("loading_client_s", "client CPU s", Less),
            Column::new("loading_server_s", "server CPU s", Less),
            Column::new("nopm", "New-Orders per minute", More),
            Column::new("client_us", "client CPU µs/transaction", Less),
            Column::new("server_us", "server CPU µs/transaction", Less),
            Column::new("statements", "statements/transaction", Less),
            Column::new("rolled_back_percent", "rolled back, %", Less),
            Column::new("start_p99_ms", "start error p99, ms", Less),
            Column::new("response_p99_ms", "response time p99, ms", Less),
            Column::new("started_percent", "of the paced rate, %", More),
            Column::new("terminal_us", "client CPU µs/transaction", Less),
        ],
        points,
    })
}

//! (d) How true the reported latency is: a fixed delay of 20 ms, 512 clients, against what the null server itself
//! measured.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::Less;
use crate::paired_run::run_pairs;
use crate::process;
use crate::server::Server;
use crate::tool::{Job, On};
use std::io;
use std::time::Duration;

const CLIENTS: u32 = 512;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::null(&["--delay", "20ms"], 1)?;
    let seconds = (options.window_s() * 3.0).ceil() as u64;
    let points = run_pairs(options, &[(format!("{CLIENTS} clients, 20 ms"), ())], |tool, ()| {
        let job = Job {
            workload: "oltp_point_select",
            on: On::Mysql,
            at: server.address.clone(),
            tables: 1,
            table_size: 10_000,
            clients: CLIENTS,
            seconds,
        };
        let dir = tempfile::tempdir()?;
        let mut client = process::start(&tool.program, &tool.drive(&job), Some(0), dir.path())?;
        server.await_clients(CLIENTS, &mut client)?;
        // The client counts from when all are connected, so does the server.
        server.rows("RESET NULL_SERVER")?;
        let ended = client.wait(Duration::from_secs(seconds + 120))?;
        if !ended.status.success() {
            return Err(io::Error::other(format!("it ended with {}: {}", ended.status, ended.said)));
        }
        let mut figures = tool.latency(&ended.said)?;
        for (name, of) in [("true_mean_ms", "residence_ns_mean"), ("true_p99_ms", "residence_ns_p99")] {
            figures.insert(name, server.null_figure(of)? / 1e6);
        }
        figures.insert("p99_off_percent", (figures["p99_ms"] / figures["true_p99_ms"] - 1.0).abs() * 100.0);
        figures.insert("mean_off_percent", (figures["mean_ms"] / figures["true_mean_ms"] - 1.0).abs() * 100.0);
        server.rest()?;
        Ok(figures)
    })?;
    Ok(Measurement {
        key: "d",
        name: "Reported latency against the null server's own residence: 20 ms delay, 512 clients".into(),
        columns: vec![
            Column::new("p99_off_percent", "p99 off the truth, %", Less),
            Column::new("mean_off_percent", "mean off the truth, %", Less),
            Column::new("p99_ms", "reported p99, ms", Less),
            Column::new("true_p99_ms", "true p99, ms", Less),
        ],
        points,
    })
}

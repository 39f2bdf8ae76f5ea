//! (d) How true the reported latency is: a fixed delay of 20 ms, 512 clients, against what the null server itself
//! measured.

use crate::measurement::{Column, Goal, Measurement};
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
            Column {
                figure: "p99_off_percent",
                name: "p99 off the truth, %",
                better: Less,
                goals: vec![Goal::at_most("512 clients, 20 ms", 25.0, 10.0)],
            },
            Column { figure: "mean_off_percent", name: "mean off the truth, %", better: Less, goals: vec![] },
            Column { figure: "p99_ms", name: "reported p99, ms", better: Less, goals: vec![] },
            Column { figure: "true_p99_ms", name: "true p99, ms", better: Less, goals: vec![] },
        ],
        points,
    })
}

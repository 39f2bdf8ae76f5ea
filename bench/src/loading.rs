//! (c) Loading a million rows with their index: one stream into one table, four streams into four tables.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired::Figures;
use crate::paired_run::run_pairs;
use crate::process;
use crate::server::Server;
use crate::tool::{Job, On};
use std::io;
use std::time::Duration;

const ROWS: u64 = 1_000_000;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::mariadb()?;
    let rows = if options.quick { ROWS / 10 } else { ROWS };
    let points = [1u32, 4].map(|streams| (if streams == 1 { "1 stream" } else { "4 streams" }.to_owned(), streams));
    let points = run_pairs(options, &points, |tool, streams| {
        let job = Job {
            workload: "oltp_read_write",
            on: On::Mysql,
            at: server.address.clone(),
            tables: *streams,
            table_size: rows / u64::from(*streams),
            clients: *streams,
            seconds: 0,
        };
        empty(&mut server)?;
        let dir = tempfile::tempdir()?;
        let server_cpu = server.cpu()?;
        let load = process::start(&tool.program, &tool.load(&job), None, dir.path())?;
        let ended = load.wait(Duration::from_secs(600))?;
        let server_used = server.cpu()?.since(server_cpu);
        if !ended.status.success() {
            return Err(io::Error::other(format!("{}: {}", ended.status, ended.said)));
        }
        check(&mut server, &job)?;
        Ok(Figures::from([
            ("wall_s", ended.wall_s),
            ("rows_per_s", rows as f64 / ended.wall_s),
            ("client_s", ended.cpu.total_s()),
            ("server_s", server_used.total_s()),
        ]))
    })?;
    Ok(Measurement {
        key: "c",
        name: "Loading a million rows with their index into a private MariaDB".into(),
        columns: vec![
            Column::new("wall_s", "seconds", Less),
            Column::new("rows_per_s", "rows/s", More),
            Column::new("client_s", "client CPU s", Less),
            Column::new("server_s", "server CPU s", Less),
        ],
        points,
    })
}

/// An empty schema on a server at rest: what the last load left to be written is written.
fn empty(server: &mut Server) -> io::Result<()> {
    server.rows("DROP DATABASE IF EXISTS sbtest")?;
    server.rows("CREATE DATABASE sbtest")?;
    server.rest()
}

/// Loading less is faster: rows and index must be there.
fn check(server: &mut Server, job: &Job) -> io::Result<()> {
    for table in 1..=job.tables {
        let count = server.rows(&format!("SELECT COUNT(*) FROM sbtest.sbtest{table}"))?;
        let index = server.rows(&format!("SHOW INDEX FROM sbtest.sbtest{table} WHERE Column_name = 'k'"))?;
        if count != [[job.table_size.to_string()]] || index.is_empty() {
            return Err(io::Error::other(format!("sbtest{table} has {count:?} rows and {} keys on k", index.len())));
        }
    }
    Ok(())
}

//! (n) Many small tables: `prepare` and `cleanup` under the name sysbench, where each table costs a few commits and almost nothing
//! else.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::Less;
use crate::paired::Figures;
use crate::paired_run::run_pairs;
use crate::process;
use crate::server::Server;
use crate::tool::{Job, On, Tool};
use std::io;
use std::time::Duration;

/// Tables, rows of each, threads. Up to 500 rows a table is filled by one transaction, above in the usual way.
const POINTS: &[(u32, u64, u32)] =
    &[(1, 10, 1), (100, 10, 1), (100, 1_000, 1), (1_000, 10, 1), (1_000, 10, 4), (5_000, 10, 4)];

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::mariadb()?;
    let few = |tables: u32| !options.quick || tables <= 100;
    let points: Vec<_> = POINTS.iter().filter(|point| few(point.0)).map(|point| (name(*point), *point)).collect();
    let points = run_pairs(options, &points, |tool, (tables, table_size, threads)| {
        let job = Job {
            workload: "oltp_read_write",
            on: On::Mysql,
            at: server.address.clone(),
            tables: *tables,
            table_size: *table_size,
            clients: *threads,
            seconds: 0,
        };
        empty(&mut server)?;
        let prepare_s = timed(tool, &job, "prepare")?;
        check(&mut server, &job)?;
        let cleanup_s = timed(tool, &job, "cleanup")?;
        let left = server.rows("SHOW TABLES FROM sbtest")?;
        match left.is_empty() {
            true => Ok(Figures::from([("prepare_s", prepare_s), ("cleanup_s", cleanup_s)])),
            false => Err(io::Error::other(format!("left: {left:?}"))),
        }
    })?;
    Ok(Measurement {
        key: "n",
        name: "Many small tables by sysbench's name: creating and dropping them on a private MariaDB".into(),
        columns: vec![Column::new("prepare_s", "prepare, s", Less), Column::new("cleanup_s", "cleanup, s", Less)],
        points,
    })
}

fn name((tables, table_size, threads): (u32, u64, u32)) -> String {
    let tables = if tables == 1 { "1 table".to_owned() } else { format!("{tables} tables") };
    let threads = if threads == 1 { String::new() } else { format!(", {threads} threads") };
    format!("{tables} of {table_size} rows{threads}")
}

/// Seconds of a command.
fn timed(tool: &Tool, job: &Job, command: &str) -> io::Result<f64> {
    let dir = tempfile::tempdir()?;
    let ended = process::start(&tool.program, &tool.tables(job, command), None, dir.path())?;
    let ended = ended.wait(Duration::from_secs(1_200))?;
    match ended.status.success() {
        true => Ok(ended.wall_s),
        false => Err(io::Error::other(format!("{command}: {}: {}", ended.status, ended.said))),
    }
}

/// An empty schema on a server at rest.
fn empty(server: &mut Server) -> io::Result<()> {
    server.rows("DROP DATABASE IF EXISTS sbtest")?;
    server.rows("CREATE DATABASE sbtest")?;
    server.rest()
}

/// Creating less is faster: all tables must be there, with their rows and their index.
fn check(server: &mut Server, job: &Job) -> io::Result<()> {
    let there = "SELECT COUNT(*) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA='sbtest' AND COLUMN_NAME='k'";
    let indexed = server.rows(there)?;
    let last = server.rows(&format!("SELECT COUNT(*) FROM sbtest.sbtest{}", job.tables))?;
    if indexed != [[job.tables.to_string()]] || last != [[job.table_size.to_string()]] {
        return Err(io::Error::other(format!("{indexed:?} indexes on k, {last:?} rows in the last table")));
    }
    Ok(())
}

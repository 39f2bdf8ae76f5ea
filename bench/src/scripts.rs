//! (i) Lua scripts of Debian's sysbench package, unmodified, under sysbench and under Tenbin by sysbench's name: the
//! client's CPU for each query against the null server, and how many statements each makes when none is sent
//! (`--mysql-dry-run`).
//!
//! Both sides are given the same words. The null server has a core, the client the other.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired::{Figures, Point};
use crate::paired_run::run_pairs;
use crate::process;
use crate::reach::Address;
use crate::server::Server;
use crate::tool::{Job, On, counted};
use crate::window::{Window, measure_line};
use std::io;
use std::time::Duration;

const CLIENTS: &[u32] = &[1, 16, 64, 256];
/// Without a server all clients share one core from the first to the last.
const DRY: &[u32] = &[1, 64];

/// A script: its name in the table, and its file.
type Script = (&'static str, &'static str);

const SCRIPTS: &[Script] = &[
    ("point_select", "/usr/share/sysbench/oltp_point_select.lua"),
    ("read_write", "/usr/share/sysbench/oltp_read_write.lua"),
    ("write_only", "/usr/share/sysbench/oltp_write_only.lua"),
    ("insert", "/usr/share/sysbench/oltp_insert.lua"),
    ("random_points", "/usr/share/sysbench/select_random_points.lua"),
];

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut points = on_the_null_server(options)?;
    points.extend(dry(options)?);
    Ok(Measurement {
        key: "i",
        name: "Debian's Lua scripts by sysbench's name: client CPU on the null server, and dry runs".into(),
        columns: vec![
            Column::new("qps", "queries/s", More),
            Column::new("client_us", "client CPU µs/query", Less),
            Column::new("client_user_us", "of it in user mode", Less),
            Column::new("ceiling_qps", "queries/s per core used", More),
            Column::new("statements_per_s", "statements/s by the report", More),
            Column::new("statements_per_cpu_s", "statements/s of CPU", More),
        ],
        points,
    })
}

fn job(script: &'static str, port: u16, clients: u32, seconds: u64) -> Job {
    Job { workload: script, on: On::Mysql, at: Address::here(port), tables: 1, table_size: 10_000, clients, seconds }
}

fn named(options: &Options, clients: &[u32], suffix: &str) -> Vec<(String, (&'static str, u32))> {
    let scripts = if options.quick { &SCRIPTS[..2] } else { SCRIPTS };
    let of = |(name, file): &Script, n: u32| (format!("{name}, {}{suffix}", counted(n)), (*file, n));
    scripts.iter().flat_map(|script| clients.iter().map(move |n| of(script, *n))).collect()
}

fn on_the_null_server(options: &Options) -> io::Result<Vec<Point>> {
    let mut server = Server::null(&[], 1)?;
    let window = Window::new(options, Some(0));
    run_pairs(options, &named(options, &options.points(CLIENTS), ""), |tool, (file, clients)| {
        let line = tool.script(&job(file, server.port, *clients, 600), &[]);
        let mut figures = measure_line(tool, &line, *clients, &mut server, window)?;
        figures.retain(|name, _| ["qps", "client_us", "client_user_us", "ceiling_qps"].contains(name));
        Ok(figures)
    })
}

fn dry(options: &Options) -> io::Result<Vec<Point>> {
    let seconds = options.window_s().ceil() as u64;
    run_pairs(options, &named(options, DRY, ", dry run"), |tool, (file, clients)| {
        let line = tool.script(&job(file, 3306, *clients, seconds), &["--mysql-dry-run=on"]);
        let dir = tempfile::tempdir()?;
        let process = process::start(&tool.program, &line, Some(0), dir.path())?;
        let ended = process.wait(Duration::from_secs(60 + seconds))?;
        let counts = statements(&ended.said).ok_or_else(|| io::Error::other(format!("no report: {}", ended.said)))?;
        Ok(Figures::from([
            ("statements_per_s", counts.1),
            // Start and report included.
            ("statements_per_cpu_s", counts.0 / ended.cpu.total_s()),
        ]))
    })
}

/// `queries:  N  (R per sec.)` of a report of sysbench's form.
fn statements(counts: &str) -> Option<(f64, f64)> {
    let mut words = counts.lines().find_map(|line| line.trim().strip_prefix("queries:"))?.split_whitespace();
    let number = words.next()?.parse().ok()?;
    Some((number, words.next()?.strip_prefix('(')?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_statements_is_read() {
        let counts =
            "    transactions:  3 (1.50 per sec.)\n    queries:                             60     (30.25 per sec.)\n";
        assert_eq!(statements(counts), Some((60.0, 30.25)));
        assert_eq!(statements("FATAL: no"), None);
    }
}

//! (g) mysqlslap by name against Debian's mariadb-slap: the client's CPU for each query of mixed loads, key reads a
//! second, and the seconds that both report for the same work. (The peer's column is mariadb-slap's here.)
//!
//! Whole processes are weighed, from their start to their end, so the loads are large enough for starts not to count.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired::Figures;
use crate::paired_run::run_pairs;
use crate::process;
use crate::server::Server;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Load type, clients, queries for each second of the window, and whether a real server answers.
type LoadPoint = (&'static str, u32, u64, bool);

const LOADS: &[(&str, LoadPoint)] = &[
    ("mixed, 1 client", ("mixed", 1, 6_000, false)),
    ("mixed, 10 clients", ("mixed", 10, 12_000, false)),
    ("mixed, 50 clients", ("mixed", 50, 12_000, false)),
    ("key, 50 clients", ("key", 50, 20_000, false)),
    ("seconds, 1 client", ("key", 1, 6_000, true)),
];

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let (null, real) = (Server::null(&[], 1)?, Server::mariadb()?);
    let points: Vec<_> = LOADS.iter().map(|(name, load)| ((*name).to_owned(), *load)).collect();
    let points = run_pairs(options, &points, |tool, (kind, clients, each_s, on_real)| {
        let queries = (*each_s as f64 * options.window_s()) as u64;
        let server = if *on_real { &real } else { &null };
        let mut words: Vec<String> = Vec::new();
        let program = if tool.name == "tenbin" {
            words.push("mysqlslap".into());
            tool.program.clone()
        } else {
            PathBuf::from("mariadb-slap")
        };
        words.extend(
            "--no-defaults --host=127.0.0.1 --protocol=tcp --user=root --skip-ssl --csv --auto-generate-sql --auto-generate-sql-add-autoincrement"
                .split(' ')
                .map(str::to_owned),
        );
        words.extend([
            format!("--port={}", server.port),
            format!("--auto-generate-sql-load-type={kind}"),
            format!("--concurrency={clients}"),
            format!("--number-of-queries={queries}"),
        ]);
        let dir = tempfile::tempdir()?;
        let core = (!on_real).then_some(0);
        let ended = process::start(&program, &words, core, dir.path())?.wait(Duration::from_secs(300))?;
        let reported =
            ended.said.split(',').nth(2).and_then(|s| s.parse::<f64>().ok()).filter(|_| ended.status.success());
        let seconds = reported.ok_or_else(|| io::Error::other(format!("no figures: {}", ended.said)))?;
        Ok(Figures::from([
            ("client_us", ended.cpu.total_s() * 1e6 / queries as f64),
            ("qps", queries as f64 / seconds),
            ("reported_s", seconds),
        ]))
    })?;
    Ok(Measurement {
        key: "g",
        name: "mysqlslap by name against mariadb-slap: client CPU of mixed, key reads, reported seconds".into(),
        columns: vec![
            Column::new("client_us", "client CPU µs/query", Less),
            Column::new("qps", "queries/s by the seconds reported", More),
            Column::new("reported_s", "seconds reported", Less),
        ],
        points,
    })
}

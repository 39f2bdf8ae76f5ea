//! (o) pgbench by name against the installed pgbench, on one private PostgreSQL that shares the machine's cores: point selects, TPC-B and a script
//! with three `\set`, as text and prepared. (The peer's column is pgbench's here.)
//!
//! Both report transactions per second. The client's CPU time is that of the whole process without that of one that does a single transaction for each
//! client and ends, started just before: a run of three seconds of TPC-B has two to four thousand transactions, among which the 0.1 s that Tenbin takes to
//! look at the machine and to write its run directory would be 40 µs each. That time is a column of its own. Both have `-j 2` from two clients on, as
//! pgbench's manual advises for two cores.

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

const CLIENTS: &[u32] = &[1, 16, 64, 256];

/// What is run: its name, and the options.
const LOADS: &[(&str, &[&str])] = &[
    ("select, simple", &["-S"]),
    ("select, prepared", &["-S", "-M", "prepared"]),
    ("TPC-B, simple", &[]),
    ("TPC-B, prepared", &["-M", "prepared"]),
    ("three \\set, simple", &["-f", SCRIPT]),
    ("three \\set, prepared", &["-M", "prepared", "-f", SCRIPT]),
];

/// The file of the script, in the directory of each run.
const SCRIPT: &str = "three.sql";

const THREE: &str = "\\set a random(1, 100000 * :scale)\n\\set b random_zipfian(1, 100000 * :scale, 1.1)\n\
                     \\set c hash(:a) % 100\nSELECT abalance + :c FROM pgbench_accounts WHERE aid IN (:a, :b);\n";

/// Branches: as many as clients at most, so that TPC-B's clients do not all wait for one row.
const SCALE: &str = "50";

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let server = Server::postgres_over(options.over)?;
    let peer = peer()?;
    let at: Vec<String> = ["-h", "127.0.0.1", "-U", "postgres", "-p"].map(str::to_owned).to_vec();
    let at: Vec<String> = at.into_iter().chain([server.port.to_string(), "sbtest".to_owned()]).collect();
    let dir = tempfile::tempdir()?;
    let scale = if options.quick { "1" } else { SCALE };
    let words: Vec<String> = ["-i", "-q", "-s", scale].map(str::to_owned).into_iter().chain(at.clone()).collect();
    if !process::start(&peer, &words, None, dir.path())?.wait(Duration::from_secs(600))?.status.success() {
        return Err(io::Error::other("pgbench -i failed"));
    }
    let clients = if options.points.is_empty() { CLIENTS } else { &options.points };
    let points: Vec<_> =
        LOADS.iter().flat_map(|(name, load)| clients.iter().map(move |n| (point(name, *n), (*load, *n)))).collect();
    let seconds = options.window_s().ceil().max(3.0);
    let points = run_pairs(options, &points, |tool, (load, clients)| {
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join(SCRIPT), THREE)?;
        let file = dir.path().join(SCRIPT).display().to_string();
        let named = |word: &&str| if *word == SCRIPT { file.clone() } else { (*word).to_owned() };
        let mut words: Vec<String> = if tool.name == "tenbin" { vec!["pgbench".into()] } else { Vec::new() };
        words.extend(["-n", "-c"].map(str::to_owned));
        words.extend([clients.to_string(), "-j".to_owned(), (*clients).min(2).to_string()]);
        words.extend(load.iter().map(named));
        let program = if tool.name == "tenbin" { &tool.program } else { &peer };
        let ended = |length: [String; 2]| {
            let words: Vec<_> = words.iter().cloned().chain(length).chain(at.clone()).collect();
            process::start(program, &words, None, dir.path())?.wait(Duration::from_secs(300))
        };
        let start = ended(["-t".to_owned(), "1".to_owned()])?;
        let ended = ended(["-T".to_owned(), seconds.to_string()])?;
        let figure = |before: &str| {
            let line = ended.said.lines().find_map(|line| line.strip_prefix(before))?;
            line.split_whitespace().next()?.parse::<f64>().ok()
        };
        let (tps, done) = (figure("tps = "), figure("number of transactions actually processed: "));
        let is_whole = start.status.success() && ended.status.success();
        // One transaction for each client is in both.
        let counted = done.map(|n| n - f64::from(*clients)).filter(|n| *n > 0.0);
        match (tps, counted, is_whole) {
            (Some(tps), Some(counted), true) => {
                let (start_s, all_s) = (start.cpu.total_s(), ended.cpu.total_s());
                let client_us = (all_s - start_s).max(0.0) * 1e6 / counted;
                Ok(Figures::from([("tps", tps), ("client_us", client_us), ("start_ms", start_s * 1e3)]))
            }
            _ => Err(io::Error::other(format!("no figures: {}", ended.said))),
        }
    })?;
    Ok(Measurement {
        key: "o",
        name: "pgbench by name against pgbench on a private PostgreSQL: throughput, client CPU".into(),
        columns: vec![
            Column { figure: "tps", name: "transactions/s", better: More, goals: Vec::new() },
            Column { figure: "client_us", name: "client CPU µs/transaction", better: Less, goals: Vec::new() },
            Column { figure: "start_ms", name: "client CPU of start and end, ms", better: Less, goals: Vec::new() },
        ],
        points,
    })
}

fn point(name: &str, clients: u32) -> String {
    format!("{name}, {clients} {}", if clients == 1 { "client" } else { "clients" })
}

/// The installed pgbench, which Debian has beside the server's programs.
fn peer() -> io::Result<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib/postgresql")?;
    let newest = folders.filter_map(|entry| Some(entry.ok()?.path().join("bin/pgbench"))).filter(|path| path.is_file());
    newest.max().ok_or_else(|| io::Error::other("there is no pgbench: apt-get install postgresql"))
}

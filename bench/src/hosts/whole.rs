//! A run as its users start it, with load hosts that are processes of this machine, on a private MariaDB: what it costs the process that
//! runs the plan, its observers and the files that it writes included, and what the hosts report.

use crate::options::Options;
use crate::paired::Figures;
use crate::process::{self, cpu_of};
use crate::server::Server;
use crate::tool::ours;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Measures it.
pub fn run(options: &Options, hosts: u32) -> io::Result<Figures> {
    let server = Server::mariadb()?;
    let dir = tempfile::tempdir()?;
    let seconds = options.window_s().max(3.0);
    let plan = format!(
        "schema = 1\n[hosts]\ncount = {hosts}\n[targets.a]\ndsn = \"mysql://root@127.0.0.1:{}/sbtest\"\n[datasets.small]\n\
         table_size = 10000\n[[experiment]]\nname = \"e\"\ndataset = \"small\"\nwarmup = 0\nmeasure = \"{:.0}s\"\nrepeats = 1\n\
         load = {{ workload = \"oltp_read_write\", clients = {}, calibrate = \"never\" }}\n",
        server.port,
        seconds + 5.0,
        hosts * 4
    );
    let (file, runs) = (dir.path().join("plan.toml"), dir.path().join("runs"));
    std::fs::write(&file, plan)?;
    let typed = ["run".to_owned(), file.display().to_string(), "--runs".to_owned(), runs.display().to_string()];
    let mut run = process::start(&ours(options)?.program, &typed, None, dir.path())?;
    let began = Instant::now();
    while intervals(&runs) == 0 {
        run.must_run()?;
        if began.elapsed() > Duration::from_secs(60) {
            return Err(io::Error::other("it does not begin to measure"));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let hosts_of = hosts_of(run.id())?;
    let written = || hosts_of.iter().map(|pid| written(*pid)).sum::<io::Result<f64>>();
    let (from, cpu_from, written_from) = (Instant::now(), cpu_of(run.id())?, written()?);
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let cpu_percent = cpu_of(run.id())?.since(cpu_from).total_s() * 100.0 / from.elapsed().as_secs_f64();
    let kib_s = (written()? - written_from) / 1024.0 / from.elapsed().as_secs_f64();
    let ended = run.wait(Duration::from_secs(60))?;
    if !matches!(ended.status.code(), Some(0 | 3)) || hosts_of.len() != hosts as usize {
        return Err(io::Error::other(format!("{} with {} hosts: {}", ended.status, hosts_of.len(), ended.said)));
    }
    Ok(Figures::from([
        ("cpu_percent", cpu_percent),
        ("cpu_percent_per_host", cpu_percent / f64::from(hosts)),
        ("kib_per_host_s", kib_s / f64::from(hosts)),
    ]))
}

/// How many intervals of all hosts together the run has reported.
fn intervals(runs: &Path) -> usize {
    let run = std::fs::read_dir(runs).ok().and_then(|mut runs| runs.next()?.ok());
    let events = run.and_then(|run| std::fs::read_to_string(run.path().join("trials/0001/events.jsonl")).ok());
    events.map_or(0, |events| events.matches("\"event\":\"interval\"").count())
}

/// The processes that a process has started.
fn hosts_of(pid: u32) -> io::Result<Vec<u32>> {
    let mut findings = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread may have ended.
        let children = std::fs::read_to_string(thread?.path().join("children")).unwrap_or_default();
        findings.extend(children.split_whitespace().filter_map(|pid| pid.parse::<u32>().ok()));
    }
    Ok(findings)
}

/// Bytes that a process has written to pipes and files; what it sends over sockets is not among them.
fn written(pid: u32) -> io::Result<f64> {
    let counters = std::fs::read_to_string(format!("/proc/{pid}/io"))?;
    let line = counters.lines().find_map(|line| line.strip_prefix("wchar: ")).and_then(|n| n.parse().ok());
    line.ok_or_else(|| io::Error::other("what it has written is not known"))
}

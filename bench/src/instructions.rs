//! (m) How many instructions a query takes outside of the kernel: point select and read_write on the null server, counted by valgrind's `callgrind`.
//!
//! Unlike times, the figures do not depend on what else the machine does. With one client they repeat within 0.1 %, so that a loss of a per cent is seen at once, and within 3 %
//! with more, whose replies come in different orders. Each side runs twice with
//! different numbers of events; the difference leaves its start out. All threads but the first are counted, which waits for the others and
//! reports. Instructions are not time: what waits for memory takes longer than its instructions suggest, above all with hundreds of
//! clients. As in (a), client and server have a core each.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::Less;
use crate::paired::Figures;
use crate::paired_run::{left_out, run_pairs};
use crate::process;
use crate::server::Server;
use crate::tool::{Job, On, Tool, counted};
use std::io;
use std::path::Path;
use std::time::Duration;

const CLIENTS: &[u32] = &[1, 16, 256];

/// With more, a script's clients may still be compiled when the shorter run ends: see [`QUERIES`].
const SCRIPT_CLIENTS: u32 = 16;

/// Queries of the shorter and of the longer run. In the shorter one a client of a script has at least 125 events, after which LuaJIT has compiled its loops (56 iterations by default).
const QUERIES: [u64; 2] = [40_000, 80_000];

/// Longest run that is waited for: callgrind takes fifty times as long.
const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Debug, Clone, Copy)]
struct Workload {
    name: &'static str,
    /// As both sides know it by name, or a script's file.
    workload: &'static str,
    is_script: bool,
    queries_per_event: u64,
}

const WORKLOADS: &[Workload] = &[
    Workload { name: "point select", workload: "oltp_point_select", is_script: false, queries_per_event: 1 },
    Workload { name: "read_write", workload: "oltp_read_write", is_script: false, queries_per_event: 20 },
    Workload {
        name: "point_select.lua",
        workload: "/usr/share/sysbench/oltp_point_select.lua",
        is_script: true,
        queries_per_event: 1,
    },
    Workload {
        name: "read_write.lua",
        workload: "/usr/share/sysbench/oltp_read_write.lua",
        is_script: true,
        queries_per_event: 20,
    },
];

/// Counts them. Twice, unless asked otherwise: the second repeat shows how repeatable the first one is.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let options = &Options { repeats: Some(options.repeats.unwrap_or(2)), ..options.clone() };
    let points = if process::is_on_the_path("valgrind") {
        let mut server = Server::null(&[], 1)?;
        let points: Vec<_> = WORKLOADS
            .iter()
            .flat_map(|w| options.points(CLIENTS).into_iter().map(move |n| (w, n)))
            .filter(|(w, n)| !w.is_script || *n <= SCRIPT_CLIENTS)
            .map(|(w, n)| (format!("{}, {}", w.name, counted(n)), (w, n)))
            .collect();
        run_pairs(options, &points, |tool, (workload, clients)| count(tool, workload, *clients, &mut server))?
    } else {
        left_out("instructions per query", "apt-get install valgrind");
        Vec::new()
    };
    Ok(Measurement {
        key: "m",
        name: "Instructions per query outside of the kernel, by callgrind, on the null server".into(),
        columns: vec![Column::new("instructions", "instructions/query", Less)],
        points,
    })
}

fn count(tool: &Tool, workload: &Workload, clients: u32, server: &mut Server) -> io::Result<Figures> {
    let job = Job {
        workload: workload.workload,
        on: On::Mysql,
        at: server.address.clone(),
        tables: 1,
        table_size: 10_000,
        clients,
        seconds: 600,
    };
    let mut instructions = [0.0; 2];
    let mut queries = [0.0; 2];
    for (i, number) in QUERIES.into_iter().enumerate() {
        let dir = tempfile::tempdir()?;
        let (before, _) = server.counts()?;
        let out = dir.path().join("callgrind.out");
        let mut line = ["--tool=callgrind", "--separate-threads=yes", "--max-threads=2000"].map(str::to_owned).to_vec();
        line.push(format!("--callgrind-out-file={}", out.display()));
        line.push(tool.program.display().to_string());
        let tool = tool.clone().with("--observe=ends");
        line.extend(tool.events_only(&job, workload.is_script, number / workload.queries_per_event));
        let ended = process::start(Path::new("valgrind"), &line, Some(0), dir.path())?.wait(PATIENCE)?;
        queries[i] = server.counts()?.0 - before;
        instructions[i] = of_its_threads(dir.path())?;
        if instructions[i] == 0.0 {
            return Err(io::Error::other(format!("nothing was counted: {}", ended.said)));
        }
    }
    let sent = queries[1] - queries[0];
    if sent < (QUERIES[1] - QUERIES[0]) as f64 * 0.9 {
        return Err(io::Error::other(format!("{} sent {sent} queries more in the longer run", tool.name)));
    }
    Ok(Figures::from([("instructions", (instructions[1] - instructions[0]) / sent)]))
}

/// The instructions of all threads but the first: a file for each, whose names end in the thread's number.
fn of_its_threads(dir: &Path) -> io::Result<f64> {
    let mut sum = 0.0;
    for file in std::fs::read_dir(dir)? {
        let path = file?.path();
        let thread =
            path.file_name().and_then(|name| name.to_str()?.strip_prefix("callgrind.out-")?.parse::<u32>().ok());
        if thread.is_some_and(|thread| thread > 1) {
            sum += total(&std::fs::read_to_string(&path)?).unwrap_or(0.0);
        }
    }
    Ok(sum)
}

/// All instructions in a file of callgrind's: `totals: N`, its last line.
fn total(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        assert_eq!(total("events: Ir\nsummary: 17\n\nfn=(1) x\n1 5\n\ntotals: 4711\n"), Some(4711.0));
        assert_eq!(total("events: Ir\n"), None);
    }
}

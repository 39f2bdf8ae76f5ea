//! (b) A real server on the same cores: point selects and the read-write mix on a private MariaDB over TCP.
//!
//! Client and server share the machine, as they do on a laptop and in CI. What the client does not burn the server can
//! use, and what the client's way of waiting costs the server is in the throughput too. It also depends on whether the kernel divides
//! the processors among the threads of both alike, or between the two: there are points with the clients in a session of their own.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired_run::run_pairs;
use crate::process;
use crate::reach::Address;
use crate::server::Server;
use crate::tool::{Job, On, both, counted};
use crate::window::{Window, measure};
use std::io;
use std::time::Duration;

const CLIENTS: &[u32] = &[1, 16, 64, 256, 512];
/// Of them, those that are also measured with the clients in a session of their own.
const OWN_SESSION: &[u32] = &[16, 64, 256];
const WORKLOADS: &[(&str, &str)] = &[("point select", "oltp_point_select"), ("read_write", "oltp_read_write")];
const ROWS: u64 = 1_000_000;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::mariadb_over(options.over)?;
    let job = |workload, clients| Job {
        workload,
        on: On::Mysql,
        at: server.address.clone(),
        tables: 1,
        table_size: if options.quick { ROWS / 10 } else { ROWS },
        clients,
        seconds: 600,
    };
    let mut points = Vec::new();
    for (name, workload) in WORKLOADS {
        points.extend(both_groups(options, CLIENTS, name, |n| job(workload, n)));
    }
    load_as_the_peer_does(options, &Job { at: Address::here(server.port), ..job(WORKLOADS[0].1, 1) })?;
    server.rest()?;
    let window = Window::new(options, None);
    let points = run_pairs(options, &points, |tool, (job, own_session)| {
        measure(tool, job, &mut server, Window { own_session: *own_session, ..window })
    })?;
    Ok(Measurement {
        key: "b",
        name: format!("Private MariaDB {} on shared cores: one table of a million rows, uniform", options.over.name())
            .into(),
        columns: vec![
            Column::new("qps", "queries/s", More),
            Column::new("client_us", "client CPU µs/query", Less),
            Column::new("server_us", "server CPU µs/query", Less),
        ],
        points,
    })
}

/// The points with these numbers of clients, and those among them that are also measured with the clients in a session of their own; each with
/// its job, and whether it is of the latter.
pub fn both_groups(
    options: &Options,
    clients: &[u32],
    name: &str,
    job: impl Fn(u32) -> Job,
) -> Vec<(String, (Job, bool))> {
    let clients = options.points(clients);
    let own = clients.iter().filter(|n| OWN_SESSION.contains(n)).map(|n| (*n, true));
    let all = clients.iter().map(|n| (*n, false)).chain(own);
    let named = |n, own| format!("{name}, {}{}", counted(n), if own { ", own session" } else { "" });
    all.map(|(n, own)| (named(n, own), (job(n), own))).collect()
}

/// Both sides run on tables that the peer has made: ours accepts them.
pub fn load_as_the_peer_does(options: &Options, job: &Job) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let [peer, _] = both(options)?;
    let ended = process::start(&peer.program, &peer.load(job), None, dir.path())?.wait(Duration::from_secs(300))?;
    if ended.status.success() { Ok(()) } else { Err(io::Error::other(format!("loading failed: {}", ended.said))) }
}

//! (k) What observing costs: Tenbin with all observers of a private MariaDB against Tenbin without those that ask the server
//! during the load. The server does the same work for both sides, so that the ratio of throughputs is the loss.

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::{Less, More};
use crate::paired_run::run_pairs_between;
use crate::server::Server;
use crate::shared_cores::load_as_the_peer_does;
use crate::tool::{Job, On, ours};
use crate::window::{Window, measure};
use std::io;

const CLIENTS: &[u32] = &[1, 16, 64];
const ROWS: u64 = 100_000;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let mut server = Server::mariadb()?;
    let job = |clients| Job {
        workload: "oltp_read_write",
        on: On::Mysql,
        at: server.address.clone(),
        tables: 1,
        table_size: ROWS,
        clients,
        seconds: 600,
    };
    let points: Vec<_> =
        options.points(CLIENTS).iter().map(|n| (format!("read_write, {n} clients"), job(*n))).collect();
    load_as_the_peer_does(options, &job(1))?;
    server.rest()?;
    let window = Window::new(options, None);
    let [without, with] = [ours(options)?.with("--observe=ends"), ours(options)?.with("--observe=always")];
    let points = run_pairs_between(options, [("ends", &without), ("always", &with)], &points, |tool, job| {
        measure(tool, job, &mut server, window)
    })?;
    Ok(Measurement {
        key: "k",
        name: "Observers of a private MariaDB, every second: --observe=always against --observe=ends".into(),
        columns: vec![
            Column::new("qps", "queries/s", More),
            Column::new("observers_percent", "CPU of the observers' threads, % of a core", Less),
            Column::new("server_us", "server CPU µs/query", Less),
        ],
        points,
    })
}

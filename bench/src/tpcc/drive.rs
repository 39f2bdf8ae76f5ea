//! Driving four warehouses without think times, client and server on the same cores: New-Orders that are really in the
//! database, and the client's CPU for each transaction.
//!
//! Everything is counted in the server, the same for both: orders by the districts' next numbers, transactions by
//! commits and rollbacks.

use super::side::{Side, Sides, dsn};
use crate::options::Options;
use crate::paired::{Figures, Point};
use crate::paired_run::run_pairs_between;
use crate::process;
use crate::server::Server;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

const CONNECTIONS: &[u32] = &[16, 64];

/// Against go-tpc.
pub fn run(options: &Options, sides: &Sides) -> io::Result<Vec<Point>> {
    let Some(peer) = &sides.go_tpc else { return Ok(Vec::new()) };
    let ours = &sides.ours;
    let mut server = Server::mariadb()?;
    let warehouses = options.warehouses();
    peer.load(&mut server, "tpcc_peer", warehouses, false)?;
    ours.load(&mut server, "tpcc_ours", warehouses, false)?;
    server.rest()?;
    let options = &Options { repeats: options.repeats.or(Some(if options.quick { 1 } else { 2 })), ..options.clone() };
    let points: Vec<_> = match &options.points[..] {
        [] => CONNECTIONS,
        asked => asked,
    }
    .iter()
    .flat_map(|n| {
        let together = format!("{n} connections, statements sent together, against go-tpc");
        [(format!("{n} connections, against go-tpc"), (*n, false)), (together, (*n, true))]
    })
    .collect();
    let window_s = options.window_s() * 2.0;
    let pair = [(peer.name(), &(peer, "tpcc_peer")), (ours.name(), &(ours, "tpcc_ours"))];
    let points = run_pairs_between(options, pair, &points, |(side, schema), (connections, together)| {
        let (program, words) = side.drive(server.port, schema, warehouses, *connections, *together);
        measure((program, &words), &mut server, schema, *connections, window_s)
    })?;
    if let Side::Tenbin(program, _) = ours {
        check(program, &server)?;
    }
    Ok(points)
}

/// Lets a command drive for a while, and looks at it and the server meanwhile.
pub fn measure(
    (program, words): (&Path, &[String]),
    server: &mut Server,
    schema: &str,
    connections: u32,
    window_s: f64,
) -> io::Result<Figures> {
    let dir = tempfile::tempdir()?;
    let mut client = process::start(program, words, None, dir.path())?;
    server.await_clients(connections, &mut client)?;
    std::thread::sleep(Duration::from_secs_f64(window_s / 4.0));

    let before = counts(server, schema)?;
    let (client_cpu, server_cpu, start) = (client.cpu()?, server.cpu()?, Instant::now());
    std::thread::sleep(Duration::from_secs_f64(window_s));
    let (client_used, server_used) = (client.cpu()?.since(client_cpu), server.cpu()?.since(server_cpu));
    let seconds = start.elapsed().as_secs_f64();
    let after = counts(server, schema)?;
    let open = server.counts()?.1;
    client.must_run()?;
    drop(client);
    server.rest()?;

    let [orders, commits, rollbacks, statements] = [0, 1, 2, 3].map(|i| after[i] - before[i]);
    let transactions = commits + rollbacks;
    if orders < 1.0 || open < f64::from(connections) {
        return Err(io::Error::other(format!("{orders} orders, {open} of {connections} connections open at the end")));
    }
    Ok(Figures::from([
        ("nopm", orders / seconds * 60.0),
        ("client_us", client_used.total_s() / transactions * 1e6),
        ("server_us", server_used.total_s() / transactions * 1e6),
        ("statements", statements / transactions),
        ("rolled_back_percent", rollbacks / transactions * 100.0),
    ]))
}

/// Orders, commits, rollbacks, statements until now.
fn counts(server: &mut Server, schema: &str) -> io::Result<[f64; 4]> {
    let status =
        server.rows("SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_commit', 'Com_rollback', 'Questions')")?;
    let orders = server.rows(&format!("SELECT SUM(d_next_o_id) FROM {schema}.district"))?;
    let status = |name: &str| status.iter().find(|row| row[0] == name).and_then(|row| row[1].parse().ok());
    let orders = orders.first().and_then(|row| row.first()?.parse().ok());
    match (orders, status("Com_commit"), status("Com_rollback"), status("Questions")) {
        (Some(orders), Some(commits), Some(rollbacks), Some(statements)) => {
            Ok([orders, commits, rollbacks, statements])
        }
        _ => Err(io::Error::other("the server does not tell its counters")),
    }
}

/// Speed that breaks the data counts for nothing: the specification's conditions must hold.
pub fn check(program: &Path, server: &Server) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    let words = ["check".to_owned(), dsn(server.port, "tpcc_ours")];
    let ended = process::start(program, &words, None, dir.path())?.wait(Duration::from_secs(300))?;
    if ended.status.success() { Ok(()) } else { Err(io::Error::other(format!("tenbin check: {}", ended.said))) }
}

//! Loading four warehouses with their indexes and keys: everything between an empty schema and the last key.

use super::side::Sides;
use crate::options::Options;
use crate::paired::{Figures, Point};
use crate::paired_run::run_pairs_between;
use crate::server::Server;
use std::io;

const PLAIN: &str = "load, against go-tpc -T 4";
const KEYS: &str = "load with keys, against go-tpc -T 4 --use-fk";
const SERIAL: &str = "load with keys, against tpcc_load";

/// Against go-tpc as it stands and with its foreign keys, against tpcc-mysql with all of its own.
pub fn run(options: &Options, sides: &Sides) -> io::Result<Vec<Point>> {
    let mut server = Server::mariadb()?;
    let mut points = Vec::new();
    let warehouses = options.warehouses();
    let few = Options { repeats: options.repeats.or(Some(if options.quick { 1 } else { 2 })), ..options.clone() };
    // They take minutes for each pair, and their distance is no matter of a few percent.
    let once = Options { repeats: options.repeats.or(Some(1)), ..options.clone() };
    let pairs = [
        (&sides.go_tpc, &few, vec![(PLAIN.to_owned(), false)]),
        (&sides.go_tpc, &once, vec![(KEYS.to_owned(), true)]),
        (&sides.tpcc_mysql, &once, vec![(SERIAL.to_owned(), true)]),
    ];
    for (peer, options, request) in pairs {
        let Some(peer) = peer else { continue };
        points.extend(run_pairs_between(
            options,
            [(peer.name(), peer), (sides.ours.name(), &sides.ours)],
            &request,
            |side, keys| {
                let loaded = side.load(&mut server, "tpcc_load", warehouses, *keys)?;
                server.rows("DROP DATABASE tpcc_load")?;
                Ok(Figures::from([
                    ("load_s", loaded.wall_s),
                    ("loading_client_s", loaded.client.total_s()),
                    ("loading_server_s", loaded.server.total_s()),
                ]))
            },
        )?);
    }
    Ok(points)
}

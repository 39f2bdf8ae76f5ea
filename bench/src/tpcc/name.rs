//! `tpcc_start` by name against the real one: the same command line, the same statements, row by row; only the client
//! differs. Both schemas are loaded by Tenbin, with all keys.

use super::drive::{check, measure};
use super::side::{Side, Sides};
use crate::options::Options;
use crate::paired::Point;
use crate::paired_run::{left_out, run_pairs_between};
use crate::server::Server;
use std::io;
use std::path::PathBuf;

const ONE: &str = "tpcc_start, 1 connection";
const MANY: &str = "tpcc_start, 16 connections";

/// Who answers the name, and the schema that it works in.
type Contender = ((PathBuf, Vec<String>), &'static str);

/// Against tpcc-mysql's.
pub fn run(options: &Options, sides: &Sides) -> io::Result<Vec<Point>> {
    let (Some(Side::TpccMysql(folder)), Side::Tenbin(tenbin, _)) = (&sides.tpcc_mysql, &sides.ours) else {
        return Ok(Vec::new());
    };
    let real = folder.join("tpcc_start");
    if !real.exists() {
        left_out("comparisons with tpcc_start", "tools/tpcc-mysql-statements.sh says how it is built");
        return Ok(Vec::new());
    }
    let mut server = Server::mariadb()?;
    let warehouses = options.warehouses();
    for schema in ["tpcc_peer", "tpcc_ours"] {
        sides.ours.load(&mut server, schema, warehouses, true)?;
    }
    server.rest()?;
    let peer: Contender = ((real, Vec::new()), "tpcc_peer");
    let ours: Contender = ((tenbin.clone(), vec!["tpcc_start".to_owned()]), "tpcc_ours");
    let window_s = options.window_s() * 2.0;
    let points = [(ONE.to_owned(), 1), (MANY.to_owned(), 16)];
    let pair = [("tpcc-mysql", &peer), (sides.ours.name(), &ours)];
    let points = run_pairs_between(options, pair, &points, |((program, words), schema), connections| {
        let mut words = words.clone();
        let typed = format!(
            "-h 127.0.0.1 -P {} -d {schema} -u root -w {warehouses} -c {connections} -r 0 -l 600 -i 600",
            server.port
        );
        words.extend(typed.split(' ').map(str::to_owned));
        // It takes its password from an empty word.
        words.extend(["-p".to_owned(), String::new()]);
        measure((program, &words), &mut server, schema, *connections, window_s)
    })?;
    check(tenbin, &server)?;
    Ok(points)
}

//! Resolves tpcc_start's options.

use super::arguments::Arguments;
use super::server::{Server, server};
use super::text::IntervalForm;
use std::path::PathBuf;

/// Everything a run needs.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The server with each database, in the order in which connections are assigned.
    pub servers: Vec<Server>,
    /// The server for display.
    pub server: Server,
    /// Warehouses of each database.
    pub warehouses: u64,
    pub connections: u32,
    pub ramp_up_s: u64,
    pub measure_s: u64,
    pub interval_s: u64,
    /// Limits of the five transactions' response times, milliseconds.
    pub limits_ms: [u64; 5],
    /// Cards of the five transactions in a deck; empty: the specification's 23.
    pub ratio: Vec<u64>,
    pub report: Option<PathBuf>,
    pub transactions: Option<PathBuf>,
    pub form: IntervalForm,
    pub seed: u64,
}

/// Resolves the arguments; the error is a line for standard error.
pub fn resolve(arguments: &Arguments) -> Result<Settings, String> {
    let Arguments { args, ratio } = arguments;
    let path = |name: &str| Some(args.text(name)).filter(|p| !p.is_empty()).map(PathBuf::from);
    let limits = ["limit-new-order", "limit-payment", "limit-order-status", "limit-delivery", "limit-stock-level"];
    let clock =
        || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_nanos() as u64);
    if !ratio.is_empty() && ratio.iter().all(|n| *n == 0) {
        return Err("the shares of the five transactions are all 0".into());
    }
    let server = server(args)?;
    let first = args.number("schema-offset");
    let servers = match args.number("schemas") {
        0 if first > 0 => return Err("-o numbers the databases of -m: give -m too, or leave it out".into()),
        0 => vec![server.clone()],
        n => (first..first + n).map(|k| server.with_database(format!("{}_{k}", server.database()))).collect(),
    };
    Ok(Settings {
        servers,
        server,
        warehouses: args.number("warehouses"),
        connections: args.number("connections") as u32,
        ramp_up_s: args.number("ramp-up"),
        measure_s: match args.number("measure") {
            0 => return Err("measure is 0 seconds: there would be nothing to tell".into()),
            s => s,
        },
        interval_s: args.number("interval"),
        limits_ms: limits.map(|name| args.number(name)),
        ratio: ratio.clone(),
        report: path("report-file"),
        transactions: path("transaction-file"),
        form: IntervalForm::named(args.text("interval-format")),
        seed: if args.has("seed") { args.number("seed") } else { clock() & 0x7FFF_FFFF },
    })
}

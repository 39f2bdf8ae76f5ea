//! Terminals at the specification's pace in one process, on the null server: client and server on a core each. How far
//! from its intended instant does a transaction start?
//!
//! No program to compare with: go-tpc's keying times are a thread's sleep and it does not say when it meant to start.

use super::side::{Side, Sides, dsn};
use crate::options::Options;
use crate::paired::{Figures, Pair, Point};
use crate::paired_run::print_side;
use crate::process;
use crate::server::Server;
use std::io;
use std::time::Duration;

/// Seconds until a terminal's first transaction is over: a mean cycle and the longest keying.
const WARMUP_S: u64 = 39;

/// Keying and thinking last this long on average, seconds: what a terminal takes for a transaction that is answered at
/// once.
const CYCLE_S: f64 = 20.7;

/// Name, terminals, connections that they share (0: each its own). The aim comes first; the must is measured when it is
/// missed.
type Size = (&'static str, u32, u32);

const OWN: [Size; 2] =
    [("15,000 terminals, own connections", 15_000, 0), ("5,000 terminals, own connections", 5_000, 0)];
const SHARED: [Size; 2] = [
    ("50,000 terminals over 1,000 connections", 50_000, 1_000),
    ("20,000 terminals over 1,000 connections", 20_000, 1_000),
];

/// Start error that still counts as on time, 99th percentile, ms.
const LATE_MS: f64 = 10.0;

/// Runs them.
pub fn run(options: &Options, sides: &Sides) -> io::Result<Vec<Point>> {
    let Side::Tenbin(program, more) = &sides.ours else { return Ok(Vec::new()) };
    let mut server = Server::null(&[], 1)?;
    let mut points = Vec::new();
    for sizes in [OWN, SHARED] {
        for (name, terminals, shared) in if options.quick { [sizes[1]].to_vec() } else { sizes.to_vec() } {
            let mut point = Point { name: name.to_owned(), pairs: Vec::new() };
            for repeat in 1..=options.repeats.unwrap_or(1) {
                let mut words = vec!["bench".to_owned(), "tpcc".into(), dsn(server.port, "tpcc")];
                words.extend([format!("--threads={terminals}"), format!("--warmup={WARMUP_S}"), "--runs=runs".into()]);
                words.extend([format!("--time={}", (options.window_s() * 3.0).ceil()), "--json".into()]);
                words.extend([
                    "-omode=paced".into(),
                    format!("-owarehouses={}", terminals / 10),
                    format!("-opool={shared}"),
                ]);
                words.extend(more.iter().cloned());
                let dir = tempfile::tempdir()?;
                let client = process::start(program, &words, Some(0), dir.path())?;
                let ended = client.wait(Duration::from_secs(300))?;
                let ours = figures(&ended.said, terminals)
                    .ok_or_else(|| io::Error::other(format!("{name}, {}: no figures: {}", ended.status, ended.said)))?;
                print_side(&format!("{name}, {repeat}"), "tenbin", &ours);
                point.pairs.push(Pair { repeat, peer_first: false, peer: Figures::new(), ours });
                server.rest()?;
            }
            let late = point.ours("start_p99_ms").is_none_or(|p99| p99.median > LATE_MS);
            points.push(point);
            if !late {
                break;
            }
        }
    }
    Ok(points)
}

fn figures(text: &str, terminals: u32) -> Option<Figures> {
    let from = text.find('{')?;
    let all = serde_json::Deserializer::from_str(&text[from..]).into_iter::<serde_json::Value>().next()?.ok()?;
    let trial = all.get("trials")?.get(0)?;
    let get = |path: &str| trial.pointer(path).and_then(serde_json::Value::as_f64);
    let (started, seconds) = (get("/accounting/completed")?, get("/measured_s")?);
    Some(Figures::from([
        ("start_p99_ms", get("/wait/p99_ms")?),
        ("response_p99_ms", get("/response/p99_ms")?),
        ("started_percent", started / seconds * CYCLE_S / f64::from(terminals) * 100.0),
        ("terminal_us", get("/client_cpu_s")? / started * 1e6),
    ]))
}

//! Weighs Tenbin itself: paired, interleaved measurements against Debian's sysbench. Run by `make bench`, never by
//! tests.
//!
//! Absolute speeds of shared machines drift by factors from minute to minute. So both sides run right after each other,
//! in alternating order, against a server that was started once; each pair gives a ratio, and what is reported is the
//! median of the ratios with their smallest and largest.

mod ask_postgres;
mod client_cost;
mod control;
mod floor;
mod goals;
mod host;
mod hosts;
mod instructions;
mod latency;
mod loading;
mod machine;
mod many_tables;
mod measurement;
mod observing;
mod options;
mod page;
mod paired;
mod paired_run;
mod pgbench;
mod postgres;
mod process;
mod reach;
mod restore;
mod scripts;
mod server;
mod shared_cores;
mod slap;
mod tool;
mod tpcc;
mod window;

use clap::Parser;
use measurement::Measurement;
use options::Options;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measures one thing.
type Run = fn(&Options) -> io::Result<Measurement>;

/// The measurements in the order of issue and manual.
const MEASUREMENTS: &[(&str, Run)] = &[
    ("a", client_cost::run),
    ("b", shared_cores::run),
    ("c", loading::run),
    ("d", latency::run),
    ("e", postgres::run),
    ("f", host::run),
    ("g", slap::run),
    ("h", tpcc::run),
    ("i", scripts::run),
    ("j", restore::run),
    ("k", observing::run),
    ("l", hosts::run),
    ("m", instructions::run),
    ("n", many_tables::run),
    ("o", pgbench::run),
];

fn main() -> ExitCode {
    raise_open_files();
    let outcome = match floor::asked() {
        Some(arguments) => floor::drive(&arguments),
        None if std::env::args().nth(1).as_deref() == Some(hosts::HOST) => hosts::host(),
        None => weigh(&Options::parse()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            complain(&e);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "the result of the program")]
fn weigh(options: &Options) -> io::Result<()> {
    let [peer, ours] = tool::both(options)?;
    let started = jiff::Zoned::now();
    let machine = machine::describe(&peer.program, (!options.aa).then_some(&ours.program));
    println!(
        "{} · {} cores · Linux {} · {} · {}\n",
        machine.cpu, machine.cores, machine.kernel, machine.peer, machine.mariadb
    );
    let out = options
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("target/bench/{}.json", started.strftime("%Y-%m-%dT%H%M%S"))));
    let limits = goals::all()?;
    let mut done = Vec::new();
    for (key, run) in MEASUREMENTS {
        if options.only.iter().any(|k| k == key) {
            let mut measurement = run(options)?;
            // Goals are for Tenbin against other tools.
            if !options.aa && options.against.is_none() {
                measurement.columns.iter_mut().for_each(|c| c.goals = goals::of(&limits, key, c.figure));
            }
            let [peer_name, our_name] = match *key {
                // Several, named at each point.
                "h" if options.against.is_none() => ["peer", ours.name],
                "j" => ["cp -a", ours.name],
                "k" => ["ends", "always"],
                "l" => ["–", ours.name],
                _ => [peer.name, ours.name],
            };
            println!("{}", measurement.table(peer_name, our_name));
            if options.is_publishable() {
                page::publish(&measurement, round(options, &machine, &started, &measurement))?;
            }
            done.push(measurement);
            // After each: an hour's figures are not lost with the last one.
            save(
                &out,
                &serde_json::json!({
                    "format": 1,
                    "started": started.to_string(),
                    "machine": &machine,
                    "repeats": options.repeats(),
                    "window_s": options.window_s(),
                    "seed": options.seed,
                    "peer": peer.name,
                    "ours": ours.name,
                    "tenbin_arguments": options.tenbin_args,
                    "over": options.over.name(),
                    "by_name": options.by_name,
                    "measurements": &done,
                }),
            )?;
        }
    }
    println!("saved  {}", out.display());
    Ok(())
}

/// What is published beside the figures of a measurement.
fn round(
    options: &Options,
    machine: &machine::Machine,
    started: &jiff::Zoned,
    of: &measurement::Measurement,
) -> page::Round {
    let load = format!("load average {} at the start", machine.load_average);
    let more = (!options.tenbin_args.is_empty()).then(|| format!("with {}", options.tenbin_args));
    page::Round {
        format: 2,
        letter: of.key.to_owned(),
        title: of.name.to_string(),
        date: started.strftime("%Y-%m-%dT%H%M").to_string(),
        machine: format!("{}, {} cores", machine.cpu, machine.cores),
        pairs: Some(options.repeats()),
        window_s: Some(options.window_s()),
        conditions: [Some(load), more].into_iter().flatten().collect::<Vec<_>>().join(", "),
        source: format!("make bench, {}, {}, {}", machine.tenbin, machine.peer, machine.mariadb),
        why: String::new(),
        figures: Vec::new(),
        points: serde_json::Value::Null,
    }
}

fn save(path: &Path, result: &serde_json::Value) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    std::fs::write(path, serde_json::to_string_pretty(result)?)
}

/// Thousands of clients need thousands of descriptors, here and in what we start.
fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    let _ = setrlimit(Resource::Nofile, limit);
}

#[expect(clippy::print_stderr, reason = "an error of the program")]
fn complain(error: &io::Error) {
    eprintln!("tenbin-bench: {error}");
}

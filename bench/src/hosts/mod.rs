//! (l) Several load hosts: what they cost the coordinator and the network, how well they act together, and how soon a host that is
//! lost is noticed. The hosts are processes of this machine that share the true time with the coordinator, `CLOCK_MONOTONIC`.
//!
//! A launcher to be measured is a line in [`launchers`]. That of Ray needs a cluster of this machine (`--ray`).

mod tapped;
mod waiting;
mod whole;

use crate::measurement::{Column, Measurement};
use crate::options::Options;
use crate::paired::Better::Less;
use crate::paired::{Figures, Pair, Point};
use crate::paired_run::print_side;
use crate::process::cpu_of;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use tapped::{Tap, Tapped};
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace};
use tenbin_hosts::launch::{Launcher, LocalProcesses, RayCluster};
use tenbin_hosts::protocol::Assignment;
use tenbin_hosts::{HostEvent, HostsEnded, LoadHosts};
use tenbin_model::load_host::IfLost;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{Arrivals, Load, Overload, Schedule, Trial};
use tenbin_model::workload::{Catalog, DataSize, Ends, WorkloadInfo};
use tenbin_words::problem::Problem;
use waiting::Waiting;
pub use waiting::{HOST, host};

/// Starts a program with arguments as load hosts.
type Launch<'a> = Box<dyn Fn(PathBuf, Vec<OsString>) -> Box<dyn Launcher> + 'a>;

/// The launchers, by their names.
fn launchers(options: &Options) -> Vec<(&'static str, Launch<'_>)> {
    let mut launchers: Vec<(_, Launch<'_>)> =
        vec![("local", Box::new(|program, arguments| Box::new(LocalProcesses { program, arguments })))];
    if let Some(head) = &options.ray {
        let placed = |program: PathBuf, arguments: Vec<OsString>| {
            let command = [program.into()].into_iter().chain(arguments).collect();
            Box::new(RayCluster { head: head.clone(), command, carried: Vec::new() }) as Box<dyn Launcher>
        };
        launchers.push((RAY, Box::new(placed)));
    }
    launchers
}

const RAY: &str = "Ray";

/// The point that is a whole run.
const WHOLE: &str = "tenbin run, 4 hosts";
const CLIENTS_PER_HOST: u32 = 16;
const INTERVAL_MS: u64 = 1000;

/// Measures it.
pub fn run(options: &Options) -> io::Result<Measurement> {
    let program = std::env::current_exe()?;
    let mut points = Vec::new();
    for (name, launch) in launchers(options) {
        let start = || Tapped::new(launch(program.clone(), vec![HOST.into()]));
        let measured: [(&str, &dyn Fn() -> io::Result<Figures>); 6] = [
            ("4 hosts", &|| together(start(), 4, None, options)),
            ("4 hosts at a rate", &|| together(start(), 4, Some(800.0), options)),
            // As much as 64 hosts can do beside the coordinator on two cores.
            ("64 hosts at a rate", &|| together(start(), 64, Some(1280.0), options)),
            ("host killed", &|| lost(start(), Loss::Killed)),
            ("host frozen", &|| lost(start(), Loss::Frozen)),
            ("host cut off", &|| lost(start(), Loss::CutOff)),
        ];
        // The clusters to measure with have few nodes.
        for (what, measure) in measured.into_iter().filter(|(what, _)| name != RAY || !what.starts_with("64")) {
            let mut pairs = Vec::new();
            for repeat in 1..=options.repeats() {
                let ours = measure()?;
                print_side(&format!("{what}, {repeat} of {}", options.repeats()), name, &ours);
                pairs.push(Pair { repeat, peer_first: false, peer: Figures::new(), ours });
            }
            points.push(Point { name: format!("{what}, {name}"), pairs });
        }
    }
    let mut pairs = Vec::new();
    for repeat in 1..=options.repeats() {
        let ours = whole::run(options, 4)?;
        print_side(&format!("tenbin run, {repeat} of {}", options.repeats()), "local", &ours);
        pairs.push(Pair { repeat, peer_first: false, peer: Figures::new(), ours });
    }
    points.push(Point { name: WHOLE.to_owned(), pairs });
    Ok(Measurement {
        key: "l",
        name: "Several load hosts, intervals of 1 s, 16 clients and 10 statements each".into(),
        columns: vec![
            Column::new("cpu_percent", "coordinator CPU, % of a core", Less),
            Column::new("cpu_percent_per_host", "the same per host", Less),
            Column::new("placed_s", "hosts placed after, s", Less),
            Column::new(
                "carrying_percent_per_host",
                "CPU of Ray's programs that pass lines on, % of a core per host",
                Less,
            ),
            Column::new("kib_per_host_s", "KiB/s per host", Less),
            Column::new("merged_after_ms", "interval reported after its end, worst, ms", Less),
            Column::new("skew_ms", "starts apart, ms", Less),
            Column::new("offset_error_us", "error of offsets, worst, µs", Less),
            Column::new("offset_bound_us", "the bound of that error that is told, worst, µs", Less),
            Column::new("rate_error_percent", "error of the rate, %", Less),
            Column::new("noticed_s", "lost host noticed after, s", Less),
            Column::new("stopped_s", "it stops by itself after, s", Less),
        ],
        points,
    })
}

/// Hosts that drive together without incident, as fast as they can or at a rate of all together.
fn together(launcher: Tapped, hosts: u32, rate: Option<f64>, options: &Options) -> io::Result<Figures> {
    let stop = StopSignal::new();
    let mut all = LoadHosts::start(&launcher, hosts, IfLost::Stop, waiting::VERSION, &stop).map_err(failed)?;
    let measure_ms = (options.window_s() * 1000.0).max(2000.0) as u64;
    let overload = Overload::Queue { limit: 1_000_000 };
    let open = |rate| Schedule::Open { rate, arrivals: Arrivals::Even, overload };
    let schedule = rate.map_or(Schedule::Closed, open);
    let drive = drive(hosts * CLIENTS_PER_HOST, schedule, measure_ms);
    let bytes = || launcher.taps().iter().map(|tap| tap.order_bytes.load(SeqCst) + tap.report_bytes.load(SeqCst)).sum();
    // From the first interval to the last: joining and the end are not what a second costs.
    let (mut first, mut last) = (None, None);
    let (mut merged_after_ms, mut scheduled) = (0.0_f64, 0);
    let ended = drive_on(&mut all, &drive, &stop, &mut |event| {
        if let HostEvent::Together(EngineEvent::Interval { to_ns, tally, .. }) = event {
            let now = (Instant::now(), cpu_ns(), bytes(), carriers_cpu_s());
            scheduled += tally.accounting.scheduled;
            merged_after_ms = merged_after_ms.max((drive.origin.elapsed().as_nanos() as f64 - to_ns as f64) / 1e6);
            first.get_or_insert(now);
            last = Some(now);
        }
    })?;
    let (Some((from, cpu_from, bytes_from, carriers_from)), Some((to, cpu_to, bytes_to, carriers_to))): (
        Option<(_, u64, u64, f64)>,
        _,
    ) = (first, last) else {
        return Err(io::Error::other("no interval was reported"));
    };
    let seconds = (to - from).as_secs_f64();
    let cpu_percent = (cpu_to - cpu_from) as f64 / 1e7 / seconds;
    let kib_s = (bytes_to - bytes_from) as f64 / 1024.0 / seconds;
    let mut figures = Figures::from([
        ("cpu_percent", cpu_percent),
        ("cpu_percent_per_host", cpu_percent / f64::from(hosts)),
        ("kib_per_host_s", kib_s / f64::from(hosts)),
        ("placed_s", launcher.took_ns.load(SeqCst) as f64 / 1e9),
        ("carrying_percent_per_host", (carriers_to - carriers_from) * 100.0 / seconds / f64::from(hosts)),
        ("merged_after_ms", merged_after_ms),
        ("skew_ms", skew_ns(&launcher.taps(), &ended) as f64 / 1e6),
        ("offset_error_us", offset_error_ns(&launcher, &ended) as f64 / 1e3),
        ("offset_bound_us", ended.parts.iter().map(|part| part.offset_error_ns).max().unwrap_or(0) as f64 / 1e3),
    ]);
    if let Some(rate) = rate {
        let reached = scheduled as f64 * 1000.0 / measure_ms as f64;
        figures.insert("rate_error_percent", (reached / rate - 1.0).abs() * 100.0);
    }
    Ok(figures)
}

/// How far the starts of hosts were apart, on the clock that all share.
fn skew_ns(taps: &[std::sync::Arc<Tap>], ended: &HostsEnded) -> u64 {
    let starts = taps.iter().zip(&ended.parts);
    let starts = starts.map(|(tap, part)| tap.began_ns.load(SeqCst) + tap.start_ns.load(SeqCst) + part.late_ns);
    let (least, most) = starts.fold((u64::MAX, 0), |(least, most), at| (least.min(at), most.max(at)));
    most.saturating_sub(least)
}

/// How wrong the worst offset is.
fn offset_error_ns(launcher: &Tapped, ended: &HostsEnded) -> u64 {
    let began_ns = launcher.placed_ns.load(SeqCst) as i64;
    let taps = launcher.taps();
    let errors = taps.iter().zip(&ended.parts).map(|(tap, part)| {
        let truth_ns = began_ns - tap.began_ns.load(SeqCst) as i64;
        part.offset_ns.abs_diff(truth_ns)
    });
    errors.max().unwrap_or(0)
}

/// What happens to a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    Killed,
    Frozen,
    CutOff,
}

/// One of three hosts is lost while they drive.
fn lost(launcher: Tapped, loss: Loss) -> io::Result<Figures> {
    let stop = StopSignal::new();
    let mut all = LoadHosts::start(&launcher, 3, IfLost::Continue, waiting::VERSION, &stop).map_err(failed)?;
    let tap = launcher.taps().swap_remove(1);
    let pid = tap.pid.load(SeqCst) as i32;
    let drive = drive(3 * CLIENTS_PER_HOST, Schedule::Closed, 60_000);
    let (mut began, mut intervals, mut watcher, mut noticed) = (None, 0, None, None);
    drive_on(&mut all, &drive, &stop, &mut |event| match event {
        HostEvent::Noted { host: 1, .. } => {
            noticed = Some(Instant::now());
            stop.ask();
        }
        HostEvent::Together(EngineEvent::Interval { .. }) => {
            intervals += 1;
            if intervals == 2 {
                began = Some(Instant::now());
                match loss {
                    Loss::Killed => signal(pid, Signal::KILL),
                    Loss::Frozen => signal(pid, Signal::STOP),
                    Loss::CutOff => {
                        tap.is_cut.store(true, SeqCst);
                        watcher = Some(std::thread::spawn(move || ended_after(pid, Duration::from_secs(20))));
                    }
                }
            }
        }
        _ => {}
    })?;
    if loss == Loss::Frozen {
        signal(pid, Signal::KILL);
    }
    let (Some(began), Some(noticed)) = (began, noticed) else {
        return Err(io::Error::other("the host was not given up"));
    };
    let mut figures = Figures::from([("noticed_s", (noticed - began).as_secs_f64())]);
    if let Some(watcher) = watcher {
        let took = watcher.join().map_err(|_| io::Error::other("the watcher panicked"))?;
        figures.insert("stopped_s", took.ok_or_else(|| io::Error::other("it goes on"))?.as_secs_f64());
    }
    Ok(figures)
}

fn signal(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid).filter(|_| pid > 1) {
        let _ = kill_process(pid, signal);
    }
}

/// How long the process goes on, which nobody may have waited for when it has ended.
fn ended_after(pid: i32, most: Duration) -> Option<Duration> {
    let began = Instant::now();
    while began.elapsed() < most {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z')) {
            return Some(began.elapsed());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

/// CPU time of this process.
fn cpu_ns() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// CPU time of the programs that pass the lines of hosts on, seconds: that which places them, and Ray's workers on the nodes.
fn carriers_cpu_s() -> f64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let carries = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        line.starts_with("ray::LoadHost") || line.contains("tenbin-ray\0--address")
    };
    let carriers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(carries);
    // One that has just ended has taken nothing.
    carriers.map(|pid| cpu_of(pid).map_or(0.0, |cpu| cpu.total_s())).sum()
}

fn drive(clients: u32, schedule: Schedule, measure_ms: u64) -> Drive {
    let load = Load { clients, schedule, ..trial().load };
    let (part, control) = (LoadPart::ALL, DriveControl::default());
    let interval_ms = INTERVAL_MS;
    Drive {
        load,
        warmup_ms: 0,
        measure_ms,
        interval_ms,
        seed: 1,
        origin: Instant::now(),
        part,
        server: ServerPlace::Apart,
        control,
    }
}

fn drive_on(
    hosts: &mut LoadHosts,
    drive: &Drive,
    stop: &StopSignal,
    listen: &mut dyn FnMut(HostEvent),
) -> io::Result<HostsEnded> {
    let trial = trial();
    let assign = |part: LoadPart| Assignment {
        part: part.number,
        parts: part.of,
        trial: trial.clone(),
        load: drive.load.clone(),
        round_trips: false,
        warmup_ms: drive.warmup_ms,
        measure_ms: drive.measure_ms,
        interval_ms: drive.interval_ms,
        address: "mysql://u@db/x".into(),
        password: None,
    };
    let mut listener = |event| {
        listen(event);
        Ok(())
    };
    hosts.drive(drive, &Waiting, &assign, stop, &mut listener).map_err(failed)
}

/// A trial to be sent to hosts, which build their own load.
fn trial() -> Trial {
    let info = WorkloadInfo {
        name: "waiting",
        family: "waiting",
        dataset: "waiting",
        shared: Vec::new(),
        table_per_client: false,
        has_groups: false,
        reads_only: true,
        ends: Ends::Never,
        paces_with: None,
    };
    let sizes = vec![DataSize { kind: "waiting", option: "rows", default: "1", least: 1 }];
    let catalog = Catalog { workloads: vec![info], default_dataset: "waiting", sizes };
    let plan = "schema = 1\n[targets]\na = { dsn = \"mysql://u@db/x\" }\n[[experiment]]\nname = \"e\"\n\
                load.workload = \"waiting\"\n";
    let plan = Plan::parse(plan, &catalog).expect("the plan is complete");
    expand(&plan).remove(0)
}

fn failed(problem: Problem) -> io::Error {
    io::Error::other(problem.to_string())
}

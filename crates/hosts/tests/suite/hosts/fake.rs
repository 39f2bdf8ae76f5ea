//! Load hosts in this process, connected by sockets that can be cut, and a workload that only waits.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_client::{BoxFuture, Client, Reply, TargetReach, TransactionContext, Transport, Workload};
use tenbin_driver::Connector;
use tenbin_engine::{Drive, DriveControl, EngineEvent, LoadPart, ServerPlace};
use tenbin_hosts::launch::{HostProcess, Launcher, PlacedHost};
use tenbin_hosts::protocol::{Assignment, ServerAssignment, SliceAssignment};
use tenbin_hosts::{HostEvent, HostsEnded, LEASE, LoadHosts, Served, Site, serve};
use tenbin_model::dsn::Scheme;
use tenbin_model::event::Phase;
use tenbin_model::load_host::IfLost;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::{StatementKind, Tally};
use tenbin_model::trial::{Load, Trial};
use tenbin_model::workload::{Catalog, DataSize, Ends, WorkloadInfo};
use tenbin_servers::finding::{Finding, Level};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// A workload whose client number n waits 5 + n ms; all hosts count here what they begin.
#[derive(Clone, Default)]
pub struct Fake {
    pub begun: Arc<AtomicU64>,
    /// Clients from this number on cannot connect.
    pub refuse_from: Option<u32>,
    /// The client of this number panics when all have begun this many transactions.
    pub panic_after: Option<(u32, u64)>,
    /// Loading the slice of this number fails, or panics if its second is set.
    pub bad_slice: Option<(u32, bool)>,
}

/// The version of all.
pub const VERSION: &str = "0.1.0 (0123456789ab)";

/// Rows of a slice.
pub const SLICE: u64 = 300;

struct FakeClient(u32, Fake);

impl Workload for Fake {
    fn name(&self) -> &str {
        "fake"
    }
    fn transactions(&self) -> Vec<String> {
        vec!["fake".into()]
    }
    fn statements(&self) -> Vec<(String, StatementKind)> {
        vec![("only".into(), StatementKind::Read)]
    }
    fn prepared_per_connection(&self) -> u32 {
        0
    }
    fn reach(&self) -> TargetReach {
        TargetReach::default()
    }
    fn client(&self, number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(FakeClient(number, self.clone()))
    }
}

impl Client for FakeClient {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            match self.1.refuse_from {
                Some(from) if self.0 >= from => Err(tenbin_client::Error::new(
                    tenbin_client::Class::Refused,
                    tenbin_words::message::foreign("no host listens"),
                )),
                _ => Ok(()),
            }
        })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let begun = self.1.begun.fetch_add(1, Ordering::SeqCst);
            assert!(
                !self.1.panic_after.is_some_and(|(client, after)| client == self.0 && begun >= after),
                "on purpose"
            );
            let wait = Duration::from_millis(5 + u64::from(self.0));
            let work = async {
                tokio::time::sleep(wait).await;
                Ok(Reply { rows: 1, ..Reply::default() })
            };
            context.time(0, work).await?;
            Ok(0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

impl Site for Fake {
    fn examine(&self, servers: &[ServerAssignment]) -> Vec<Finding> {
        let evidence_of =
            |server: &ServerAssignment| Problem::new(foreign(format!("{} {}", server.address, server.clients)));
        servers.iter().map(|server| Finding::of(Level::Note, evidence_of(server))).collect()
    }

    fn facts(&self) -> std::collections::BTreeMap<String, String> {
        [("cores".to_owned(), "3".to_owned())].into()
    }

    fn machine(&self) -> String {
        "this one".into()
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    /// A row takes 10 ms.
    fn load(
        &self,
        assignment: &SliceAssignment,
        progress: &(dyn Fn(u64) + Sync),
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        for row in 1..=SLICE {
            if stop.asked() {
                return Err(Problem::new(tenbin_words::message::foreign("told to stop")));
            }
            if let Some((_, panics)) = self.bad_slice.filter(|bad| bad.0 == assignment.slice && row == 20) {
                assert!(!panics, "on purpose");
                return Err(Problem::new(tenbin_words::message::foreign("the disk is full")));
            }
            std::thread::sleep(Duration::from_millis(10));
            self.begun.fetch_add(1, Ordering::SeqCst);
            progress(row);
        }
        Ok(SLICE)
    }

    fn prepare(&self, _: &Assignment) -> Result<(Connector, Arc<dyn Workload>), Problem> {
        Ok((Connector::nowhere(Scheme::Mysql)?, Arc::new(self.clone())))
    }
}

/// Starts hosts on threads of this process.
#[derive(Default)]
pub struct Threads {
    pub fake: Fake,
    /// To the host of this number from 1, the first order of this name comes this late.
    pub late: Option<(u32, &'static str, Duration)>,
    /// By host.
    pub cables: Mutex<Vec<Cable>>,
    pub served: Mutex<Vec<JoinHandle<Served>>>,
}

/// The connection to a host.
#[derive(Clone, Default)]
pub struct Cable {
    /// What is sent either way is lost.
    pub cut: Arc<AtomicBool>,
}

impl Threads {
    /// Until a host that is lost stopped by itself, which is not because its connection is closed when the others are let go. The others
    /// are kept meanwhile.
    pub fn wait_until_stopped(&self, host: usize, hosts: &mut LoadHosts) {
        let begun = Instant::now();
        while !self.served.lock().unwrap()[host].is_finished() {
            assert!(begun.elapsed() < LEASE + Duration::from_secs(5), "its lease has no end");
            std::thread::sleep(Duration::from_millis(50));
            assert!(hosts.ready().is_err(), "it is lost");
        }
    }
}

struct NoProcess;

impl HostProcess for NoProcess {
    fn ended(&mut self, _: std::time::Duration) -> Option<String> {
        None
    }
}

impl Launcher for Threads {
    fn place(&self, hosts: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let place = |number| {
            let cable = Cable::default();
            let late = self.late.filter(|late| late.0 == number).map(|(_, order, by)| (order, by));
            let (orders, far_orders) = carried(&cable, late);
            let (far_reports, reports) = carried(&cable, None);
            let site: Arc<dyn Site> = Arc::new(self.fake.clone());
            let served = std::thread::spawn(move || serve(far_orders, far_reports, &site).unwrap());
            self.served.lock().unwrap().push(served);
            self.cables.lock().unwrap().push(cable);
            let (orders, reports) = (Box::new(orders), Box::new(reports));
            PlacedHost { name: format!("host {number}"), orders, reports, process: Box::new(NoProcess) }
        };
        Ok((1..=hosts).map(place).collect())
    }

    fn is_confidential(&self) -> bool {
        true
    }
}

/// The end that is written to, and the one that is read. The first line that contains a word may come later than those after it; a
/// connection keeps the order of its lines, so they are numbered as they arrive.
fn carried(cable: &Cable, late: Option<(&'static str, Duration)>) -> (UnixStream, UnixStream) {
    let (near, from) = UnixStream::pair().unwrap();
    let (to, far) = UnixStream::pair().unwrap();
    let (cut, mut late) = (cable.cut.clone(), late);
    let renumbers = late.is_some();
    let to = Arc::new(Mutex::new((to, 0)));
    let write = move |mut line: String| {
        let (to, next) = &mut *to.lock().unwrap();
        if renumbers {
            let mut order: serde_json::Value = serde_json::from_str(&line).unwrap();
            order["number"] = (*next).into();
            *next += 1;
            line = order.to_string();
        }
        to.write_all((line + "\n").as_bytes())
    };
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines() {
            let Ok(line) = line else { return };
            if let Some((_, by)) = late.take_if(|(word, _)| line.contains(*word)) {
                let write = write.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(by);
                    // The host may be gone.
                    let _ = write(line);
                });
            } else if !cut.load(Ordering::SeqCst) && write(line).is_err() {
                return;
            }
        }
        // That an end was closed is not heard either.
        while cut.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    (near, far)
}

/// What was reported, and how it ended.
pub struct Told {
    pub outcome: Result<HostsEnded, Problem>,
    pub together: Tally,
    /// By host, in the measured phase.
    pub parts: Vec<Tally>,
    pub intervals: Vec<(u64, u64, u32)>,
    /// Those of them that were measured.
    pub measured: usize,
    pub noted: Vec<(usize, String)>,
    pub observers: std::collections::BTreeSet<(usize, String)>,
}

impl Told {
    pub fn ended(&self) -> &HostsEnded {
        self.outcome.as_ref().expect("it ended")
    }

    pub fn cut_short(&self) -> String {
        self.ended().ended.cut_short.as_ref().map_or_else(String::new, said)
    }
}

pub fn trial(clients: u32) -> Trial {
    let info = WorkloadInfo {
        name: "fake",
        family: "fake",
        dataset: "fake",
        shared: Vec::new(),
        table_per_client: false,
        has_groups: false,
        reads_only: true,
        ends: Ends::Never,
        paces_with: None,
    };
    let sizes = vec![DataSize { kind: "fake", option: "rows", default: "1", least: 1 }];
    let catalog = Catalog { workloads: vec![info], default_dataset: "fake", sizes };
    let plan = format!(
        "schema = 1\n[targets]\na = {{ dsn = \"mysql://u@db/x\" }}\n[[experiment]]\nname = \"e\"\n\
         load.workload = \"fake\"\nload.clients = {clients}\n"
    );
    let plan = Plan::parse(&plan, &catalog).unwrap_or_else(|problems| panic!("{problems:#?}"));
    expand(&plan).remove(0)
}

pub fn what(load: Load, warmup_ms: u64, measure_ms: u64, interval_ms: u64) -> Drive {
    let (part, control) = (LoadPart::ALL, DriveControl::default());
    Drive {
        load,
        warmup_ms,
        measure_ms,
        interval_ms,
        seed: 1,
        origin: Instant::now(),
        part,
        server: ServerPlace::Apart,
        control,
    }
}

/// Drives on the hosts; `look` is called with each interval of all hosts together, and what stops the drive.
pub fn drive(hosts: &mut LoadHosts, fake: &Fake, what: &Drive, mut look: impl FnMut(usize, &StopSignal)) -> Told {
    let assign = |part: LoadPart| Assignment {
        part: part.number,
        parts: part.of,
        trial: trial(what.load.clients),
        load: what.load.clone(),
        round_trips: false,
        warmup_ms: what.warmup_ms,
        measure_ms: what.measure_ms,
        interval_ms: what.interval_ms,
        address: "mysql://u@db/x".into(),
        password: None,
    };
    let stop = StopSignal::new();
    let mut driven = Told {
        outcome: Err(Problem::new(tenbin_words::message::foreign("not yet"))),
        together: Tally::default(),
        parts: vec![Tally::default(); hosts.count() as usize],
        intervals: Vec::new(),
        measured: 0,
        noted: Vec::new(),
        observers: Default::default(),
    };
    driven.outcome = hosts.drive(what, fake, &assign, &stop, &mut |event| {
        match event {
            HostEvent::Together(EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, .. }) => {
                driven.measured += usize::from(phase == Phase::Measure);
                assert!(tally.accounting.balances());
                driven.together.merge(&tally);
                driven.intervals.push((from_ns, to_ns, clients));
                look(driven.intervals.len(), &stop);
            }
            HostEvent::Together(_) => {}
            HostEvent::Part { host, part } => driven.parts[host].merge(&part.tally),
            HostEvent::Declared { host, observer, .. } | HostEvent::Sampled { host, observer, .. } => {
                driven.observers.insert((host, observer));
            }
            HostEvent::Noted { host, problem } => driven.noted.push((host, said(&problem))),
        }
        Ok(())
    });
    driven
}

pub fn start(launcher: &Threads, hosts: u32, if_lost: IfLost) -> LoadHosts {
    LoadHosts::start(launcher, hosts, if_lost, VERSION, &StopSignal::new()).expect("all join")
}

/// What happened, and the evidence.
pub fn said(problem: &Problem) -> String {
    let evidence: &str = problem.evidence.as_ref().map_or("", |evidence| evidence);
    format!("{}: {evidence}", &*problem.what)
}

/// Loads on the hosts; `look` is called with the progress of all together, and what stops the load.
pub fn load(hosts: &mut LoadHosts, look: impl Fn(u64, &StopSignal) + Sync) -> Result<u64, Problem> {
    let slices = hosts.count();
    let assign = |slice| {
        let (trial, address) = (trial(1), "mysql://u@db/x".into());
        SliceAssignment { slice, slices, trial, seed: 0, address, password: None }
    };
    let stop = StopSignal::new();
    hosts.load(&assign, &|rows| look(rows, &stop), &stop)
}

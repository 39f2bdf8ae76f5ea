//! A world in which runs take no time: its clock moves only where somebody waits, its servers are up or down as a test
//! says, and what happens in it is taken down a line at a time. The engine is the real one, on tokio's paused clock.
//!
//! Everything that a run touches outside of itself has a double here.

mod load;
mod observers;
mod record;
mod servers;

use load::{FakeData, FakeWorkload};
use observers::FakeObservers;
use record::{Lines, Recorded};
use servers::{FakeServer, FakeSettings, FakeSettling};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_engine::{Drive, drive_here};
use tenbin_hosts::{HostEvent, HostsEnded};
use tenbin_lab::{
    Checks, EarlierRun, EndedBeside, Environment, Observers, PrivateServer, Request, Resumed, Settling, SliceLoaders,
    TargetSettings, TogetherListener, Work, run_in,
};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::{Dsn, Password, Scheme};
use tenbin_model::event::ClientsBeside;
use tenbin_model::inspection::ServerInspection;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::{LinkSpec, Target, Trial};
use tenbin_observers::{Sampling, Subject};
use tenbin_servers::Waiting;
use tenbin_servers::command::{CommandEnd, UserCommand};
use tenbin_servers::disk::Room;
use tenbin_servers::doctor::Needs;
use tenbin_servers::facts::Facts;
use tenbin_servers::finding::Finding;
use tenbin_servers::link::SimulatedLink;
use tenbin_servers::replica::ReplicaSubject;
use tenbin_servers::role::Role;
use tenbin_servers::sandbox::Options;
use tenbin_servers::settings::SettingsChange;
use tenbin_verdict::agenda::{Agenda, FixedOrder};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;
use tenbin_workload::{Dataset, Progress, Workload};
use tokio::runtime::{Builder, LocalOptions};

/// What a test lets happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// The user asks for a stop.
    Stop,
    /// The server of this target dies.
    Dies(&'static str),
    /// It is there again.
    Returns(&'static str),
    /// It is started again, and forgets the variables that were set.
    Restarts(&'static str),
    /// Somebody else sets a variable of it.
    Sets(&'static str, &'static str, &'static str),
    /// Somebody else sets a variable of it again and again.
    Keeps(&'static str, &'static str, &'static str),
}

/// When it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// This many milliseconds after the run began.
    At(u64),
    /// When a line that holds this has been taken down.
    Behind(&'static str),
}

/// What a test asks of the world.
#[derive(Debug, Clone)]
pub struct Script {
    pub happens: Vec<(When, Happening)>,
    /// The private server of this target does not start.
    pub no_start: Option<&'static str>,
    /// Whether there is an observer.
    pub observed: bool,
    /// Whether servers say what variables they have.
    pub inspected: bool,
    /// Whether a run may be continued although a server has changed.
    pub allows_changed_server: bool,
    /// By how many milliseconds the replica `r1` is behind at a time.
    pub lag_ms: Option<fn(u64) -> u64>,
    /// How late CloudWatch has its figures, milliseconds; its minutes end 20 s after those of the run.
    pub late_ms: Option<u64>,
    /// The dirty pages of servers at a time in milliseconds, percent; `None`: they do nothing in the background.
    pub dirty_percent: Option<fn(u64) -> f64>,
    /// The listener fails at the first line that holds this.
    pub sink_fails: Option<&'static str>,
    /// Microseconds of a statement that does nothing; `None`: there is none.
    pub round_trip_us: Option<u64>,
    /// Milliseconds of each transaction of a trial.
    pub service_ms: fn(&Trial) -> u64,
    /// How many load hosts there are, and whether one of them is lost.
    pub hosts: Option<(u32, bool)>,
    /// When the limits of servers are looked at; taken down unless it is before each trial.
    pub checks: Checks,
}

impl Default for Script {
    fn default() -> Self {
        Script {
            happens: Vec::new(),
            no_start: None,
            observed: false,
            inspected: false,
            allows_changed_server: false,
            lag_ms: None,
            late_ms: None,
            dirty_percent: None,
            sink_fails: None,
            round_trip_us: None,
            service_ms: |_| 100,
            hosts: None,
            checks: Checks::EachTrial,
        }
    }
}

/// What came of a run: a line for each event, milliseconds in front where time has passed, and its outcome.
pub fn told(plan: &str, script: Script) -> String {
    told_by(&FixedOrder::of(trials(plan)), script).0
}

/// The trials of a plan.
pub fn trials(plan: &str) -> Vec<Trial> {
    let plan = Plan::parse(plan, &tenbin_workloads::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
    expand(&plan)
}

/// The same by this agenda, and what it comes to.
pub fn told_by(agenda: &dyn Agenda, script: Script) -> (String, Recorded) {
    told_from(agenda, script, None)
}

/// The same by a run that continues an earlier one.
pub fn told_from(agenda: &dyn Agenda, script: Script, earlier: Option<Recorded>) -> (String, Recorded) {
    let allows_changed_server = script.allows_changed_server;
    let world = World(Arc::new(Shared::new(script)));
    let mut sink = Lines::new(world.0.clone());
    let resumed = earlier.map(|earlier| Resumed(Arc::new(earlier) as Arc<dyn EarlierRun>));
    let request = Request { resumed, allows_changed_server, checks: world.0.script.checks, ..Request::default() };
    let outcome = run_in(&request, agenda, &world, &mut sink, &world.0.stop);
    world.0.line(&match outcome {
        Ok(state) => format!("=> {state:?}"),
        Err(problem) => format!("=> error: {}", problem.what.english()),
    });
    let lines = locked(&world.0.lines).join("\n");
    (lines, sink.recorded())
}

struct Shared {
    script: Script,
    start: Instant,
    /// How much time has passed.
    passed: Mutex<Duration>,
    /// What is still to happen.
    happens: Mutex<Vec<(When, Happening)>>,
    down: Mutex<BTreeSet<String>>,
    /// What servers say of their variables, and since when they are up.
    variables: Mutex<BTreeMap<String, BTreeMap<String, String>>>,
    /// What somebody keeps setting: server and variable, and the value.
    kept: Mutex<BTreeMap<(String, String), String>>,
    since: Mutex<BTreeMap<String, Duration>>,
    /// Servers that hold the data.
    loaded: Mutex<BTreeSet<String>>,
    /// How work on another thread asks the first to let time pass.
    asks: Mutex<Option<(Sender<Duration>, Receiver<()>)>>,
    stop: StopSignal,
    lines: Mutex<Vec<String>>,
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn new(script: Script) -> Shared {
        Shared {
            happens: Mutex::new(script.happens.clone()),
            script,
            start: Instant::now(),
            passed: Mutex::default(),
            down: Mutex::default(),
            variables: Mutex::default(),
            kept: Mutex::default(),
            since: Mutex::default(),
            loaded: Mutex::default(),
            asks: Mutex::new(None),
            stop: StopSignal::new(),
            lines: Mutex::default(),
        }
    }

    fn line(&self, line: &str) {
        locked(&self.lines).push(line.to_owned());
        self.happen(|when| matches!(when, When::Behind(words) if line.contains(words)));
    }

    /// Lets what is due happen.
    fn happen(&self, due: impl Fn(When) -> bool) {
        let due: Vec<_> = locked(&self.happens).extract_if(.., |(when, _)| due(*when)).collect();
        for (_, what) in due {
            self.line(&format!("  ! {what:?}"));
            match what {
                Happening::Stop => self.stop.ask(),
                Happening::Dies(server) => _ = locked(&self.down).insert(server.to_owned()),
                Happening::Returns(server) => _ = locked(&self.down).remove(server),
                Happening::Restarts(server) => {
                    locked(&self.variables).remove(server);
                    let now = *locked(&self.passed);
                    locked(&self.since).insert(server.to_owned(), now);
                }
                Happening::Keeps(server, name, value) => {
                    _ = locked(&self.kept).insert((server.to_owned(), name.to_owned()), value.to_owned())
                }
                Happening::Sets(server, name, value) => {
                    let mut all = locked(&self.variables);
                    all.entry(server.to_owned()).or_default().insert(name.to_owned(), value.to_owned());
                }
            }
        }
    }

    /// Moves the clock.
    fn set(&self, passed: Duration) {
        *locked(&self.passed) = passed;
        self.happen(|when| matches!(when, When::At(ms) if Duration::from_millis(ms) <= passed));
    }

    /// Lets time pass in work on another thread.
    fn work(&self, time: Duration) {
        let asks = locked(&self.asks);
        let (ask, go) = asks.as_ref().expect("this is work on another thread");
        ask.send(time).expect("somebody looks on");
        go.recv().expect("somebody looks on");
    }

    /// What the server of a target says of itself. A server that was up for a day before.
    fn inspection(&self, target: &Target) -> ServerInspection {
        let set = locked(&self.variables).get(&target.name).cloned().unwrap_or_default();
        let since = locked(&self.since).get(&target.name).copied();
        let passed = *locked(&self.passed);
        let age = since.map_or(Duration::from_hours(24) + passed, |since| passed.saturating_sub(since));
        let kept = locked(&self.kept).clone();
        let kept = |name: &str| kept.get(&(target.name.clone(), name.to_owned())).cloned();
        let has = |name: &str| kept(name).or_else(|| set.get(name).cloned()).unwrap_or_else(|| "0".to_owned());
        let unlike = target.server.iter().map(|(name, asked)| (name.clone(), [asked.clone(), has(name)]));
        let facts = target.server.keys().cloned().chain(["other".to_owned()]);
        ServerInspection {
            identity: target.name.clone(),
            version: "1".into(),
            uptime_s: Some(age.as_secs() as f64),
            unlike: unlike.filter(|(_, [asked, has])| asked != has).collect(),
            facts: facts.map(|name| (format!("variable.{name}"), has(&name))).collect(),
            ..ServerInspection::default()
        }
    }

    /// Fails while the server is down.
    fn up(&self, connector: &Connector) -> Result<(), Problem> {
        let server = &connector.dsn().host;
        match locked(&self.down).contains(server) {
            true => Err(Problem::new(foreign(format!("{server} does not answer")))),
            false => Ok(()),
        }
    }
}

struct World(Arc<Shared>);

/// A hundred rows in 200 ms.
impl SliceLoaders for World {
    fn count(&self) -> u32 {
        self.0.script.hosts.map_or(0, |(count, _)| count)
    }

    fn ready(&self) -> Result<(), Problem> {
        let lost = self.0.script.hosts.is_some_and(|(_, lost)| lost);
        if lost { Err(Problem::new(foreign("load host 2 was lost"))) } else { Ok(()) }
    }

    fn load(
        &self,
        trial: &Trial,
        _connector: &Connector,
        seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<u64, Problem> {
        self.0.line(&format!("  slices of {} by seed {seed}", trial.dataset.kind));
        for half in 1..=2 {
            self.0.work(Duration::from_millis(100));
            if stop.asked() {
                return Err(Problem::new(foreign("stopped while loading")));
            }
            progress(50 * half);
        }
        Ok(100)
    }
}

impl Environment for World {
    fn now(&self) -> Instant {
        self.0.start + *locked(&self.0.passed)
    }

    fn date(&self) -> String {
        "2026-01-01T00:00:00+00:00".into()
    }

    fn sleep(&self, time: Duration) {
        let until = *locked(&self.0.passed) + time;
        self.0.set(until);
    }

    fn beside(&self, work: Box<dyn FnOnce() + Send + '_>, look: &mut dyn FnMut()) -> bool {
        let ((ask, asked), (go, going)) = (channel(), channel());
        *locked(&self.0.asks) = Some((ask, going));
        std::thread::scope(|scope| {
            let working = scope.spawn(|| {
                let _ends = Ends(&self.0);
                work();
            });
            while let Ok(time) = asked.recv() {
                let (mut left, step) = (time, Duration::from_millis(20));
                while !left.is_zero() {
                    self.sleep(left.min(step));
                    left = left.saturating_sub(step);
                    look();
                }
                go.send(()).expect("it waits for that");
            }
            working.join().is_ok()
        })
    }

    fn client(&self) -> Facts {
        Facts::from([("cores".into(), "2".into())])
    }

    fn others_at_work(&self) -> Option<Finding> {
        None
    }

    fn connector(&self, target: &Target, _: &BTreeMap<String, Password>) -> Result<Connector, Problem> {
        let (user, host, database) = (String::new(), target.name.clone(), String::new());
        let dsn =
            Dsn { scheme: Scheme::Null, user, password: None, host, port: None, database, options: BTreeMap::new() };
        Connector::new(dsn, None)
    }

    fn sandbox(&self, options: &Options) -> Result<Box<dyn PrivateServer>, Problem> {
        let server = options.name.clone();
        if self.0.script.no_start == Some(&server) {
            return Err(Problem::new(foreign("the server did not start")));
        }
        locked(&self.0.down).remove(&server);
        locked(&self.0.loaded).remove(&server);
        self.0.line(&format!("  [{server} starts]"));
        Ok(Box::new(FakeServer(self.0.clone(), server)))
    }

    fn settings(
        &self,
        target: &Target,
        _: &Connector,
        _: &str,
    ) -> Result<(Box<dyn TargetSettings>, SettingsChange), Problem> {
        let settings = FakeSettings { shared: self.0.clone(), server: target.name.clone(), now: BTreeMap::new() };
        Ok((Box::new(settings), SettingsChange::default()))
    }

    fn link(&self, _: &Connector, link: LinkSpec) -> Result<SimulatedLink, Problem> {
        SimulatedLink::to(0, link)
    }

    fn settling(&self, _: &Connector, _: bool) -> Result<Option<Box<dyn Settling>>, Problem> {
        let dirty = self.0.script.dirty_percent;
        Ok(dirty.map(|dirty| Box::new(FakeSettling(self.0.clone(), dirty)) as Box<dyn Settling>))
    }

    fn replicate(&self, _: &Connector, replica: &ReplicaSubject, delay_s: u64) -> Result<(), Problem> {
        self.0.line(&format!("  [{} follows, {delay_s} s behind]", replica.name));
        Ok(())
    }

    fn command(&self, command: &UserCommand<'_>, _: &StopSignal) -> Result<CommandEnd, Problem> {
        let about = |name: &str| command.environment.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value);
        self.0.line(&format!("  [{} for trial {} {}]", command.text, about("TENBIN_TRIAL"), about("TENBIN_STATE")));
        let failure = command.text.contains("fails").then(|| foreign("exit code 1"));
        Ok(CommandEnd { failure, output: "words".into(), took: Duration::ZERO })
    }

    fn inspect(
        &self,
        target: &Target,
        connector: &Connector,
        _tables: &[String],
    ) -> Result<Option<ServerInspection>, Problem> {
        self.0.up(connector)?;
        Ok(self.0.script.inspected.then(|| self.0.inspection(target)))
    }

    fn server(&self, connector: &Connector) -> Result<Facts, Problem> {
        let mut facts = Facts::from([("version".into(), "1".into())]);
        if self.0.script.inspected {
            let mut all = locked(&self.0.variables).get(&connector.dsn().host).cloned().unwrap_or_default();
            all.entry("other".to_owned()).or_insert_with(|| "0".to_owned());
            facts.extend(all.into_iter().map(|(name, value)| (format!("variable.{name}"), value)));
        }
        self.0.up(connector).map(|()| facts)
    }

    fn machine(&self, _: &Target, _: &Connector, _: Option<u32>, _: &Facts) -> Result<Facts, Problem> {
        Ok(Facts::new())
    }

    fn managed(&self, _: &CloudAccess, _: &Dsn, _: &StopSignal) -> Result<(Facts, Vec<Finding>), Problem> {
        Ok((Facts::new(), Vec::new()))
    }

    fn process(&self, _: &Connector) -> Option<u32> {
        None
    }

    fn same_scheduling_group(&self, _: u32) -> bool {
        false
    }

    fn may_drop(&self, _: &Trial, _: &Connector) -> Result<(), Problem> {
        Ok(())
    }

    fn may_write(&self, _: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
        self.0.up(connector).map(|()| None)
    }

    fn preflight(&self, connector: &Connector, _: &Needs) -> Vec<Finding> {
        if self.0.script.checks != Checks::EachTrial {
            self.0.line(&format!("  [limits of {}]", connector.dsn().host));
        }
        Vec::new()
    }

    fn room(
        &self,
        _: &dyn Dataset,
        _: &Connector,
        _: Option<u32>,
    ) -> Result<(Room, u64), tenbin_words::message::Message> {
        Err(foreign("this server is not looked at"))
    }

    fn waiting(&self, _: &Connector) -> Waiting {
        Waiting { problem: Problem::new(foreign("the server does not answer")), answers: false }
    }

    fn dataset(&self, _: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
        Ok(Some(Box::new(FakeData(self.0.clone()))))
    }

    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem> {
        let service = Duration::from_millis((self.0.script.service_ms)(trial));
        Ok(Arc::new(FakeWorkload { shared: self.0.clone(), connector: connector.clone(), service }))
    }

    fn round_trips(&self, connector: &Connector, _: &dyn Workload) -> Option<Arc<dyn Workload>> {
        let service = Duration::from_micros(self.0.script.round_trip_us?);
        Some(Arc::new(FakeWorkload { shared: self.0.clone(), connector: connector.clone(), service }))
    }

    fn observe(&self, _: &Subject, sampling: Sampling, _: &[&str]) -> Box<dyn Observers> {
        let (shared, seen) = (self.0.clone(), RefCell::default());
        let observers = FakeObservers { shared, seen, read_ms: Cell::new(0), minute: Cell::new(0) };
        if self.0.script.observed {
            let readings = vec![ReadingSpec::counter("beats", "", Whose::Client)];
            let declared = tenbin_observers::ObserverEvent::Declared {
                observer: "client.heart",
                period: sampling.every,
                readings,
            };
            observers.seen.borrow_mut().push_back(declared);
        }
        if self.0.script.late_ms.is_some() {
            let readings = vec![ReadingSpec::gauge("WriteIOPS", "", Whose::Server)];
            let declared = tenbin_observers::ObserverEvent::Declared {
                observer: "cloudwatch",
                period: Duration::from_mins(1),
                readings,
            };
            observers.seen.borrow_mut().push_back(declared);
        }
        Box::new(observers)
    }

    fn loaders(&self) -> Option<&dyn SliceLoaders> {
        self.0.script.hosts.map(|_| self as &dyn SliceLoaders)
    }

    fn drive(
        &self,
        work: &Work<'_>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(HostEvent) -> Result<(), Problem>,
    ) -> Result<HostsEnded, Problem> {
        let mut ended = self.drive_together(std::slice::from_ref(work), stop, &mut |_, seen| listener(seen));
        ended.swap_remove(0).ended
    }

    fn drive_together(
        &self,
        works: &[Work<'_>],
        stop: &StopSignal,
        listener: TogetherListener<'_>,
    ) -> Vec<EndedBeside> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build_local(LocalOptions::default())
            .expect("a runtime");
        let before = *locked(&self.0.passed);
        let listener = RefCell::new(listener);
        runtime.block_on(async {
            let start = tokio::time::Instant::now();
            for (when, _) in locked(&self.0.happens).iter() {
                let When::At(ms) = *when else { continue };
                let shared = self.0.clone();
                tokio::task::spawn_local(async move {
                    tokio::time::sleep_until(start + Duration::from_millis(ms) - before).await;
                    shared.set(Duration::from_millis(ms));
                });
            }
            let driven = |(number, work): (usize, &Work<'_>)| {
                let (listener, workload) = (&listener, work.workload.clone());
                let since_origin = (self.0.start + before).duration_since(work.drive.origin);
                let what = Drive { origin: start.into_std() - since_origin, ..work.drive.clone() };
                async move {
                    let ended = drive_here(&what, &*workload, stop, &mut |seen| {
                        self.0.set(before + start.elapsed());
                        (listener.borrow_mut())(number, HostEvent::Together(seen))
                    })
                    .await;
                    self.0.set(before + start.elapsed());
                    ended.map(|ended| HostsEnded { ended, parts: Vec::new() })
                }
            };
            let mut all: Vec<_> = works.iter().enumerate().map(driven).map(Box::pin).collect();
            let mut done: Vec<Option<Result<HostsEnded, Problem>>> = works.iter().map(|_| None).collect();
            std::future::poll_fn(|context| {
                for (drive, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
                    if let Poll::Ready(ended) = drive.as_mut().poll(context) {
                        *done = Some(ended);
                    }
                }
                if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
            })
            .await;
            done.into_iter().flatten().map(|ended| EndedBeside { ended, beside: ClientsBeside::default() }).collect()
        })
    }
}

/// Tells, also on a panic, that work on another thread has ended.
struct Ends<'a>(&'a Shared);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        locked(&self.0.asks).take();
    }
}

//! A world in which runs take no time: its clock moves only where somebody waits, its servers are up or down as a test
//! says, and what happens in it is taken down a line at a time. The engine is the real one, on tokio's paused clock.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connector, Error, Reply, Transport};
use tenbin_engine::{Drive, Ended, EngineEvent, drive_here};
use tenbin_lab::{Environment, Listener, Observers, PrivateServer, Request, run_in};
use tenbin_model::agenda::{Agenda, FixedOrder};
use tenbin_model::dsn::{Dsn, Password, Scheme};
use tenbin_model::event::{Event, Sink};
use tenbin_model::message::foreign;
use tenbin_model::plan::{Plan, expand};
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::Summary;
use tenbin_model::tally::StatementKind;
use tenbin_model::trial::{Target, Trial};
use tenbin_targets::Waiting;
use tenbin_targets::disk::Room;
use tenbin_targets::doctor::{Finding, Needs};
use tenbin_targets::facts::Facts;
use tenbin_targets::observer::{self, Sample, Sampling, Subject};
use tenbin_targets::role::Role;
use tenbin_targets::sandbox::Options;
use tenbin_workload::{BoxFuture, Client, Dataset, DatasetState, Progress, TransactionContext, Workload};
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
}

/// When it happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// So many milliseconds after the run began.
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
    /// The listener fails at the first line that holds this.
    pub sink_fails: Option<&'static str>,
    /// Milliseconds of each transaction of a trial.
    pub service_ms: fn(&Trial) -> u64,
}

impl Default for Script {
    fn default() -> Self {
        Script { happens: Vec::new(), no_start: None, observed: false, sink_fails: None, service_ms: |_| 100 }
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
pub fn told_by(agenda: &dyn Agenda, script: Script) -> (String, Summary) {
    let world = World(Arc::new(Shared::new(script)));
    let mut sink = Lines(world.0.clone(), Summary::default());
    let outcome = run_in(&Request::default(), agenda, &world, &mut sink, &world.0.stop);
    world.0.line(&match outcome {
        Ok(state) => format!("=> {state:?}"),
        Err(problem) => format!("=> error: {}", problem.what.english()),
    });
    (locked(&world.0.lines).join("\n"), sink.1)
}

struct Shared {
    script: Script,
    start: Instant,
    /// How much time has passed.
    passed: Mutex<Duration>,
    /// What is still to happen.
    happens: Mutex<Vec<(When, Happening)>>,
    down: Mutex<BTreeSet<String>>,
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

    fn server(&self, connector: &Connector) -> Result<Facts, Problem> {
        self.0.up(connector).map(|()| Facts::from([("version".into(), "1".into())]))
    }

    fn process(&self, _: &Connector) -> Option<u32> {
        None
    }

    fn may_write(&self, _: &Trial, connector: &Connector) -> Result<Option<Role>, Problem> {
        self.0.up(connector).map(|()| None)
    }

    fn preflight(&self, _: &Connector, _: &Needs) -> Vec<Finding> {
        Vec::new()
    }

    fn room(
        &self,
        _: &dyn Dataset,
        _: &Connector,
        _: Option<u32>,
    ) -> Result<(Room, u64), tenbin_model::message::Message> {
        Err(foreign("nobody looks"))
    }

    fn waiting(&self, _: &Connector) -> Waiting {
        Waiting { told: Problem::new(foreign("the server does not answer")), answers: false }
    }

    fn dataset(&self, _: &Trial) -> Result<Option<Box<dyn Dataset>>, Problem> {
        Ok(Some(Box::new(FakeData(self.0.clone()))))
    }

    fn workload(&self, trial: &Trial, connector: &Connector) -> Result<Arc<dyn Workload>, Problem> {
        let service = Duration::from_millis((self.0.script.service_ms)(trial));
        Ok(Arc::new(FakeWorkload { shared: self.0.clone(), connector: connector.clone(), service }))
    }

    fn observe(&self, _: &Subject, sampling: Sampling, _: &[&str]) -> Box<dyn Observers> {
        let observers = FakeObservers { shared: self.0.clone(), seen: RefCell::default() };
        if self.0.script.observed {
            let readings = vec![ReadingSpec::counter("beats", "", Whose::Client)];
            let declared =
                observer::ObserverEvent::Declared { observer: "client.heart", period: sampling.every, readings };
            observers.seen.borrow_mut().push_back(declared);
        }
        Box::new(observers)
    }

    fn drive(
        &self,
        what: &Drive,
        workload: &Arc<dyn Workload>,
        stop: &StopSignal,
        listener: &mut dyn FnMut(EngineEvent) -> Result<(), Problem>,
    ) -> Result<Ended, Problem> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build_local(LocalOptions::default())
            .expect("a runtime");
        let before = *locked(&self.0.passed);
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
            let since_origin = (self.0.start + before).duration_since(what.origin);
            let what = Drive { origin: start.into_std() - since_origin, ..what.clone() };
            let ended = drive_here(&what, &**workload, stop, &mut |seen| {
                self.0.set(before + start.elapsed());
                listener(seen)
            })
            .await;
            self.0.set(before + start.elapsed());
            ended
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

struct FakeServer(Arc<Shared>, String);

impl PrivateServer for FakeServer {
    fn dsn(&self) -> String {
        format!("mysql://{}/d", self.1)
    }

    fn pid(&self) -> Option<u32> {
        None
    }

    fn ended(&self) -> Option<Problem> {
        locked(&self.0.down).contains(&self.1).then(|| Problem::new(foreign(format!("{} has ended by itself", self.1))))
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.0.line(&format!("  [{} is stopped]", self.1));
    }
}

/// A hundred rows, loaded in 400 ms and dropped in 50.
struct FakeData(Arc<Shared>);

impl Dataset for FakeData {
    fn kind(&self) -> &str {
        "fake"
    }

    fn rows(&self) -> u64 {
        100
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn statements(&self) -> Vec<String> {
        Vec::new()
    }

    fn inspect(&self, connector: &Connector) -> Result<DatasetState, Problem> {
        self.0.up(connector)?;
        let there = locked(&self.0.loaded).contains(&connector.dsn().host);
        Ok(if there { DatasetState::Ready { ours: true } } else { DatasetState::Nothing })
    }

    fn load(
        &self,
        connector: &Connector,
        _streams: u32,
        _seed: u64,
        progress: Progress<'_>,
        stop: &StopSignal,
    ) -> Result<Vec<Problem>, Problem> {
        for quarter in 1..=4 {
            self.0.work(Duration::from_millis(100));
            self.0.up(connector)?;
            if stop.asked() {
                return Err(Problem::new(foreign("stopped while loading")));
            }
            progress(25 * quarter);
        }
        locked(&self.0.loaded).insert(connector.dsn().host.clone());
        Ok(Vec::new())
    }

    fn drop_ours(&self, connector: &Connector) -> Result<(), Problem> {
        self.0.work(Duration::from_millis(50));
        self.0.up(connector)?;
        locked(&self.0.loaded).remove(&connector.dsn().host);
        Ok(())
    }
}

#[derive(Clone)]
struct FakeWorkload {
    shared: Arc<Shared>,
    connector: Connector,
    service: Duration,
}

impl Workload for FakeWorkload {
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

    fn blocks(&self) -> bool {
        false
    }

    fn local(&self) -> bool {
        true
    }

    fn client(&self, _number: u32, _of: u32, _seed: u64) -> Box<dyn Client> {
        Box::new(FakeClient(self.clone()))
    }
}

struct FakeClient(FakeWorkload);

impl FakeClient {
    fn up(&self, class: Class) -> Result<(), Error> {
        self.0.shared.up(&self.0.connector).map_err(|problem| Error::new(class, problem.what))
    }
}

impl Client for FakeClient {
    fn connect(&mut self, _: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move { self.up(Class::Refused) })
    }

    fn transaction<'a>(&'a mut self, turn: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let work = async {
                tokio::time::sleep(self.0.service).await;
                self.up(Class::Lost).map(|()| Reply { rows: 1, ..Reply::default() })
            };
            turn.time(0, work).await?;
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

/// One observer that counts the milliseconds of the run.
struct FakeObservers {
    shared: Arc<Shared>,
    seen: RefCell<VecDeque<observer::ObserverEvent>>,
}

impl Observers for FakeObservers {
    fn next(&self) -> Option<observer::ObserverEvent> {
        self.seen.borrow_mut().pop_front()
    }

    fn begin(&self) {
        self.sample();
    }

    fn sample(&self) {
        if self.shared.script.observed {
            let passed = *locked(&self.shared.passed);
            let values = BTreeMap::from([("beats".to_owned(), passed.as_millis() as f64)]);
            let (observer, at_ns) = ("client.heart", passed.as_nanos() as u64);
            self.seen.borrow_mut().push_back(observer::ObserverEvent::Sampled {
                observer,
                at_ns,
                sample: Sample::from(values),
            });
        }
    }

    fn connections(&self) -> u32 {
        0
    }

    fn quietly(&self, work: &mut dyn FnMut()) {
        work();
    }

    fn finish(&self) {
        self.sample();
    }

    fn hung(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// Takes down a line for each event.
struct Lines(Arc<Shared>, Summary);

impl Listener for Lines {
    fn summary(&self) -> &Summary {
        &self.1
    }
}

impl Sink for Lines {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.1.take(event);
        let Some(line) = self.line(event) else { return Ok(()) };
        if self.0.script.sink_fails.is_some_and(|words| line.contains(words)) {
            return Err(Problem::new(foreign("the disk is full")));
        }
        self.0.line(&line);
        Ok(())
    }
}

impl Lines {
    /// Progress is left out: it is not kept.
    fn line(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::RunStarted { .. } => "run".to_owned(),
            Event::TrialPlanned { planned: t, expected } => {
                format!("planned {} of {expected}: {} {}", t.number, t.target.name, t.repeat)
            }
            Event::TrialStarted { trial, at_ns } => format!("{} trial {trial}", ms(*at_ns)),
            Event::PhaseStarted { phase, at_ns, .. } => format!("  {} at {}", phase.name(), ms(*at_ns)),
            Event::Progress { .. } => return None,
            Event::Interval { from_ns, to_ns, clients, tally, .. } => {
                let a = &tally.accounting;
                let counts = format!("{} = {} + {} + {} + {}", a.scheduled, a.completed, a.failed, a.skipped, a.open);
                format!("  {}-{}: {counts}, {clients} clients", ms(*from_ns), ms(*to_ns))
            }
            Event::ObserverDeclared { observer, readings, .. } => {
                let names: Vec<&str> = readings.iter().map(|spec| &*spec.name).collect();
                format!("  {observer} declares {}", names.join(", "))
            }
            Event::Observation { observer, at_ns, values, .. } => format!("  {observer} at {}: {values:?}", ms(*at_ns)),
            Event::Facts { about, facts, .. } => {
                format!("  facts of {about}: {}", facts.keys().cloned().collect::<Vec<_>>().join(", "))
            }
            Event::Note { severity, problem, .. } => format!("  {severity:?}: {}", problem.what.english()),
            Event::TrialFinished { at_ns, state, measured_from_ns, measured_to_ns, .. } => {
                format!("{} {state:?}, measured {}-{}", ms(*at_ns), ms(*measured_from_ns), ms(*measured_to_ns))
            }
            Event::RunFinished { at_ns, state } => format!("{} run {state:?}", ms(*at_ns)),
        })
    }
}

/// Nanoseconds as milliseconds, without trailing zeros.
fn ms(ns: u64) -> String {
    format!("{}", ns as f64 / 1e6)
}

//! A script as a load: each client is a Lua state, one event() is a transaction. It runs on a [`ScriptCoroutine`], which
//! is suspended between events, and while a call waits if its thread has other clients; with a dedicated thread calls
//! block. If nothing is sent, events run in bursts and there is no coroutine.
//!
//! `init()` runs in the main state before the first client starts, `done()` after the last has ended.

use super::coroutine::ScriptCoroutine;
use super::machine::{Machine, Outcome, Trouble};
use super::{Inner, Script};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tenbin_driver::{Class, Error, Transport};
use tenbin_model::names::tables::SET_BY_LOAD;
use tenbin_model::tally::StatementKind;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::tables::others;
use tenbin_workload::{BoxFuture, Client, MemoryRange, StatementRecord, TargetReach, TransactionContext, Workload};

/// Memory mappings of a Lua state: seen with 200 of them.
const MAPPINGS: u32 = 2;

/// Events per call if nothing is sent; a call ends earlier when it has lasted long enough.
const BURST: u32 = 256;

impl Script {
    /// Whether it has a command `run` of its own, which is executed once and not by clients.
    pub fn replaces_run(&self) -> bool {
        self.commands().iter().any(|command| command.name == "run")
    }
}

/// The load of a script that has an event().
pub(super) fn make(script: &Script) -> Result<Box<dyn Workload>, Problem> {
    if script.replaces_run() {
        let path = shell::word(&script.0.title);
        let what = msg!("script-replaces-run", script = script.0.title);
        return Err(Problem::new(what).hint(msg!("execute-own-run", script = path)));
    }
    if !script.has_event() {
        return Err(
            Problem::new(msg!("script-without-event", script = script.0.title)).hint(msg!("write-event-function"))
        );
    }
    let name = Path::new(&script.0.title).file_stem().and_then(|s| s.to_str()).unwrap_or("script").to_owned();
    let life =
        Arc::new(Lifecycle { begun: Mutex::new(None), clients: AtomicU32::new(0), refused: AtomicBool::new(false) });
    let blocks = script.0.shared.connector.reach().blocks || script.main(|main| main.stands_still());
    let runs_itself = script.main(|main| main.runs_itself());
    let connects = script.main(|main| main.connects());
    Ok(Box::new(ScriptWorkload { script: script.clone(), name, blocks, connects, runs_itself, life }))
}

struct ScriptWorkload {
    script: Script,
    name: String,
    blocks: bool,
    /// Whether its text names functions of a database.
    connects: bool,
    /// Whether it has its own thread_run().
    runs_itself: bool,
    life: Arc<Lifecycle>,
}

/// What all clients of a drive share.
struct Lifecycle {
    /// The result of init(), once it has run.
    begun: Mutex<Option<Result<(), Error>>>,
    /// The number of existing clients.
    clients: AtomicU32,
    /// Whether a client could not begin: none then has events.
    refused: AtomicBool,
}

impl Workload for ScriptWorkload {
    fn name(&self) -> &str {
        &self.name
    }

    fn transactions(&self) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn statements(&self) -> Vec<(String, StatementKind)> {
        self.script.0.shared.names.all()
    }

    fn options(&self) -> BTreeMap<String, String> {
        self.script.all_options()
    }

    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        let set = self.script.0.source.sets_durability();
        Ok(set
            .map(|line| (SET_BY_LOAD.to_owned(), format!("{}:{line}", self.script.0.source.shown())))
            .into_iter()
            .collect())
    }

    fn within_reach(&self) -> Result<Vec<String>, Problem> {
        Ok(others::reach(&self.script.0.shared.connector)?.map(|reach| reach.foreign).unwrap_or_default())
    }

    fn truncates(&self) -> bool {
        self.script.0.source.truncates()
    }

    fn prepared_per_connection(&self) -> u32 {
        // Known only once it has prepared them.
        0
    }

    fn mappings_per_client(&self) -> u32 {
        MAPPINGS
    }

    fn reach(&self) -> TargetReach {
        let reach = self.script.0.shared.connector.reach();
        TargetReach { blocks: self.blocks, sends_nothing: reach.sends_nothing || !self.connects, ..reach }
    }

    fn interrupt(&self) {
        // Not the main state: reports come after the drive.
        self.script.0.shared.stop.store(true, Ordering::SeqCst);
        self.script.0.running.interrupt(false);
    }

    fn burst(&self) -> u32 {
        if self.script.0.shared.dry() && !self.runs_itself { BURST } else { 1 }
    }

    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client> {
        Box::new(ScriptClient {
            script: self.script.clone(),
            life: Arc::clone(&self.life),
            thread: (number, of),
            seed,
            machine: None,
            coroutine: None,
            retold: None,
            ended: None,
            runs_itself: self.runs_itself,
            ends_with_work: false,
            has_failed: false,
            came_to: Rc::default(),
            parting: Vec::new(),
            between: Vec::new(),
        })
    }
}

struct ScriptClient {
    script: Script,
    life: Arc<Lifecycle>,
    thread: (u32, u32),
    seed: u64,
    // Before the machine, whose functions may stand on it.
    coroutine: Option<ScriptCoroutine>,
    machine: Option<Box<Machine>>,
    /// A lost connection that has not been reported to the script.
    retold: Option<()>,
    /// The last event of a burst if it failed, and its statements: returned by the next call.
    ended: Option<(Outcome, Vec<StatementRecord>)>,
    runs_itself: bool,
    /// Whether the script has a thread_done(). Asked once: a state that is suspended in compiled code must not be entered.
    ends_with_work: bool,
    /// Whether its last event ended the run: under sysbench's name there is then no thread_done().
    has_failed: bool,
    /// The outcome of its events, or its thread_run(), on the coroutine.
    came_to: Rc<Cell<Option<Outcome>>>,
    /// The statements of its thread_done().
    parting: Vec<StatementRecord>,
    /// Those that its function sent between two attempts of an event: they are counted with the next one.
    between: Vec<StatementRecord>,
}

impl ScriptClient {
    /// A state, and the script's thread_init().
    async fn begin(&mut self) -> Result<(), Error> {
        let ScriptClient { script, life, thread, seed, coroutine, .. } = self;
        life.begin(script, thread.1)?;
        let handle = coroutine.as_ref().map(ScriptCoroutine::handle);
        let make = || {
            let refuse = |p: Problem| Error::new(Class::Refused, foreign(p));
            let mut machine = script.0.machine(*thread, *seed, Some("run"), handle).map_err(refuse)?;
            machine.host.counts = script.0.framed.load(Ordering::SeqCst);
            match machine.call("call", "thread_init") {
                Outcome::Well | Outcome::Leave => Ok(Box::new(machine)),
                Outcome::Again(trouble) | Outcome::Failed(trouble) => {
                    Err(trouble.error("thread_init()", Class::Refused, None))
                }
            }
        };
        let machine = on(coroutine, make).await??;
        self.ends_with_work = machine.has("thread_done");
        self.life.clients.fetch_add(1, Ordering::SeqCst);
        self.machine = Some(machine);
        Ok(())
    }

    /// Reopens its connections; a function of the script may then run.
    async fn resume(&mut self) -> Result<(), Error> {
        let ScriptClient { machine: Some(machine), coroutine, retold, between, .. } = self else { return Ok(()) };
        on(coroutine, || {
            machine.host.reopen()?;
            if retold.take().is_some()
                && let Outcome::Failed(trouble) = before_restart(machine, between)
            {
                return Err(trouble.error("before_restart_event()", Class::Lost, None));
            }
            Ok(())
        })
        .await?
    }
}

/// The next event of the loop that the client is in, ours or the script's own thread_run(); it is started if it is not
/// running.
#[inline]
async fn part(
    machine: &mut Machine,
    coroutine: &mut ScriptCoroutine,
    runs_itself: bool,
    came_to: &Rc<Cell<Option<Outcome>>>,
) -> Result<Outcome, Error> {
    if !coroutine.in_parts() {
        coroutine.take_on(machine.main_loop(runs_itself, Rc::clone(came_to)));
    }
    match coroutine.part().await {
        Some(false) => Ok(Outcome::Well),
        Some(true) => Ok(match came_to.take() {
            Some(Outcome::Well) | None => Outcome::Leave,
            Some(other) => other,
        }),
        None => Err(panicked()),
    }
}

fn panicked() -> Error {
    Error::new(Class::Protocol, msg!("client-panicked-before"))
}

/// Calls the script's function between two attempts of an event; what it sends is counted, as in sysbench.
fn before_restart(machine: &mut Machine, between: &mut Vec<StatementRecord>) -> Outcome {
    machine.host.marks.clear();
    machine.host.counts = true;
    let outcome = machine.call("before_restart", "");
    machine.host.counts = false;
    between.append(&mut machine.host.marks);
    outcome
}

/// Events until the context's limit or the first failure. If nothing is sent, no call waits.
fn burst(
    machine: &mut Machine,
    context: &mut TransactionContext,
    ended: &mut Option<(Outcome, Vec<StatementRecord>)>,
) -> Outcome {
    std::mem::swap(&mut context.burst, &mut machine.host.burst.each_ns);
    machine.host.begin_burst(context.leave as usize);
    let outcome = machine.events();
    std::mem::swap(&mut context.burst, &mut machine.host.burst.each_ns);
    let well = context.burst.len();
    if well == 1 {
        context.burst.clear();
    }
    if well == 0 || matches!(outcome, Outcome::Well) {
        return outcome;
    }
    let whole = machine.host.burst.marks;
    *ended = Some((outcome, machine.host.marks.split_off(whole)));
    Outcome::Well
}

/// Does a piece of a client's work: on its coroutine, if it has one.
#[inline]
async fn on<T>(coroutine: &mut Option<ScriptCoroutine>, work: impl FnOnce() -> T) -> Result<T, Error> {
    match coroutine {
        None => Ok(work()),
        Some(coroutine) => coroutine.run(work).await.ok_or_else(panicked),
    }
}

impl Client for ScriptClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let dry = self.script.0.shared.dry();
            if (!dry || self.runs_itself) && self.coroutine.is_none() {
                let waits = transport == Transport::Shared && !dry;
                let no_room = |e| Error::new(Class::Limit, msg!("no-stack-for-client", error = e));
                self.coroutine = Some(ScriptCoroutine::new(waits).map_err(no_room)?);
            }
            if self.machine.is_some() {
                return self.resume().await;
            }
            let begun = self.begin().await;
            self.life.refused.fetch_or(begun.is_err(), Ordering::SeqCst);
            begun
        })
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            let Some(machine) = &mut self.machine else { return Err(Error::new(Class::Lost, msg!("not-connected"))) };
            // The marks' memory goes there and comes back.
            std::mem::swap(&mut context.records, &mut machine.host.marks);
            machine.host.marks.append(&mut self.between);
            (machine.host.counts, machine.host.last) = (true, Instant::now());
            let outcome = match self.ended.take() {
                Some((outcome, marks)) => {
                    machine.host.marks.extend(marks);
                    outcome
                }
                None => match &mut self.coroutine {
                    Some(coroutine) => part(machine, coroutine, self.runs_itself, &self.came_to).await?,
                    None => burst(machine, context, &mut self.ended),
                },
            };
            machine.host.counts = false;
            context.reconnects += std::mem::take(&mut machine.host.reconnects);
            context.connect_errors.append(&mut machine.host.connect_errors);
            std::mem::swap(&mut context.records, &mut machine.host.marks);
            self.has_failed = matches!(outcome, Outcome::Failed(_));
            match outcome {
                Outcome::Well => Ok(0),
                Outcome::Leave => {
                    context.quit = true;
                    Ok(0)
                }
                Outcome::Again(trouble) => {
                    let lost = trouble.error.as_ref().is_some_and(|e| e.class() == Class::Lost);
                    self.retold = lost.then_some(());
                    if lost {
                        return Err(trouble.error("event()", Class::Lost, None));
                    }
                    // Without the server's error number, by which the engine would decide what only the script can.
                    Err(Error::new(Class::Conflict, trouble.error("event()", Class::Conflict, None).what()))
                }
                Outcome::Failed(trouble) => {
                    let class = trouble.error.as_ref().map_or(Class::Sql, Error::class);
                    // Not in the list of errors that restart the event.
                    let class = if class == Class::Conflict { Class::Sql } else { class };
                    let last = context.records.last().and_then(|m| self.script.0.shared.names.get(m.statement));
                    let ignored = trouble.error.as_ref().is_some_and(|e| self.script.0.shared.ignore.covers(e));
                    let error = trouble.error("event()", class, last);
                    // The script has ended what its list of errors would have restarted: the engine must not do so by the number.
                    Err(if ignored { Error::new(class, error.what()) } else { error })
                }
            }
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        let stack = self.coroutine.as_ref().map(ScriptCoroutine::memory);
        stack.into_iter().chain(self.machine.iter().flat_map(|machine| machine.host.memory())).collect()
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let ScriptClient { machine: Some(machine), coroutine, between, .. } = self else { return Ok(()) };
            on(coroutine, || {
                // sysbench does not do this, and its next BEGIN then commits half a transaction.
                machine.host.roll_back();
                match before_restart(machine, between) {
                    Outcome::Failed(trouble) => Err(trouble.error("before_restart_event()", Class::Sql, None)),
                    _ => Ok(()),
                }
            })
            .await?
        })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Some(mut machine) = self.machine.take() else { return Ok(()) };
            machine.host.counts = self.script.0.framed.load(Ordering::SeqCst);
            machine.host.marks.clear();
            machine.host.over = true;
            if let Some(coroutine) = self.coroutine.as_mut().filter(|coroutine| coroutine.in_parts()) {
                // It sees that there are no more events.
                let _ = part(&mut machine, coroutine, self.runs_itself, &self.came_to).await;
            }
            let is_cut_off = self.has_failed || self.life.refused.load(Ordering::SeqCst);
            let has_end = !(is_cut_off && self.script.0.as_sysbench);
            let goodbye = move || {
                let outcome = if has_end { machine.call("call", "thread_done") } else { Outcome::Well };
                let marks = std::mem::take(&mut machine.host.marks);
                drop(machine);
                (outcome, marks)
            };
            let outcome = on(&mut self.coroutine, goodbye).await.map(|(outcome, marks)| {
                self.parting = marks;
                self.parting.append(&mut self.between);
                outcome
            });
            if self.life.clients.fetch_sub(1, Ordering::SeqCst) == 1 {
                self.life.end(&self.script);
            }
            match outcome? {
                Outcome::Failed(trouble) => Err(trouble.error("thread_done()", Class::Sql, None)),
                _ => Ok(()),
            }
        })
    }

    fn ends_with_work(&self) -> bool {
        self.ends_with_work
    }

    // sysbench's totals include the statements of thread_init() and thread_done().
    fn aside(&mut self, context: &mut TransactionContext) {
        context.records.append(&mut self.parting);
        if let Some(machine) = &mut self.machine {
            context.records.append(&mut machine.host.marks);
            machine.host.counts = false;
        }
    }
}

impl Lifecycle {
    /// Ensures that init() has run, once.
    fn begin(&self, script: &Script, threads: u32) -> Result<(), Error> {
        if script.0.framed.load(Ordering::SeqCst) {
            return Ok(());
        }
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = &*begun {
            return outcome.clone();
        }
        begun.insert(init(script, threads)).clone()
    }

    fn end(&self, script: &Script) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if begun.take().is_some() {
            // Its result does not affect what was measured.
            let _ = script.main(|main| main.call("call_once", "done"));
        }
    }
}

/// Runs the script's init() in the main state.
pub(super) fn init(script: &Script, threads: u32) -> Result<(), Error> {
    let inner: &Inner = &script.0;
    script.main(|main| {
        let set = main.set_options(&inner.options_for(threads), inner.declared.is_none());
        set.map_err(|e| Error::new(Class::Refused, foreign(super::machine::words(&e))))?;
        match main.call("call_once", "init") {
            Outcome::Well | Outcome::Leave => Ok(()),
            Outcome::Again(t) | Outcome::Failed(t) => Err(t.error("init()", Class::Refused, None)),
        }
    })
}

impl Trouble {
    /// The error for the engine: what the script threw, with file and line, and the statement that caused it, or
    /// otherwise the last one sent.
    fn error(self, function: &str, class: Class, last: Option<String>) -> Error {
        let Trouble { message, error, full, in_flight, preparing } = self;
        let place = match (&error, last) {
            (Some(_), _) if preparing => format!(" [preparing: {in_flight}]"),
            (Some(_), _) if !in_flight.is_empty() => format!(" [statement: {in_flight}]"),
            (None, Some(last)) => format!(" [after: {last}]"),
            _ => String::new(),
        };
        let message = msg!("script-function-says", function, message, place);
        match (error, full) {
            (Some(error), _) => error.retold(class, message),
            (None, Some(limit)) => Error::new(class, message).hint(super::machine::more_memory(limit)),
            (None, None) => Error::new(class, message).hint(msg!("correct-script-line")),
        }
    }
}

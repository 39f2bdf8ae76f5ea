//! Users' own sysbench scripts, unmodified, on LuaJIT: [`Script`] is the whole interface.
//!
//! ```text
//! let script = Script::open("tpcc.lua", Some("run"), &options, connector)?;
//! script.options();                       // what it declares: name, type, default, help
//! script.commands();                      // prepare, cleanup, help, its own; which of them are parallel
//! script.run_command("prepare", 8)?;      // in the main state, or in 8 threads if it is parallel
//! let workload = script.workload();       // for the engine: init() before the first client, done() after the last
//! script.report(Hook::Intermediate, &stat)?; // when script.reports(Hook::Intermediate)
//! ```
//!
//! | | |
//! |---|---|
//! | what scripts call | `lua/*.lua`, which calls [`api`] through ffi; [`symbols`]: sysbench's C names |
//! | one thread's part of it | [`host`]: connections, statements; [`draws`]: random numbers and texts |
//! | one Lua state | [`machine`] |
//! | driven by the engine | [`workload`]: one state per client, on a thread or a [`coroutine`] of its own |
//! | options | [`settings`] |
//! | sysbench's own scripts | [`own`] |
//! | names of statements | [`names`] |
//! | its prepare as a data set of plans | [`data`] |
//!
//! A script is opened for one command, because sysbench sets the command (`sysbench.cmdline.command`) before its body
//! runs, and bodies read it. The body runs once in the main state, which `open` creates, and once in the state of each
//! client or thread of a parallel command, as in sysbench.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod api;
mod bulk;
mod coroutine;
mod coroutine_handle;
pub mod data;
mod draws;
mod hook;
mod host;
mod host_shared;
mod machine;
mod names;
mod own;
mod quotes;
mod settings;
mod source;
#[cfg(any(test, all(target_env = "musl", target_feature = "crt-static")))]
mod static_symbols;
mod stock;
mod symbols;
mod workload;

use coroutine_handle::CoroutineHandle;
pub use hook::{Hook, Stat};
pub use host::COUNTED_ERRORS;
use host_shared::HostShared;
pub use host_shared::{CaughtError, SentAs};
use machine::{Machine, Outcome, Role, RunningStates, Trouble};
pub use own::module;
use settings::Ignore;
pub use settings::{ScriptOption, Type, WHOLE, leading_number};
use settings::{TypedValue, general, is_general};
use source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
pub use stock::replaced;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionMap, RANDOM, Resolved};
use tenbin_workload::{SHARED, Workload};

/// A script that was read and compiled, for one command. Cheap to clone; may be sent to any thread.
#[derive(Clone)]
pub struct Script(Arc<Inner>);

/// A command of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// What the user types.
    pub name: String,
    /// Whether it runs in all threads at once if there are several.
    pub parallel: bool,
}

struct Inner {
    source: Source,
    title: String,
    /// The command line after the program's name.
    argv: Vec<String>,
    shared: Arc<HostShared>,
    running: Arc<RunningStates>,
    options: BTreeMap<String, TypedValue>,
    declared: Option<Vec<ScriptOption>>,
    commands: Vec<Command>,
    event: bool,
    /// Whether it runs by sysbench's name.
    as_sysbench: bool,
    /// Whether the caller runs init() and done().
    framed: AtomicBool,
    main: Mutex<Main>,
}

/// What a script sees of the command line by which sysbench's name opened it.
#[derive(Debug, Clone, Copy)]
pub struct SysbenchView<'a> {
    /// `sysbench.cmdline.argv`.
    pub argv: &'a [String],
    /// The version of sysbench whose API it gets: `1.0.20`.
    pub version: &'a str,
    /// Its name as the user typed it.
    pub typed: &'a str,
    /// Options, with `_`, that are its own and not sysbench's of the same name.
    pub declared: &'a BTreeSet<String>,
    /// Whether our own scripts of sysbench's names precede its files.
    pub own_modules: bool,
    /// Options that it need not know: those of a file that several scripts share.
    pub perhaps: &'a OptionMap,
}

struct Main(Machine);

// SAFETY: a Lua state belongs to no thread; it must only be used by one at a time, which the lock around it ensures.
// Nothing of it is held outside of `Main`.
unsafe impl Send for Main {}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Script({})", self.0.title)
    }
}

impl Script {
    /// Reads a script and runs its body for `command` (`None`: only the body). `name` is a file, or a
    /// module that Lua's `require` finds, or `-` for standard input. `given` are the options as typed: sysbench's
    /// own (`threads`, `rand_type`, `mysql_ignore_errors`, …) and the script's.
    pub fn open(name: &str, command: Option<&str>, given: &OptionMap, connector: Connector) -> Result<Script, Problem> {
        let words: Vec<String> = [Some(name), command].into_iter().flatten().map(str::to_owned).collect();
        let view = SysbenchView {
            argv: &words,
            version: "1.0.20",
            typed: name,
            declared: &BTreeSet::new(),
            own_modules: false,
            perhaps: &OptionMap::new(),
        };
        Script::opened(name, command, given, &view, false, (connector, None))
    }

    /// [`Self::open`] by sysbench's name. The connector may be followed by one to a database of the other family, for scripts that
    /// request its driver.
    pub fn open_as(
        view: &SysbenchView<'_>,
        name: &str,
        command: Option<&str>,
        given: &OptionMap,
        connectors: (Connector, Option<Connector>),
    ) -> Result<Script, Problem> {
        Script::opened(name, command, given, view, true, connectors)
    }

    fn opened(
        name: &str,
        command: Option<&str>,
        given: &OptionMap,
        view: &SysbenchView<'_>,
        as_sysbench: bool,
        (connector, other): (Connector, Option<Connector>),
    ) -> Result<Script, Problem> {
        let source = Source::find(name)?;
        let SysbenchView { argv, version, typed: title, declared: of_script, own_modules, perhaps } = *view;
        let given: OptionMap = given.iter().map(|(n, v)| (n.replace('-', "_"), v.clone())).collect();
        let given = with_address(given, &connector);
        let running = Arc::new(RunningStates::default());
        let connectors = (connector.for_clients(), other.map(|other| other.for_clients()));
        let general_given: OptionMap = given
            .iter()
            .filter(|(n, _)| !of_script.contains(n.as_str()))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let shared = Arc::new(share(&general_given, (version.to_owned(), own_modules), connectors)?);
        let threads = general(&given, "threads").parse().unwrap_or(1).max(1);
        let seed = general(&given, "rand_seed").parse().unwrap_or(0);
        let early = BTreeMap::new();
        let role = Role { thread: (0, threads), main: true, seed, command, argv, title, early: &early, handle: None };
        let open = |lent: &OptionMap| -> Result<_, Problem> {
            let mut main = Machine::new(&shared, &running, &source, &role)?;
            source.without_typographic_quotes(|path| main.text_of(path))?;
            let looked = main.run_body_with(&source, title, lent)?;
            let declared = main.declared().map_err(|e| broken(name, &e))?;
            Ok((main, declared, looked))
        };
        // A body for sysbench 0.5 may read options as globals. Whether it is for 0.5 is known only after it has run.
        let own: OptionMap = perhaps
            .iter()
            .chain(&given)
            .filter(|(name, _)| !is_general(name))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        let (mut main, mut declared, looked) = open(&own)?;
        if looked && declared.is_some() {
            // It is not for 0.5, so it must run again without those globals.
            (main, declared, _) = open(&OptionMap::new())?;
        }
        let knows = |option: &str| declared.as_ref().is_none_or(|all| all.iter().any(|o| o.name == option));
        let (mut given, perhaps) = (given, perhaps.iter().map(|(n, v)| (n.replace('-', "_"), v.clone())));
        perhaps.filter(|(n, _)| knows(n)).for_each(|(n, v)| _ = given.entry(n).or_insert(v));
        let options = settings::resolve(name, declared.as_deref(), &given, as_sysbench, &shared.version)?;
        for (option, typed) in given.iter().filter(|(option, _)| options.contains_key(*option)) {
            let validation = main.validates(option, typed);
            if validation != Ok(true) {
                let problem = Problem::new(msg!(
                    "script-refuses-option",
                    script = name,
                    option,
                    value = format_args!("{typed:?}")
                ));
                return Err(match validation {
                    Err(words) => problem.evidence(foreign(words)),
                    Ok(_) => problem,
                });
            }
        }
        main.set_options(&options, declared.is_none()).map_err(|e| broken(name, &e))?;
        let commands = main.commands().map_err(|e| broken(name, &e))?;
        Ok(Script(Arc::new(Inner {
            title: title.to_owned(),
            argv: argv.to_vec(),
            commands: commands.into_iter().map(|(name, parallel)| Command { name, parallel }).collect(),
            event: main.has("event"),
            as_sysbench,
            framed: AtomicBool::new(false),
            main: Mutex::new(Main(main)),
            source,
            shared,
            running,
            options,
            declared,
        })))
    }

    /// The options it declares, by name; none for a script for sysbench 0.5, which accepts any.
    pub fn options(&self) -> &[ScriptOption] {
        self.0.declared.as_deref().unwrap_or(&[])
    }

    /// The options that it declares and those of sysbench's random numbers, with their values; for a script that
    /// declares none, those that were given.
    pub fn all_options(&self) -> OptionMap {
        let any = self.takes_any_option();
        let own = |name: &str| !is_general(name) && (any || self.declares(name));
        let random = |name: &str| RANDOM.iter().any(|row| row.name == name);
        let of_it = self.0.options.iter().filter(|(name, _)| own(name) || random(name));
        of_it.filter_map(|(name, value)| Some((name.clone(), value.text()?))).collect()
    }

    /// Whether it declares no options at all: any option is then its own, as text, and also a global.
    pub fn takes_any_option(&self) -> bool {
        self.0.declared.is_none()
    }

    /// Whether it declares an option of this name.
    pub fn declares(&self, option: &str) -> bool {
        self.options().iter().any(|o| o.name == option)
    }

    /// Its commands, by name; `run` is among them only if it has one of its own.
    pub fn commands(&self) -> &[Command] {
        &self.0.commands
    }

    /// Whether it has an event(), so that it can be run as a load.
    pub fn has_event(&self) -> bool {
        self.0.event
    }

    /// Runs a command to its end: a parallel one in `threads` threads, each with its own state, if there are several.
    /// Fails if any of them fails.
    pub fn run_command(&self, name: &str, threads: u32) -> Result<(), Problem> {
        let Some(command) = self.0.commands.iter().find(|c| c.name == name) else {
            let names = self.0.commands.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
            let hint = (!names.is_empty()).then(|| msg!("use-one-of", names));
            let what = msg!("script-has-no-command", script = self.0.title, command = format_args!("{name:?}"));
            return Err(Problem { hint, ..Problem::new(what) });
        };
        if !command.parallel || threads <= 1 {
            let outcome = self.main(|main| main.call("command_guarded", name));
            return self.0.ended(name, outcome);
        }
        let outcomes: Vec<Result<(), Problem>> = std::thread::scope(|scope| {
            let one = |thread: u32| {
                let inner = &self.0;
                move || {
                    let mut machine = inner.machine((thread, threads), inner.seed(), Some(name), None)?;
                    inner.ended(name, machine.call("command_guarded", name))
                }
            };
            let all: Vec<_> = (0..threads).map(|thread| scope.spawn(one(thread))).collect();
            let panicked = || Err(Problem::new(msg!("command-thread-panicked", command = name)));
            all.into_iter().map(|t| t.join().unwrap_or_else(|_| panicked())).collect()
        });
        outcomes.into_iter().collect()
    }

    /// As a load for the engine. Fails if the script has no event().
    pub fn workload(&self) -> Result<Box<dyn Workload>, Problem> {
        workload::make(self)
    }

    /// Runs its init() now; the caller of this also calls [`Self::done`]. Otherwise both run with the first and the
    /// last client.
    pub fn init(&self, threads: u32) -> Result<(), Problem> {
        self.0.framed.store(true, Ordering::SeqCst);
        workload::init(self, threads).map_err(|error| Problem::new(error.what()))
    }

    /// Runs its done(). Fails with the error that it threw.
    pub fn done(&self) -> Result<(), Problem> {
        let outcome = self.main(|main| main.call("call_once", "done"));
        self.0.ended("done()", outcome)
    }

    /// Whether it has asked for the driver of a database until now: otherwise its reports have no statistics of SQL.
    pub fn uses_sql(&self) -> bool {
        self.0.shared.uses_sql.load(Ordering::Relaxed)
    }

    /// From now on this is told of errors that the script catches.
    pub fn on_caught_errors(&self, tell: CaughtError) {
        // Only the first one is.
        let _ = self.0.shared.caught.set(tell);
    }

    /// Whether it has its own report.
    pub fn reports(&self, hook: Hook) -> bool {
        self.main(|main| main.reports(hook.name()))
    }

    /// Calls its report; `false` when it has none.
    pub fn report(&self, hook: Hook, stat: &Stat<'_>) -> Result<bool, Problem> {
        self.main(|main| main.report(hook.name(), stat))
            .map_err(|words| Problem::new(msg!("script-hook-failed", hook = hook.name())).evidence(foreign(words)))
    }

    /// Ends the output of its reports (the array of `sysbench.report_json`).
    pub fn finish_reports(&self) {
        self.main(Machine::finish_reports);
    }

    /// Makes all its threads stop at their next statement, or at the interpreter's next check.
    pub fn interrupt(&self) {
        self.0.shared.stop.store(true, Ordering::SeqCst);
        self.0.running.interrupt(true);
    }

    fn main<T>(&self, work: impl FnOnce(&mut Machine) -> T) -> T {
        work(&mut self.0.main.lock().unwrap_or_else(PoisonError::into_inner).0)
    }
}

impl Inner {
    /// A state for one thread, with options set; the script's body has run in it.
    fn machine(
        &self,
        thread: (u32, u32),
        seed: u64,
        command: Option<&str>,
        handle: Option<Rc<CoroutineHandle>>,
    ) -> Result<Machine, Problem> {
        let early = early(&self.options, self.declared.is_none());
        let role =
            Role { thread, main: false, seed, command, argv: &self.argv, title: &self.title, early: &early, handle };
        let mut machine = Machine::new(&self.shared, &self.running, &self.source, &role)?;
        machine.run_body(&self.source, &self.title)?;
        let options = self.options_for(thread.1);
        machine.set_options(&options, self.declared.is_none()).map_err(|e| broken(&self.title, &e))?;
        Ok(machine)
    }

    /// The options as seen with this many threads.
    fn options_for(&self, threads: u32) -> BTreeMap<String, TypedValue> {
        let mut options = self.options.clone();
        for name in ["threads", "num_threads"] {
            options.insert(name.into(), TypedValue::Number(threads.into()));
        }
        options
    }

    fn seed(&self) -> u64 {
        match self.options.get("rand_seed") {
            Some(TypedValue::Number(seed)) => *seed as u64,
            _ => 0,
        }
    }

    fn ended(&self, doing: &str, outcome: Outcome) -> Result<(), Problem> {
        match outcome {
            Outcome::Well => Ok(()),
            Outcome::Leave => Err(Problem::new(msg!("script-says-it-failed", function = doing))),
            Outcome::Again(trouble) | Outcome::Failed(trouble) => {
                Err(trouble.problem(msg!("scripts-function", function = doing)))
            }
        }
    }
}

impl Trouble {
    /// The problem as reported to the user.
    fn problem(&self, doing: Message) -> Problem {
        let doing = match self.error.as_ref().and_then(tenbin_driver::Error::place) {
            Some(place) => msg!("doing-at-place", place, doing),
            None => doing,
        };
        let mut problem = Problem::new(msg!("failed", doing, why = self.message));
        if let Some(error) = &self.error {
            problem.evidence = (!self.in_flight.is_empty()).then(|| msg!("statement-sent", statement = self.in_flight));
            problem.hint = error.hint_message().cloned();
        }
        if let Some(limit) = self.full {
            problem.hint = Some(machine::more_memory(limit));
        }
        problem
    }
}

/// The names of the options that a script declares, with `_`, and whether they are from sysbench's `oltp_common`. Its body is run for that, in a
/// state that prints nothing. `None`: it declares none at all, or cannot be run.
pub fn declared_by(name: &str, command: Option<&str>, argv: &[String]) -> Option<(BTreeSet<String>, bool)> {
    if name == "-" {
        return None;
    }
    let source = Source::find(name).ok()?;
    let nowhere = Connector::nowhere(Scheme::Null).ok()?;
    let shared = Arc::new(share(&OptionMap::new(), ("1.0.20".to_owned(), false), (nowhere, None)).ok()?);
    let early = BTreeMap::new();
    let role = Role { thread: (0, 1), main: true, seed: 0, command, argv, title: name, early: &early, handle: None };
    let mut machine = Machine::new(&shared, &Arc::new(RunningStates::default()), &source, &role).ok()?;
    machine.mute().ok()?;
    machine.run_body(&source, name).ok()?;
    let declared = machine.declared().ok()??;
    Some((declared.into_iter().map(|option| option.name).collect(), machine.has_loaded("oltp_common")))
}

/// The file that Lua's `require` finds for a name, where sysbench lets it search.
pub fn required(name: &str) -> Option<PathBuf> {
    machine::required_in(&machine::search_path(), name)
}

/// Why it is not a usable script, as far as can be determined without running it: it is searched for and compiled.
pub fn unreadable(name: &str) -> Option<Problem> {
    Source::find(name).and_then(|source| machine::compiles(&source)).err()
}

/// A script as a load on a data set: options that both have by name come from the data set if the load does not set
/// them.
pub fn workload_on(
    name: &str,
    load: &OptionMap,
    dataset: &OptionMap,
    connector: Connector,
) -> Result<Box<dyn Workload>, Problem> {
    let given = with_data(name, load, dataset, &connector)?;
    Script::open(name, Some("run"), &given, connector)?.workload()
}

/// All options of such a load with their values.
pub fn all_options(name: &str, load: &OptionMap, dataset: &OptionMap) -> Result<OptionMap, Problem> {
    let nowhere = Connector::nowhere(Scheme::Null)?;
    let given = with_data(name, load, dataset, &nowhere)?;
    Ok(Script::open(name, Some("help"), &given, nowhere)?.all_options())
}

/// The options of the load, and those it does not set from the data set.
fn with_data(name: &str, load: &OptionMap, dataset: &OptionMap, connector: &Connector) -> Result<OptionMap, Problem> {
    let mut given = load.clone();
    if dataset.contains_key(data::SCRIPT) {
        return with_own_data(name, given, dataset, connector);
    }
    if SHARED.iter().any(|o| dataset.contains_key(*o) && !load.contains_key(*o)) {
        let script = Script::open(name, Some("help"), &OptionMap::new(), connector.clone())?;
        for option in SHARED.iter().filter(|o| script.declares(o)) {
            if let (Some(value), None) = (dataset.get(*option).filter(|v| *v != "0"), load.get(*option)) {
                given.insert((*option).to_owned(), value.clone());
            }
        }
    }
    Ok(given)
}

/// The options of the load, and those it does not set from data that a script has prepared, as far as it knows them.
fn with_own_data(
    name: &str,
    mut given: OptionMap,
    dataset: &OptionMap,
    connector: &Connector,
) -> Result<OptionMap, Problem> {
    let script = Script::open(name, Some("help"), &OptionMap::new(), connector.clone())?;
    let known =
        |option: &&String| !data::is_of_dataset(option) && (script.takes_any_option() || script.declares(option));
    for option in dataset.keys().filter(known) {
        given.entry(option.clone()).or_insert_with(|| dataset[option].clone());
    }
    Ok(given)
}

/// Of the options typed for a load, those that are the script's: command lines give the number and the size of
/// tables to every workload. Fails if the script does not know one.
pub fn its_own(name: &str, given: &OptionMap) -> Result<OptionMap, Problem> {
    let nowhere = Connector::nowhere(Scheme::Null)?;
    let script = Script::open(name, Some("help"), &OptionMap::new(), nowhere.clone())?;
    let kept = |option: &str| !SHARED.contains(&option) || script.declares(option);
    let own: OptionMap = given.iter().map(|(n, v)| (n.replace('-', "_"), v.clone())).filter(|(n, _)| kept(n)).collect();
    Script::open(name, Some("help"), &own, nowhere)?;
    Ok(own)
}

/// Options that a script for sysbench 0.5 may read in its body: those that sysbench does not know.
fn early(options: &BTreeMap<String, TypedValue>, any: bool) -> BTreeMap<String, TypedValue> {
    let own = |(name, value): (&String, &TypedValue)| (!is_general(name)).then(|| (name.clone(), value.clone()));
    if any { options.iter().filter_map(own).collect() } else { BTreeMap::new() }
}

/// The parts of the address are set in `sysbench.opt` too, unless given as options. The password is not.
fn with_address(mut given: OptionMap, connector: &Connector) -> OptionMap {
    let dsn = connector.dsn();
    let (driver, prefix) = match dsn.scheme {
        Scheme::Sqlite => ("sqlite", None),
        Scheme::Mysql => ("mysql", Some("mysql")),
        Scheme::Null | Scheme::Host => ("mysql", None),
        Scheme::Postgres => ("pgsql", Some("pgsql")),
    };
    // Our own workloads' name for it.
    if let Some(mode) = given.remove("ps_mode") {
        given.entry("db_ps_mode".into()).or_insert(mode);
    }
    let mut put = |name: String, value: &str| {
        if !value.is_empty() {
            given.entry(name).or_insert_with(|| value.to_owned());
        }
    };
    put("db_driver".into(), driver);
    if let Some(prefix) = prefix {
        put(format!("{prefix}_host"), &dsn.host);
        put(format!("{prefix}_port"), &dsn.port.map(|p| p.to_string()).unwrap_or_default());
        put(format!("{prefix}_user"), &dsn.user);
        put(format!("{prefix}_db"), &dsn.database);
    }
    given
}

/// A state with the API in it holds about 1 MB.
const LEAST_MEMORY: f64 = 8.0 * 1024.0 * 1024.0;

/// What all threads share, from the options.
fn share(
    given: &OptionMap,
    (version, own_modules): (String, bool),
    (connector, other): (Connector, Option<Connector>),
) -> Result<HostShared, Problem> {
    let rows: Vec<_> = RANDOM.iter().collect();
    let random = rows.iter().filter_map(|row| Some((row.name.to_owned(), given.get(row.name)?.clone()))).collect();
    let random = tenbin_workload::options::resolve(&msg!("the-scripts-random-numbers"), &rows, &random)?;
    let memory = match settings::Type::Size.read(general(given, "script_memory")) {
        Ok(TypedValue::Number(0.0)) => None,
        Ok(TypedValue::Number(n)) if n >= LEAST_MEMORY => Some(n as usize),
        _ => {
            let text = general(given, "script_memory");
            return Err(Problem::new(msg!("script-memory-cannot-be", value = format_args!("{text:?}")))
                .hint(msg!("give-script-memory")));
        }
    };
    let ignore = general(given, "mysql_ignore_errors");
    Ok(HostShared {
        version,
        own_modules,
        other,
        jit: general(given, "luajit_cmd").to_owned(),
        connector,
        names: names::StatementRegistry::default(),
        stop: AtomicBool::new(false),
        uses_sql: AtomicBool::new(false),
        beyond: AtomicBool::new(false),
        shapes: draws::ScriptDistributions::of(Resolved(&random)),
        prepare: general(given, "db_ps_mode") != "disable",
        texts: host_shared::CommandTexts::default(),
        memory,
        caught: OnceLock::new(),
        counters: Mutex::default(),
        ignore: match ignore {
            list if list.split(',').any(|part| part.trim() == "all") => Ignore::All,
            numbers => Ignore::Numbers(numbers.split(',').filter_map(|n| n.trim().parse().ok()).collect()),
        },
    })
}

fn broken(name: &str, error: &mlua::Error) -> Problem {
    Problem::new(msg!("script-cannot-be-used", script = name)).evidence(foreign(machine::words(error)))
}

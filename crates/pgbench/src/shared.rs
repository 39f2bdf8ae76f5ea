//! What all clients of a run have in common: scripts, names, threads as pgbench has them, counts and the clock.

use crate::counts::ClientCounts;
use crate::log::{Aggregate, Columns, Logged, line};
use crate::settings::{Output, QueryMode, RunSettings, ScriptSource};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tenbin_driver::Connector;
use tenbin_sql::language::{
    Choice, Command, CommandKind, Dialect, Generator, MOST_PARAMETERS, Names, Script, ScriptError, ScriptErrorCode,
    Seeds, Value, Variables,
};

/// A statement as it is sent with parameters.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The name under which connections prepare it.
    pub name: String,
    /// With `$1`, `$2`, ….
    pub text: Vec<u8>,
}

/// A command of a script, for reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandText {
    /// Its first line.
    pub line: String,
}

/// What was counted so far, by all clients.
#[derive(Debug, Clone)]
pub struct RunCounts {
    /// The sums.
    pub counts: ClientCounts,
    /// From the first client's start to the last one's end.
    pub elapsed: Duration,
}

pub(crate) struct Shared {
    pub settings: RunSettings,
    pub connector: Connector,
    pub scripts: Vec<Script>,
    pub weights: Vec<i64>,
    pub names: Names,
    pub choice: Choice,
    pub seeds: Seeds,
    /// By script and command.
    pub parsed: Vec<Vec<Option<Parsed>>>,
    /// The number of each script's first command among all.
    pub first: Vec<usize>,
    pub output: Arc<dyn Output>,
    threads: Vec<Mutex<ThreadState>>,
    counts: Vec<Mutex<ClientCounts>>,
    clock: OnceLock<Clock>,
    /// When the first client began to connect and the last one had connected.
    connecting: Mutex<Option<(Instant, Instant)>>,
    /// Clients are to end.
    interrupted: AtomicBool,
    /// When the last transaction ended, microseconds.
    ended_us: AtomicI64,
}

/// Both clocks at the start, so that steps of the wall clock change nothing.
#[derive(Debug, Clone, Copy)]
struct Clock {
    start: Instant,
    epoch_us: i64,
}

/// What the clients of one of pgbench's threads share, whatever threads they run on here.
pub(crate) struct ThreadState {
    pub choose: Generator,
    throttle: Generator,
    sample: Generator,
    /// The last intended start, microseconds since the start.
    trigger_us: i64,
    sums: Option<Aggregate>,
    lines: String,
}

/// Lines of the log are handed on when there are this many bytes of them.
const LINES_TOGETHER: usize = 16 * 1024;

impl Shared {
    /// Parses the scripts.
    pub fn new(
        settings: RunSettings,
        sources: &[ScriptSource],
        connector: Connector,
        output: Arc<dyn Output>,
    ) -> Result<Shared, ScriptError> {
        let mut names = Names::default();
        for name in ["scale", "client_id", "random_seed", "default_seed"] {
            names.slot(name);
        }
        settings.variables.iter().for_each(|(name, _)| _ = names.slot(name));
        let parse = |source: &ScriptSource, names: &mut Names| {
            Script::parse(&source.name, &source.text, Dialect::Postgres, names)
        };
        let scripts: Vec<Script> = sources.iter().map(|source| parse(source, &mut names)).collect::<Result<_, _>>()?;
        scripts.iter().try_for_each(few_words)?;
        if settings.mode != QueryMode::Simple {
            scripts.iter().try_for_each(few_parameters)?;
        }
        let weights: Vec<i64> = sources.iter().map(|source| source.weight).collect();
        let default_seed = settings.variables.iter().rfind(|(name, _)| name == "default_seed");
        // Whatever its text is, none is drawn.
        let default_seed = default_seed.map(|(_, text)| text.parse().unwrap_or_default());
        let seeds = Seeds::draw(settings.seed, settings.clients, settings.threads, default_seed);
        let mut first = vec![0];
        scripts.iter().for_each(|script| first.push(first[first.len() - 1] + script.commands.len()));
        few_commands(first[scripts.len()])?;
        let threads = seeds.threads.iter().map(|seeds| {
            Mutex::new(ThreadState {
                choose: Generator::new(seeds.choice),
                throttle: Generator::new(seeds.throttle),
                sample: Generator::new(seeds.sample),
                trigger_us: 0,
                sums: None,
                lines: String::new(),
            })
        });
        let sizes: Vec<usize> = scripts.iter().map(|script| script.commands.len()).collect();
        Ok(Shared {
            threads: threads.collect(),
            counts: (0..settings.clients).map(|_| Mutex::new(ClientCounts::new(&sizes))).collect(),
            parsed: parsed(&scripts, settings.mode),
            choice: Choice::new(&weights),
            clock: OnceLock::new(),
            connecting: Mutex::new(None),
            interrupted: AtomicBool::new(false),
            ended_us: AtomicI64::new(0),
            first,
            weights,
            seeds,
            names,
            scripts,
            connector,
            output,
            settings,
        })
    }

    /// The variables with which a client begins.
    pub fn variables(&self, client: u32) -> Variables {
        let mut variables = Variables::new(&self.names);
        let mut set = |name: &str, value: i64| {
            if let Some(slot) = self.names.find(name) {
                variables.set(slot, Value::Int(value));
            }
        };
        set("scale", self.settings.scale);
        set("client_id", i64::from(client));
        set("random_seed", self.settings.seed as i64);
        set("default_seed", self.seeds.default_seed);
        for (name, text) in &self.settings.variables {
            if let Some(slot) = self.names.find(name) {
                variables.set_text(slot, text.as_bytes());
            }
        }
        variables
    }

    /// Which of pgbench's threads a client belongs to: the first ones have one more if they cannot be dealt evenly.
    pub fn thread_of(&self, client: u32) -> usize {
        let (clients, threads) = (self.settings.clients, self.settings.threads.max(1));
        let mut dealt = 0;
        for thread in 0..threads {
            dealt += (clients - dealt).div_ceil(threads - thread);
            if client < dealt {
                return thread as usize;
            }
        }
        0
    }

    pub fn thread(&self, thread: usize) -> MutexGuard<'_, ThreadState> {
        locked(&self.threads[thread])
    }

    pub fn count(&self, client: u32) -> MutexGuard<'_, ClientCounts> {
        locked(&self.counts[client as usize % self.counts.len()])
    }

    /// Microseconds since the first client began.
    pub fn now_us(&self) -> i64 {
        self.clock().start.elapsed().as_micros() as i64
    }

    fn clock(&self) -> &Clock {
        self.clock.get_or_init(|| {
            let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            Clock { start: Instant::now(), epoch_us: epoch.as_micros() as i64 }
        })
    }

    /// Whether the time of the run is over.
    pub fn time_is_over(&self) -> bool {
        self.settings.duration.is_some_and(|duration| self.now_us() >= duration.as_micros() as i64)
    }

    pub fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// A transaction ended, or a client with it.
    pub fn ended(&self, at_us: i64) {
        self.ended_us.fetch_max(at_us, Ordering::Relaxed);
    }

    /// The next intended start of a thread, microseconds.
    pub fn next_start(&self, thread: usize) -> i64 {
        let mut state = self.thread(thread);
        let gap = state.throttle.gap_us(self.settings.throttle_us);
        state.trigger_us += gap;
        state.trigger_us
    }

    /// Writes the end of a transaction into the log of its thread.
    pub fn log(&self, thread: usize, mut logged: Logged) {
        let Some(log) = &self.settings.log else { return };
        let mut state = self.thread(thread);
        let ThreadState { sample, sums, lines, .. } = &mut *state;
        if log.sampling > 0.0 && sample.unit() > log.sampling {
            return;
        }
        let epoch_us = self.clock().epoch_us;
        logged.at_us += epoch_us;
        if log.aggregate_s > 0 {
            let sums = sums.get_or_insert_with(|| Aggregate::new(epoch_us));
            sums.until(log, logged.at_us, lines);
            sums.add(&logged.end);
        } else {
            let columns = Columns { lag: self.settings.throttle_us > 0.0, retries: self.settings.max_tries != 1 };
            line(log, columns, &logged, lines);
        }
        if lines.len() >= LINES_TOGETHER {
            self.output.log(thread as u32, lines);
            lines.clear();
        }
    }

    /// Hands on all lines that are left. An interval that was not over when the last transaction ended has none, as in pgbench.
    pub fn finish_logs(&self) {
        let Some(log) = &self.settings.log else { return };
        let now_us = self.clock().epoch_us + self.ended_us.load(Ordering::Relaxed);
        for thread in 0..self.threads.len() {
            let mut state = self.thread(thread);
            let ThreadState { sums, lines, .. } = &mut *state;
            if let Some(sums) = sums {
                sums.until(log, now_us, lines);
            }
            self.output.log(thread as u32, lines);
            lines.clear();
        }
    }

    /// A client has connected, which it began at `from`.
    pub fn connected(&self, from: Instant) {
        let now = Instant::now();
        let mut connecting = locked(&self.connecting);
        let first = connecting.map_or(from, |(first, _)| first.min(from));
        *connecting = Some((first, now));
    }

    /// How long it took until all clients had connected.
    pub fn connecting(&self) -> Duration {
        locked(&self.connecting).map_or(Duration::ZERO, |(from, to)| to - from)
    }

    /// What all clients have counted.
    pub fn counts(&self) -> RunCounts {
        let sizes: Vec<usize> = self.scripts.iter().map(|script| script.commands.len()).collect();
        let mut all = ClientCounts::new(&sizes);
        self.counts.iter().for_each(|counts| all.merge(&locked(counts)));
        let elapsed = Duration::from_micros(self.ended_us.load(Ordering::Relaxed).max(0) as u64);
        RunCounts { counts: all, elapsed }
    }
}

/// The most words of a command of the shell, with the name of the command before it.
const MOST_WORDS: usize = 256;

/// Refuses a command of the shell with more words than pgbench takes.
fn few_words(script: &Script) -> Result<(), ScriptError> {
    let words = |command: &Command| match &command.kind {
        CommandKind::Shell { arguments } => Some(("shell", 1 + arguments.len())),
        CommandKind::SetShell { arguments, .. } => Some(("setshell", 2 + arguments.len())),
        _ => None,
    };
    let many =
        |command: &Command| words(command).filter(|(_, n)| *n > MOST_WORDS).map(|(name, _)| (name, command.clone()));
    match script.commands.iter().find_map(many) {
        None => Ok(()),
        Some((name, command)) => Err(ScriptError {
            code: ScriptErrorCode::TooManyArguments,
            script: script.name.clone(),
            line: command.line,
            source: command.first_line,
            column: None,
            command: Some(name.to_owned()),
        }),
    }
}

/// Refuses more commands than records of statements tell apart.
fn few_commands(commands: usize) -> Result<(), ScriptError> {
    let most = usize::from(u16::MAX);
    if commands <= most {
        return Ok(());
    }
    let code = ScriptErrorCode::TooManyCommands(commands, most);
    Err(ScriptError { code, script: String::new(), line: 0, source: String::new(), column: None, command: None })
}

/// Refuses a statement with more variables than pgbench sends as parameters.
fn few_parameters(script: &Script) -> Result<(), ScriptError> {
    let many = |command: &&Command| command.sql().is_some_and(|sql| sql.parameters.len() > MOST_PARAMETERS);
    match script.commands.iter().find(many) {
        None => Ok(()),
        Some(command) => Err(ScriptError {
            code: ScriptErrorCode::TooManyParameters(MOST_PARAMETERS),
            script: script.name.clone(),
            line: command.line,
            source: command.sql().map_or_else(String::new, |sql| String::from_utf8_lossy(&sql.text).into_owned()),
            column: None,
            command: None,
        }),
    }
}

/// The statements of all scripts, numbered through as pgbench names them.
fn parsed(scripts: &[Script], mode: QueryMode) -> Vec<Vec<Option<Parsed>>> {
    if mode == QueryMode::Simple {
        return scripts.iter().map(|script| script.commands.iter().map(|_| None).collect()).collect();
    }
    let mut number = 0;
    let mut one = |kind: &CommandKind| {
        let CommandKind::Sql(sql) = kind else { return None };
        number += 1;
        Some(Parsed { name: format!("P_{}", number - 1), text: sql.numbered() })
    };
    scripts.iter().map(|script| script.commands.iter().map(|command| one(&command.kind)).collect()).collect()
}

/// Locks what holds only plain data, which remains usable after a panic elsewhere.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

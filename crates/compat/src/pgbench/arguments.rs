//! The arguments, read and checked in the order in which pgbench does it, with its messages.

use super::form::Form;
use super::options::{GRAMMAR, GRAMMAR_FROM_17, LISTED, PROGRAMS};
use super::seed::{self, seed};
use super::values::{atoi, bounds, checked, is_variable, positive, weighted, whole};
use crate::grammar::{ArgumentError, ArgumentErrorKind, Grammar};
use crate::parsed_args::{ParsedArgs, Source};
use std::fmt;
use std::time::Duration;
use tenbin_pgbench::{QueryMode, ScriptSource, builtin};

/// What was asked for.
#[derive(Debug)]
pub struct Arguments {
    pub form: Form,
    pub database: Option<String>,
    pub host: Option<String>,
    pub port: Option<String>,
    pub user: Option<String>,
    pub init: Option<InitArguments>,
    pub run: RunArguments,
}

/// Options of `-i`.
#[derive(Debug)]
pub struct InitArguments {
    pub steps: String,
    pub fillfactor: u32,
    pub index_tablespace: Option<String>,
    pub tablespace: Option<String>,
    pub partitions: u32,
    pub by_hash: bool,
    pub quiet: bool,
    pub unlogged: bool,
    pub allow_drop: bool,
    pub scale: u32,
}

/// Options of a run.
#[derive(Debug)]
pub struct RunArguments {
    pub scripts: Vec<ScriptSource>,
    /// Whether there is a built-in script.
    pub has_builtin: bool,
    pub clients: u32,
    /// As asked for; `None`: not at all.
    pub threads: Option<u32>,
    pub connect_each: bool,
    pub variables: Vec<(String, String)>,
    pub log: bool,
    pub log_prefix: String,
    pub latency_limit: Option<f64>,
    pub mode: QueryMode,
    pub no_vacuum: bool,
    pub vacuum_all: bool,
    pub progress_s: Option<u32>,
    pub progress_timestamp: bool,
    pub per_command: bool,
    pub rate: Option<f64>,
    pub scale: Option<u32>,
    /// 0: until the time is over.
    pub transactions: u32,
    pub duration: Option<Duration>,
    pub aggregate_s: u32,
    pub continue_on_error: bool,
    pub exit_on_abort: bool,
    pub failures_detailed: bool,
    pub max_tries: u32,
    pub seed: u64,
    pub sampling: f64,
    pub verbose_errors: bool,
    pub debug: bool,
}

/// What is done instead of all that.
#[derive(Debug)]
pub enum Read {
    Work(Box<Arguments>),
    Help,
    Version(Form),
    /// `-b list`.
    List,
    /// `--show-script`.
    Show(builtin::Builtin),
}

/// The most scripts.
const MOST_SCRIPTS: usize = 128;

/// Where a script in a file comes from, and the environment.
pub struct Around<'a> {
    pub file: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// A number that no other run has.
    pub entropy: &'a dyn Fn() -> u64,
    /// Prints a message, after the program's name.
    pub tell: &'a dyn Fn(&str),
    /// How many files this process may have open.
    pub open_files: u64,
}

/// Why the arguments are not accepted, with further lines.
#[derive(Debug, PartialEq, Eq)]
pub enum ArgumentRefusal {
    /// What stands after `pgbench: error: `.
    Own(String),
    /// What stands after `pgbench: `, in the words of getopt(3), which reads options for pgbench.
    Getopt(String),
}

impl From<String> for ArgumentRefusal {
    fn from(text: String) -> ArgumentRefusal {
        ArgumentRefusal::Own(text)
    }
}

impl fmt::Display for ArgumentRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentRefusal::Own(text) => write!(f, "pgbench: error: {text}"),
            ArgumentRefusal::Getopt(text) => write!(f, "pgbench: {text}"),
        }
    }
}

fn with_usage(what: &str) -> String {
    format!("{what}\npgbench: hint: Try \"pgbench --help\" for more information.")
}

/// What getopt(3) says of arguments that it does not accept.
fn of_getopt(wrong: &ArgumentError) -> ArgumentRefusal {
    let argument = wrong.argument.as_str();
    let letter = argument.trim_start_matches('-');
    // Its whole name, also where it was abbreviated.
    let option = wrong.option.unwrap_or_default();
    let text = match wrong.kind {
        ArgumentErrorKind::Unknown if argument.starts_with("--") => format!("unrecognized option '{argument}'"),
        ArgumentErrorKind::Unknown => format!("invalid option -- '{letter}'"),
        ArgumentErrorKind::Ambiguous => {
            let beginning = letter.split('=').next().unwrap_or_default();
            let all = LISTED.split(' ').filter(|name| name.starts_with(beginning)).map(|name| format!(" '--{name}'"));
            format!("option '{argument}' is ambiguous; possibilities:{}", all.collect::<String>())
        }
        ArgumentErrorKind::TakesNoValue => format!("option '--{option}' doesn't allow an argument"),
        ArgumentErrorKind::NoValue if argument.starts_with("--") => format!("option '--{option}' requires an argument"),
        ArgumentErrorKind::NoValue => format!("option requires an argument -- '{letter}'"),
        _ => return ArgumentRefusal::Own(with_usage(&wrong.text)),
    };
    ArgumentRefusal::Getopt(with_usage(&text))
}

/// Reads the arguments.
pub fn read(arguments: &[String], around: &Around<'_>) -> Result<Read, ArgumentRefusal> {
    let (mut args, wrong) = parsed(arguments);
    let form = Form::named(args.text("tenbin-form"))?;
    if args.on("help") && wrong.is_none() {
        return Ok(Read::Help);
    }
    if args.on("version") && wrong.is_none() {
        return Ok(Read::Version(form));
    }
    // As in pgbench each is printed when it is its turn, whatever else is wrong.
    let given_seed = |word: &str, source: &str| {
        let seed = seed(word, source, around.entropy)?;
        (around.tell)(&format!("setting random seed to {seed}"));
        Ok::<u64, String>(seed)
    };
    let mut seed = match (around.env)("PGBENCH_RANDOM_SEED") {
        Some(word) => given_seed(&word, seed::VARIABLE)?,
        None => (around.entropy)(),
    };
    let mut reading =
        Reading { around, scripts: Vec::new(), has_builtin: false, benchmarks: false, initializes: false };
    let mut variables = Vec::new();
    for (row, value) in &args.order {
        reading.kinds(row.name);
        match row.name {
            "builtin" if value == "list" => return Ok(Read::List),
            "builtin" => reading.builtin(value)?,
            "skip-some-updates" => reading.builtin("simple-update")?,
            "select-only" => reading.builtin("select-only")?,
            "file" => reading.file(value)?,
            "define" => match value.split_once('=') {
                Some((name, value)) if !name.is_empty() && !value.is_empty() => {
                    if !is_variable(name) {
                        return Err(format!("option: invalid variable name: \"{name}\"").into());
                    }
                    variables.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(format!("invalid variable definition: \"{value}\"").into()),
            },
            "random-seed" => seed = given_seed(value, seed::OPTION)?,
            "show-script" => return Ok(Read::Show(named_builtin(value)?)),
            name => {
                checked(name, value)?;
                if name == "client" {
                    enough_files(number(&args, name).unwrap_or(1), around.open_files)?;
                }
            }
        }
    }
    // What follows it was not read.
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    let words = std::mem::take(&mut args.words);
    // The database is a word, unless it is the value of an option.
    if let Some(word) = words.get(usize::from(!args.has("dbname"))) {
        return Err(with_usage(&format!("too many command-line arguments (first is \"{word}\")")).into());
    }
    let text = |name: &str| args.given(name).map(str::to_owned);
    let run = run_arguments(&args, reading, variables, seed)?;
    Ok(Read::Work(Box::new(Arguments {
        form,
        database: words.into_iter().next().or_else(|| text("dbname")),
        host: text("host"),
        port: text("port"),
        user: text("username"),
        init: if args.on("initialize") { Some(init_arguments(&args)?) } else { None },
        run,
    })))
}

/// The arguments by the letters of the form that they name, up to what getopt(3) does not accept.
fn parsed(arguments: &[String]) -> (ParsedArgs, Option<ArgumentRefusal>) {
    let by = |grammar: &'static Grammar| {
        let mut args = ParsedArgs::new(grammar);
        args.programs = PROGRAMS;
        let wrong = args.read(arguments, Source::CommandLine).err();
        (args, wrong.map(|wrong| of_getopt(&wrong)))
    };
    let is_of_17 = |args: &ParsedArgs| Form::named(args.text("tenbin-form")).is_ok_and(Form::has_dbname);
    let (before, from_17) = (by(&GRAMMAR), by(&GRAMMAR_FROM_17));
    match (is_of_17(&before.0), is_of_17(&from_17.0)) {
        (false, false) => before,
        (_, true) => from_17,
        // The word with the form would be the database.
        (true, false) => {
            let what = with_usage("option requires an argument -- 'd'");
            (before.0, Some(ArgumentRefusal::Getopt(what)))
        }
    }
}

/// What is gathered while options are read in their order.
struct Reading<'a> {
    around: &'a Around<'a>,
    scripts: Vec<ScriptSource>,
    has_builtin: bool,
    /// An option of runs was given, one of `-i`.
    benchmarks: bool,
    initializes: bool,
}

impl Reading<'_> {
    fn kinds(&mut self, name: &str) {
        match name {
            "init-steps" | "fillfactor" | "foreign-keys" | "index-tablespace" | "partition-method" | "partitions"
            | "quiet" | "tablespace" | "unlogged-tables" | "allow-drop" => self.initializes = true,
            "initialize" | "no-vacuum" | "scale" | "debug" | "dbname" | "host" | "port" | "username"
            | "tenbin-form" => {}
            _ => self.benchmarks = true,
        }
    }

    fn builtin(&mut self, value: &str) -> Result<(), String> {
        let (name, weight) = weighted(value)?;
        let builtin = named_builtin(&name)?;
        self.has_builtin = true;
        self.add(ScriptSource { name: builtin.title.to_owned(), text: builtin.text.into(), weight })
    }

    fn file(&mut self, value: &str) -> Result<(), String> {
        let (name, weight) = weighted(value)?;
        let text = (self.around.file)(&name).map_err(|e| {
            let what = if e == "Is a directory" { "read" } else { "open" };
            format!("could not {what} file \"{name}\": {e}")
        })?;
        self.add(ScriptSource { name, text, weight })
    }

    fn add(&mut self, script: ScriptSource) -> Result<(), String> {
        if self.scripts.len() >= MOST_SCRIPTS {
            return Err(format!("at most {MOST_SCRIPTS} SQL scripts are allowed"));
        }
        self.scripts.push(script);
        Ok(())
    }
}

/// The list of built-in scripts, with an empty line after it.
pub fn builtins() -> String {
    let lines = builtin::ALL.iter().map(|b| format!("  {:>13}: {}\n", b.name, b.title));
    format!("Available builtin scripts:\n{}", lines.collect::<String>())
}

fn named_builtin(name: &str) -> Result<builtin::Builtin, String> {
    builtin::find(name).map_err(|matches| {
        let what = match matches {
            0 => format!("no builtin script found for name \"{name}\""),
            n => format!("ambiguous builtin name: {n} builtin scripts found for prefix \"{name}\""),
        };
        format!("{what}\n{}", builtins())
    })
}

fn number(args: &ParsedArgs, name: &str) -> Option<u32> {
    let (option, from, to) = bounds(name)?;
    whole(args.given(name)?, option, from, to).ok()
}

/// Files that pgbench has open beside the connections of its clients.
const OTHER_FILES: u64 = 3;

/// Each client has a connection. Looked at before anything is made for them.
fn enough_files(clients: u32, open_files: u64) -> Result<(), String> {
    let wanted = u64::from(clients) + OTHER_FILES;
    if wanted <= open_files {
        return Ok(());
    }
    let what = format!("need at least {wanted} open files, but system limit is {open_files}");
    let hint = "Reduce number of clients, or use limit/ulimit to increase the system limit.";
    Err(format!("{what}\npgbench: hint: {hint}"))
}

fn init_arguments(args: &ParsedArgs) -> Result<InitArguments, String> {
    let mut steps = args.text("init-steps").to_owned();
    if args.on("no-vacuum") {
        steps.retain(|step| step != 'v');
    }
    if args.on("foreign-keys") && !steps.contains('f') {
        steps.push('f');
    }
    let partitions = number(args, "partitions").unwrap_or(0);
    if partitions == 0 && args.has("partition-method") {
        return Err("--partition-method requires greater than zero --partitions".to_owned());
    }
    Ok(InitArguments {
        steps,
        fillfactor: number(args, "fillfactor").unwrap_or(100),
        index_tablespace: args.given("index-tablespace").map(str::to_owned),
        tablespace: args.given("tablespace").map(str::to_owned),
        partitions,
        by_hash: args.text("partition-method").eq_ignore_ascii_case("hash"),
        quiet: args.on("quiet"),
        unlogged: args.on("unlogged-tables"),
        allow_drop: args.on("allow-drop"),
        scale: number(args, "scale").unwrap_or(1),
    })
}

fn run_arguments(
    args: &ParsedArgs,
    reading: Reading<'_>,
    variables: Vec<(String, String)>,
    seed: u64,
) -> Result<RunArguments, String> {
    let Reading { mut scripts, mut has_builtin, benchmarks, initializes, .. } = reading;
    if args.on("initialize") && benchmarks {
        return Err("some of the specified options cannot be used in initialization (-i) mode".to_owned());
    }
    if !args.on("initialize") && initializes {
        return Err("some of the specified options cannot be used in benchmarking mode".to_owned());
    }
    if scripts.is_empty() {
        let first = builtin::ALL[0];
        has_builtin = true;
        scripts.push(ScriptSource { name: first.title.to_owned(), text: first.text.into(), weight: 1 });
    }
    if scripts.iter().all(|script| script.weight == 0) {
        return Err("total script weight must not be zero".to_owned());
    }
    let float = |name: &str| args.given(name).and_then(positive);
    let duration = number(args, "time").map(|seconds| Duration::from_secs(seconds.into()));
    let run = RunArguments {
        scripts,
        has_builtin,
        clients: number(args, "client").unwrap_or(1),
        threads: number(args, "jobs"),
        connect_each: args.on("connect"),
        variables,
        log: args.on("log"),
        log_prefix: args.text("log-prefix").to_owned(),
        // Below a microsecond there is none.
        latency_limit: float("latency-limit").filter(|ms| *ms >= 0.001),
        mode: match args.text("protocol") {
            "extended" => QueryMode::Extended,
            "prepared" => QueryMode::Prepared,
            _ => QueryMode::Simple,
        },
        no_vacuum: args.on("no-vacuum"),
        vacuum_all: args.on("vacuum-all"),
        progress_s: number(args, "progress"),
        progress_timestamp: args.on("progress-timestamp"),
        per_command: args.on("report-per-command"),
        rate: float("rate"),
        scale: number(args, "scale"),
        transactions: if duration.is_some() { 0 } else { number(args, "transactions").unwrap_or(10) },
        duration,
        aggregate_s: number(args, "aggregate-interval").unwrap_or(0),
        continue_on_error: args.on("continue-on-error"),
        exit_on_abort: args.on("exit-on-abort"),
        failures_detailed: args.on("failures-detailed"),
        max_tries: atoi(args.text("max-tries")).unsigned_abs(),
        seed,
        sampling: float("sampling-rate").unwrap_or(0.0),
        verbose_errors: args.on("verbose-errors"),
        debug: args.on("debug"),
    };
    if args.on("initialize") { Ok(run) } else { together(args, &run).map(|()| run) }
}

/// What options demand of one another.
fn together(args: &ParsedArgs, run: &RunArguments) -> Result<(), String> {
    let seconds = run.duration.map_or(0, |duration| duration.as_secs());
    let every = u64::from(run.aggregate_s);
    let rules: [(bool, String); 9] = [
        (
            args.has("transactions") && run.duration.is_some(),
            "specify either a number of transactions (-t) or a duration (-T), not both".into(),
        ),
        (
            run.sampling > 0.0 && !run.log,
            "log sampling (--sampling-rate) is allowed only when logging transactions (-l)".into(),
        ),
        (
            run.sampling > 0.0 && every > 0,
            "log sampling (--sampling-rate) and aggregation (--aggregate-interval) cannot be used at the same time"
                .into(),
        ),
        (every > 0 && !run.log, "log aggregation is allowed only when actually logging transactions".into()),
        (
            args.has("log-prefix") && !run.log,
            "log file prefix (--log-prefix) is allowed only when logging transactions (-l)".into(),
        ),
        (
            seconds > 0 && every > seconds,
            format!("number of seconds for aggregation ({every}) must not be higher than test duration ({seconds})"),
        ),
        (
            seconds > 0 && every > 0 && !seconds.is_multiple_of(every),
            format!("duration ({seconds}) must be a multiple of aggregation interval ({every})"),
        ),
        (
            run.progress_timestamp && run.progress_s.is_none(),
            "--progress-timestamp is allowed only under --progress".into(),
        ),
        (
            run.max_tries == 0 && run.latency_limit.is_none() && run.duration.is_none(),
            "an unlimited number of transaction tries can only be used with --latency-limit or a duration (-T)".into(),
        ),
    ];
    rules.into_iter().find(|(broken, _)| *broken).map_or(Ok(()), |(_, what)| Err(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Read, ArgumentRefusal> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let file = |name: &str| {
            if name == "a.sql" { Ok(b"SELECT 1;".to_vec()) } else { Err("No such file or directory".into()) }
        };
        read(&words, &Around { file: &file, env: &|_| None, entropy: &|| 7, tell: &|_| (), open_files: 1024 })
    }

    fn work(line: &str) -> Arguments {
        match of(line) {
            Ok(Read::Work(arguments)) => *arguments,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn command_lines_of_tutorials() {
        let a = work("-c 10 -j 2 -t 10000 example");
        assert_eq!((a.run.clients, a.run.threads, a.run.transactions), (10, Some(2), 10_000));
        assert_eq!((a.database.as_deref(), a.init.is_none()), (Some("example"), true));
        let a = work("-i -s 50 example");
        assert_eq!(a.init.map(|i| (i.scale, i.steps)), Some((50, "dtgvp".into())));
        let a = work("-c8 -j8 -T60 -P5 -Mprepared -S -h db -p 5433 -U me --no-vacuum");
        assert_eq!((a.run.mode, a.run.progress_s, a.run.transactions), (QueryMode::Prepared, Some(5), 0));
        assert_eq!((a.host.as_deref(), a.port.as_deref(), a.user.as_deref()), (Some("db"), Some("5433"), Some("me")));
        let a = work("-f a.sql@3 -b se@2 -N -D x=1 -D y==2 --random-seed=5");
        let scripts: Vec<(&str, i64)> = a.run.scripts.iter().map(|s| (s.name.as_str(), s.weight)).collect();
        assert_eq!(scripts, [("a.sql", 3), ("<builtin: select only>", 2), ("<builtin: simple update>", 1)]);
        assert_eq!((a.run.seed, a.run.variables.len()), (5, 2));
        let a = work("-d --tenbin-form=16 -i -n --foreign-keys");
        assert_eq!((a.run.debug, a.init.map(|i| i.steps)), (true, Some("dtgpf".into())));
        for line in
            ["--tenbin-form=17 -d bank", "-dbank --tenbin-form 17", "-n --tenbin-form 19 -nd bank", "--dbn bank"]
        {
            let a = work(line);
            assert_eq!((a.run.debug, a.database.as_deref()), (false, Some("bank")), "{line}");
        }
        assert_eq!(work("-c 1021").run.clients, 1021);
        let a = work("-i --partitions=2 --partition-method=HASH");
        assert_eq!(a.init.map(|i| (i.partitions, i.by_hash)), Some((2, true)));
        // Options of later versions do not make an abbreviation ambiguous.
        assert!(work("--con --ver --h db").run.connect_each);
        let tries = |line: &str| work(line).run.max_tries;
        assert_eq!([tries("--max-tries=3x"), tries("--max-tries=4294967297"), tries("-T 1 --max-tries=x")], [3, 1, 0]);
    }

    /// As pgbench prints it: where it stands among the options, whatever is wrong with those behind it.
    #[test]
    fn a_seed_is_told_when_it_is_its_turn() {
        let of = |variable: Option<&str>, line: &str| {
            let lines = std::cell::RefCell::new(Vec::new());
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let around = Around {
                file: &|_| Err("No such file or directory".into()),
                env: &|name| variable.filter(|_| name == "PGBENCH_RANDOM_SEED").map(str::to_owned),
                entropy: &|| 7,
                tell: &|line| lines.borrow_mut().push(line.to_owned()),
                open_files: 1024,
            };
            let seed = match read(&words, &around) {
                Ok(Read::Work(arguments)) => Some(arguments.run.seed),
                _ => None,
            };
            (lines.into_inner().join("; ").replace("setting random seed to ", ""), seed)
        };
        assert_eq!(of(None, "-S"), (String::new(), Some(7)));
        assert_eq!(of(Some(""), "-S").1, None);
        assert_eq!(of(Some("4"), "-S --random-seed=5"), ("4; 5".into(), Some(5)));
        assert_eq!(of(Some("x"), "--random-seed=5"), (String::new(), None));
        for behind in ["-c 0", "--bad", "-f nowhere", "-i", "a b"] {
            assert_eq!(of(None, &format!("--random-seed=5 {behind}")), ("5".into(), None), "{behind}");
        }
        assert_eq!(of(None, "-c 0 --random-seed=5"), (String::new(), None));
        assert_eq!(of(Some("4"), "-i"), ("4".into(), Some(4)));
    }

    #[test]
    fn what_is_wrong_is_told_in_pgbenchs_words() {
        for (line, error) in [
            ("-c 0", "-c/--clients must be in range 1..2147483647"),
            (
                "-c 1022 -S",
                "need at least 1025 open files, but system limit is 1024\npgbench: hint: Reduce number of clients, ",
            ),
            ("-c 2147483647 --bad-option", "need at least 2147483650 open files"),
            ("-c three", "invalid value \"three\" for option -c/--clients"),
            ("-c 99999999999999999999", "-c/--clients must be in range 1..2147483647"),
            ("--max-tries=-1", "invalid number of maximum tries: \"-1\""),
            ("-c 0 --bad-option", "-c/--clients must be in range 1..2147483647"),
            ("-t 1 -T 1", "specify either a number of transactions (-t) or a duration (-T), not both"),
            ("-f nofile.sql", "could not open file \"nofile.sql\": No such file or directory"),
            ("-b s", "ambiguous builtin name: 2 builtin scripts found for prefix \"s\""),
            ("-b select-only@one", "invalid weight specification: @one"),
            ("-i -S", "some of the specified options cannot be used in initialization (-i) mode"),
            ("-S -F 90", "some of the specified options cannot be used in benchmarking mode"),
            ("-b se@0", "total script weight must not be zero"),
            ("--max-tries 0", "an unlimited number of transaction tries can only be used with"),
            ("-l -T 5 --aggregate-interval=3", "duration (5) must be a multiple of aggregation interval (3)"),
            ("-D foobla", "invalid variable definition: \"foobla\""),
            ("a b", "too many command-line arguments (first is \"b\")"),
            ("--tenbin-form=17 -d a b", "too many command-line arguments (first is \"b\")"),
            ("-D 1a=1", "option: invalid variable name: \"1a\""),
            ("-M p", "invalid query mode (-M): \"p\""),
            ("-R tps", "invalid rate limit: \"tps\""),
            ("-b nosuch", "name \"nosuch\"\nAvailable builtin scripts:\n      tpcb-like: <builtin: TPC-B (sort of)>\n"),
            ("-i -I dta", "unrecognized initialization step \"a\""),
            ("--tenbin-form=7", "--tenbin-form"),
        ] {
            let wrong = of(line).map(|_| ()).unwrap_err().to_string();
            assert!(wrong.starts_with("pgbench: error: ") && wrong.contains(error), "{line}: {wrong}");
        }
        // That of getopt(3), which pgbench leaves reading options to.
        for (line, error) in [
            ("--bad-option", "unrecognized option '--bad-option'"),
            ("--clients=3", "unrecognized option '--clients=3'"),
            ("-U --bad=2 --bad=1", "unrecognized option '--bad=1'"),
            ("-nZS", "invalid option -- 'Z'"),
            ("-Z", "invalid option -- 'Z'"),
            ("-S -t", "option requires an argument -- 't'"),
            ("-d --tenbin-form=17", "option requires an argument -- 'd'"),
            ("-S --scale", "option '--scale' requires an argument"),
            ("--no-vacuum=1", "option '--no-vacuum' doesn't allow an argument"),
            ("--clie", "option '--client' requires an argument"),
            ("--par=3", "option '--par=3' is ambiguous; possibilities: '--partitions' '--partition-method'\n"),
        ] {
            let wrong = of(line).map(|_| ()).unwrap_err().to_string();
            assert!(wrong.starts_with(&format!("pgbench: {error}")), "{line}: {wrong}");
        }
        let a = work("-R 10tps -L 1e1ms");
        assert_eq!((a.run.rate, a.run.latency_limit), (Some(10.0), Some(10.0)));
    }
}

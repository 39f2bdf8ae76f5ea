//! The words that people type, from other tools and from habit, and the options and commands that they mean.

use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearly;
use tenbin_words::shell;

/// Options of other tools, and ours that mean the same; the first that the command has is named.
pub const OPTIONS: &[(&str, &[&str])] = &[
    ("duration", &["time"]),
    ("seconds", &["time"]),
    ("measure", &["time"]),
    ("max-time", &["time"]),
    ("run-time", &["time"]),
    ("runtime", &["time"]),
    ("test-time", &["time"]),
    ("length", &["time"]),
    ("warmup-time", &["warmup"]),
    ("warm-up", &["warmup"]),
    ("ramp-up", &["warmup"]),
    ("rampup", &["warmup"]),
    ("rampup-time", &["warmup"]),
    ("report-interval", &["interval"]),
    ("c", &["clients"]),
    ("T", &["time"]),
    ("d", &["time"]),
    ("concurrency", &["clients"]),
    ("users", &["clients"]),
    ("vus", &["clients"]),
    ("num-threads", &["clients"]),
    ("jobs", &["clients", "streams"]),
    ("parallel", &["streams", "clients"]),
    ("threads", &["streams"]),
    ("connections", &["streams"]),
    ("requests", &["operations"]),
    ("max-requests", &["operations"]),
    ("transactions", &["operations"]),
    ("iterations", &["operations"]),
    ("number-of-queries", &["operations"]),
    ("qps", &["rate"]),
    ("rps", &["rate"]),
    ("tps", &["rate"]),
    ("target-rate", &["rate"]),
    ("tx-rate", &["rate"]),
    ("rows", &["table-size"]),
    ("size", &["table-size"]),
    ("oltp-table-size", &["table-size"]),
    ("num-rows", &["table-size"]),
    ("num-tables", &["tables"]),
    ("oltp-tables-count", &["tables"]),
    ("random-seed", &["seed"]),
    ("rand-seed", &["seed"]),
    ("output", &["out", "runs"]),
    ("o", &["out", "runs"]),
    ("outfile", &["out"]),
    ("file", &["out"]),
    ("output-dir", &["runs", "dir"]),
    ("outdir", &["runs", "dir"]),
    ("results", &["runs"]),
    ("runs-dir", &["runs"]),
    ("label", &["name"]),
    ("title", &["name"]),
    ("tags", &["tag"]),
    ("comment", &["note"]),
    ("description", &["note"]),
    ("language", &["lang"]),
    ("locale", &["lang"]),
    ("metric", &["figure"]),
    ("type", &["format"]),
    ("no-connect", &["offline"]),
    ("continue", &["resume"]),
    ("force", &["drop", "allow"]),
    ("only-cleanup", &["only-drop"]),
    ("cleanup", &["only-drop"]),
    ("reason", &["why"]),
    ("explain", &["why"]),
    ("prometheus", &["metrics"]),
    ("load-hosts", &["hosts"]),
];

/// Commands of other tools, and ours.
pub const COMMANDS: &[(&str, &str)] = &[
    ("validate", "tenbin plan check PLAN"),
    ("lint", "tenbin plan check PLAN"),
    ("dry-run", "tenbin plan check PLAN"),
    ("init", "tenbin plan example"),
    ("new", "tenbin plan example"),
    ("example", "tenbin plan example"),
    ("start", "tenbin run PLAN"),
    ("exec", "tenbin run PLAN"),
    ("execute", "tenbin run PLAN"),
    ("benchmark", "tenbin bench WORKLOAD DSN"),
    ("test", "tenbin bench WORKLOAD DSN"),
    ("prepare", "tenbin load WORKLOAD DSN"),
    ("import", "tenbin load WORKLOAD DSN"),
    ("cleanup", "tenbin load WORKLOAD DSN --only-drop"),
    ("drop", "tenbin load WORKLOAD DSN --only-drop"),
    ("runs", "tenbin list"),
    ("results", "tenbin list"),
    ("ls", "tenbin list"),
    ("workloads", "tenbin list"),
    ("datasets", "tenbin list"),
    ("view", "tenbin show RUN"),
    ("print", "tenbin show RUN"),
    ("why", "tenbin show RUN --why"),
    ("export", "tenbin report RUN --format csv"),
    ("html", "tenbin report RUN"),
    ("page", "tenbin report RUN"),
    ("resume", "tenbin run PLAN --resume RUN"),
    ("pack", "tenbin bundle RUN"),
    ("archive", "tenbin bundle RUN"),
    ("checksum", "tenbin verify RUN"),
    ("tag", "tenbin label RUN --tag WORD"),
    ("trend", "tenbin history PLAN"),
    ("golden", "tenbin data list"),
    ("server", "tenbin sandbox start"),
    ("stop", "tenbin sandbox stop"),
    ("completion", "tenbin completions bash"),
];

/// Actions of commands that have several: command, word, action.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("data", "ls", "list"),
    ("data", "show", "list"),
    ("data", "rm", "remove"),
    ("data", "delete", "remove"),
    ("data", "clean", "remove --all"),
    ("sandbox", "ls", "list"),
    ("sandbox", "ps", "list"),
    ("sandbox", "status", "list"),
    ("sandbox", "rm", "stop"),
    ("sandbox", "remove", "stop"),
    ("sandbox", "kill", "stop"),
    ("sandbox", "clean", "list --clean"),
    ("sandbox", "create", "start"),
    ("sandbox", "run", "start"),
    ("plan", "validate", "check"),
    ("plan", "lint", "check"),
    ("plan", "show", "check"),
    ("plan", "new", "example"),
    ("plan", "init", "example"),
    ("hosts", "list", "check"),
    ("hosts", "test", "check"),
];

/// Our options for one of other tools, also if that is misspelt.
pub fn options(name: &str) -> impl Iterator<Item = &'static str> {
    let meant = nearly(name, OPTIONS.iter().map(|(theirs, _)| *theirs).filter(|theirs| theirs.len() > 3));
    let is = |name: &str| OPTIONS.iter().find(|(theirs, _)| *theirs == name);
    let entry = is(name).or_else(|| is(meant?));
    entry.into_iter().flat_map(|(_, ours)| ours.iter().copied())
}

/// Our command for a word.
pub fn command(path: &[String], word: &str) -> Option<String> {
    let word = word.to_lowercase();
    match path {
        [_] if word == "version" => Some("tenbin --version".to_owned()),
        [_] => COMMANDS.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| (*ours).to_owned()),
        [_, command, ..] => ACTIONS
            .iter()
            .find(|(of, theirs, _)| of == command && *theirs == word)
            .map(|(of, _, action)| format!("tenbin {of} {action}")),
        [] => None,
    }
}

/// What to do instead of giving an option that no option of ours means. `values`: what was typed from there on.
pub fn instead(path: &[String], name: &str, values: &[&str]) -> Option<Message> {
    let command = path.get(1).map_or("", String::as_str);
    let value = values.first().and_then(|word| word.split_once('=')).map(|(_, value)| value).or(values.get(1).copied());
    let plan = shell::word(value.unwrap_or("plan.toml"));
    match (command, name) {
        ("bench" | "load" | "doctor" | "check" | "diff", "password" | "mysql-password" | "pgsql-password" | "p") => {
            Some(msg!("usage-password"))
        }
        (
            "bench" | "load" | "doctor" | "check" | "diff",
            "host" | "h" | "port" | "user" | "u" | "username" | "socket" | "db" | "database" | "schema" | "dsn" | "url"
            | "mysql-host" | "mysql-port" | "mysql-user" | "mysql-socket" | "mysql-db" | "pgsql-host" | "pgsql-port"
            | "pgsql-user" | "pgsql-db",
        ) => Some(msg!("usage-address")),
        ("run", "c") if value.is_some_and(|value| !value.ends_with(".toml")) => {
            Some(msg!("usage-in-plan", key = "clients"))
        }
        ("run", "plan" | "file" | "config" | "f" | "c") => Some(foreign(format_args!("tenbin run {plan}"))),
        ("bench", "plan" | "config") => Some(foreign(format_args!("tenbin run {plan}"))),
        ("plan", "plan" | "file") => Some(foreign(format_args!("tenbin plan check {plan}"))),
        ("run", "dry-run" | "check" | "validate" | "n" | "offline") => Some(foreign("tenbin plan check PLAN")),
        ("gate", "threshold" | "limit" | "tolerance" | "max-loss") => Some(msg!("give-max-regression")),
        ("show", "json" | "csv" | "html" | "markdown" | "format") => {
            let form = if name == "format" { value.unwrap_or("json") } else { name };
            Some(foreign(format_args!("tenbin report RUN --format {}", shell::word(form))))
        }
        ("run" | "demo", "time" | "duration" | "clients" | "threads" | "repeats" | "warmup" | "rate" | "measure") => {
            Some(msg!("usage-in-plan", key = name.replace('-', "_")))
        }
        // Without a command.
        ("", "v") => Some(foreign("tenbin --version")),
        _ => None,
    }
}

//! Lua scripts under the name sysbench: opens them with all arguments, executes their commands, runs their events.

use super::messages::{NOTICE, print, told};
use super::plan::TestRun;
use super::run;
use super::settings::Settings;
use super::{Code, End, arguments, options};
use crate::hint::HintWords;
use crate::parsed_args::ParsedArgs;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_script::Script;
use tenbin_terminal::signals;
use tenbin_words::problem::Problem;

/// Which scripts have sysbench's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modules {
    /// The files that Lua finds, or else our own.
    Found,
    /// Our own.
    Ours,
}

/// Executes a script's command; `name` is a path, a module or `-`.
pub fn obey(args: &ParsedArgs, settings: &Settings, name: &str, modules: Modules) -> Result<Code, End> {
    // Of a script on standard input only the body is executed.
    let command = arguments::command(args).filter(|_| name != "-");
    let address = match super::database::address(args, &settings.words) {
        Ok(address) => address,
        // Also of a script that names no function of a database: a module that it loads may.
        Err(why) if command == Some("run") => {
            let load =
                TestRun { name: name.to_owned(), sql: Some(true), options: of_script(args, false), workload: None };
            return Err(End::Fatal(run::without_address(settings, &load, &why)));
        }
        Err(why) => {
            // With sysbench's name, if the function that needed the driver is known.
            let more = |command| {
                format!("\nFATAL: `{command}' function failed: {}: failed to initialize the DB driver", title(name))
            };
            return Err(End::Fatal(why + &command.map(more).unwrap_or_default()));
        }
    };
    let dsn = Dsn::parse(&address.0).map_err(|p| fatal(settings, &p))?;
    let connector =
        Connector::new(dsn, address.1.as_ref().map(|p| p.reveal().to_owned())).map_err(|p| fatal(settings, &p))?;
    let other = other_family(args);
    let mut given = given(args);
    given.insert("tenbin_form".into(), settings.form.version().into());
    if modules == Modules::Ours {
        given.insert("tenbin_own_modules".into(), "on".into());
    }
    let script =
        Script::open_as(&args.typed, name, command, &given, &of_script(args, true), (connector.clone(), other))
            .map_err(|p| not_opened(args, settings, p))?;
    match command {
        None => Ok(Code::Done),
        Some("run") => {
            if !script.has_event() {
                return Err(End::Fatal(format!("cannot find the event() function in {}", file_name(name))));
            }
            let workload = Arc::from(script.workload().map_err(|p| fatal(settings, &p))?);
            // A script may not use a database at all, so it is tried whether one can be connected to.
            let address = match connector.connect_alone() {
                Ok(_) => address,
                Err(_) => ("null:".to_owned(), None),
            };
            let load = TestRun {
                name: name.to_owned(),
                sql: speaks_sql(name),
                options: of_script(args, false),
                workload: Some(workload),
            };
            run::run(args, settings, settings.form, &address, &load, Some(&script)).map_err(End::Fatal)
        }
        Some(command) => {
            let Some(known) = script.commands().iter().find(|c| c.name == command) else {
                return Err(End::Usage(match command {
                    "prepare" | "cleanup" | "help" => {
                        format!("'{}' test does not implement the '{command}' command.", file_name(name))
                    }
                    _ => format!("Unknown command: {command}"),
                }));
            };
            if known.parallel && settings.threads > 1 {
                print(settings.verbosity, NOTICE, "Initializing worker threads...\n");
            }
            if connector.dsn().scheme.kind().has_system_schemas {
                tenbin_workload::tables::system::refuse_system_schema(&connector).map_err(|p| fatal(settings, &p))?;
            }
            let stop = signals::listen().map_err(|p| fatal(settings, &p))?;
            let outcome = script.run_command(command, settings.threads);
            if stop.asked() {
                return Ok(Code::Interrupted);
            }
            // Commands of a script's own are called by this function; prepare and cleanup may be functions that are called by their names.
            let is_own = known.parallel || !["prepare", "cleanup"].contains(&command);
            let caller = if is_own { "sysbench.cmdline.call_command" } else { command };
            let failed = |problem: Problem| {
                let named = |name: &str| format!("`{name}' function failed: ");
                told(&settings.words, &problem).replacen(&named(command), &named(caller), 1)
            };
            outcome.map(|()| Code::Done).map_err(|p| End::Fatal(failed(p)))
        }
    }
}

/// The connector to the database of the other family from its options, because a script may use its driver too.
fn other_family(args: &ParsedArgs) -> Option<Connector> {
    let name = if args.text("db-driver") == "pgsql" { "mysql" } else { "pgsql" };
    let mut other = args.clone();
    other.set("db-driver", name.into());
    let (dsn, password) = super::database::address(&other, &HintWords::default()).ok()?;
    Connector::new(Dsn::parse(&dsn).ok()?, password.map(|p| p.reveal().to_owned())).ok()
}

/// Whether a script's text contains database functions; `None`: known only when it uses one.
fn speaks_sql(path: &str) -> Option<bool> {
    let text = tenbin_intake::text(std::path::Path::new(path), tenbin_intake::SMALL).ok()?;
    ["sysbench.sql", "oltp_common", "db_query", "db_connect"].iter().any(|word| text.contains(word)).then_some(true)
}

/// The name of a script in sysbench: the word that was given.
fn title(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// Without its folders.
fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn fatal(settings: &Settings, problem: &Problem) -> End {
    End::Fatal(told(&settings.words, problem))
}

/// An unknown option is reported with sysbench's message.
fn not_opened(args: &ParsedArgs, settings: &Settings, problem: Problem) -> End {
    let known = |name: &str| !options::GLOBAL.iter().any(|r| r.name == name);
    let olds = args.all().filter(|(name, _)| known(name)).map(|(n, v)| (n, format!("{n}={v}")));
    let others = args.unknown.iter().map(|o| (o.name.as_str(), o.text.clone()));
    for (name, text) in olds.chain(others) {
        let name = name.replace('-', "_");
        let ids = ["script-option-unknown", "script-option-cannot-be", "option-unknown", "option-cannot-be"];
        let about = problem.what.arg("option").filter(|_| ids.iter().any(|id| problem.what.is(id)));
        if about.is_some_and(|option| option.trim_matches('"') == name) {
            return End::Usage(format!("invalid option: --{text}"));
        }
    }
    // Lua's own message first, because users search for that line.
    match &problem.evidence {
        Some(words) => End::Fatal(words.english().to_owned()),
        None => fatal(settings, &problem),
    }
}

/// All options, by name with `_`, with sysbench's types.
fn given(args: &ParsedArgs) -> BTreeMap<String, String> {
    let mut given = of_script(args, false);
    for (name, value) in args.all() {
        let value = match name {
            "test" | "config-file" | "help" | "version" | "tenbin-form" => continue,
            // Options of tests of other versions, in a file that is used for those too.
            old if !args.has_here(old) && !options::GLOBAL.iter().any(|r| r.name == old) => continue,
            // Several percentiles and fractions of seconds are additions of Tenbin; a script expects integers.
            "percentile" | "time" | "warmup-time" => {
                value.split([',', '.']).next().filter(|v| !v.is_empty()).unwrap_or("0").to_owned()
            }
            _ => value.to_owned(),
        };
        given.insert(name.replace('-', "_"), value);
    }
    given
}

/// The options that only the script may know: those on the command line, or those in the configuration file.
fn of_script(args: &ParsedArgs, shared: bool) -> BTreeMap<String, String> {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "on".into());
    args.unknown.iter().filter(|o| o.from_file == shared).map(|o| (o.name.replace('-', "_"), value(&o.value))).collect()
}

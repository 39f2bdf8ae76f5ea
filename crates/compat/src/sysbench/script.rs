//! Lua scripts under the name sysbench: opens them with all arguments, executes their commands, runs their events.

use super::messages::{NOTICE, print, told};
use super::plan::TestRun;
use super::run;
use super::settings::Settings;
use super::{Code, End, arguments, options};
use crate::hint::HintWords;
use crate::parsed_args::{ParsedArgs, UnknownOption};
use std::collections::BTreeMap;
use std::sync::Arc;
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_script::{Script, SysbenchView, Type, WHOLE};
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

/// Executes a script's command; `name` is a path, a module or `-`, which was found for what was typed.
pub fn obey(args: &ParsedArgs, settings: &Settings, typed: &str, name: &str, modules: Modules) -> Result<Code, End> {
    // Of a script on standard input only the body is executed.
    obey_command(args, settings, (typed, name, modules), arguments::command(args).filter(|_| name != "-"))
}

/// The same with this command, whatever was typed.
pub fn obey_command(
    args: &ParsedArgs,
    settings: &Settings,
    (typed, name, modules): (&str, &str, Modules),
    command: Option<&str>,
) -> Result<Code, End> {
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
    let view = SysbenchView {
        argv: &args.typed,
        version: settings.form.version(),
        typed,
        declared: &args.declared.iter().map(|name| name.replace('-', "_")).collect(),
        own_modules: modules == Modules::Ours,
        perhaps: &of_script(args, true),
    };
    let script = Script::open_as(&view, name, command, &given(args), (connector.clone(), other))
        .map_err(|p| not_opened(args, settings, p))?;
    switches_are_known(args, &script)?;
    let has = |name: &str| script.options().iter().any(|option| option.name == name.replace('-', "_"));
    super::say_what_nothing_reads(args, settings, has);
    match command {
        None => Ok(Code::Done),
        // A command of that name of the script's own takes its place.
        Some("run") if !script.replaces_run() => {
            if !script.has_event() {
                // The script's own reason comes first: that it is only a part of others.
                script.init(settings.threads).map_err(|p| fatal(settings, &p))?;
                return Err(End::Fatal(format!("cannot find the event() function in {}", file_name(typed))));
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
                options: recorded(args, &script),
                workload: Some(workload),
            };
            run::run(args, settings, settings.form, &address, &load, Some(&script)).map_err(End::Fatal)
        }
        Some(command) => {
            let Some(known) = script.commands().iter().find(|c| c.name == command) else {
                return Err(End::Usage(match command {
                    "prepare" | "cleanup" | "help" => {
                        format!("'{}' test does not implement the '{command}' command.", file_name(typed))
                    }
                    _ => format!("Unknown command: {command}"),
                }));
            };
            if known.parallel && settings.threads > 1 {
                print(settings.verbosity, NOTICE, "Initializing worker threads...\n");
            }
            // What a user's own script does there is the user's business.
            let is_ours = modules == Modules::Ours || tenbin_script::module(name).is_some();
            if is_ours && connector.dsn().scheme.kind().has_system_schemas && command != "help" {
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

/// Of a script's switches only the bare name is on: an unset variable of a shell does not turn them on.
fn switches_are_known(args: &ParsedArgs, script: &Script) -> Result<(), End> {
    let is_known = |value: &str| ["on", "true", "1", "off", "false", "0"].contains(&value);
    let is_wrong = |option: &&UnknownOption| {
        !option.from_file && option.value.as_deref().is_some_and(|v| !is_known(v)) && is_switch(script, &option.name)
    };
    match args.unknown.iter().find(is_wrong) {
        Some(option) => Err(End::Usage(format!("invalid option: --{}", option.text))),
        None => Ok(()),
    }
}

fn is_switch(script: &Script, name: &str) -> bool {
    let name = name.replace('-', "_");
    script.options().iter().any(|option| option.kind == Type::Bool && option.name == name)
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
        // What its own check has thrown is told below.
        let refused = problem.what.is("script-refuses-option") && problem.evidence.is_none();
        let about = problem.what.arg("option").filter(|_| refused || ids.iter().any(|id| problem.what.is(id)));
        if about.is_some_and(|option| option.trim_matches('"') == name) {
            let number = problem
                .hint
                .as_ref()
                .and_then(|hint| hint.arg("wanted"))
                .is_some_and(|wanted| wanted.english() == WHOLE);
            return End::Usage(match text.split_once('=') {
                Some((_, value)) if number => format!("Invalid value for the '{name}' option: '{value}'"),
                _ => format!("invalid option: --{text}"),
            });
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

/// The options that only the script may know: those on the command line, or those in the configuration file. Without a value one is empty, and
/// a switch is on then.
fn of_script(args: &ParsedArgs, shared: bool) -> BTreeMap<String, String> {
    let value = |v: &Option<String>| v.clone().unwrap_or_default();
    args.unknown.iter().filter(|o| o.from_file == shared).map(|o| (o.name.replace('-', "_"), value(&o.value))).collect()
}

/// Those on the command line, as a plan has them.
fn recorded(args: &ParsedArgs, script: &Script) -> BTreeMap<String, String> {
    let mut all = of_script(args, false);
    all.iter_mut()
        .filter(|(name, value)| value.is_empty() && is_switch(script, name))
        .for_each(|(_, v)| *v = "on".to_owned());
    all
}

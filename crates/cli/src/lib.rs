//! `tenbin`: argv in, exit code out. Each command is one file in `command/`; what they share stands beside them.
//!
//! A command parses what was typed into a plan (or names a run directory) and attaches sinks to the stream of events:
//! the store, the terminal. It knows nothing of SQL, bytes or statistics.
//!
//! It is a library so that a program may bring workloads of its own: it calls [`tenbin_workloads::add_workload`], and then
//! [`main`].

mod args;
mod command;
mod compat;
mod execute;
mod exit;
mod load_keys;
mod progress;
mod screen;
mod signals;
mod table;
mod terminal;
mod tpcc;
mod words;
mod workload_name;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

/// What the binary does: argv in, exit code out.
pub fn main() -> ExitCode {
    signals::write_errors_are_errors();
    let typed: Vec<_> = std::env::args_os().collect();
    if let Some((face, rest)) = compat::called(&typed) {
        // The old tools know no other code for it.
        return exit::ended((face.main)(rest), Exit::Usage);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(asked) => {
            // Help and version were asked for; everything else is a usage error (1, as everywhere in Tenbin).
            let printed = asked.print();
            if asked.use_stderr() {
                return Exit::Usage.into();
            }
            exit::written(printed);
            return exit::ended(Exit::Ok.into(), Exit::Errors);
        }
    };
    match execute::language(arguments.command.lang()) {
        Ok(language) => language.into_iter().for_each(exit::speak),
        Err(problem) => {
            exit::complain(&problem);
            return exit::ended(Exit::Usage.into(), Exit::Errors);
        }
    }
    let outcome = match arguments.command {
        Command::Run(a) => command::run::run(&a),
        Command::Report(a) => command::report::report(&a),
        Command::List(a) => command::list::list(&a),
        Command::Plan(a) => command::plan::plan(&a),
        Command::Doctor(a) => command::doctor::doctor(&a),
        Command::Sandbox(a) => command::sandbox::sandbox(&a),
        Command::Load(a) => command::load::load(&a),
        Command::Check(a) => command::check::check(&a),
        Command::Bench(a) => command::bench::bench(&a),
        Command::Demo(a) => command::demo::demo(&a),
        Command::Completions(a) => command::completions::completions(&a),
        Command::Man(a) => command::man::man(&a),
    };
    let code = outcome.unwrap_or_else(|problem| {
        exit::complain(&problem);
        Exit::Usage
    });
    exit::ended(code.into(), Exit::Errors)
}

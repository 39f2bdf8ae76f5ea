//! `tenbin`: argv in, exit code out. Each command is one file in `command/`; shared code is next to it.
//!
//! A command converts its arguments to a plan (or reads a run directory) and attaches sinks to the stream of events:
//! the store, the terminal. It contains no SQL, protocols or statistics.
//!
//! It is a library so that a program can add its own workloads: it calls [`tenbin_workloads::add_workload`], and then
//! [`main`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod address_space;
mod args;
mod clock;
mod command;
mod concealed;
mod execute;
mod gating;
mod init;
mod kept_copies;
mod load_keys;
#[cfg(test)]
mod made_up;
mod metrics;
mod plan_file;
mod progress;
mod published;
mod screen;
mod table;
mod terminal;
mod tested_by;
mod threads;
mod tpcc;
mod usage;
mod why;
mod workload_name;
mod wrap;

use args::{Arguments, Command};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::{language, signals, version};
use tenbin_words::language::Language;

/// The main function: argv in, exit code out.
pub fn main() -> ExitCode {
    if let Some(code) = init::attend() {
        return code;
    }
    address_space::share_one_arena();
    version::set(env!("TENBIN_VERSION"));
    signals::write_errors_are_errors();
    let words: Vec<_> = std::env::args_os().collect();
    concealed::conceal(&words);
    let typed: Vec<_> = workload_name::scripts_together(words);
    if let Some((front_end, rest)) = tenbin_compat::called(&typed) {
        // Those who read the output of the other tools read English.
        exit::speak(Language::English);
        exit::end_with_reader();
        // The other tools have no other code for it.
        return exit::ended((front_end.main)(rest), Exit::Usage);
    }
    let arguments = match Arguments::try_parse_from(&typed) {
        Ok(arguments) => arguments,
        Err(error) => {
            return usage::conclude(&error, &in_text(&typed));
        }
    };
    match language::language(arguments.command.lang()) {
        Ok(language) => language.into_iter().for_each(exit::speak),
        Err(problem) => {
            exit::complain(&problem);
            return exit::ended(Exit::Usage.into(), Exit::Errors);
        }
    }
    if let Some(problem) = usage::misplaced::misplaced(&arguments.command, &in_text(&typed)) {
        exit::complain(&problem);
        return exit::ended(Exit::Usage.into(), Exit::Errors);
    }
    if let Err(problem) = clock::check() {
        exit::complain(&problem);
        return exit::ended(Exit::Usage.into(), Exit::Errors);
    }
    let outcome = threads::or_said(|| match arguments.command {
        Command::Run(a) => command::run::run(&a),
        Command::Report(a) => command::report::report(&a),
        Command::Show(a) => command::show::show(&a),
        Command::Compare(a) => command::compare::compare(&a),
        Command::Gate(a) => command::gate::gate(&a),
        Command::History(a) => command::history::history(&a),
        Command::Label(a) => command::label::label(&a),
        Command::Verify(a) => command::verify::verify(&a),
        Command::Bundle(a) => command::bundle::bundle(&a),
        Command::Audit(a) => command::audit::audit(&a),
        Command::List(a) => command::list::list(&a),
        Command::Plan(a) => command::plan::plan(&a),
        Command::Hosts(a) => command::hosts::hosts(&a),
        Command::Doctor(a) => command::doctor::doctor(&a),
        Command::Diff(a) => command::diff::diff(&a),
        Command::RestoreSettings(a) => command::restore_settings::restore_settings(&a),
        Command::Sandbox(a) => command::sandbox::sandbox(&a),
        Command::Data(a) => command::data::data(&a),
        Command::Load(a) => command::load::load(&a),
        Command::Check(a) => command::check::check(&a),
        Command::Bench(a) => command::bench::bench(&a),
        Command::Demo(a) => command::demo::demo(&a),
        Command::Completions(a) => command::completions::completions(&a),
        Command::Man(a) => command::man::man(&a),
        Command::Names(a) => command::names::names(&a),
        Command::LoadHost => command::load_host::load_host(),
    });
    let code = outcome.unwrap_or_else(|problem| {
        exit::complain(&problem);
        Exit::Usage
    });
    exit::ended(code.into(), Exit::Errors)
}

/// The words of a command line as text.
fn in_text(typed: &[OsString]) -> Vec<String> {
    typed.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

//! `tpcc_load` and `tpcc_start`: the command lines of tpcc-mysql, with letters or positional arguments, and its output,
//! without its faults.
//!
//! | | |
//! |---|---|
//! | parsing | [`parsed_args`]: the grammar; [`option`]: every option as a row |
//! | resolving | [`server`]; [`load`] and [`settings`] |
//! | running | [`load`]; [`start`], with [`plan`], [`schemas`] for `-m`, [`trace`] for `-f` and `-t`, both by [`mod@like`] |
//! | output | [`text`]: lines and blocks; [`hint`]: hints for problems; [`help`]; `doc`: the reference |

#[cfg(test)]
mod doc;
mod help;
mod hint;
mod like;
mod load;
mod option;
mod parsed_args;
mod plan;
mod schemas;
mod server;
mod settings;
mod start;
mod text;
mod trace;

use crate::exit::{self, Exit};
use parsed_args::ParsedArgs;
use std::process::ExitCode;
use tenbin_model::problem::Problem;

/// The name it was called by.
#[derive(Debug, Clone, Copy)]
struct Program(&'static str);

impl Program {
    /// Prints a line on standard error.
    fn write(self, line: &str) {
        exit::print_error(&format!("{}: {line}", self.0));
    }

    fn complain(self, problem: &Problem) {
        self.write(&problem.to_string());
    }
}

/// Loads.
pub fn tpcc_load(arguments: Vec<String>) -> ExitCode {
    let program = Program("tpcc_load");
    let args = parsed_args::read(&arguments, option::LOAD, parsed_args::LOAD);
    main(program, args, help::load, load::load)
}

/// Runs.
pub fn tpcc_start(arguments: Vec<String>) -> ExitCode {
    let program = Program("tpcc_start");
    let args = parsed_args::read(&arguments, option::START, parsed_args::START);
    main(program, args, help::start, start::start)
}

fn main(
    program: Program,
    args: Result<ParsedArgs, String>,
    help: fn() -> String,
    work: fn(&ParsedArgs, Program) -> Result<Exit, String>,
) -> ExitCode {
    let done = args.and_then(|args| {
        if args.has("help") {
            exit::print(&help());
        } else if args.has("version") {
            exit::print(&text::version(program.0));
        } else {
            return work(&args, program);
        }
        Ok(Exit::Ok)
    });
    match done {
        Ok(exit) => exit.into(),
        Err(line) => {
            program.write(&line);
            program.write(&format!("see {} --help", program.0));
            Exit::Usage.into()
        }
    }
}

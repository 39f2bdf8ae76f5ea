//! `tpcc_load` and `tpcc_start`: the command lines of tpcc-mysql, with letters or positional arguments, and its output,
//! without its faults.
//!
//! | | |
//! |---|---|
//! | parsing | [`arguments`]: options and positional arguments; [`options`]: every option as a row |
//! | resolving | [`server`]; [`load`] and [`settings`] |
//! | running | [`load`]; [`start`], with [`plan`], [`schemas`] for `-m`, [`trace`] for `-f` and `-t`, both by [`mod@like`] |
//! | output | [`text`]: lines and blocks; [`hint`]: hints for problems; [`help`] |

mod arguments;
mod help;
mod hint;
mod like;
mod load;
pub mod options;
mod plan;
mod schemas;
mod server;
mod settings;
mod start;
mod text;
mod trace;

use arguments::Arguments;
use std::process::ExitCode;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::problem::Problem;

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
    let args = arguments::read(&arguments, &options::LOAD, arguments::LOAD);
    main(program, args, help::load, load::load)
}

/// Runs.
pub fn tpcc_start(arguments: Vec<String>) -> ExitCode {
    let program = Program("tpcc_start");
    let args = arguments::read(&arguments, &options::START, arguments::START);
    main(program, args, help::start, start::start)
}

fn main(
    program: Program,
    arguments: Result<Arguments, String>,
    help: fn() -> String,
    work: fn(&Arguments, Program) -> Result<Exit, String>,
) -> ExitCode {
    let done = arguments.and_then(|arguments| {
        if arguments.args.on("help") {
            exit::print(&help());
        } else if arguments.args.on("version") {
            exit::print(&text::version(program.0));
        } else {
            return work(&arguments, program);
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

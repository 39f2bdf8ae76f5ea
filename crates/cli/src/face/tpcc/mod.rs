//! `tpcc_load` and `tpcc_start`: the command lines of tpcc-mysql, with letters and without, and what it prints; its
//! faults not.
//!
//! | | |
//! |---|---|
//! | said | [`typed`]: the grammar; [`option`]: every option as a row |
//! | meant | [`server`]; [`load`] and [`asked`] |
//! | done | [`load`]; [`start`], with [`plan`], [`schemas`] for `-m`, [`trace`] for `-f` and `-t`, both by [`mod@like`] |
//! | told | [`text`]: lines and blocks; [`hint`]: ways out of problems; [`help`]; `doc`: the reference |

mod asked;
#[cfg(test)]
mod doc;
mod help;
mod hint;
mod like;
mod load;
mod option;
mod plan;
mod schemas;
mod server;
mod start;
mod text;
mod trace;
mod typed;

use crate::exit::{self, Exit};
use std::process::ExitCode;
use tenbin_model::problem::Problem;
use typed::Typed;

/// The name it was called by.
#[derive(Debug, Clone, Copy)]
struct Program(&'static str);

impl Program {
    /// Tells a line on standard error.
    fn tell(self, line: &str) {
        exit::tell(&format!("{}: {line}", self.0));
    }

    fn complain(self, problem: &Problem) {
        self.tell(&problem.to_string());
    }
}

/// Loads.
pub fn tpcc_load(arguments: Vec<String>) -> ExitCode {
    let program = Program("tpcc_load");
    let typed = typed::read(&arguments, option::LOAD, typed::LOAD);
    main(program, typed, help::load, load::load)
}

/// Runs.
pub fn tpcc_start(arguments: Vec<String>) -> ExitCode {
    let program = Program("tpcc_start");
    let typed = typed::read(&arguments, option::START, typed::START);
    main(program, typed, help::start, start::start)
}

fn main(
    program: Program,
    typed: Result<Typed, String>,
    help: fn() -> String,
    work: fn(&Typed, Program) -> Result<Exit, String>,
) -> ExitCode {
    let done = typed.and_then(|typed| {
        if typed.has("help") {
            exit::say(&help());
        } else if typed.has("version") {
            exit::say(&text::version(program.0));
        } else {
            return work(&typed, program);
        }
        Ok(Exit::Ok)
    });
    match done {
        Ok(exit) => exit.into(),
        Err(line) => {
            program.tell(&line);
            program.tell(&format!("see {} --help", program.0));
            Exit::Usage.into()
        }
    }
}

//! `tenbin completions`: prints shell completions.

use crate::args::{Arguments, Completions};
use clap::CommandFactory;
use tenbin_terminal::exit::{self, Exit};
use tenbin_words::problem::Problem;

pub fn completions(a: &Completions) -> Result<Exit, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(a.shell, &mut Arguments::command(), "tenbin", &mut text);
    exit::print(String::from_utf8_lossy(&text).trim_end());
    Ok(Exit::Ok)
}

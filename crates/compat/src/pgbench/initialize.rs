//! `pgbench -i`.

use super::arguments::InitArguments;
use super::error;
use crate::libpq::Server;
use std::io::{IsTerminal, Write};
use tenbin_driver::Connector;
use tenbin_pgbench::init::{self, InitError, InitOutput, InitSettings};
use tenbin_terminal::exit;

/// Creates the tables; returns whether it succeeded.
pub fn initialize(arguments: InitArguments, server: &Server, connector: &Connector) -> bool {
    let settings = InitSettings {
        steps: arguments.steps,
        scale: arguments.scale,
        fillfactor: arguments.fillfactor,
        unlogged: arguments.unlogged,
        tablespace: arguments.tablespace,
        index_tablespace: arguments.index_tablespace,
        partitions: arguments.partitions,
        by_hash: arguments.by_hash,
        quiet: arguments.quiet,
        allow_drop: arguments.allow_drop,
    };
    let mut out = Lines { over: std::io::stderr().is_terminal(), shown: 0 };
    match init::run(&settings, connector, &tenbin_lab::nothing_lost_with_ours, &mut out) {
        Ok(()) => true,
        Err(InitError::Connect(failed)) => {
            error(&server.told_failure(&failed));
            error("could not create connection for initialization");
            false
        }
        Err(InitError::Statement(lines, sql)) => {
            error(&format!("query failed: {lines}"));
            exit::print_error(&format!("pgbench: detail: Query was: {sql}"));
            false
        }
        Err(InitError::Problem(problem)) => {
            error(&super::hint::words(server).told(&problem).to_string());
            false
        }
    }
}

/// Standard error, where each line of the progress stands over the one before if it is a terminal.
struct Lines {
    over: bool,
    /// Characters of the line that is to be overwritten.
    shown: usize,
}

impl InitOutput for Lines {
    fn line(&mut self, text: &str) {
        if std::mem::take(&mut self.shown) > 0 {
            exit::print_error("");
        }
        exit::print_error(text);
    }

    fn progress(&mut self, text: &str) {
        if !self.over {
            return exit::print_error(text);
        }
        let rest = " ".repeat(self.shown.saturating_sub(text.len()));
        // A terminal that is gone needs no progress.
        let _ = write!(std::io::stderr(), "\r{text}{rest}");
        self.shown = text.len();
    }
}

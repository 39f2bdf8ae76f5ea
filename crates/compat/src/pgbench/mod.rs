//! `pgbench`: the command line, statements, reports, logs and exit codes of pgbench 12 to 19.
//!
//! | | |
//! |---|---|
//! | parsing | [`options`]: every option as a row; [`arguments`]: their values, in pgbench's order and words, with [`values`]; [`form`]: the version |
//! | resolving | [`crate::libpq`]: the address; [`plan`] |
//! | running | [`initialize`]; [`run`] |
//! | output | [`mod@report`]: reports and lines of progress; [`help`] |
//!
//! What the clients do is in the crate `pgbench`.

mod arguments;
mod form;
mod help;
mod hint;
mod initialize;
pub mod options;
mod plan;
mod report;
mod run;
mod seed;
mod values;

use crate::environment;
use crate::libpq::TypedServer;
use crate::libpq_server::told_address;
use arguments::{Arguments, Around, Read};
use form::Form;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use tenbin_driver::Connector;
use tenbin_model::dsn::Dsn;
use tenbin_pgbench::LONGEST_SCRIPT;
use tenbin_terminal::exit;
use tenbin_words::text::visible_lines;

/// The exit code of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Done = 0,
    /// Found before the run.
    Usage = 1,
    /// A client ended early; its report was printed nevertheless.
    Aborted = 2,
    /// By a signal, whose exit code it has; the report was printed nevertheless.
    Interrupted = 130,
}

/// Runs with these arguments.
pub fn main(arguments: Vec<String>) -> ExitCode {
    let tell = |line: &str| exit::print_error(&format!("pgbench: {line}"));
    // The run raises the limit to the hard one.
    let open_files = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum.unwrap_or(u64::MAX);
    // Empty, as of a variable that is not set, it is no seed.
    let env = |name: &str| std::env::var(name).ok();
    let around = Around { file: &script, env: &env, entropy: &entropy, tell: &tell, open_files };
    let code = match arguments::read(&arguments, &around) {
        Ok(Read::Work(arguments)) => work(*arguments),
        Ok(Read::Help) => printed(&help::help()),
        Ok(Read::Version(form)) => printed(&format!("pgbench (PostgreSQL) {}", version(form))),
        Ok(Read::List) => {
            exit::print_error(&arguments::builtins());
            Code::Done
        }
        Ok(Read::Show(builtin)) => {
            exit::print_error(&format!("-- {}: {}\n{}", builtin.name, builtin.title, builtin.text));
            Code::Done
        }
        Err(refusal) => {
            exit::print_error(&refusal.to_string());
            Code::Usage
        }
    };
    ExitCode::from(match code {
        Code::Interrupted => tenbin_terminal::signals::exit_code(),
        code => code as u8,
    })
}

fn printed(text: &str) -> Code {
    exit::print(text);
    Code::Done
}

fn work(mut arguments: Arguments) -> Code {
    let login = crate::environment::login_name();
    let database = database(arguments.database.as_deref(), &crate::environment::own, &login);
    let typed = TypedServer {
        host: arguments.host.as_deref(),
        port: arguments.port.as_deref(),
        user: arguments.user.as_deref(),
        database: Some(&database),
        application: Some("pgbench"),
        ..TypedServer::default()
    };
    let server = crate::libpq::server(typed, &crate::environment::own, login);
    let connected = server.and_then(|server| {
        let password = server.password.as_ref().map(|password| password.reveal().to_owned());
        let connector = Dsn::parse(&server.dsn).and_then(|dsn| Connector::new(dsn, password));
        connector.map(|connector| (server, connector)).map_err(|problem| told_address(&problem))
    });
    let (server, connector) = match connected {
        Ok(connected) => connected,
        Err(what) => {
            error(&what);
            let what_for = if arguments.init.is_some() { "initialization" } else { "setup" };
            error(&format!("could not create connection for {what_for}"));
            return Code::Usage;
        }
    };
    if let Some(init) = arguments.init.take() {
        return if initialize::initialize(init, &server, &connector) { Code::Done } else { Code::Usage };
    }
    run::run(&arguments, &server, &connector)
}

/// The name of the database, which pgbench always gives to libpq: it outranks that of a service, and `-U` does not change it.
fn database(typed: Option<&str>, env: environment::Environment<'_>, login: &str) -> String {
    let typed = typed.map(str::to_owned);
    typed.or_else(|| env("PGDATABASE")).or_else(|| env("PGUSER")).unwrap_or_else(|| login.to_owned())
}

/// A script's text.
fn script(name: &str) -> Result<Vec<u8>, String> {
    if name == "-" {
        return tenbin_intake::bytes(std::io::stdin().lock(), LONGEST_SCRIPT).map_err(|e| e.to_string());
    }
    tenbin_intake::file(Path::new(name), LONGEST_SCRIPT).map_err(|e| environment::plain(&e.to_string()).to_owned())
}

/// A number from the clock.
fn entropy() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}

/// How the program names its version.
fn version(form: Form) -> String {
    format!("{} (Tenbin {})", form.release(), env!("CARGO_PKG_VERSION"))
}

/// Prints an error on standard error, names and words of scripts with the bytes that they have there.
fn error(what: &str) {
    exit::print_error_bytes(&tenbin_pgbench::bytes(&visible_lines(&format!("pgbench: error: {what}"))));
}

fn warning(what: &str) {
    exit::print_error(&format!("pgbench: warning: {what}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    // Measured of pgbench 15.18.
    #[test]
    fn the_database_has_a_name_without_a_service() {
        let of = |typed, set: &[(&str, &str)]| {
            let env = |name: &str| set.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
            database(typed, &env, "me")
        };
        let set = [("PGDATABASE", "edb"), ("PGUSER", "eu"), ("PGSERVICE", "full")];
        assert_eq!(of(Some("db"), &set), "db");
        assert_eq!(of(None, &set), "edb");
        assert_eq!(of(None, &set[1..]), "eu");
        assert_eq!(of(None, &set[2..]), "me");
    }
}

//! Starts `postgres`: data directory from a template that `initdb` made, free port, own socket and password, settings
//! on the command line, which are verified on the running server.

use super::access::{self, SandboxClient};
use super::ending;
use super::files::{closed_directory, closed_file};
use super::launch::{self, Launch, Started, as_account, copy, free_port, give, program, run, template};
use super::record::KnownSandbox;
use super::{Options, place, size, with_password};
use crate::list_setting;
use crate::settings::{Present, is_value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tenbin_driver::{Error, Quoting};
use tenbin_model::postgres_units::scale;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The account created by the packages of PostgreSQL.
pub(super) const ACCOUNT: &str = "postgres";

/// The default settings of a sandbox, unless the plan sets others.
pub(super) const DEFAULTS: &[(&str, &str)] = &[
    // Measured: 5 MB of shared memory per hundred; includes connections of the superuser and the observer.
    ("max_connections", "2100"),
    ("shared_buffers", "512MB"),
    ("max_wal_size", "4GB"),
    ("logging_collector", "off"),
    ("log_destination", "stderr"),
];

/// The access rules. The socket is in a directory that is closed to others; TCP requires the password.
const DOORS: &str = "# Written by Tenbin for a private server.
local all all trust
local replication all trust
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
host replication all ::1/128 scram-sha-256
";

pub fn start(base: &Path, known: KnownSandbox, options: &Options) -> Result<Started, Problem> {
    let binary = place::find(&options.binary)?;
    let (dir, version) = (known.dir.clone(), launch::version(&binary)?);
    let data = known.data();
    let first = size::first_of_template(&data, options);
    copy(&template(base, (&binary, &version), ACCOUNT, first, |to| make_data(&binary, to))?, &data)?;
    let password = if options.open { String::new() } else { access::draw(&dir)? };
    if options.open {
        closed_file(&data.join("pg_hba.conf"), &DOORS.replace("scram-sha-256", "trust"))?;
    }
    let port = free_port()?;
    let dsn = with_password(format!("postgres://postgres@127.0.0.1:{port}/sbtest"), &dir, options);
    // A password file in libpq's format, for any port: the server may be reached through a link.
    closed_file(&dir.join("pgpass"), &format!("*:*:*:postgres:{password}\n"))?;
    for of_server in [Some(&dir), known.elsewhere.as_ref()].into_iter().flatten() {
        give(of_server, ACCOUNT)?;
    }
    raise(&KnownSandbox { dsn, ..known }, options)
}

/// Starts the server of a sandbox whose directory is complete.
pub fn raise(known: &KnownSandbox, options: &Options) -> Result<Started, Problem> {
    let (binary, dir) = (place::find(&options.binary)?, &known.dir);
    let (data, log, port) = (known.data(), dir.join("error.log"), access::port(&known.dsn)?);
    let password = if options.open { String::new() } else { access::read(dir)? };
    let (over_socket, over_tcp) = (
        SandboxClient::new(&format!("postgres://postgres@localhost:{port}/sbtest?socket={}", dir.display()))?,
        SandboxClient::new(&known.dsn)?,
    );
    let launch = Launch { known, binary: &binary, account: ACCOUNT, log: &log, stop: &options.stop };
    let started = launch.start(
        |command| {
            command.args(arguments(dir, &data, port, &options.server));
        },
        || over_socket.enters().is_ok(),
    )?;
    let set = if options.open { Ok(()) } else { set_password(&over_socket, &password) };
    let entered = set.and_then(|()| over_tcp.enters()).map_err(|e| e.problem(msg!("first-login-on-sandbox")));
    let is_its_own = || launch::is_its_own(&over_tcp, "SHOW data_directory", &data, port);
    if let Err(problem) = entered.and_then(|()| is_its_own()).and_then(|()| verify(&over_tcp, &options.server)) {
        ending::end_process(started.known.pid, Some(started.known.process_start), ending::signal_of(&binary).0);
        return Err(problem);
    }
    Ok(started)
}

/// Sets the superuser's password; until then no one can log in over TCP. The statement is excluded from all logging.
fn set_password(asks: &SandboxClient, password: &str) -> Result<(), Error> {
    asks.ask(async |c| {
        for sql in [
            "SET log_statement='none'",
            "SET log_min_duration_statement=-1",
            "SET log_duration=off",
            "SET log_min_error_statement='panic'",
            "SET password_encryption='scram-sha-256'",
            // This must also work if the plan makes the server read-only.
            "SET default_transaction_read_only=off",
        ] {
            c.query(sql).await?;
        }
        c.query(&format!("ALTER ROLE postgres PASSWORD '{password}'")).await.map(|_| ())
    })
}

fn arguments(dir: &Path, data: &Path, port: u16, server: &BTreeMap<String, String>) -> Vec<String> {
    let mut all = vec!["-D".to_owned(), data.display().to_string()];
    let mut set = |name: &str, value: &str| all.extend(["-c".to_owned(), format!("{name}={value}")]);
    set("listen_addresses", "127.0.0.1");
    set("unix_socket_permissions", "0700");
    DEFAULTS.iter().filter(|(name, _)| !server.contains_key(*name)).for_each(|(name, value)| set(name, value));
    server.iter().for_each(|(name, value)| set(name, value));
    // What is its own comes last, which counts.
    set("data_directory", &data.display().to_string());
    set("unix_socket_directories", &dir.display().to_string());
    set("port", &port.to_string());
    all
}

/// Creates a data directory with a database `sbtest` and the C collation, so that the cost of sorting does not depend
/// on the machine's locale.
fn make_data(binary: &Path, to: &Path) -> Result<(), Problem> {
    let beside = binary.with_file_name("initdb");
    let initdb = if beside.is_file() { beside } else { place::find("initdb")? };
    closed_directory(to)?;
    give(to, ACCOUNT)?;
    let mut make = unprivileged(&initdb)?;
    // Durability is not needed yet; the access rules are written below.
    make.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"]).arg(to);
    run(&mut make, msg!("making-server-data"))?;
    // The file exists and remains owned by the account.
    closed_file(&to.join("pg_hba.conf"), DOORS)?;
    let mut single = unprivileged(binary)?;
    single.args(["--single", "-D"]).arg(to).arg("postgres").stdin(Stdio::piped());
    single.stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |e: String| Problem::new(msg!("making-database-sbtest-failed")).evidence(foreign(e));
    let mut child = single.spawn().map_err(|e| failed(e.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        let written = std::io::Write::write_all(&mut input, b"CREATE DATABASE sbtest;\n");
        written.map_err(|e| failed(e.to_string()))?;
    }
    let status = child.wait().map_err(|e| failed(e.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}

/// A command that runs as the server's account: PostgreSQL's programs refuse to run as root.
fn unprivileged(path: &Path) -> Result<Command, Problem> {
    let account = as_account(ACCOUNT);
    if account.is_empty() {
        return Ok(program(path));
    }
    let setpriv: PathBuf = place::find("setpriv").map_err(|p| p.hint(msg!("install-util-linux")))?;
    let mut command = program(&setpriv);
    // Not in a directory that is inaccessible to the account.
    command.args(account).arg(path).current_dir("/");
    Ok(command)
}

/// Compares the plan's settings with those reported by the server.
fn verify(asks: &SandboxClient, server: &BTreeMap<String, String>) -> Result<(), Problem> {
    if server.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT lower(name), setting, unit, vartype FROM pg_settings WHERE lower(name) IN ({})",
        Quoting::POSTGRES.texts(server.keys().map(|name| name.to_lowercase()))
    );
    let rows = asks.ask(async |c| c.table(&sql).await).map_err(|e| e.problem(msg!("asking-server-for-settings")))?.rows;
    for (name, wanted) in server {
        let row = rows.iter().find(|r| r[0].as_deref() == Some(&name.to_lowercase()));
        let of = |column: usize| row.and_then(|r| r[column].as_deref()).unwrap_or("");
        let value = format!("{}{}", of(1), of(2));
        let (unit, is_list) = (of(2).to_owned(), list_setting::is_list(name));
        let present = Present { unit, is_list, ..Present::of(of(1).to_owned()) };
        let is_taken = same(wanted, of(1), of(2), of(3)) || is_value(&name.to_lowercase(), wanted, &present, true);
        if row.is_none() || !is_taken {
            return Err(Problem::new(msg!("variable-not-taken-on", variable = name, wanted))
                .evidence(if row.is_some() { msg!("it-says", value) } else { msg!("variable-not-known") })
                .hint(msg!("look-up-pg-setting", name)));
        }
    }
    Ok(())
}

/// Whether a value in the plan (`512MB`, `ON`) equals that reported by the server (65536 of `8kB`, `on`).
fn same(wanted: &str, setting: &str, unit: &str, kind: &str) -> bool {
    let switch = |text: &str| match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    };
    let near = |a: f64, b: f64, step: f64| (a - b).abs() < step.max(a.abs() * 1e-9);
    match kind {
        "bool" => switch(wanted).is_some() && switch(wanted) == switch(setting),
        "integer" | "real" => {
            let (Ok(value), Some((number, own))) = (setting.parse::<f64>(), amount(wanted)) else { return false };
            match (scale(unit), if own.is_empty() { scale(unit) } else { scale(own) }) {
                // The server rounds to its own unit.
                (Some(theirs), Some(ours)) => near(number * ours, value * theirs, theirs),
                _ => own.is_empty() && near(number, value, 1e-9),
            }
        }
        // An enum value, or text.
        _ => wanted.eq_ignore_ascii_case(setting) || switch(wanted).is_some_and(|w| switch(setting) == Some(w)),
    }
}

/// A number and its unit.
fn amount(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number = text[..digits].trim();
    let parsed = number.strip_prefix("0x").map_or_else(|| number.parse().ok(), |_| None);
    Some((parsed?, text[digits..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_what_the_server_tells() {
        for (wanted, setting, unit, kind, equal) in [
            ("512MB", "65536", "8kB", "integer", true),
            ("65536", "65536", "8kB", "integer", true),
            ("262144kB", "32768", "8kB", "integer", true),
            ("512MB", "16384", "8kB", "integer", false),
            ("5min", "300", "s", "integer", true),
            ("1.5s", "1500", "ms", "integer", true),
            ("100", "100", "", "integer", true),
            ("100", "90", "", "integer", false),
            ("0.9", "0.9", "", "real", true),
            ("ON", "on", "", "bool", true),
            ("OFF", "on", "", "bool", false),
            ("OFF", "off", "", "enum", true),
            ("remote_apply", "remote_apply", "", "enum", true),
            ("1", "0", "ms", "integer", false),
            ("abc", "abc", "", "string", true),
        ] {
            assert_eq!(same(wanted, setting, unit, kind), equal, "{wanted} {setting}{unit}");
        }
    }
}

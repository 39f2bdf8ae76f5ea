//! Starts `postgres`: data directory from a template that `initdb` made, free port, own socket, settings on the command line and asked
//! back from the running server.

use super::launch::{Launch, as_account, copy, free_port, give, run, template};
use super::record::{self, Known};
use super::{Options, place};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tenbin_driver::{Connection, Connector, Error, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_model::problem::Problem;

/// The account that PostgreSQL's packages make.
const ACCOUNT: &str = "postgres";

/// What a sandbox has unless the plan says otherwise: private, complete, out of the way.
const DEFAULTS: &[(&str, &str)] = &[
    // Measured: 5 MB of shared memory per hundred; a superuser's and an observer's beside them.
    ("max_connections", "2100"),
    ("shared_buffers", "512MB"),
    ("max_wal_size", "4GB"),
    ("logging_collector", "off"),
    ("log_destination", "stderr"),
];

pub fn start(base: &Path, name: &str, dir: &Path, options: &Options) -> Result<Known, Problem> {
    let binary = place::find(&options.binary)?;
    let data = dir.join("data");
    copy(&template(base, &binary, |to, _| make_data(&binary, to))?, &data)?;
    give(dir, ACCOUNT)?;
    let port = free_port()?;
    let log = dir.join("error.log");
    let dsn = format!("postgres://postgres@127.0.0.1:{port}/sbtest");
    let asks = Asks::new(&dsn)?;
    let launch = Launch { name, binary: &binary, account: ACCOUNT, log: &log, detached: options.detached };
    let (pid, process_start) = launch.start(
        |command| {
            command.args(arguments(dir, &data, port, &options.server));
        },
        || asks.ask(async |_| Ok(())).is_ok(),
    )?;
    if let Err(problem) = verify(&asks, &options.server) {
        record::end_process(pid, Some(process_start), record::ending(&binary).0);
        return Err(problem);
    }
    Ok(Known { pid, process_start, dsn, ..Known::new(name, &options.binary, dir) })
}

fn arguments(dir: &Path, data: &Path, port: u16, server: &BTreeMap<String, String>) -> Vec<String> {
    let mut all = vec!["-D".to_owned(), data.display().to_string(), "-p".to_owned(), port.to_string()];
    let mut set = |name: &str, value: &str| all.extend(["-c".to_owned(), format!("{name}={value}")]);
    set("listen_addresses", "127.0.0.1");
    set("unix_socket_directories", &dir.display().to_string());
    DEFAULTS.iter().filter(|(name, _)| !server.contains_key(*name)).for_each(|(name, value)| set(name, value));
    server.iter().for_each(|(name, value)| set(name, value));
    all
}

/// Makes a data directory with a database `sbtest`, sorting by bytes: what a sort costs must not depend on the machine's language.
fn make_data(binary: &Path, to: &Path) -> Result<(), Problem> {
    let beside = binary.with_file_name("initdb");
    let initdb = if beside.is_file() { beside } else { place::find("initdb")? };
    std::fs::create_dir_all(to).map_err(|e| super::launch::cannot(to, &e))?;
    give(to, ACCOUNT)?;
    let mut make = unprivileged(&initdb)?;
    // Only this machine reaches the server, and whoever does may go in; nothing need survive a power failure yet.
    make.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"]).arg(to);
    run(&mut make, "making the server's data directory")?;
    let mut single = unprivileged(binary)?;
    single.args(["--single", "-D"]).arg(to).arg("postgres").stdin(Stdio::piped());
    single.stdout(Stdio::null()).stderr(Stdio::null());
    let failed = |e: String| Problem::new("making the database sbtest failed").evidence(e);
    let mut child = single.spawn().map_err(|e| failed(e.to_string()))?;
    if let Some(mut input) = child.stdin.take() {
        let written = std::io::Write::write_all(&mut input, b"CREATE DATABASE sbtest;\n");
        written.map_err(|e| failed(e.to_string()))?;
    }
    let status = child.wait().map_err(|e| failed(e.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}

/// A command that runs as the server's account: PostgreSQL's programs refuse to run as root.
fn unprivileged(program: &Path) -> Result<Command, Problem> {
    let account = as_account(ACCOUNT);
    if account.is_empty() {
        return Ok(Command::new(program));
    }
    let setpriv: PathBuf = place::find("setpriv").map_err(|p| p.mend("apt-get install util-linux"))?;
    let mut command = Command::new(setpriv);
    // Not in a directory that the account may not read.
    command.args(account).arg(program).current_dir("/");
    Ok(command)
}

/// Asks the server, on a connection of its own each time.
struct Asks {
    connector: Connector,
    runtime: tokio::runtime::Runtime,
}

impl Asks {
    fn new(dsn: &str) -> Result<Asks, Problem> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| Problem::new("no event loop can be made").evidence(e.to_string()))?;
        Ok(Asks { connector: Connector::new(Dsn::parse(dsn)?, None)?, runtime })
    }

    fn ask<T>(&self, what: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>) -> Result<T, Error> {
        self.runtime.block_on(async {
            let mut c = self.connector.connect(Transport::Shared).await?;
            let answer = what(&mut c).await?;
            c.close().await;
            Ok(answer)
        })
    }
}

/// Compares what the plan wants with what the server says it has.
fn verify(asks: &Asks, server: &BTreeMap<String, String>) -> Result<(), Problem> {
    let names: Vec<String> = server.keys().map(|name| format!("'{}'", name.replace('\'', "''"))).collect();
    if names.is_empty() {
        return Ok(());
    }
    let sql = format!(
        "SELECT lower(name), setting, unit, vartype FROM pg_settings WHERE lower(name) IN ({})",
        names.join(", ").to_lowercase()
    );
    let rows =
        asks.ask(async |c| c.table(&sql).await).map_err(|e| e.problem("asking the server for its settings"))?.rows;
    for (name, wanted) in server {
        let row = rows.iter().find(|r| r[0].as_deref() == Some(&name.to_lowercase()));
        let of = |column: usize| row.and_then(|r| r[column].as_deref()).unwrap_or("");
        let told = format!("{}{}", of(1), of(2));
        if row.is_none() || !same(wanted, of(1), of(2), of(3)) {
            return Err(Problem::new(format!("the server did not take on {name} = {wanted}"))
                .evidence(if row.is_some() { format!("it says {told}") } else { "it does not know it".to_owned() })
                .mend(format!("look it up: SELECT * FROM pg_settings WHERE name = '{name}'")));
        }
    }
    Ok(())
}

/// Whether what was written (`512MB`, `ON`) is what the server tells (65536 of `8kB`, `on`).
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
            let (Ok(told), Some((number, own))) = (setting.parse::<f64>(), amount(wanted)) else { return false };
            match (scale(unit), if own.is_empty() { scale(unit) } else { scale(own) }) {
                // The server rounds to its own unit.
                (Some(theirs), Some(ours)) => near(number * ours, told * theirs, theirs),
                _ => own.is_empty() && near(number, told, 1e-9),
            }
        }
        // A word of a list, or text.
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

/// Bytes or milliseconds in a unit of PostgreSQL, a multiple of one included (`8kB`).
fn scale(unit: &str) -> Option<f64> {
    let digits = unit.find(|c: char| !c.is_ascii_digit()).unwrap_or(unit.len());
    let times: f64 = if digits == 0 { 1.0 } else { unit[..digits].parse().ok()? };
    let one = match &unit[digits..] {
        "B" => 1.0,
        "kB" => 1024.0,
        "MB" => 1_048_576.0,
        "GB" => 1_073_741_824.0,
        "TB" => 1_099_511_627_776.0,
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "min" => 6e4,
        "h" => 3.6e6,
        "d" => 8.64e7,
        _ => return None,
    };
    Some(times * one)
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

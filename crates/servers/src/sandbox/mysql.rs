//! Starts `mariadbd` or `mysqld`: data directory from a template, free port, own socket and account, then waits for its
//! greeting and a first login.

use super::access::{self, SandboxClient};
use super::ending;
use super::files::{closed_directory, closed_file};
use super::launch::{self, Launch, Started, account, as_root, copy, free_port, give, program, run, template};
use super::record::KnownSandbox;
use super::{Options, place, replication, size, with_password};
use crate::inspection::unlike_options;
use std::collections::BTreeMap;
use std::io::Read;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tenbin_model::variables::{TookEffect, took_effect, written_option};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The default settings of a sandbox, unless the plan sets others.
pub(super) const DEFAULTS: &[(&str, &str)] = &[
    ("skip-name-resolve", ""),
    ("local-infile", "1"),
    ("max-connections", "10100"),
    ("innodb-buffer-pool-size", "512M"),
    ("innodb-log-file-size", "256M"),
    ("skip-log-bin", ""),
    ("max-prepared-stmt-count", "1048576"),
    ("open-files-limit", "20000"),
    // The X protocol would listen on every address of the machine.
    ("mysqlx", "0"),
];

/// The account created by the packages of MySQL and MariaDB.
pub(super) const ACCOUNT: &str = "mysql";

pub fn start(base: &Path, known: KnownSandbox, options: &Options) -> Result<Started, Problem> {
    let binary = place::find(&options.binary)?;
    let (dir, version) = (known.dir.clone(), launch::version(&binary)?);
    let data = known.data();
    let first = size::first_of_template(&data, options);
    copy(&template(base, (&binary, &version), ACCOUNT, first, |to| make_data(&binary, to, &version))?, &data)?;
    // The identity of the template; a server without one draws its own.
    match std::fs::remove_file(data.join("auto.cnf")) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            return Err(Problem::new(msg!("making-server-data")).evidence(foreign(e)));
        }
        _ => {}
    }
    let password = if options.open { String::new() } else { access::draw(&dir)? };
    closed_file(&dir.join("init.sql"), &accounts(AccountSyntax::of(&version), &password))?;
    for of_its_own in [temporary(&known), exchanged(&dir)] {
        closed_directory(&of_its_own)?;
    }
    let port = free_port()?;
    let dsn = with_password(format!("mysql://root@127.0.0.1:{port}/sbtest"), &dir, options);
    closed_file(
        &dir.join("client.cnf"),
        &format!(
            "[client]\nhost=127.0.0.1\nport={port}\nsocket={}/s.sock\nuser=root\npassword={password}\n",
            dir.display()
        ),
    )?;
    for of_server in [Some(&dir), known.elsewhere.as_ref()].into_iter().flatten() {
        give(of_server, ACCOUNT)?;
    }
    raise(&KnownSandbox { dsn, ..known }, options)
}

/// Starts the server of a sandbox whose directory is complete.
pub fn raise(known: &KnownSandbox, options: &Options) -> Result<Started, Problem> {
    let (binary, dir) = (place::find(&options.binary)?, &known.dir);
    let (log, port) = (dir.join("error.log"), access::port(&known.dsn)?);
    let asks = SandboxClient::new(&known.dsn)?;
    let launch = Launch { known, binary: &binary, account: ACCOUNT, log: &log, stop: &options.stop };
    let started = launch.start(
        |command| {
            command.args(arguments(&binary, known, &log, port, options));
            libraries(&binary, command);
        },
        || greets(port),
    )?;
    // A server that sends a greeting may still refuse the login.
    let entered = asks
        .enters()
        .map_err(|error| error.problem(msg!("first-login-on-sandbox")).evidence(foreign(launch::tail(&log))));
    let is_its_own = || launch::is_its_own(&asks, "SELECT @@datadir", &known.data(), port);
    let has_values = || verify(&asks, &options.server, || launch::tail(&log));
    if let Err(problem) = entered.and_then(|()| is_its_own()).and_then(|()| has_values()) {
        ending::end_process(started.known.pid, Some(started.known.process_start), ending::signal_of(&binary).0);
        return Err(problem);
    }
    Ok(started)
}

/// Compares the plan's options with the variables that the server has. Numbers that it has limited or rounded are reported with
/// the trial.
fn verify(
    asks: &SandboxClient,
    server: &BTreeMap<String, String>,
    log: impl FnOnce() -> String,
) -> Result<(), Problem> {
    if server.is_empty() {
        return Ok(());
    }
    let rows = asks.ask(async |c| c.table("SHOW GLOBAL VARIABLES").await);
    let rows = rows.map_err(|e| e.problem(msg!("asking-server-for-settings")))?.rows;
    let pair = |row: &Vec<Option<String>>| Some((row.first()?.clone()?.to_lowercase(), row.get(1)?.clone()?));
    let present: BTreeMap<String, String> = rows.iter().filter_map(pair).collect();
    let value = |name: &str| present.get(name).map(String::as_str);
    let unlike = unlike_options(server, |name| present.contains_key(name), &value);
    let wrong = unlike.into_iter().find(|(name, [asked, now])| took_effect(name, asked, now) == TookEffect::No);
    wrong.map_or(Ok(()), |(name, [wanted, value])| {
        Err(Problem::new(msg!("variable-not-taken-on", variable = name, wanted))
            .evidence(msg!("it-says-and-its-log", value, log = foreign(log())))
            .hint(msg!("look-up-server-option", name)))
    })
}

/// Which statements a server has for accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AccountSyntax {
    MariaDb,
    /// Before 10.4, with the account tables of MySQL.
    OldMariaDb,
    /// Before 5.7, which had no `ALTER USER … IDENTIFIED BY`.
    OldMysql,
    Mysql,
}

impl AccountSyntax {
    /// From the output of `--version`: `… Ver 8.0.31 for …`, `… Ver 10.11.19-MariaDB …`.
    fn of(version: &str) -> AccountSyntax {
        let number = version.split_whitespace().skip_while(|w| *w != "Ver").nth(1).unwrap_or("");
        let mut parts = number.split('.').map_while(|p| p.parse::<u32>().ok());
        let number = parts.next().zip(parts.next());
        match (version.contains("MariaDB"), number) {
            (true, Some(number)) if number < (10, 4) => AccountSyntax::OldMariaDb,
            (true, _) => AccountSyntax::MariaDb,
            (false, Some(number)) if number < (5, 7) => AccountSyntax::OldMysql,
            (false, _) => AccountSyntax::Mysql,
        }
    }
}

/// Statements that the server executes at each start, before it listens: they create one account for this machine, with
/// the password, and remove others that could match; and the schema. They are not written to the binary log, which a
/// replica would replay.
fn accounts(generation: AccountSyntax, password: &str) -> String {
    let hosts = ["localhost", "127.0.0.1", "::1"];
    let elsewhere = "(User='root' AND Host NOT IN ('localhost', '127.0.0.1', '::1'))";
    let mut sql = "SET SESSION sql_log_bin=0;\n".to_owned();
    if generation != AccountSyntax::Mysql {
        // Data directories created by these servers' own tools, or supplied with them, have anonymous accounts.
        let table = if generation == AccountSyntax::MariaDb { "mysql.global_priv" } else { "mysql.user" };
        sql += &format!("DELETE FROM {table} WHERE User='' OR {elsewhere};\nFLUSH PRIVILEGES;\n");
    }
    for host in hosts {
        let user = format!("root@'{host}'");
        if generation == AccountSyntax::OldMysql {
            sql += &format!("GRANT ALL ON *.* TO {user} IDENTIFIED BY '{password}' WITH GRANT OPTION;\n");
        } else {
            sql += &format!("CREATE USER IF NOT EXISTS {user} IDENTIFIED BY '{password}';\n");
            sql += &format!("ALTER USER {user} IDENTIFIED BY '{password}';\n");
            sql += &format!("GRANT ALL ON *.* TO {user} WITH GRANT OPTION;\n");
        }
    }
    sql + "CREATE DATABASE IF NOT EXISTS sbtest;\nSET SESSION sql_log_bin=1;\n"
}

/// Arguments that make the binary print its options.
pub(super) fn dress_help(command: &mut std::process::Command, binary: &Path) {
    command.args(["--no-defaults", "--verbose", "--help"]);
    command.args(base_dir(binary).map(|base| format!("--basedir={}", base.display())));
    if as_root() {
        command.arg(format!("--user={}", account(ACCOUNT)));
    }
    libraries(binary, command);
}

/// A repackaged server may include its own libraries.
fn libraries(binary: &Path, command: &mut std::process::Command) {
    if let Some(base) = base_dir(binary) {
        let ours = std::env::var("LD_LIBRARY_PATH").map(|more| format!(":{more}")).unwrap_or_default();
        command.env("LD_LIBRARY_PATH", format!("{}{ours}", base.display()));
    }
}

/// The only directory that `LOAD DATA INFILE` and `INTO OUTFILE` can access.
fn exchanged(dir: &Path) -> PathBuf {
    dir.join("files")
}

/// The directory of its temporary tables.
fn temporary(known: &KnownSandbox) -> PathBuf {
    known.storage().join("tmp")
}

fn arguments(binary: &Path, known: &KnownSandbox, log: &Path, port: u16, options: &Options) -> Vec<String> {
    let (dir, data) = (known.dir.as_path(), known.data());
    let path = |p: PathBuf| p.display().to_string();
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(base_dir(binary).map(|b| format!("--basedir={}", b.display())));
    let messages = base_dir(binary).map(|b| b.join("share")).filter(|s| s.join("english/errmsg.sys").is_file());
    all.extend(messages.map(|m| format!("--lc-messages-dir={}", m.display())));
    all.push("--bind-address=127.0.0.1".to_owned());
    let plain = |name: &str| name.replace('_', "-").trim_start_matches("loose-").to_owned();
    let same = |a: &str, b: &str| plain(a) == plain(b);
    let mut server = options.replication.map(replication::variables).unwrap_or_default();
    server.retain(|name, _| !options.server.keys().any(|own| same(own, name)));
    server.extend(options.server.clone());
    let mut given_paths = vec![("secure-file-priv", path(exchanged(dir)))];
    given_paths.retain(|(name, _)| !server.keys().any(|k| same(k, name)));
    all.extend(given_paths.into_iter().map(|(name, path)| format!("--{name}={path}")));
    let given = |name: &str| server.keys().any(|k| same(k, name) || same(k, name.trim_start_matches("skip-")));
    for (name, value) in DEFAULTS.iter().filter(|(n, _)| !given(n)) {
        // `loose`: unknown variables are ignored. Variables of the plan are never loose.
        all.push(if value.is_empty() { format!("--loose-{name}") } else { format!("--loose-{name}={value}") });
    }
    all.extend(server.iter().map(|(name, value)| match written_option(name, value) {
        (name, Some(value)) => format!("--{}={value}", name.replace('_', "-")),
        (name, None) => format!("--{name}"),
    }));
    // What is its own comes last, which counts.
    all.push(format!("--datadir={}", data.display()));
    all.push(format!("--socket={}", path(dir.join("s.sock"))));
    all.push(format!("--pid-file={}", path(dir.join("pid"))));
    // A starting server removes all temporary tables that it finds there, including those of another server.
    all.push(format!("--tmpdir={}", path(temporary(known))));
    all.push(format!("--log-error={}", log.display()));
    // It contains the password and is not readable by others; the account is the same after every start.
    all.push(format!("--init-file={}", path(dir.join("init.sql"))));
    all.push(format!("--port={port}"));
    all
}

/// A server unpacked into its own directory has its message files there.
fn base_dir(binary: &Path) -> Option<PathBuf> {
    let dir = binary.parent()?;
    let dir = if dir.ends_with("bin") || dir.ends_with("sbin") { dir.parent()? } else { dir };
    (dir != Path::new("/usr") && dir != Path::new("/")).then(|| dir.to_path_buf())
}

/// Whether a server sends a greeting.
fn greets(port: u16) -> bool {
    let (mut byte, address) = ([0], ([127, 0, 0, 1], port).into());
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok_and(|mut s| {
        let _ = s.set_read_timeout(Some(Duration::from_secs(5)));
        s.read(&mut byte).is_ok_and(|n| n == 1)
    })
}

/// The size of the log in a template, which is copied for each server; a server makes its own as large as its settings say.
const SMALL_LOG: &str = "--innodb-log-file-size=8M";

fn make_data(binary: &Path, to: &Path, version: &str) -> Result<(), Problem> {
    let base = base_dir(binary);
    let data = format!("--datadir={}", to.display());
    if version.contains("MariaDB") {
        let beside = base.as_ref().map(|b| b.join("scripts/mariadb-install-db")).filter(|p| p.is_file());
        let install = match beside {
            Some(path) => path,
            None => place::find("mariadb-install-db")?,
        };
        let mut command = program(&install);
        command.args(["--no-defaults", &data, SMALL_LOG, "--auth-root-authentication-method=normal", "--skip-test-db"]);
        command.args(base.map(|b| format!("--basedir={}", b.display())));
        if as_root() {
            command.arg(format!("--user={}", account(ACCOUNT)));
        }
        return run(&mut command, msg!("making-server-data"));
    }
    // A repackaged old server includes its initial data; newer ones create it themselves.
    if let Some(ready) = ready_data(binary) {
        return copy(&ready, to);
    }
    closed_directory(to)?;
    let mut command = program(binary);
    command.args(["--no-defaults", "--initialize-insecure", &data, SMALL_LOG]);
    command.args(base.map(|b| format!("--basedir={}", b.display())));
    libraries(binary, &mut command);
    if as_root() {
        give(to, ACCOUNT)?;
        command.arg(format!("--user={}", account(ACCOUNT)));
    }
    run(&mut command, msg!("making-server-data"))
}

/// The data directory included with a repackaged server.
fn ready_data(binary: &Path) -> Option<PathBuf> {
    let data = base_dir(binary)?.join("data");
    [data.join("mysql"), data].into_iter().find(|d| d.join("ibdata1").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        for (version, generation) in [
            (
                "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)",
                AccountSyntax::MariaDb,
            ),
            ("/x/mysqld  Ver 5.6.24 for Linux on x86_64 (MySQL Community Server (GPL))", AccountSyntax::OldMysql),
            ("mysqld  Ver 5.7.22 for linux-glibc2.12 on x86_64 (MySQL Community Server (GPL))", AccountSyntax::Mysql),
            ("/x/bin/mysqld  Ver 8.0.31 for Linux on x86_64 (MySQL Community Server - GPL)", AccountSyntax::Mysql),
            ("mysqld  Ver 10.3.39-MariaDB for Linux on x86_64 (MariaDB Server)", AccountSyntax::OldMariaDb),
            ("something else", AccountSyntax::Mysql),
        ] {
            assert_eq!(AccountSyntax::of(version), generation, "{version}");
        }
    }

    #[test]
    fn every_generation_has_one_account_with_a_password() {
        for generation in
            [AccountSyntax::MariaDb, AccountSyntax::OldMariaDb, AccountSyntax::OldMysql, AccountSyntax::Mysql]
        {
            let sql = accounts(generation, "s3cret");
            for host in ["localhost", "127.0.0.1", "::1"] {
                assert!(sql.contains(&format!("root@'{host}' IDENTIFIED BY 's3cret'")), "{generation:?} {sql}");
            }
        }
    }
}

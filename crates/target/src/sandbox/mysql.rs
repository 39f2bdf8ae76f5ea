//! Starts `mariadbd` or `mysqld`: data directory from a template, free port, own socket, wait for its greeting.

use super::launch::{Launch, account, as_root, cannot, copy, free_port, give, run, template};
use super::record::Known;
use super::{Options, place};
use std::io::Read;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tenbin_model::problem::Problem;

/// What a sandbox has unless the plan says otherwise: private, complete, out of the way.
const DEFAULTS: &[(&str, &str)] = &[
    ("skip-name-resolve", ""),
    ("local-infile", "1"),
    ("max-connections", "10100"),
    ("innodb-buffer-pool-size", "512M"),
    ("innodb-log-file-size", "256M"),
    ("skip-log-bin", ""),
    ("max-prepared-stmt-count", "1048576"),
    ("open-files-limit", "20000"),
];

pub fn start(base: &Path, name: &str, dir: &Path, options: &Options) -> Result<Known, Problem> {
    let binary = place::find(&options.binary)?;
    let data = dir.join("data");
    copy(&template(base, &binary, |to, version| make_data(&binary, to, version))?, &data)?;
    // Data that came ready made have accounts without a name, which would be taken for ours.
    let nameless =
        if ready_data(&binary).is_some() { "DELETE FROM mysql.user WHERE User='';\nFLUSH PRIVILEGES;\n" } else { "" };
    let sql = format!("{nameless}CREATE DATABASE IF NOT EXISTS sbtest;\n");
    std::fs::write(dir.join("init.sql"), sql).map_err(|e| cannot(dir, &e))?;
    std::fs::create_dir_all(temporary(dir)).map_err(|e| cannot(dir, &e))?;
    give(dir, "mysql")?;
    let port = free_port()?;
    let log = dir.join("error.log");
    let launch = Launch { name, binary: &binary, account: "mysql", log: &log, detached: options.detached };
    let (pid, process_start) = launch.start(
        |command| {
            command.args(arguments(&binary, dir, &data, &log, port, options));
            // A repackaged server may bring libraries of its own.
            base_dir(&binary).map(|base| command.env("LD_LIBRARY_PATH", base));
        },
        || greets(port),
    )?;
    Ok(Known {
        pid,
        process_start,
        dsn: format!("mysql://root@127.0.0.1:{port}/sbtest"),
        ..Known::new(name, &options.binary, dir)
    })
}

/// Where its temporary tables lie.
fn temporary(dir: &Path) -> PathBuf {
    dir.join("tmp")
}

fn arguments(binary: &Path, dir: &Path, data: &Path, log: &Path, port: u16, options: &Options) -> Vec<String> {
    let path = |p: PathBuf| p.display().to_string();
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(base_dir(binary).map(|b| format!("--basedir={}", b.display())));
    let messages = base_dir(binary).map(|b| b.join("share")).filter(|s| s.join("english/errmsg.sys").is_file());
    all.extend(messages.map(|m| format!("--lc-messages-dir={}", m.display())));
    all.push(format!("--datadir={}", data.display()));
    all.push(format!("--socket={}", path(dir.join("s.sock"))));
    all.push(format!("--pid-file={}", path(dir.join("pid"))));
    // A server that starts removes all temporary tables it finds there, also those of a neighbour.
    all.push(format!("--tmpdir={}", path(temporary(dir))));
    all.push(format!("--log-error={}", log.display()));
    all.push(format!("--init-file={}", path(dir.join("init.sql"))));
    all.push(format!("--port={port}"));
    all.push("--bind-address=127.0.0.1".to_owned());
    let same = |a: &str, b: &str| a.replace('_', "-") == b.replace('_', "-");
    let given = |name: &str| options.server.keys().any(|k| same(k, name) || same(k, name.trim_start_matches("skip-")));
    for (name, value) in DEFAULTS.iter().filter(|(n, _)| !given(n)) {
        // `loose`: one that this version does not know is passed over. What the plan gives is never loose.
        all.push(if value.is_empty() { format!("--loose-{name}") } else { format!("--loose-{name}={value}") });
    }
    all.extend(options.server.iter().map(|(k, v)| format!("--{}={v}", k.replace('_', "-"))));
    all
}

/// A server unpacked into a directory of its own has its messages beside it.
fn base_dir(binary: &Path) -> Option<PathBuf> {
    let dir = binary.parent()?;
    let dir = if dir.ends_with("bin") || dir.ends_with("sbin") { dir.parent()? } else { dir };
    (dir != Path::new("/usr") && dir != Path::new("/")).then(|| dir.to_path_buf())
}

/// A server greets whoever connects.
fn greets(port: u16) -> bool {
    let (mut byte, address) = ([0], ([127, 0, 0, 1], port).into());
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok_and(|mut s| {
        let _ = s.set_read_timeout(Some(Duration::from_secs(5)));
        s.read(&mut byte).is_ok_and(|n| n == 1)
    })
}

fn make_data(binary: &Path, to: &Path, version: &str) -> Result<(), Problem> {
    let base = base_dir(binary);
    let data = format!("--datadir={}", to.display());
    if version.contains("MariaDB") {
        let beside = base.as_ref().map(|b| b.join("scripts/mariadb-install-db")).filter(|p| p.is_file());
        let install = match beside {
            Some(path) => path,
            None => place::find("mariadb-install-db")?,
        };
        let mut command = Command::new(install);
        command.args(["--no-defaults", &data, "--auth-root-authentication-method=normal", "--skip-test-db"]);
        command.args(base.map(|b| format!("--basedir={}", b.display())));
        if as_root() {
            command.arg(format!("--user={}", account("mysql")));
        }
        return run(&mut command, "making the server's data directory");
    }
    // A repackaged old server brings its data ready made; newer ones make it themselves.
    if let Some(ready) = ready_data(binary) {
        return copy(&ready, to);
    }
    std::fs::create_dir_all(to).map_err(|e| cannot(to, &e))?;
    let mut command = Command::new(binary);
    command.args(["--no-defaults", "--initialize-insecure", &data]);
    if as_root() {
        give(to, "mysql")?;
        command.arg(format!("--user={}", account("mysql")));
    }
    run(&mut command, "making the server's data directory")
}

/// The data directory that a repackaged server brings along.
fn ready_data(binary: &Path) -> Option<PathBuf> {
    let data = base_dir(binary)?.join("data");
    [data.join("mysql"), data].into_iter().find(|d| d.join("ibdata1").is_file())
}

//! What others have written for the next start of a server, and not put in force yet: a restart would do it for them, at a moment that they did not
//! choose. Looked at before each restart that the plan orders.

use super::{Present, asking, mysql, waiting};
use crate::machine;
use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tenbin_driver::Connector;
use tenbin_driver::credentials::option_file::{self, Setting};
use tenbin_model::variables::{canonical_name, has_value, of_file};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Fails if a restart would put in force what others have written. `ours`: variables that the run sets or has set. `file`: the option file that
/// it writes. A server that does not answer has to be started, whatever waits.
pub(super) fn nothing_of_others(
    connector: &Connector,
    ours: &BTreeSet<String>,
    file: Option<&str>,
) -> Result<(), Problem> {
    let all = match connector.dsn().scheme.kind().has_units {
        true => asking(connector, async |c| waiting::for_start(c, ours).await),
        false => asking(connector, async |c| {
            let (present, stored) = (mysql::present(c).await?, mysql::stored(c).await);
            let version = c.table("SELECT VERSION()").await?.scalar().unwrap_or_default().to_owned();
            Ok((present, stored, version, mysql::uptime_s(c).await?))
        })
        .map(|(present, stored, version, uptime_s)| {
            let files = changed_files(connector, uptime_s, file).unwrap_or_default();
            of_mysql(&present, &stored, &files, &version, ours)
        }),
    };
    let Ok(all) = all else { return Ok(()) };
    if all.is_empty() {
        return Ok(());
    }
    let evidence = all.iter().take(waiting::MOST).cloned().collect::<Vec<_>>().join("\n");
    Err(Problem::new(msg!("settings-wait-for-restart", dsn = connector.dsn(), count = all.len()))
        .evidence(foreign(evidence))
        .hint(msg!("restart-or-permit-settings")))
}

/// What is set for the next start, by options of the command line and files, in the order in which the server reads them.
#[derive(Debug, Default)]
struct StartSettings {
    /// The settings of files, if one of them has changed since the server was started.
    files: Vec<Setting>,
    /// Names of variables that the command line sets, which the files then do not.
    on_command_line: BTreeSet<String>,
}

/// The values that differ from those in force.
fn of_mysql(
    present: &BTreeMap<String, Present>,
    stored: &BTreeMap<String, String>,
    start: &StartSettings,
    version: &str,
    ours: &BTreeSet<String>,
) -> Vec<String> {
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    for setting in start.files.iter().filter(|setting| is_of_server(&setting.group, version)) {
        let (name, value) = of_file(&setting.name, setting.value.as_deref());
        let name = name.strip_prefix("loose_").unwrap_or(&name).to_owned();
        wanted.insert(name, value);
    }
    wanted.retain(|name, _| !start.on_command_line.contains(name));
    // What SET PERSIST has stored is read last.
    wanted.extend(stored.iter().map(|(name, value)| (name.clone(), value.clone())));
    wanted.retain(|name, value| {
        let now = present.get(name);
        !ours.contains(name)
            && now.is_some_and(|now| !has_value(name, value, &now.value) && !is_shown_otherwise(value, &now.value))
    });
    wanted.into_iter().map(|(name, value)| super::shown_with(&name, &value, &present[&name].value)).collect()
}

/// Whether the server shows this value in another form: files with their directory, directories with a stroke at the end, and a log's file as ON.
fn is_shown_otherwise(value: &str, now: &str) -> bool {
    let plain = |text: &str| text.trim_end_matches('/').to_owned();
    plain(value) == plain(now)
        || (!value.is_empty() && now.ends_with(&format!("/{}", value.trim_start_matches("./"))))
        || (now == "ON" && value.contains(['/', '-', '.']))
}

/// Whether a server of this version reads the group.
fn is_of_server(group: &str, version: &str) -> bool {
    let is_mariadb = version.contains("MariaDB");
    let programs: &[&str] = if is_mariadb { &["mysqld", "mariadbd", "mariadb"] } else { &["mysqld"] };
    let of_version = |program: &&str| {
        let number = group.strip_prefix(*program)?.strip_prefix('-')?;
        Some(!number.is_empty() && version.starts_with(&format!("{number}.")))
    };
    group == "server"
        || programs.contains(&group)
        || (is_mariadb && group == "client-server")
        || programs.iter().any(|program| of_version(program).unwrap_or(false))
}

/// The files that servers read unless their command line says otherwise (manuals of MySQL and MariaDB, "Using Option Files").
const USUAL: [&str; 3] = ["/etc/my.cnf", "/etc/mysql/my.cnf", "/usr/etc/my.cnf"];

/// The settings of the option files of a server on this machine; `None` if it is elsewhere, or none of its files has changed since it was started.
fn changed_files(connector: &Connector, uptime_s: u64, own: Option<&str>) -> Option<StartSettings> {
    let pid = machine::process_here(connector)?;
    let namespace = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/mnt")).ok();
    let (theirs, here) = (namespace(&pid.to_string()), namespace("self"));
    // The files of a container are others.
    if theirs.is_some() && theirs != here {
        return None;
    }
    let line = tenbin_intake::file(Path::new(&format!("/proc/{pid}/cmdline")), tenbin_intake::SMALL).ok()?;
    let words: Vec<String> = String::from_utf8_lossy(&line).split('\0').map(str::to_owned).collect();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    // The server tells whole seconds: a file that was written right before the start is no change.
    let started = i64::try_from(now.saturating_sub(uptime_s)).ok()? + 1;
    let own = own.and_then(|own| Path::new(own).canonicalize().ok());
    // What others have written into the option file of the run is told where its lines are taken back.
    let in_own = own.as_ref().and_then(|own| option_file::read(own).ok()).map(|read| read.settings).unwrap_or_default();
    let (mut files, mut changed) = (Vec::new(), false);
    for path in option_files(&words) {
        let Ok(read) = option_file::read(&path) else { continue };
        files.extend(read.settings.into_iter().filter(|setting| !in_own.contains(setting)));
        changed |= read.files.iter().filter(|file| file.canonicalize().ok() != own || own.is_none()).any(|file| {
            // The last change of what it contains, or of where it is.
            file.metadata().is_ok_and(|meta| meta.mtime().max(meta.ctime()) > started)
        });
    }
    let on_command_line = words.iter().skip(1).filter_map(|word| word.strip_prefix("--"));
    let on_command_line = on_command_line.map(|word| {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        canonical_name(&of_file(name, value).0)
    });
    changed.then(|| StartSettings { files, on_command_line: on_command_line.collect() })
}

/// The option files of a command line, in the order in which they are read.
fn option_files(words: &[String]) -> Vec<PathBuf> {
    let given = |option: &str| words.iter().find_map(|word| word.strip_prefix(option)).map(PathBuf::from);
    if words.iter().any(|word| word == "--no-defaults") {
        return Vec::new();
    }
    if let Some(file) = given("--defaults-file=") {
        return vec![file];
    }
    USUAL.iter().map(PathBuf::from).chain(given("--defaults-extra-file=")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> (String, Present) {
        (name.to_owned(), Present::of(value.to_owned()))
    }

    #[test]
    fn what_waits_for_the_next_start_of_mysql_is_told_from_what_is_in_force_and_from_what_is_ours() {
        let present = BTreeMap::from([
            of("max_connections", "151"),
            of("innodb_buffer_pool_size", "134217728"),
            of("log_bin", "ON"),
            of("datadir", "/var/lib/mysql/"),
            of("log_error", "/var/log/mysql/error.log"),
            of("skip_name_resolve", "OFF"),
            of("port", "3306"),
            of("sort_buffer_size", "262144"),
        ]);
        let set = |group: &str, name: &str, value: Option<&str>| Setting {
            group: group.to_owned(),
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let files = vec![
            set("mysqld", "max-connections", Some("500")),
            set("mysqld", "innodb_buffer_pool_size", Some("128M")),
            set("mysqld", "log_bin", Some("/var/log/mysql/bin")),
            set("mysqld", "datadir", Some("/var/lib/mysql")),
            set("mysqld", "log_error", Some("error.log")),
            set("mysqld", "skip-name-resolve", None),
            set("mysqld", "port", Some("3307")),
            set("mysqld", "unknown_to_it", Some("1")),
            set("mariadb-10.11", "sort_buffer_size", Some("1M")),
            set("mysqldump", "max_connections", Some("7")),
        ];
        let start = StartSettings { files, on_command_line: BTreeSet::from(["port".to_owned()]) };
        let none = BTreeSet::new();
        let settings = of_mysql(&present, &BTreeMap::new(), &start, "10.11.6-MariaDB-log", &none);
        assert_eq!(
            settings,
            ["max_connections = 500 (151)", "skip_name_resolve = ON (OFF)", "sort_buffer_size = 1M (262144)"]
        );
        let ours = BTreeSet::from(["max_connections".to_owned(), "skip_name_resolve".to_owned()]);
        assert_eq!(of_mysql(&present, &BTreeMap::new(), &start, "8.0.36", &ours), [""; 0], "set by the run");
        // SET PERSIST_ONLY.
        let stored = BTreeMap::from([("sort_buffer_size".to_owned(), "524288".to_owned())]);
        let settings = of_mysql(&present, &stored, &StartSettings::default(), "8.0.36", &none);
        assert_eq!(settings, ["sort_buffer_size = 524288 (262144)"]);
        let stored = BTreeMap::from([("sort_buffer_size".to_owned(), "262144".to_owned())]);
        assert_eq!(of_mysql(&present, &stored, &StartSettings::default(), "8.0.36", &none), [""; 0]);
    }

    #[test]
    fn the_command_line_says_which_files_are_read() {
        let of = |line: &str| option_files(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert!(of("mysqld --no-defaults --port=1").is_empty());
        assert_eq!(of("mysqld --defaults-file=/a/b.cnf"), [PathBuf::from("/a/b.cnf")]);
        assert_eq!(of("mysqld --defaults-extra-file=/x.cnf").last(), Some(&PathBuf::from("/x.cnf")));
    }
}

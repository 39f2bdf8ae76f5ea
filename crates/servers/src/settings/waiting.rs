//! What others have written into the files of a PostgreSQL server, and not put in force yet: a reload would do it for them, at a moment that they did not
//! choose. Looked at before each reload.

use super::journal::FormerValue;
use super::{Present, asking, of_sessions, postgres};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A setting of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileSetting {
    name: String,
    value: String,
    /// Whether it is in the file of `ALTER SYSTEM`.
    stored: bool,
    /// Whether the file may have changed since it was read.
    changed: bool,
}

/// Fails if a reload would put in force what others have written. `ours`: what the run has set, with the former values.
pub(super) fn nothing_of_others(connector: &Connector, ours: &BTreeMap<String, FormerValue>) -> Result<(), Problem> {
    let present = of_sessions(connector)?;
    let all = asking(connector, async |c| {
        let Some((files, any)) = of_files(c).await? else { return Ok(Vec::new()) };
        let mut all = of_others(&files, any, &InForce { present: &present, kept: postgres::kept(c).await? }, ours);
        all.extend(access_files(c).await?);
        Ok(all)
    })?;
    if all.is_empty() {
        return Ok(());
    }
    let evidence = all.iter().take(MOST).cloned().collect::<Vec<_>>().join("\n");
    Err(Problem::new(msg!("settings-wait-for-reload", dsn = connector.dsn(), count = all.len()))
        .evidence(foreign(evidence))
        .hint(msg!("execute-as-administrator", sql = "SELECT pg_reload_conf()")))
}

/// The most that is named.
pub(super) const MOST: usize = 8;

/// Where the values of variables come from that a reload may change; others are those of this session, and hide the value of the server.
const OF_FILES: [&str; 2] = ["configuration file", "default"];

/// The settings in force.
struct InForce<'p> {
    /// As the server shows them.
    present: &'p BTreeMap<String, Present>,
    /// As they were given: `archive_command` is shown as `(disabled)` while nothing is archived.
    kept: BTreeMap<String, String>,
}

impl InForce<'_> {
    /// Whether a value of a file is the one in force.
    fn has(&self, name: &str, value: &str, now: &Present) -> bool {
        let kept = self.kept.get(name).map(|kept| Present { value: kept.clone(), ..now.clone() });
        postgres::same(name, value, now) || kept.is_some_and(|kept| postgres::same(name, value, &kept))
    }
}

fn of_others(
    files: &[FileSetting],
    any_changed: bool,
    in_force: &InForce<'_>,
    ours: &BTreeMap<String, FormerValue>,
) -> Vec<String> {
    // The last one counts.
    let last: BTreeMap<&str, &FileSetting> = files.iter().map(|setting| (setting.name.as_str(), setting)).collect();
    let mut all = Vec::new();
    for (name, now) in in_force.present {
        if ["internal", "postmaster"].contains(&now.context.as_str()) || !OF_FILES.contains(&now.source.as_str()) {
            continue;
        }
        match (last.get(name.as_str()), ours.get(name)) {
            (Some(found), Some(_)) if found.stored => {}
            (Some(found), Some(former)) => {
                let former = Present { value: in_units(&former.value, now), ..now.clone() };
                if found.changed && !postgres::same(name, &found.value, &former) {
                    all.push(super::shown(name, &found.value));
                }
            }
            (Some(found), None) if found.changed && !in_force.has(name, &found.value, now) => {
                all.push(super::shown(name, &found.value));
            }
            (None, None) if any_changed && now.source == OF_FILES[0] => all.push(format!("{name} = DEFAULT")),
            _ => {}
        }
    }
    all
}

/// What a restart would put in force that is not of the run, which has set these variables.
pub(super) async fn for_start(c: &mut Connection, ours: &BTreeSet<String>) -> Result<Vec<String>, Error> {
    let Some((files, any)) = of_files(c).await? else { return Ok(Vec::new()) };
    let present = postgres::present(c).await?;
    // Read already, and put in force by the next start only.
    let pending = c.rows_if_visible("SELECT name FROM pg_settings WHERE pending_restart").await?;
    let pending: BTreeSet<String> =
        pending.into_iter().flatten().flatten().flatten().map(|n| n.to_lowercase()).collect();
    let in_force = InForce { present: &present, kept: postgres::kept(c).await? };
    let mut all = of_others_for_start(&files, any, &in_force, &pending, ours);
    all.extend(access_files(c).await?);
    Ok(all)
}

fn of_others_for_start(
    files: &[FileSetting],
    any_changed: bool,
    in_force: &InForce<'_>,
    pending: &BTreeSet<String>,
    ours: &BTreeSet<String>,
) -> Vec<String> {
    let last: BTreeMap<&str, &FileSetting> = files.iter().map(|setting| (setting.name.as_str(), setting)).collect();
    let waits = |(name, now): (&String, &Present)| {
        if now.context == "internal" || !OF_FILES.contains(&now.source.as_str()) || ours.contains(name) {
            return None;
        }
        match last.get(name.as_str()) {
            Some(found) if (found.changed || pending.contains(name)) && !in_force.has(name, &found.value, now) => {
                Some(super::shown_with(name, &found.value, &format!("{}{}", now.value, now.unit)))
            }
            None if pending.contains(name) || (any_changed && now.source == OF_FILES[0]) => {
                Some(super::shown_with(name, "DEFAULT", &format!("{}{}", now.value, now.unit)))
            }
            _ => None,
        }
    };
    in_force.present.iter().filter_map(waits).collect()
}

/// A value with a unit in the units of `pg_settings`.
fn in_units(value: &str, now: &Present) -> String {
    value.strip_suffix(now.unit.as_str()).filter(|_| !now.unit.is_empty()).unwrap_or(value).to_owned()
}

/// All settings of the files, in their order, and whether any file may have changed; `None` if a file has an error, with which the server reads nothing.
async fn of_files(c: &mut Connection) -> Result<Option<(Vec<FileSetting>, bool)>, Error> {
    let sql = "SELECT name, setting, sourcefile FROM pg_file_settings ORDER BY seqno";
    // Who may not look may not set anything either, which is told.
    let Some(rows) = c.rows_if_visible(sql).await? else { return Ok(None) };
    if rows.iter().any(|row| row.first().is_none_or(Option::is_none)) {
        return Ok(None);
    }
    let times = "SELECT f, ((pg_stat_file(f, true)).modification >= date_trunc('second', pg_conf_load_time()))::int \
                 FROM (SELECT sourcefile AS f FROM pg_file_settings UNION SELECT current_setting('config_file')) x";
    // Without the privilege to look at the files they may have changed.
    let known: BTreeMap<String, bool> = c
        .rows_if_visible(times)
        .await?
        .into_iter()
        .flatten()
        .filter_map(|row| {
            let [file, changed] = <[_; 2]>::try_from(row).ok()?;
            Some((file?, changed? == "1"))
        })
        .collect();
    let changed = |file: &str| known.get(file).copied().unwrap_or(true);
    let all = rows.into_iter().filter_map(|row| {
        let [name, value, file] = <[_; 3]>::try_from(row).ok()?;
        let (file, value) = (file.unwrap_or_default(), value.unwrap_or_default());
        let stored = file.ends_with("/postgresql.auto.conf");
        Some(FileSetting { name: name?.to_lowercase(), value, stored, changed: changed(&file) })
    });
    Ok(Some((all.collect(), known.values().any(|changed| *changed))))
}

/// The files of access rules that have changed since they were read.
async fn access_files(c: &mut Connection) -> Result<Vec<String>, Error> {
    let sql = "SELECT f FROM unnest(ARRAY[current_setting('hba_file'), current_setting('ident_file')]) f \
               WHERE (pg_stat_file(f, true)).modification > pg_conf_load_time()";
    Ok(c.rows_if_visible(sql).await?.unwrap_or_default().into_iter().flatten().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_a_restart_is_told_from_what_is_ours() {
        let of = |value: &str, context: &str, source: &str| Present {
            value: value.into(),
            unit: String::new(),
            context: context.into(),
            source: source.into(),
            is_list: false,
        };
        let present = BTreeMap::from(
            [
                ("max_connections", of("100", "postmaster", "configuration file")),
                ("max_wal_senders", of("10", "postmaster", "default")),
                ("random_page_cost", of("4", "user", "default")),
                ("port", of("5433", "postmaster", "command line")),
                ("max_worker_processes", of("16", "postmaster", "configuration file")),
                ("block_size", of("8192", "internal", "default")),
            ]
            .map(|(name, present)| (name.to_owned(), present)),
        );
        let present = &InForce { present: &present, kept: BTreeMap::new() };
        let file = |name: &str, value: &str, changed: bool| FileSetting {
            name: name.into(),
            value: value.into(),
            stored: false,
            changed,
        };
        let files = [
            file("max_connections", "300", false),
            file("max_wal_senders", "20", true),
            file("random_page_cost", "1.1", true),
            file("port", "5432", true),
        ];
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        let pending = names(&["max_connections", "max_worker_processes"]);
        let settings = of_others_for_start(&files, false, present, &pending, &names(&["random_page_cost"]));
        assert_eq!(
            settings,
            ["max_connections = 300 (100)", "max_wal_senders = 20 (10)", "max_worker_processes = DEFAULT (16)"]
        );
        let calm = [file("max_connections", "300", false)];
        let ours = names(&["max_connections"]);
        assert_eq!(of_others_for_start(&calm, false, present, &ours, &ours), [""; 0]);
    }

    #[test]
    fn what_waits_is_told_from_what_is_in_force_and_from_what_is_ours() {
        let file = |name: &str, value: &str, stored: bool, changed: bool| FileSetting {
            name: name.into(),
            value: value.into(),
            stored,
            changed,
        };
        let of = |value: &str, unit: &str, context: &str, source: &str| Present {
            value: value.into(),
            unit: unit.into(),
            context: context.into(),
            source: source.into(),
            is_list: false,
        };
        let present = BTreeMap::from(
            [
                ("work_mem", of("4096", "kB", "user", "default")),
                ("log_min_duration_statement", of("-1", "ms", "superuser", "default")),
                ("port", of("5432", "", "postmaster", "configuration file")),
                ("timezone", of("UTC", "", "user", "client")),
                ("random_page_cost", of("3", "", "user", "configuration file")),
                ("max_wal_size", of("1024", "MB", "sighup", "configuration file")),
            ]
            .map(|(name, present)| (name.to_owned(), present)),
        );
        let none = BTreeMap::new();
        let present = &InForce { present: &present, kept: BTreeMap::new() };
        let mut files = vec![
            file("work_mem", "4MB", false, true),
            file("port", "6000", false, true),
            file("timezone", "CET", false, true),
            file("random_page_cost", "2", false, true),
            file("random_page_cost", "3.0", true, true),
            file("max_wal_size", "1GB", false, true),
        ];
        assert_eq!(of_others(&files, true, present, &none), [""; 0]);
        files.push(file("log_min_duration_statement", "0", false, true));
        assert_eq!(of_others(&files, true, present, &none), ["log_min_duration_statement = 0"]);
        files.retain(|setting| setting.name != "random_page_cost");
        let waiting = of_others(&files, true, present, &none);
        assert_eq!(waiting, ["log_min_duration_statement = 0", "random_page_cost = DEFAULT"]);
        for setting in &mut files {
            setting.changed = false;
        }
        assert_eq!(of_others(&files, false, present, &none), [""; 0], "what was read is in force");

        // What the run has set is neither, unless others have written it too.
        let former = |value: &str| FormerValue { value: value.into(), stored: None };
        let ours =
            BTreeMap::from([("work_mem".to_owned(), former("4096kB")), ("random_page_cost".to_owned(), former("4"))]);
        let set = [file("work_mem", "64MB", true, true), file("max_wal_size", "1GB", false, true)];
        assert_eq!(of_others(&set, true, present, &ours), [""; 0]);
        let theirs = [file("work_mem", "16MB", false, true), file("max_wal_size", "1GB", false, true)];
        assert_eq!(of_others(&theirs, true, present, &ours), ["work_mem = 16MB"]);
        let theirs = [file("work_mem", "4MB", false, true), file("max_wal_size", "1GB", false, true)];
        assert_eq!(of_others(&theirs, true, present, &ours), [""; 0]);
    }

    #[test]
    fn what_is_shown_in_another_form_does_not_wait_and_no_password_is_shown() {
        let of = |name: &str, value: &str| {
            let (context, source) = ("sighup".to_owned(), "configuration file".to_owned());
            (name.to_owned(), Present { context, source, ..Present::of(value.into()) })
        };
        let present = BTreeMap::from([
            of("archive_command", "(disabled)"),
            of("tcp_keepalives_idle", "0"),
            of("log_file_mode", "0640"),
            of("commit_delay", "8"),
            of("primary_conninfo", ""),
            of("log_line_prefix", ""),
        ]);
        let file = |name: &str, value: &str| FileSetting {
            name: name.into(),
            value: value.into(),
            stored: true,
            changed: true,
        };
        let mut files = vec![
            file("archive_command", "cp %p /arch/%f"),
            file("tcp_keepalives_idle", "60"),
            file("log_file_mode", "416"),
            file("commit_delay", "010"),
            file("primary_conninfo", ""),
            file("log_line_prefix", ""),
        ];
        let kept = [("archive_command", "cp %p /arch/%f"), ("tcp_keepalives_idle", "60"), ("log_file_mode", "416")];
        let kept = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let in_force = InForce { present: &present, kept };
        assert_eq!(of_others(&files, true, &in_force, &BTreeMap::new()), [""; 0]);
        files[0].value = "curl -u bob:hunter5 x".into();
        files[4].value = "host=10.0.0.1 password=hunter2".into();
        files[5].value = "password=hunter2".into();
        let secrets = ["archive_command = …", "log_line_prefix = …", "primary_conninfo = …"];
        assert_eq!(of_others(&files, true, &in_force, &BTreeMap::new()), secrets);
        let none = BTreeSet::new();
        assert_eq!(of_others_for_start(&files, true, &in_force, &none, &none), secrets);
    }
}

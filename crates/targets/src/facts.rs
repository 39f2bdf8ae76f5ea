//! Facts about the client's machine, and about a server and its variables: names and values, for the record and for
//! comparing two servers.

use crate::proc;
use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::{Abandoned, Connection, Connector, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_model::durability;
use tenbin_model::figure;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::text::{into_visible, short, visible};

/// Names to values.
pub type Facts = BTreeMap<String, String>;

/// Facts about this machine, on which the clients run.
pub fn client() -> Facts {
    let mut facts = Facts::new();
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            facts.insert(name.to_owned(), value);
        }
    };
    let cpuinfo = proc::read("/proc/cpuinfo");
    let model = cpuinfo.lines().find_map(|l| l.strip_prefix("model name")).and_then(|l| l.split_once(':'));
    put("cpu", model.map_or(String::new(), |(_, m)| m.trim().to_owned()));
    put("cores", std::thread::available_parallelism().map_or(String::new(), |n| n.to_string()));
    put("machine_cores", cpuinfo.lines().filter(|l| l.starts_with("processor")).count().to_string());
    let memory = proc::memory(&proc::read("/proc/meminfo"), "MemTotal");
    put("memory", memory.map_or(String::new(), figure::bytes));
    put("kernel", proc::read("/proc/sys/kernel/osrelease"));
    put("governor", proc::read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
    put("clock_source", proc::read("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
    put("transparent_huge_pages", chosen(&proc::read("/sys/kernel/mm/transparent_hugepage/enabled")));
    let release = proc::read("/etc/os-release");
    let system =
        release.lines().find_map(|l| l.strip_prefix("PRETTY_NAME=")).unwrap_or("").trim_matches('"').to_owned();
    put("system", system);
    put("virtualised", if cpuinfo.contains(" hypervisor") { "yes".into() } else { "not seen".into() });
    put("cgroup_cpu_limit", cgroup_cpu_limit());
    put("load_average", proc::read("/proc/loadavg").split_whitespace().take(3).collect::<Vec<_>>().join(" "));
    facts
}

/// The selected word of a `/sys` file such as `always [madvise] never`.
fn chosen(text: &str) -> String {
    text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or(String::new(), |(word, _)| word.to_owned())
}

/// The processor limit of our control group, version 2 or 1; empty if there is none.
fn cgroup_cpu_limit() -> String {
    let v2 = proc::read("/sys/fs/cgroup/cpu.max");
    let (quota, period) = match v2.split_once(' ') {
        Some((quota, period)) => (quota.to_owned(), period.to_owned()),
        None => (proc::read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us"), proc::read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")),
    };
    match (quota.parse::<f64>(), period.parse::<f64>()) {
        (Ok(q), Ok(p)) if q > 0.0 && p > 0.0 => format!("{:.2} cores", q / p),
        _ => String::new(),
    }
}

/// Facts about a server: version, and every variable as `variable.name`, except those that may hold a secret.
pub fn server(connector: &Connector) -> Result<Facts, Problem> {
    let runtime = event_loop()?;
    runtime.block_on(async {
        connector.within(PATIENCE, read(connector)).await.unwrap_or_else(|why| {
            if why == Abandoned::Stopped {
                return Err(Problem::new(msg!("stopped-reading-variables")));
            }
            let what = msg!("variables-took-too-long", dsn = connector.dsn(), patience = PATIENCE.as_secs());
            Err(Problem::new(what).hint(msg!("look-what-it-is-busy-with")))
        })
    })
}

/// Checks that it is possible to log in to the server, if there is one.
pub fn reachable(connector: &Connector) -> Result<(), Problem> {
    if connector.patience().is_none() {
        return Ok(());
    }
    let runtime = event_loop()?;
    runtime.block_on(async {
        let entering = async {
            let connection = connector.connect_ready().await;
            let connection = connection.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
            connection.close().await;
            Ok(())
        };
        tokio::select! {
            outcome = entering => outcome,
            () = connector.abandoned(Duration::ZERO) => Err(Problem::new(msg!("stopped-connecting-to", dsn = connector.dsn()))),
        }
    })
}

/// How long a server may take to report its facts.
const PATIENCE: Duration = Duration::from_secs(30);

async fn read(connector: &Connector) -> Result<Facts, Problem> {
    let mut c = connector.connect_ready().await.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
    let mut facts = Facts::from([("address".to_owned(), connector.dsn().to_string())]);
    facts.insert("version".into(), called(connector, &mut c).await);
    if matches!(connector.dsn().scheme, Scheme::Mysql | Scheme::Postgres) {
        // With tls=preferred only the connection itself knows.
        facts.insert("encryption".into(), c.encrypted().unwrap_or("none").to_owned());
    }
    let doing = || msg!("reading-server-variables");
    match connector.dsn().scheme {
        Scheme::Mysql | Scheme::Postgres => {
            let all = if connector.dsn().scheme == Scheme::Mysql { "SHOW GLOBAL VARIABLES" } else { "SHOW ALL" };
            for row in c.table(all).await.map_err(|e| e.problem(doing()))?.rows {
                let mut fields = row.into_iter().flatten();
                if let (Some(name), Some(value)) = (fields.next(), fields.next())
                    && !secret(&name)
                    && !tells(&value)
                {
                    // The values of server variables are shown on the page and in the terminal.
                    facts.insert(format!("variable.{}", visible(&name)), into_visible(value));
                }
            }
        }
        Scheme::Sqlite => {
            for name in
                ["journal_mode", "synchronous", "page_size", "cache_size", "mmap_size", "locking_mode", "auto_vacuum"]
            {
                let value = c.table(&format!("PRAGMA {name}")).await.map_err(|e| e.problem(doing()))?;
                facts.insert(format!("variable.{name}"), value.scalar().unwrap_or("").to_owned());
            }
        }
        Scheme::Null => {}
        Scheme::Host => facts.extend(storage(&connector.dsn().database)),
    }
    facts.extend(beyond_variables(connector.dsn().scheme, &mut c).await);
    c.close().await;
    Ok(facts)
}

/// What determines the durability of commits besides variables, as far as the server reports it.
pub(crate) async fn beyond_variables(scheme: Scheme, c: &mut Connection) -> Facts {
    let mut facts = Facts::new();
    if !matches!(scheme, Scheme::Mysql | Scheme::Postgres) || c.server_version().contains("null-server") {
        return facts;
    }
    if let Ok(version) = c.table("SELECT version()").await {
        facts.extend(version.scalar().map(|text| (durability::VERSION.to_owned(), text.to_owned())));
    }
    if scheme == Scheme::Mysql
        && let Ok(status) = c.table("SHOW GLOBAL STATUS LIKE 'Innodb_%'").await
    {
        let value = |name: &str| {
            let of = |row: &&Vec<Option<String>>| row.first().is_some_and(|n| n.as_deref() == Some(name));
            status.rows.iter().find(of).and_then(|row| row.get(1).cloned().flatten())
        };
        // Without InnoDB there is no InnoDB status.
        facts.insert(durability::PAGE_SIZE.to_owned(), value("Innodb_page_size").unwrap_or_default());
        facts.extend(value("Innodb_redo_log_enabled").map(|v| (durability::REDO_LOG.to_owned(), v)));
    }
    facts
}

/// The storage of a directory: mount point, device, options.
fn storage(dir: &str) -> Facts {
    let mut facts = Facts::new();
    let dir = if dir.is_empty() { "." } else { dir };
    let Ok(place) = std::fs::canonicalize(dir) else { return facts };
    let mounts = proc::read("/proc/self/mounts");
    // Later mounts hide earlier ones.
    let of_place = |line: &&str| line.split(' ').nth(1).is_some_and(|at| place.starts_with(at));
    let longest = mounts.lines().filter(of_place).max_by_key(|l| l.split(' ').nth(1).map_or(0, str::len));
    if let Some([device, at, kind, options]) =
        longest.map(|l| l.split(' ').collect::<Vec<_>>()).as_deref().and_then(<[_]>::first_chunk)
    {
        for (name, value) in [
            ("directory", place.to_string_lossy().as_ref()),
            ("storage.device", device),
            ("storage.mounted_at", at),
            ("storage.file_system", kind),
            ("storage.options", options),
        ] {
            facts.insert(name.to_owned(), value.to_owned());
        }
    }
    facts
}

/// The version of a server from its own functions, because a greeting may come from a proxy or be adapted for old
/// clients.
pub(crate) async fn called(connector: &Connector, c: &mut Connection) -> String {
    let greeting = c.server_version().to_owned();
    // The null server answers every query with the same row.
    if connector.dsn().scheme != Scheme::Mysql || greeting.contains("null-server") {
        return greeting;
    }
    let Ok(answer) = c.table("SELECT VERSION(), @@version_comment").await else { return greeting };
    let mut told = answer.rows.into_iter().next().unwrap_or_default().into_iter().flatten();
    let version = told.next().filter(|v| !v.is_empty()).unwrap_or(greeting);
    match told.next().filter(|comment| !comment.is_empty()) {
        Some(comment) => short(&format!("{version} ({comment})"), 200),
        None => short(&version, 200),
    }
}

/// Variables that may contain a secret are not recorded, whatever their value: those with such names, and shell
/// commands, which may contain passwords and keys.
fn secret(name: &str) -> bool {
    const WORDS: [&str; 13] = [
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "token",
        "credential",
        "private_key",
        "api_key",
        "access_key",
        "apikey",
        "conninfo",
        "init_connect",
    ];
    let name = name.to_lowercase();
    let called = WORDS.iter().any(|s| name.contains(s));
    let command = ["_command", "_cmd", "_auth", "_script"].iter().any(|s| name.ends_with(s));
    (called || command) && !name.contains("validate_password") && !name.ends_with("_plugin")
}

/// Whether a value contains a password in the syntax of a connection string or an option.
fn tells(value: &str) -> bool {
    let value = value.to_lowercase();
    let written = ["password", "passwd", "passphrase", "pwd", "secret", "token"].iter().any(|word| {
        value.match_indices(word).any(|(at, word)| {
            let after = value[at + word.len()..].trim_start_matches(['"', '\'', ' ']);
            after.starts_with(['=', ':'])
                && after
                    .trim_start_matches(['=', ':', ' '])
                    .starts_with(|c: char| c.is_alphanumeric() || "\"'".contains(c))
        })
    });
    // An account in an address: ://user:password@
    let account = value.match_indices("://").any(|(at, _)| {
        let rest = value[at + 3..].split(['/', ' ']).next().unwrap_or("");
        rest.split_once('@').is_some_and(|(account, _)| account.contains(':'))
    });
    written || account
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_hold_a_secret_is_not_kept() {
        for name in [
            "restore_command",
            "archive_command",
            "primary_conninfo",
            "ssl_passphrase_command",
            "recovery_end_command",
            "archive_cleanup_command",
            "wsrep_sst_auth",
            "wsrep_notify_cmd",
            "report_password",
            "init_connect",
            "authentication_ldap_simple_bind_root_pwd",
            "app.jwt_secret",
            "keyring_vault_token",
            "pgsodium.getkey_script",
        ] {
            assert!(secret(name), "{name}");
        }
        for name in [
            "innodb_flush_log_at_trx_commit",
            "shared_buffers",
            "password_encryption_plugin",
            "validate_password_length",
            "key_buffer_size",
            "ssl_ca",
            "local_infile",
            "max_prepared_stmt_count",
            "log_statement",
            "autocommit",
        ] {
            assert!(!secret(name), "{name}");
        }
        for value in
            ["host=h user=u password=s3cret", "socket.ssl_password = 'x'", "https://u:s3cret@h/x", "cp x --token=abc"]
        {
            assert!(tells(value), "{value}");
        }
        for value in ["md5", "/etc/mysql/ssl/ca.pem", "https://example.org/a:b", "password", "scram-sha-256", ""] {
            assert!(!tells(value), "{value}");
        }
    }
}

//! `option_file` of a private server: the settings of a file such as `my.cnf` or `postgresql.conf` become server variables of the
//! target, below those that the plan sets itself. So they are checked, given to the server, read back from it and recorded like
//! these.
//!
//! The file may be that of a server in production. What a private server has of its own (addresses, directories) is not used,
//! nor what would connect it with others: replication, clusters, commands that archive. Each is reported.

use std::collections::BTreeMap;
use std::path::Path;
use tenbin_driver::credentials::option_file::{OptionLine, Setting, lines};
use tenbin_model::dsn::{Scheme, redact};
use tenbin_model::plan::{Plan, reduced_memory};
use tenbin_model::trial::Target;
use tenbin_model::variables::canonical_name;
use tenbin_servers::sandbox;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// No option file of a server is longer.
const LONGEST: u64 = 256 << 10;

/// The texts of option files as they are recorded, by target.
pub type OptionFileTexts = BTreeMap<String, String>;

/// Reads the option files of a plan's targets, and gives the targets their settings.
pub fn fill(plan: &mut Plan) -> Result<OptionFileTexts, Vec<Problem>> {
    let (mut read, mut wrong, mut notes) = (BTreeMap::<String, FileSettings>::new(), Vec::new(), Vec::new());
    let targets = || plan.experiments.iter().flat_map(|experiment| &experiment.targets);
    for target in targets() {
        let Some(path) = target.option_file.as_ref().filter(|_| !read.contains_key(&target.name)) else { continue };
        let of_target = |problem: Problem| Problem {
            what: msg!("of-target", target = target.name, what = problem.what),
            ..problem
        };
        match settings(target, Path::new(path)) {
            Ok(settings) => {
                notes.extend(settings.note(path).map(of_target));
                read.insert(target.name.clone(), settings);
            }
            Err(problem) => {
                wrong.push(of_target(problem));
                read.insert(target.name.clone(), FileSettings::default());
            }
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    for target in plan.experiments.iter_mut().flat_map(|experiment| &mut experiment.targets) {
        let Some(settings) = read.get(&target.name) else { continue };
        let mut own = settings.used.clone();
        if let Some(scale) = plan.scale {
            reduced_memory(scale, &mut own);
        }
        let given: Vec<String> = target.server.keys().map(|name| plain(name)).collect();
        own.retain(|name, _| !given.contains(&plain(name)));
        target.server.extend(own);
    }
    plan.notes.extend(notes);
    Ok(read.into_iter().map(|(target, settings)| (target, settings.text)).collect())
}

/// A name without what changes only whether it is switched on.
fn plain(name: &str) -> String {
    let name = canonical_name(name);
    let name = ["skip_", "enable_", "disable_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(&name);
    name.to_owned()
}

/// What an option file says.
#[derive(Debug, Default, PartialEq, Eq)]
struct FileSettings {
    /// Settings that are given to the server.
    used: BTreeMap<String, String>,
    /// Names of those that are not.
    unused: Vec<String>,
    /// Names of those that are given without the directory in their value.
    without_directory: Vec<String>,
    /// What is recorded: no comments, no passwords.
    text: String,
}

impl FileSettings {
    /// What of it is not used as it was written.
    fn note(&self, path: &str) -> Option<Problem> {
        let names = |names: &[String]| names.join(", ");
        let unused = msg!("option-file-unused", names = names(&self.unused));
        let shortened = msg!("option-file-without-directory", names = names(&self.without_directory));
        let parts = [(unused, &self.unused), (shortened, &self.without_directory)];
        let messages: Vec<Message> =
            parts.into_iter().filter(|(_, all)| !all.is_empty()).map(|(message, _)| message).collect();
        let note =
            || Problem::new(msg!("option-file-in-part", file = path)).evidence(Message::joined(messages.clone(), "; "));
        (!messages.is_empty()).then(note)
    }

    fn take(&mut self, name: &str, value: &str, scheme: Scheme) {
        let name = name.replace('-', "_");
        let know = canonical_name(&name);
        let shown = match treatment(&know, value, scheme) {
            Treatment::Used => value,
            Treatment::WithoutDirectory => {
                self.without_directory.push(know.clone());
                value.rsplit('/').next().unwrap_or_default()
            }
            Treatment::Unused => {
                self.used.remove(&know);
                if !self.unused.contains(&know) {
                    self.unused.push(know.clone());
                }
                // Its value may contain a password.
                self.text += &format!("# not used: {know}\n");
                return;
            }
        };
        self.text += &format!("{know} = {shown}\n");
        // Plugins add to one another; of everything else the last one counts.
        match self.used.get_mut(&know).filter(|_| know == "plugin_load_add") {
            Some(before) => *before = format!("{before};{shown}"),
            None => _ = self.used.insert(know, shown.to_owned()),
        }
    }
}

/// What becomes of a setting.
#[derive(Debug, PartialEq, Eq)]
enum Treatment {
    Used,
    /// A file of the server, which is made in its data directory.
    WithoutDirectory,
    Unused,
}

/// Words in the names of settings that may be passwords, or contain one.
const SECRETS: [&str; 8] = ["password", "passwd", "pwd", "secret", "_auth", "conninfo", "passphrase", "_command"];

/// What a private server of MySQL or MariaDB does not take from a file, besides what no plan can set ([`sandbox::is_its_own`]).
const OF_MYSQL: [&str; 10] = [
    "basedir",
    "extra_port",
    "bind_address",
    "skip_bind_address",
    "admin_port",
    "console",
    "secure_file_priv",
    "ssl_ca",
    "ssl_cert",
    "ssl_key",
];

/// Beginnings of names of settings that would connect it with other servers.
const OTHERS_OF_MYSQL: [&str; 7] =
    ["wsrep", "group_replication", "mysqlx", "master_", "replicate_", "report_", "defaults_"];

/// Files that a server of MySQL or MariaDB makes itself.
const FILES_OF_MYSQL: [&str; 6] =
    ["log_bin", "log_bin_index", "relay_log", "relay_log_index", "general_log_file", "slow_query_log_file"];

/// The same of PostgreSQL, and what would connect it with others.
const OF_POSTGRES: [&str; 16] = [
    "listen_addresses",
    "logging_collector",
    "log_destination",
    "log_directory",
    "log_filename",
    "ssl",
    "krb_server_keyfile",
    "archive_mode",
    "archive_library",
    "primary_slot_name",
    "promote_trigger_file",
    "synchronous_standby_names",
    "bonjour",
    "bonjour_name",
    "hot_standby",
    "restore_command",
];

/// Beginnings of such names.
const OTHERS_OF_POSTGRES: [&str; 4] = ["unix_socket_", "ssl_", "recovery_", "primary_"];

fn treatment(name: &str, value: &str, scheme: Scheme) -> Treatment {
    let (own, begins): (&[&str], &[&str]) = match scheme {
        Scheme::Postgres => (&OF_POSTGRES, &OTHERS_OF_POSTGRES),
        _ => (&OF_MYSQL, &OTHERS_OF_MYSQL),
    };
    let own =
        own.contains(&name) || sandbox::is_its_own(scheme, name) || begins.iter().any(|start| name.starts_with(start));
    if own || SECRETS.iter().any(|word| name.contains(word)) {
        return Treatment::Unused;
    }
    // A value that leads out of the data directory, to files of others.
    let leads_out = match scheme.kind().has_data_directory_files {
        true => value.starts_with('/'),
        false => value.starts_with(['/', '~']) || value.contains(".."),
    };
    match leads_out {
        true if FILES_OF_MYSQL.contains(&name) && !value.ends_with(['/', '.']) => Treatment::WithoutDirectory,
        true => Treatment::Unused,
        false => Treatment::Used,
    }
}

/// The settings of a file for the server of this target.
fn settings(target: &Target, path: &Path) -> Result<FileSettings, Problem> {
    let file = path.display();
    let text = tenbin_intake::file(path, LONGEST).map_err(|e| {
        Problem::new(msg!("option-file-unreadable", file)).evidence(foreign(e)).hint(msg!("look-at-file", name = file))
    })?;
    let text = String::from_utf8_lossy(&text);
    let scheme = target.scheme();
    let groups = groups(target.sandbox.as_deref().unwrap_or_default());
    let mut settings = FileSettings::default();
    let read = match scheme {
        Scheme::Postgres => of_postgres(&text, &mut settings),
        _ => of_mysql(&text, &groups, &mut settings),
    };
    read.map_err(|line| {
        Problem::new(msg!("option-file-line", file))
            .evidence(foreign(redact(&line)))
            .hint(msg!("write-one-option-file"))
    })?;
    if settings.used.is_empty() {
        let what = match scheme {
            Scheme::Postgres => msg!("option-file-empty", file),
            _ => msg!("option-file-without-group", file, groups = groups.join(", ")),
        };
        return Err(Problem::new(what).hint(msg!("write-settings-of-server")));
    }
    settings.text = redact(&settings.text);
    Ok(settings)
}

/// The groups that a server of this binary reads (manuals of MySQL and MariaDB, "Using Option Files"). Those of one version
/// are not used: which one it is, is known when it runs.
fn groups(binary: &str) -> Vec<&'static str> {
    let program = sandbox::find_program(binary).ok().and_then(|path| path.canonicalize().ok());
    let program = program.unwrap_or_else(|| binary.into());
    let is_mariadb = program.file_name().is_some_and(|name| name.to_string_lossy().contains("mariadb"));
    let more: &[&str] = if is_mariadb { &["client-server", "mariadb", "mariadbd"] } else { &[] };
    ["mysqld", "server"].iter().chain(more).copied().collect()
}

/// Takes the settings of these groups; the error is a line that cannot be used.
fn of_mysql(text: &str, groups: &[&str], into: &mut FileSettings) -> Result<(), String> {
    let of_line = |at: usize| text.lines().nth(at - 1).unwrap_or_default().trim().to_owned();
    for line in lines(text).map_err(|broken| of_line(broken.line))? {
        match line {
            OptionLine::Group(name) if groups.contains(&name.as_str()) => into.text += &format!("[{name}]\n"),
            OptionLine::Group(_) => {}
            OptionLine::Set(Setting { group, name, value }) if groups.contains(&group.as_str()) => {
                // A name without a value switches something on.
                into.take(&name, value.as_deref().unwrap_or("ON"), Scheme::Mysql);
            }
            OptionLine::Set(_) => {}
            OptionLine::Include(path) => return Err(format!("!include {}", path.display())),
            OptionLine::IncludeAll(path) => return Err(format!("!includedir {}", path.display())),
        }
    }
    Ok(())
}

/// Takes the settings of a `postgresql.conf` (manual of PostgreSQL, 20.1.2); the error is a line that cannot be used.
fn of_postgres(text: &str, into: &mut FileSettings) -> Result<(), String> {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))).unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
        let name = name.to_ascii_lowercase();
        match value_of_postgres(rest) {
            Some(value) if !name.is_empty() && !name.starts_with("include") => {
                into.take(&name, &value, Scheme::Postgres);
            }
            _ => return Err(line.to_owned()),
        }
    }
    Ok(())
}

/// A value, in quotes or without, before the comment; `None` if the text is not a value.
fn value_of_postgres(text: &str) -> Option<String> {
    let Some(quoted) = text.strip_prefix('\'') else {
        let value = text.split(['#', ' ', '\t']).next().unwrap_or_default();
        let rest = text[value.len()..].trim_start();
        return (!value.is_empty() && (rest.is_empty() || rest.starts_with('#'))).then(|| value.to_owned());
    };
    let (mut value, mut all) = (String::new(), quoted.chars().peekable());
    while let Some(c) = all.next() {
        match c {
            '\'' if all.peek() == Some(&'\'') => value.extend(all.next()),
            '\\' => value.extend(all.next()),
            '\'' => {
                let rest: String = all.collect();
                let rest = rest.trim_start();
                return (rest.is_empty() || rest.starts_with('#')).then_some(value);
            }
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(read: impl FnOnce(&mut FileSettings) -> Result<(), String>) -> String {
        let mut settings = FileSettings::default();
        if let Err(line) = read(&mut settings) {
            return format!("refused: {line}");
        }
        let used = settings.used.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
        let note = settings.note("my.cnf").map(|note| note.evidence.unwrap().english().to_owned());
        format!("{used}\n{}\n---\n{}", note.unwrap_or_default(), redact(&settings.text))
    }

    #[test]
    fn settings_of_the_server_are_used_and_not_what_leads_to_others() {
        let text = "# of production, password=hunter2\n[client]\npassword = hunter2\n[mysqld]\nport=3306\n\
                    datadir = /var/lib/mysql\nsocket=/run/x.sock\npid-file=/run/x.pid\nuser = mysql\n\
                    innodb-buffer-pool-size = 1G # enough\nskip-name-resolve\nlog_bin = /var/log/mysql/mysql-bin.log\n\
                    innodb_log_group_home_dir = /redo\ninnodb_flush_method=\"O_DIRECT\"\nwsrep_on=ON\n\
                    wsrep_sst_auth = sst:hunter2\nreport-password=hunter2\nloose_max_connections = 100\nmax_connections=200\n\
                    plugin-load-add=a.so\nplugin-load-add=b.so\nskip-networking\nssl-ca=/etc/ca.pem\n\
                    [mariadb]\nhistogram_size = 10\n[mysqld-8.0]\nx=1\n[mysqldump]\nquick\n";
        let of = |groups: &[&str]| written(|into| of_mysql(text, groups, into));
        let settings = of(&["mysqld", "server"]);
        assert!(!settings.contains("hunter2"), "{settings}");
        insta::assert_snapshot!(settings, @"
    innodb_buffer_pool_size=1G innodb_flush_method=O_DIRECT log_bin=mysql-bin.log max_connections=200 plugin_load_add=a.so;b.so skip_name_resolve=ON
    not used, because a private server has its own, or would reach other servers by it: port, datadir, socket, pid_file, user, innodb_log_group_home_dir, wsrep_on, wsrep_sst_auth, report_password, skip_networking, ssl_ca; used without the directory: log_bin
    ---
    [mysqld]
    # not used: port
    # not used: datadir
    # not used: socket
    # not used: pid_file
    # not used: user
    innodb_buffer_pool_size = 1G
    skip_name_resolve = ON
    log_bin = mysql-bin.log
    # not used: innodb_log_group_home_dir
    innodb_flush_method = O_DIRECT
    # not used: wsrep_on
    # not used: wsrep_sst_auth
    # not used: report_password
    max_connections = 100
    max_connections = 200
    plugin_load_add = a.so
    plugin_load_add = b.so
    # not used: skip_networking
    # not used: ssl_ca
    ");
        assert!(of(&["mysqld", "mariadb"]).contains("histogram_size=10"));
        for line in ["!include /etc/mysql/other.cnf", "!includedir /etc/mysql/conf.d/"] {
            assert_eq!(written(|into| of_mysql(line, &["mysqld"], into)), format!("refused: {line}"));
        }
    }

    #[test]
    fn settings_of_a_postgresql_conf_are_used_and_not_what_leads_to_others() {
        let text = "# comment\ndata_directory = '/var/lib/postgresql/15/main'\nport = 5432\nshared_buffers = 128MB # min 128kB\n\
                    log_line_prefix = '%m [%p] %q%u@%d '\nSSL = on\nssl_cert_file = '/etc/x.pem'\nwork_mem '8MB'\n\
                    max_wal_size 2GB\narchive_mode = on\narchive_command = 'scp %p user:hunter2@host:/wal'\n\
                    primary_conninfo = 'host=db password=hunter2'\nsynchronous_standby_names = '*'\n\
                    application_name = 'it''s'\nauto_explain.log_min_duration = 10s\nmax_connections = 100\nmax_connections = 200\n";
        let settings = written(|into| of_postgres(text, into));
        assert!(!settings.contains("hunter2"), "{settings}");
        insta::assert_snapshot!(settings, @"
    application_name=it's auto_explain.log_min_duration=10s log_line_prefix=%m [%p] %q%u@%d  max_connections=200 max_wal_size=2GB shared_buffers=128MB work_mem=8MB
    not used, because a private server has its own, or would reach other servers by it: data_directory, port, ssl, ssl_cert_file, archive_mode, archive_command, primary_conninfo, synchronous_standby_names
    ---
    # not used: data_directory
    # not used: port
    shared_buffers = 128MB
    log_line_prefix = %m [%p] %q%u@%d 
    # not used: ssl
    # not used: ssl_cert_file
    work_mem = 8MB
    max_wal_size = 2GB
    # not used: archive_mode
    # not used: archive_command
    # not used: primary_conninfo
    # not used: synchronous_standby_names
    application_name = it's
    auto_explain.log_min_duration = 10s
    max_connections = 100
    max_connections = 200
    ");
        for line in
            ["include_dir = 'conf.d'", "include 'x.conf'", "work_mem = 8 MB", "work_mem =", "= 8MB", "name = 'open"]
        {
            assert_eq!(written(|into| of_postgres(line, into)), format!("refused: {line}"));
        }
    }
}

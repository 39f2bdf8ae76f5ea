//! The settings that a private server does not take from others: where its data, files and doors are. A plan, `--set` or an option file
//! that is copied from another server would lead it to the data of that server, whose accounts it would change.

use super::scheme;
use tenbin_model::dsn::Scheme;
use tenbin_model::variables::canonical_name;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What a private server of MySQL or MariaDB has of its own.
const OF_MYSQL: [&str; 16] = [
    "datadir",
    "socket",
    "port",
    "pid_file",
    // A starting server removes all temporary tables that it finds there.
    "tmpdir",
    "slave_load_tmpdir",
    "replica_load_tmpdir",
    "log_error",
    "init_file",
    "user",
    "chroot",
    "daemonize",
    "networking",
    "grant_tables",
    "admin_address",
    "defaults_file",
];

/// Settings of MySQL and MariaDB that may lead out of the data directory: the server only reads what is there, or writes what it is
/// told to by statements. Also beginnings of such names.
const READ_BY_MYSQL: [&str; 15] = [
    "basedir",
    "lc_messages_dir",
    "character_sets_dir",
    "plugin_",
    "secure_file_priv",
    "innodb_directories",
    "innodb_tmpdir",
    "init_",
    "ssl_",
    "tls_",
    "admin_ssl_",
    "admin_tls_",
    "file_key_management_",
    "caching_sha2_password_",
    "sha256_password_",
];

/// The same of PostgreSQL, whose other files are written within the data directory.
const OF_POSTGRES: [&str; 8] = [
    "data_directory",
    "config_file",
    "hba_file",
    "ident_file",
    "external_pid_file",
    "port",
    "unix_socket_directories",
    // A server removes all files of it when it starts.
    "stats_temp_directory",
];

/// Settings of PostgreSQL with a place where it writes.
const WRITTEN_BY_POSTGRES: [&str; 2] = ["log_directory", "log_filename"];

/// Whether a private server has a setting of its own, whatever its value.
pub fn is_its_own(scheme: Scheme, name: &str) -> bool {
    let name = canonical_name(name);
    match scheme {
        Scheme::Postgres => OF_POSTGRES.contains(&name.as_str()),
        Scheme::Mysql => {
            let modifiers = ["skip_", "enable_", "disable_", "maximum_"];
            let name = modifiers.iter().find_map(|modifier| name.strip_prefix(modifier)).unwrap_or(&name);
            // Beginnings of names are taken for the names.
            OF_MYSQL.iter().any(|own| own.starts_with(name))
        }
        Scheme::Sqlite | Scheme::Null | Scheme::Host => false,
    }
}

/// The problem with a setting that would lead a private server of this binary out of its directory.
pub fn leading_out(binary: &str, name: &str, value: &str) -> Option<Problem> {
    let scheme = scheme(binary);
    if is_its_own(scheme, name) {
        let problem = Problem::new(msg!("sandbox-has-its-own", variable = name));
        return Some(problem.hint(msg!("leave-out-variable", variable = name)));
    }
    let known = canonical_name(name);
    let is_written = match scheme {
        Scheme::Postgres => WRITTEN_BY_POSTGRES.contains(&known.as_str()),
        Scheme::Mysql => !READ_BY_MYSQL.iter().any(|read| known.starts_with(read)),
        Scheme::Sqlite | Scheme::Null | Scheme::Host => false,
    };
    let leads_out = |path: &str| path.trim().starts_with(['/', '~']) || path.split('/').any(|part| part.trim() == "..");
    // Of several paths or files with sizes, each.
    (is_written && value.split([';', ':', ',']).any(leads_out)).then(|| {
        let what = msg!("variable-leads-out-of-sandbox", variable = name, value);
        Problem::new(what).hint(msg!("give-path-within-data-directory", variable = name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_server_is_not_led_to_the_files_of_others() {
        let code = |binary: &str, setting: &str| {
            let (name, value) = setting.split_once('=').unwrap();
            leading_out(binary, name, value).map(|problem| problem.code().unwrap().to_owned())
        };
        for (binary, settings) in [
            (
                "mariadbd",
                &["datadir=x", "DataDir=x", "loose-datadir=x", "datad=x", "pid-file=x", "port=1", "skip_networking=1"]
                    [..],
            ),
            ("mysqld", &["skip-grant-tables=1", "init_file=x", "tmpdir=x", "log_error=x", "user=root"]),
            ("postgres", &["data_directory=x", "Port=1", "hba_file=x", "external_pid_file=x"]),
        ] {
            for setting in settings {
                assert_eq!(code(binary, setting).as_deref(), Some("sandbox-has-its-own"), "{binary} {setting}");
            }
        }
        for (binary, settings) in [
            (
                "mariadbd",
                &[
                    "innodb_data_home_dir=/prod",
                    "innodb-log-group-home-dir=../prod",
                    "log_bin=/dir/zz",
                    "innodb_data_file_path=ibdata1:12M;/prod/ibdata2:12M:autoextend",
                    "aria_log_dir_path=a/../../b",
                ][..],
            ),
            ("postgres", &["log_directory=/var/log", "log_filename=../x"]),
        ] {
            for setting in settings {
                let expected = Some("variable-leads-out-of-sandbox");
                assert_eq!(code(binary, setting).as_deref(), expected, "{binary} {setting}");
            }
        }
        for (binary, settings) in [
            (
                "mariadbd",
                &[
                    "tmp_table_size=1M",
                    "port_open_timeout=0",
                    "user_stat=1",
                    "log_bin=bin",
                    "innodb_data_file_path=ibdata1:12M:autoextend",
                    "bind_address=*",
                    "ssl_ca=/etc/ca.pem",
                    "plugin_dir=/opt/plugins",
                    "init_connect=/* hello */ SET NAMES utf8mb4",
                    "log_error_verbosity=3",
                    "userstat=1",
                ][..],
            ),
            ("postgres", &["archive_command=/usr/bin/true", "log_directory=log", "datadir=x", "ssl_ca_file=/x"]),
            ("sqlite", &["datadir=/x", "temp_store=/"]),
        ] {
            for setting in settings {
                assert_eq!(code(binary, setting), None, "{binary} {setting}");
            }
        }
    }
}

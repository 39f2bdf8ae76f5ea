//! Which variables may hold a password or a key, by their names and by their values: of servers, and in option files.

/// Whether a variable of this name may contain a secret, whatever its value: those with such names, and shell commands,
/// which may contain passwords and keys. They are neither recorded nor shown.
pub fn is_named(name: &str) -> bool {
    const WORDS: [&str; 14] = [
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
        // The key itself may stand there (MariaDB's File Key Management).
        "filekey",
    ];
    let name = name.to_lowercase().replace('-', "_");
    let command = ["_command", "_cmd", "sst_auth", "_script"].iter().any(|s| name.ends_with(s));
    let rest = NO_SECRETS.iter().fold(name.clone(), |name, harmless| name.replace(harmless, ""));
    let called = WORDS.iter().any(|s| rest.contains(s));
    (called || command) && !name.ends_with("_plugin")
}

/// Whether a variable of this name may hold a secret in this value: a switch and an empty text are none.
pub fn is_held(name: &str, value: &str) -> bool {
    const SWITCHES: [&str; 7] = ["", "on", "off", "true", "false", "yes", "no"];
    let is_switch = SWITCHES.contains(&value.trim().to_lowercase().as_str());
    is_in(value) || (is_named(name) && !is_switch)
}

/// Parts of names that say what passwords must be like, or how they are kept and checked. innodb_ft_min_token_size counts letters.
const NO_SECRETS: [&str; 25] = [
    "max_password_errors",
    "random_password_length",
    "password_warnings",
    "restrict_password_commands",
    "passphrase_command_supports_reload",
    "token_size",
    "token_limit",
    "validate_password",
    "simple_password_check",
    "cracklib_password_check",
    "password_reuse_check",
    "strict_password_validation",
    "password_lifetime",
    "password_history",
    "password_reuse_history",
    "password_reuse_interval",
    "password_require_current",
    "password_lock_time",
    "password_encryption",
    "password_min_length",
    "old_passwords",
    "expired_password",
    "mysql_native_password",
    "caching_sha2_password",
    "sha256_password",
];

/// Whether a value contains a password in the syntax of a connection string or an option.
pub fn is_in(value: &str) -> bool {
    let value = value.to_lowercase();
    let is_sign = |c: char| c.is_whitespace() || "\"',;".contains(c);
    // `validate_password=validate_password.so` loads a plugin.
    let is_library = |text: &str, word: &str| {
        let file = text.split(is_sign).next().unwrap_or_default();
        file.contains(word) && (file.ends_with(".so") || file.ends_with(".dll"))
    };
    let written = ["password", "passwd", "passphrase", "pwd", "secret", "token"].iter().any(|word| {
        value.match_indices(word).any(|(at, word)| {
            let after = value[at + word.len()..].trim_start_matches(['"', '\'', ' ']);
            let set = after.trim_start_matches(['=', ':', ' ']);
            after.starts_with(['=', ':'])
                && set.starts_with(|c: char| c.is_alphanumeric() || "\"'".contains(c))
                && !is_library(set, word)
        })
    });
    // An account in an address, ://user:password@: up to the last @, because the password may have any sign.
    let account = value.match_indices("://").any(|(at, _)| {
        let rest = value[at + 3..].split(is_sign).next().unwrap_or("");
        rest.rsplit_once('@').is_some_and(|(account, _)| account.contains(':'))
    });
    // user:password@tcp(host:3306)/ of Go's driver.
    let of_go = ["@tcp(", "@unix("].iter().any(|way| {
        let before = |at: usize| value[..at].rsplit(is_sign).next().unwrap_or_default();
        value.match_indices(way).any(|(at, _)| before(at).contains(':'))
    });
    written || account || of_go
}

/// The text of a statement up to its first literal, if it names something that is a secret: PostgreSQL records
/// `CREATE ROLE … PASSWORD '…'` and the connection strings of subscriptions as they were sent, and MySQL statements as they
/// were prepared.
pub fn without_literals(statement: &str) -> String {
    const WORDS: [&str; 8] = ["password", "passwd", "pwd", "identified", "secret", "token", "credential", "connection"];
    let lower = statement.to_lowercase();
    let literal = ["'", "\"", "$$"].iter().filter_map(|quote| statement.find(quote)).min();
    match literal.filter(|_| WORDS.iter().any(|word| lower.contains(word))) {
        Some(at) => format!("{}…", &statement[..at]),
        None => statement.to_owned(),
    }
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
            "file_key_management_filekey",
        ] {
            assert!(is_named(name), "{name}");
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
            "password_encryption",
            "mysql-native-password",
            "default_password_lifetime",
            "password_history",
            "password_reuse_interval",
            "old_passwords",
            "disconnect_on_expired_password",
            "caching_sha2_password_digest_rounds",
            "simple_password_check_digits",
            "secure_auth",
            "max_password_errors",
            "generated_random_password_length",
            "md5_password_warnings",
            "ssl_passphrase_command_supports_reload",
            "rds.restrict_password_commands",
        ] {
            assert!(!is_named(name), "{name}");
        }
        for (name, value, is_one) in [
            ("report_password", "", false),
            ("init_connect", "", false),
            ("x_require_password", "ON", false),
            ("report_password", "1234", true),
            ("report_password", "1", true),
            ("wsrep_sst_auth", "sst:x", true),
            ("x", "password=a", true),
        ] {
            assert_eq!(is_held(name, value), is_one, "{name} {value}");
        }
        for value in [
            "host=h user=u password=s3cret",
            "socket.ssl_password = 'x'",
            "https://u:s3cret@h/x",
            "postgres://u:s3/cr@et@h/x",
            "app:s3cret@tcp(db:3306)/shop",
            "cp x --token=abc",
        ] {
            assert!(is_in(value), "{value}");
        }
        for value in [
            "md5",
            "/etc/mysql/ssl/ca.pem",
            "https://example.org/a:b",
            "password",
            "scram-sha-256",
            "validate_password=validate_password.so",
            "gcomm://10.0.0.1:4567,10.0.0.2:4567",
            "",
        ] {
            assert!(!is_in(value), "{value}");
        }
    }

    #[test]
    fn a_statement_with_a_secret_ends_before_it() {
        for (sent, kept) in [
            ("ALTER ROLE app PASSWORD 'hunter2'", "ALTER ROLE app PASSWORD …"),
            ("CREATE USER app IDENTIFIED BY \"hunter2\"", "CREATE USER app IDENTIFIED BY …"),
            ("SELECT dblink('host=h password=hunter2')", "SELECT dblink(…"),
            ("CREATE SUBSCRIPTION s CONNECTION 'host=h'", "CREATE SUBSCRIPTION s CONNECTION …"),
            ("DO $$ ALTER ROLE a PASSWORD 'x' $$", "DO …"),
            ("SELECT id FROM users WHERE password = ?", "SELECT id FROM users WHERE password = ?"),
            ("SELECT 'x' FROM t", "SELECT 'x' FROM t"),
        ] {
            assert_eq!(without_literals(sent), kept);
        }
    }
}

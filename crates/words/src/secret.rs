//! Which variables may hold a password or a key, by their names and by their values: of servers, and in option files.

/// Whether a variable of this name may contain a secret, whatever its value: those with such names, and shell commands,
/// which may contain passwords and keys. They are neither recorded nor shown.
pub fn is_named(name: &str) -> bool {
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
    // innodb_ft_min_token_size counts letters.
    let name = name.replace("token_size", "");
    let called = WORDS.iter().any(|s| name.contains(s));
    let command = ["_command", "_cmd", "_auth", "_script"].iter().any(|s| name.ends_with(s));
    (called || command) && !name.contains("validate_password") && !name.ends_with("_plugin")
}

/// Whether a value contains a password in the syntax of a connection string or an option.
pub fn is_in(value: &str) -> bool {
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
        ] {
            assert!(!is_named(name), "{name}");
        }
        for value in
            ["host=h user=u password=s3cret", "socket.ssl_password = 'x'", "https://u:s3cret@h/x", "cp x --token=abc"]
        {
            assert!(is_in(value), "{value}");
        }
        for value in ["md5", "/etc/mysql/ssl/ca.pem", "https://example.org/a:b", "password", "scram-sha-256", ""] {
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

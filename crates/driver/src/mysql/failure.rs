//! Assigns a class to each error, and a hint if there is one.

use crate::{Class, Error};
use std::io;
use tenbin_wire::mysql::{Fault, ServerError};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// An error reported by the server.
#[cold]
pub fn refused(e: ServerError) -> Error {
    let class = match e.code {
        // Deadlock, lock wait timeout, record changed since (MariaDB snapshot), could not get lock (NOWAIT).
        1213 | 1205 | 1020 | 3572 => Class::Conflict,
        // Group replication preferred another transaction; XA's deadlock and timeout; NDB's temporary errors.
        3101 | 1613 | 1614 | 1297 => Class::Conflict,
        // TiDB: locked rows changed since, stale write, retryable error at commit, schema changed meanwhile, lock not
        // resolved, write conflict.
        8002 | 8005 | 8022 | 8028 | 9004 | 9007 => Class::Conflict,
        // OceanBase: rolled back, row locked by another, cannot serialise.
        6002 | 6004 | 6005 | 6235 => Class::Conflict,
        // Its timeouts while it waits for others; other servers may use these numbers differently.
        4012 | 6210 | 6212 | 6224 if says(&e, &["timeout", "need rollback", "roll back"]) => Class::Conflict,
        // Galera at COMMIT: "Got error 149", a deadlock with another node; and a node that is not ready.
        1180 if says(&e, &["error 149", "deadlock"]) => Class::Conflict,
        1047 if says(&e, &["wsrep"]) => Class::Lost,
        // Shutdown in progress, killed (after a killed statement, 1317, the connection can still be used), idle
        // timeout, gone away, lost.
        1053 | 1927 | 4031 | 2006 | 2013 | 1152 | 1159 | 1161 | 1158 | 1160 => Class::Lost,
        // Account, host, schema, password.
        1044 | 1045 | 1049 | 1130 | 1251 | 1275 | 1698 | 1862 | 2054 | 3118 | 3159 => Class::Refused,
        // A file that cannot be written or extended, or a full disk (error numbers of the server's file layer).
        3 | 14 | 20 => Class::Limit,
        // Connections, prepared statements, packet, disk, memory, files.
        1026 | 1040 | 1203 | 1226 | 1461 | 1153 | 1114 | 1021 | 1041 | 1037 | 1038 | 1016 | 1135 | 1129 => Class::Limit,
        _ => Class::Sql,
    };
    let pooled = e.code == 1047 && !says(&e, &["wsrep"]) || e.code == 1243;
    // A state consists of letters and digits; anything else is invalid.
    let state = if e.state.iter().all(u8::is_ascii_alphanumeric) { e.state } else { *b"HY000" };
    let error = Error::new(class, foreign(e.message)).code(e.code.into()).state(state);
    match e.code {
        // A command that a proxy does not forward, or a prepared statement that another server of its pool does not
        // know.
        1047 | 1243 if pooled => error.hint(msg!("proxy-in-between")),
        1047 => error.hint(msg!("node-not-in-cluster")),
        1040 | 1203 => error.hint(msg!("raise-max-connections")),
        1205 => error.hint(msg!("raise-lock-wait-timeout")),
        1226 => error.hint(msg!("lift-limits-of-account")),
        1044 | 1142 | 1143 | 1227 | 1370 => error.hint(msg!("grant-all-on-schema")),
        1290 | 1836 => error.hint(msg!("unset-read-only")),
        1146 => error.hint(msg!("tenbin-load-makes-tables")),
        1251 => error.hint(msg!("alter-user-caching-sha2")),
        1053 | 1927 | 4031 => error.hint(look()),
        1148 | 3948 | 4166 => error.hint(msg!("set-local-infile-as-administrator")),
        1037 | 1038 | 1041 | 1135 => error.hint(msg!("free-memory-on-server-host")),
        1045 => error.hint(msg!("check-user-and-password")),
        // MariaDB's error for an account that is authenticated by the user of the operating system (unix_socket), not
        // by a password.
        1698 => error.hint(msg!("peer-account")),
        1049 => error.hint(msg!("create-or-name-schema")),
        1130 => error.hint(msg!("grant-access-from-host")),
        1129 => error.hint(msg!("mysqladmin-flush-hosts")),
        1461 => error.hint(msg!("raise-max-prepared-stmt-count", raise = "SET GLOBAL max_prepared_stmt_count = …")),
        1153 => error.hint(msg!("raise-max-allowed-packet")),
        // With a full disk InnoDB reports 1114 for a table that cannot grow, and 14 for its file.
        1114 | 1021 | 1026 | 3 | 14 | 20 => error.hint(msg!("free-space-on-server-disk")),
        3750 => error.hint(msg!("generate-primary-keys")),
        3159 => error.hint(msg!("add-tls-required")),
        _ => error,
    }
}

fn says(e: &ServerError, words: &[&str]) -> bool {
    let message = e.message.to_ascii_lowercase();
    words.iter().any(|word| message.contains(word))
}

/// A hint at the place where a server logs why it closed a connection.
fn look() -> Message {
    msg!("look-for-log-error")
}

/// The numbers that the client libraries give to a connection on which nothing can be sent any more, and to one that ends before the reply; the state
/// that they give to errors of their own.
pub const GONE: u32 = 2006;
const ENDED: u32 = 2013;
pub const NO_STATE: [u8; 5] = *b"HY000";

/// The connection failed.
#[cold]
pub fn lost(e: &io::Error) -> Error {
    Error::new(Class::Lost, msg!("connection-lost", error = e)).code(ENDED).state(NO_STATE).hint(look())
}

/// A command could not be sent.
#[cold]
pub fn unsent(e: &io::Error) -> Error {
    lost(e).code(GONE)
}

/// The server closed the connection.
#[cold]
pub fn gone() -> Error {
    Error::new(Class::Lost, msg!("server-closed-connection")).code(ENDED).state(NO_STATE).hint(look())
}

/// A protocol violation.
#[cold]
pub fn fault(f: Fault) -> Error {
    Error::new(Class::Protocol, msg!("not-the-mysql-protocol", fault = f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_class() {
        let classes: [(Class, &[u16]); 5] = [
            (Class::Conflict, &[1213, 1205, 1020, 3572, 3101, 8022, 8028, 9007, 6235]),
            (Class::Lost, &[2006, 2013, 1927, 1053, 4031]),
            (Class::Refused, &[1044, 1045, 1049, 1130, 1251, 1698, 2054]),
            (Class::Limit, &[1040, 1203, 1226, 1461, 1153, 1114, 1021, 1041, 1026, 3, 14, 20]),
            (Class::Sql, &[1054, 1064, 1062, 1146, 1317, 9999, 1047, 1180, 4012]),
        ];
        for (class, codes) in classes {
            for &code in codes {
                let error = refused(ServerError { code, state: *b"HY000", message: "words".into() });
                assert_eq!((error.class(), error.number()), (class, Some(code.into())));
                assert_eq!(error.to_string(), format!("words (error {code})"));
            }
        }
        for (code, message, class) in [
            (4012, "Timeout, query has reached the maximum query timeout: 10000000(us)", Class::Conflict),
            (1180, "Got error 149 \"Lock deadlock; Retry transaction\" during COMMIT", Class::Conflict),
            (1047, "WSREP has not yet prepared node for application use", Class::Lost),
        ] {
            let error = refused(ServerError { code, state: *b"HY000", message: message.into() });
            assert_eq!(error.class(), class, "{message}");
        }
        let forged = refused(ServerError { code: 1, state: *b"\x1b[2J\n", message: String::new() });
        assert_eq!(forged.sqlstate(), Some("HY000"));
        for code in [
            1047, 1243, 1040, 1044, 1045, 1049, 1053, 1114, 1130, 1142, 1146, 1148, 1290, 1153, 1203, 1205, 1226, 1461,
            1698, 1927, 4031,
        ] {
            let error = refused(ServerError { code, state: *b"HY000", message: String::new() });
            assert!(error.problem(foreign("trying")).hint.is_some(), "{code} has no hint");
        }
        assert!(lost(&io::ErrorKind::BrokenPipe.into()).problem(foreign("trying")).hint.is_some());
    }
}

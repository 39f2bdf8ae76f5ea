//! Which of several servers libpq takes: the first that takes connections and is what `target_session_attrs` asks for.
//!
//! Source: PostgreSQL manual, "Specifying Multiple Hosts" and `target_session_attrs` of libpq.

use crate::libpq_server::{Server, at, silent_port, silent_socket, unknown_host};
use std::fmt::Display;
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::Duration;
use tenbin_driver::{Connector, PostgresSession, Transport, event_loop};
use tenbin_model::dsn::Dsn;

/// What a server must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Any,
    ReadWrite,
    ReadOnly,
    Primary,
    Standby,
    PreferStandby,
}

/// Whether a server is to be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Suitability {
    Fits,
    /// The next one is to be looked at: why.
    Unfit(String),
    /// It refuses the login, so that no other is looked at: why.
    Refuses(String),
}

/// Of several hosts the first one that takes connections within this time.
const PATIENCE: Duration = Duration::from_secs(3);

impl Wanted {
    /// By its name.
    pub fn named(name: &str) -> Option<Wanted> {
        Some(match name {
            "" | "any" => Wanted::Any,
            "read-write" => Wanted::ReadWrite,
            "read-only" => Wanted::ReadOnly,
            "primary" => Wanted::Primary,
            "standby" => Wanted::Standby,
            "prefer-standby" => Wanted::PreferStandby,
            _ => return None,
        })
    }
}

/// The server to connect to. If any will do, the last one is taken unseen, because it is connected to anyway; the error says why there is none.
pub fn choose(
    mut servers: Vec<Server>,
    wanted: Wanted,
    look: impl Fn(&Server, Wanted) -> Suitability,
) -> Result<Server, String> {
    let passes: &[Wanted] = if wanted == Wanted::PreferStandby { &[Wanted::Standby, Wanted::Any] } else { &[wanted] };
    let mut others = String::new();
    for pass in passes {
        others.clear();
        for at in 0..servers.len() {
            if *pass == Wanted::Any && at + 1 == servers.len() {
                return Ok(Server { others, ..servers.swap_remove(at) });
            }
            match look(&servers[at], *pass) {
                Suitability::Fits => return Ok(servers.swap_remove(at)),
                Suitability::Unfit(why) => others += &format!("{why}\n"),
                // Where any other will do, this one is told when it is connected to.
                Suitability::Refuses(_) if wanted == Wanted::PreferStandby => {}
                Suitability::Refuses(why) => return Err(others + &why),
            }
        }
    }
    Err(others.trim_end().to_owned())
}

/// Looks at a server: whether it takes connections, and whether it is what is wanted.
pub fn look(server: &Server, wanted: Wanted) -> Suitability {
    if matches!(wanted, Wanted::Any | Wanted::PreferStandby) {
        return answers(&server.host, &server.port).map_or_else(Suitability::Unfit, |()| Suitability::Fits);
    }
    let password = server.password.as_ref().map(|password| password.reveal().to_owned());
    let connector = Dsn::parse(&server.dsn).and_then(|dsn| Connector::new(dsn, password));
    let (connector, runtime) = match connector.and_then(|connector| Ok((connector, event_loop()?))) {
        Ok(pair) => pair,
        Err(problem) => return Suitability::Refuses(problem.what.english().to_owned()),
    };
    runtime.block_on(async {
        let connection = match connector.connect(Transport::Shared).await {
            Ok(connection) => connection,
            Err(failed) if failed.has_code() => return Suitability::Refuses(server.told_failure(&failed)),
            Err(failed) => return Suitability::Unfit(server.told_failure(&failed)),
        };
        let Some(mut session) = PostgresSession::of(connection) else { return Suitability::Fits };
        let (fits, otherwise) = match wanted {
            Wanted::ReadWrite => (session.is_read_only().await.map(|only| !only), "session is read-only"),
            Wanted::ReadOnly => (session.is_read_only().await, "session is not read-only"),
            Wanted::Primary => (session.is_standby().await.map(|standby| !standby), "server is in hot standby mode"),
            _ => (session.is_standby().await, "server is not in hot standby mode"),
        };
        session.close().await;
        match fits {
            Ok(true) => Suitability::Fits,
            Ok(false) => {
                Suitability::Unfit(format!("connection to server {} failed: {otherwise}", server.told_with_address()))
            }
            Err(failed) => Suitability::Refuses(failed.lines),
        }
    })
}

/// Whether something takes connections there, or what libpq says of it.
fn answers(host: &str, port: &str) -> Result<(), String> {
    if host.starts_with('/') {
        let path = format!("{}/.s.PGSQL.{port}", host.trim_end_matches('/'));
        return UnixStream::connect(&path).map(|_| ()).map_err(|error| silent_socket(&path, &error.to_string()));
    }
    let unknown = |error: &dyn Display| unknown_host(host, &error.to_string());
    let number = port.parse::<u16>().map_err(|error| unknown(&error))?;
    let mut outcome = Err(unknown(&"Name or service not known"));
    for address in (host, number).to_socket_addrs().map_err(|error| unknown(&error))? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => outcome = Err(silent_port(&at(host, port, Some(address.ip())), &error.to_string())),
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The server that is chosen with what is said of the others, where `kinds` says for each what it is.
    fn chosen(wanted: Wanted, kinds: &[&'static str]) -> Result<String, String> {
        let named = |kind: &&str| Server { host: (*kind).to_owned(), ..Server::default() };
        let look = |server: &Server, wanted: Wanted| match (server.host.as_str(), wanted) {
            ("down", _) => Suitability::Unfit("down".to_owned()),
            ("refuses", _) => Suitability::Refuses("refuses".to_owned()),
            (_, Wanted::Any) | ("standby", Wanted::Standby) => Suitability::Fits,
            (kind, _) => Suitability::Unfit(format!("is {kind}")),
        };
        let server = choose(kinds.iter().map(named).collect(), wanted, look)?;
        Ok(format!("{}{}", server.others, server.host))
    }

    #[test]
    fn the_first_that_fits_is_taken() {
        assert_eq!(chosen(Wanted::Any, &["down", "primary", "standby"]).unwrap(), "primary");
        assert_eq!(chosen(Wanted::Any, &["down", "down"]).unwrap(), "down\ndown");
        assert_eq!(chosen(Wanted::Standby, &["primary", "down", "standby"]).unwrap(), "standby");
        assert_eq!(chosen(Wanted::Standby, &["down", "primary"]).unwrap_err(), "down\nis primary");
        assert_eq!(chosen(Wanted::Standby, &["refuses", "standby"]).unwrap_err(), "refuses");
        assert_eq!(chosen(Wanted::PreferStandby, &["primary", "standby"]).unwrap(), "standby");
        assert_eq!(chosen(Wanted::PreferStandby, &["down", "primary"]).unwrap(), "down\nprimary");
    }

    #[test]
    fn the_names_are_libpqs() {
        let all = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"];
        assert!(all.iter().all(|name| Wanted::named(name).is_some()) && Wanted::named("nonsense").is_none());
    }

    #[test]
    fn what_does_not_answer_is_told_in_libpqs_words() {
        assert_eq!(
            answers("/no/such", "7").unwrap_err(),
            "connection to server on socket \"/no/such/.s.PGSQL.7\" failed: No such file or directory\n\t\
             Is the server running locally and accepting connections on that socket?"
        );
        assert!(
            answers("127.0.0.1", "1")
                .unwrap_err()
                .starts_with("connection to server at \"127.0.0.1\", port 1 failed: ")
        );
    }
}

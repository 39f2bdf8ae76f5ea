//! Which server it is whose variables are changed, whatever its address: its journal is found by that. What interrupted runs have left of a server that
//! may be the same one is found too, so that nothing is measured, or noted as former, that they have set.

use super::journal::{self, JournalFound, JournalText};
use super::{asking, mysql, postgres};
use crate::proc;
use std::net::{IpAddr, UdpSocket};
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// What makes one server different from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// In one line, by which its journal is named.
    pub text: String,
    /// How the lines begin of servers that may be the same one by another address.
    begins: String,
    /// Host name, port and data directory of a server of MariaDB: its identifier, if it has one, changes with the hardware address of its machine.
    own: Option<String>,
    /// Port and data directory of a PostgreSQL server, if its account may know them: if they differ it is another one.
    pub place: Option<String>,
}

impl Identity {
    /// The cluster, which its physical copies share, and the address.
    fn of_postgres(system: &str, place: Option<String>, address: &str) -> Identity {
        let begins = format!("postgres {system} ");
        Identity { text: format!("{begins}{address}"), begins, own: None, place }
    }

    /// `own`: host name, port and data directory. Copies of a virtual machine and containers have the same ones: with no identifier that is its alone,
    /// the address counts.
    fn of_mysql(own: &str, identifier: mysql::Identifier, address: &str) -> Identity {
        let (text, begins, own) = match identifier {
            mysql::Identifier::Stored(uuid) => (format!("mysql {uuid} {own}"), format!("mysql {uuid} "), None),
            mysql::Identifier::OfMachine(uid) => (format!("mysql {uid} {own}"), format!("mysql {own} at "), Some(own)),
            mysql::Identifier::None => (format!("mysql {own} at {address}"), format!("mysql {own} at "), Some(own)),
        };
        Identity { text, begins, own: own.map(str::to_owned), place: None }
    }

    /// Whether a server of this line may be this one.
    pub fn may_be(&self, text: &str) -> bool {
        let own = |own: &String| text.strip_suffix(own.as_str()).is_some_and(|before| before.ends_with(' '));
        text == self.text || text.starts_with(&self.begins) || self.own.as_ref().is_some_and(own)
    }

    fn may_have(&self, left: &JournalText) -> bool {
        let differs = self.place.is_some() && left.head.place.is_some() && self.place != left.head.place;
        self.may_be(&left.head.server) && !differs
    }

    /// Whether a journal is of this server for certain.
    pub(super) fn has(&self, left: &JournalText, dsn: &Dsn) -> bool {
        // Of an earlier version, which named servers otherwise.
        let is_there = || Dsn::parse(&left.head.address).is_ok_and(|noted| address(&noted) == address(dsn));
        left.head.server == self.text || self.may_have(left) && is_there()
    }
}

/// The identity of a server.
pub fn identity(connector: &Connector) -> Result<Identity, Problem> {
    let address = address(connector.dsn());
    asking(connector, async |c| match connector.dsn().scheme {
        Scheme::Postgres => {
            let (system, location) = postgres::identity(c).await?;
            Ok(Identity::of_postgres(&system, location, &address))
        }
        _ => {
            let (own, identifier) = mysql::identity(c).await?;
            Ok(Identity::of_mysql(&own, identifier, &address))
        }
    })
}

/// Host and port; this machine has one name, by whatever address it was given.
fn address(dsn: &Dsn) -> String {
    let port = dsn.port.unwrap_or(match dsn.scheme {
        Scheme::Postgres => 5432,
        _ => 3306,
    });
    let host = dsn.host.to_lowercase();
    let is_here = dsn.is_local() || host == proc::read("/proc/sys/kernel/hostname").to_lowercase() || is_own(&host);
    format!("{}:{port}", if is_here { "localhost" } else { &host })
}

/// Whether this is an address of this machine.
fn is_own(host: &str) -> bool {
    // Where any address can be bound, nothing follows from it.
    let any = |family: &str| proc::read(&format!("/proc/sys/net/{family}/ip_nonlocal_bind")) == "1";
    match host.parse::<IpAddr>() {
        Ok(address) if !any("ipv4") && !any("ipv6") => UdpSocket::bind((address, 0)).is_ok(),
        _ => false,
    }
}

/// The journal of a server, or those that interrupted runs have left of servers that may be the same one. One that cannot be read may be of any.
pub fn left_of(server: &Identity) -> Vec<JournalFound> {
    let mut all = journal::list();
    // Its own and that of another one were made while both servers were locked: they are two.
    let is_known = journal::exists(&server.text);
    all.retain(|journal| match &journal.text {
        Ok(text) if text.head.server == server.text => true,
        Ok(text) => !is_known && server.may_have(text) && !journal::is_in_use(&journal.path),
        Err(_) => true,
    });
    all
}

/// Fails if an interrupted run has left variables changed on a server that may be this one, by another address.
pub(super) fn nothing_left_elsewhere(server: &Identity) -> Result<(), Problem> {
    let mut left = left_of(server).into_iter().filter_map(|journal| Some((journal.path, journal.text.ok()?)));
    match left.find(|(_, text)| text.head.server != server.text) {
        Some((path, text)) => Err(left_elsewhere(&path, &text)),
        None => Ok(()),
    }
}

/// That a journal may be of this server.
pub(super) fn left_elsewhere(path: &std::path::Path, text: &JournalText) -> Problem {
    let address = shell::word(&text.head.address);
    Problem::new(msg!("settings-left-by-other-address", address = text.head.address))
        .evidence(foreign(format_args!("{}\n{}", text.head.run, path.display())))
        .hint(msg!("restore-settings-of", address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::trial::Apply;

    fn left(server: &str, address: &str, place: Option<&str>) -> JournalText {
        let head = journal::head(server, address, "run x", &Apply::SetGlobal);
        JournalText::of(journal::JournalHead { place: place.map(str::to_owned), ..head })
    }

    #[test]
    fn this_machine_has_one_address() {
        let of = |dsn: &str| address(&Dsn::parse(dsn).unwrap());
        for dsn in ["127.0.0.1", "localhost", "127.0.0.1:5432", "[::1]", "localhost/app?socket=/run/postgresql"] {
            assert_eq!(of(&format!("postgres://u@{dsn}")), "localhost:5432", "{dsn}");
        }
        assert_eq!(of("mysql://u@DB1.example.com"), "db1.example.com:3306");
        assert_ne!(of("postgres://u@127.0.0.1:5433"), of("postgres://u@127.0.0.1"));
        // Addresses of documentation (RFC 5737) are no machine's.
        assert_eq!(of("mysql://u@192.0.2.7"), "192.0.2.7:3306");
    }

    #[test]
    fn what_is_left_of_a_cluster_is_seen_by_every_address() {
        let dsn = |text: &str| Dsn::parse(text).unwrap();
        let location = |text: &str| Some(text.to_owned());
        let own = Identity::of_postgres("7", location("5432 /data"), "localhost:5432");
        let by_address = left("postgres 7 db1:5432", "postgres://u@db1", Some("5432 /data"));
        assert!(own.may_have(&by_address) && !own.has(&by_address, &dsn("postgres://u@localhost")));
        let copy = left("postgres 7 db1:5432", "postgres://u@db1", Some("5432 /copy"));
        assert!(!own.may_have(&copy), "another data directory");
        assert!(!own.may_have(&left("postgres 70 db1:5432", "postgres://u@db1", None)));
        // An earlier version wrote the address as it was given.
        let earlier = left("postgres 7 127.0.0.1:5432", "postgres://u@127.0.0.1", None);
        assert!(own.may_have(&earlier) && own.has(&earlier, &dsn("postgres://u@localhost")));
    }

    #[test]
    fn servers_that_look_alike_are_told_apart_by_their_identifier_or_address() {
        let of = |identifier, address| Identity::of_mysql("db 3306 /var/lib/mysql/", identifier, address);
        let of_machine = |uid: &str| of(mysql::Identifier::OfMachine(uid.to_owned()), "a:3306");
        assert_ne!(of_machine("a1").text, of_machine("b2").text);
        let (a, b) = (of(mysql::Identifier::None, "a:3306"), of(mysql::Identifier::None, "b:3306"));
        assert_ne!(a.text, b.text);
        let left_of_a = left(&a.text, "mysql://u@a", None);
        let dsn = |text: &str| Dsn::parse(text).unwrap();
        assert!(b.may_have(&left_of_a) && !b.has(&left_of_a, &dsn("mysql://u@b")));
        // It may be the same server in a new container, or one of a new version.
        let earlier = "mysql db 3306 /var/lib/mysql/";
        for server in [a, of_machine("a1")] {
            assert!(server.may_be(&of_machine("b2").text) && server.may_be(earlier), "{server:?}");
            assert!(server.has(&left(earlier, "mysql://u@a:3306", None), &dsn("mysql://u@a")), "{server:?}");
            assert!(!server.may_be("mysql db 3307 /var/lib/mysql/") && !server.may_be("mysql xdb 3306 /var/lib/mysql"));
        }
        let stored = of(mysql::Identifier::Stored("u-1".into()), "a:3306");
        assert!(stored.may_be("mysql u-1 other 3306 /var/lib/mysql/") && !stored.may_be(earlier));
    }
}

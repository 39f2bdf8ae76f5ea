//! Identifies the process of a server from its address, so that its processor time is not attributed to other programs, and
//! its end is noticed.

use super::{Here, MachineFiles};
use std::collections::BTreeSet;
use std::path::Path;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::problem::Problem;

/// Names of the programs of database servers. Another program that listens (a proxy, a tunnel) is not the server.
const SERVERS: &[&str] = &["mysqld", "mariadbd", "postgres", "postmaster", "observer", "seekdb"];

/// The process of the server at this address; `None` if it is on another machine, or cannot be identified.
pub fn process_here(connector: &Connector) -> Option<u32> {
    let dsn = connector.dsn();
    if !dsn.is_local() {
        return None;
    }
    let tables = |paths: &[&str]| Here.files(paths).unwrap_or_default();
    let socket = match unix_socket(dsn) {
        Some(path) => tables(&["/proc/net/unix"]).values().find_map(|table| listening_unix(table, &path))?,
        None => tcp_socket(&Here, dsn).ok()??,
    };
    process(&Here, dsn, socket).ok()?
}

/// The process of the server of an address on another machine, by its port there; `None` if it cannot be identified. Fails
/// if the machine cannot be reached any more.
pub fn process_on(machine: &dyn MachineFiles, dsn: &Dsn) -> Result<Option<u32>, Problem> {
    match tcp_socket(machine, dsn)? {
        Some(socket) => process(machine, dsn, socket),
        None => Ok(None),
    }
}

/// A server process that works in this data directory: the servers of MySQL, MariaDB and PostgreSQL change into it when they
/// start.
pub(crate) fn working_in(data: &Path) -> Option<u32> {
    let data = std::fs::canonicalize(data).ok()?;
    let works = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == data);
    servers(&Here).unwrap_or_default().into_iter().find(works)
}

/// A socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ListeningSocket {
    inode: u64,
    /// The account that opened it, if it is known.
    owner: Option<u32>,
}

/// The process that the socket belongs to.
fn process(machine: &dyn MachineFiles, dsn: &Dsn, socket: ListeningSocket) -> Result<Option<u32>, Problem> {
    if !matches!(dsn.scheme, Scheme::Mysql | Scheme::Postgres) {
        return Ok(None);
    }
    let pids = servers(machine)?;
    let paths: Vec<String> =
        pids.iter().map(|pid| format!("/proc/{pid}/status")).chain(["/proc/self/status".to_owned()]).collect();
    let read = machine.files(&paths.iter().map(String::as_str).collect::<Vec<_>>())?;
    let field = |path: &str, name: &str| {
        let line = read.get(path)?.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u32>().ok()
    };
    let of_pid = |pid: u32, name: &str| field(&format!("/proc/{pid}/status"), name);
    // PostgreSQL's main process is the parent of all others.
    let eldest = pids.iter().copied().filter(|pid| of_pid(*pid, "PPid:").is_none_or(|parent| !pids.contains(&parent)));
    let eldest: Vec<u32> = eldest.collect();
    let link = format!("socket:[{}]", socket.inode);
    for pid in &eldest {
        if machine.links(&format!("/proc/{pid}/fd/*"))?.into_values().any(|to| to == link) {
            return Ok(Some(*pid));
        }
    }
    // Open files of other accounts are not visible, but their owner is. For our own account all were examined: a proxy
    // of ours is not the server, even if a server runs as well.
    if socket.owner.is_none() || socket.owner == field("/proc/self/status", "Uid:") {
        return Ok(None);
    }
    let of_owner: Vec<u32> = eldest.into_iter().filter(|pid| of_pid(*pid, "Uid:") == socket.owner).collect();
    Ok(if let [one] = of_owner[..] { Some(one) } else { None })
}

/// All processes of database servers.
fn servers(machine: &dyn MachineFiles) -> Result<BTreeSet<u32>, Problem> {
    let names = machine.files(&["/proc/*/comm"])?;
    let named = names.iter().filter(|(_, name)| SERVERS.contains(&name.as_str()));
    Ok(named.filter_map(|(path, _)| path.split('/').nth(2)?.parse().ok()).collect())
}

/// The Unix socket of an address, if it has one.
fn unix_socket(dsn: &Dsn) -> Option<String> {
    let path = dsn.options.get("socket")?;
    Some(match dsn.scheme {
        Scheme::Postgres => format!("{path}/.s.PGSQL.{}", dsn.port.unwrap_or(5432)),
        _ => path.clone(),
    })
}

/// The socket that listens on the port of an address.
fn tcp_socket(machine: &dyn MachineFiles, dsn: &Dsn) -> Result<Option<ListeningSocket>, Problem> {
    let port = dsn.port.unwrap_or(if dsn.scheme == Scheme::Postgres { 5432 } else { 3306 });
    let tables = machine.files(&["/proc/net/tcp", "/proc/net/tcp6"])?;
    Ok(tables.values().find_map(|table| listening_tcp(table, port)))
}

/// The socket that listens on a port, from `/proc/net/tcp`.
fn listening_tcp(table: &str, port: u16) -> Option<ListeningSocket> {
    table.lines().skip(1).find_map(|line| {
        // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
        let fields: Vec<&str> = line.split_whitespace().collect();
        let at = u16::from_str_radix(fields.get(1)?.rsplit_once(':')?.1, 16).ok()?;
        let listens = *fields.get(3)? == "0A";
        (listens && at == port).then_some(ListeningSocket {
            inode: fields.get(9)?.parse().ok()?,
            owner: Some(fields.get(7)?.parse().ok()?),
        })
    })
}

/// The socket that listens at a path, from `/proc/net/unix`, which does not tell the owner.
fn listening_unix(table: &str, path: &str) -> Option<ListeningSocket> {
    table.lines().skip(1).find_map(|line| {
        // Num RefCount Protocol Flags Type St Inode Path; the flag is SO_ACCEPTCON.
        let fields: Vec<&str> = line.split_whitespace().collect();
        let listens = *fields.get(3)? == "00010000";
        (listens && fields.get(7) == Some(&path))
            .then_some(ListeningSocket { inode: fields.get(6)?.parse().ok()?, owner: None })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_tables_are_read() {
        let tcp = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
                   \x20  0: 0100007F:0CEB 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   103        0 111 1 0 20 4 30 10 -1\n\
                   \x20  1: 0100007F:0CEB 00000000:0000 0A 00000000:00000000 00:00000000 00000000   104        0 8812 1 0 100 0 0 10 0";
        assert_eq!(listening_tcp(tcp, 3307), Some(ListeningSocket { inode: 8812, owner: Some(104) }));
        assert_eq!(listening_tcp(tcp, 3306), None);
        let unix = "Num       RefCount Protocol Flags    Type St Inode Path\n\
                    0000000000000000: 00000003 00000000 00000000 0001 03 71 /tmp/s.sock\n\
                    0000000000000000: 00000002 00000000 00010000 0001 01 72 /tmp/s.sock\n\
                    0000000000000000: 00000003 00000000 00000000 0001 03 73";
        assert_eq!(listening_unix(unix, "/tmp/s.sock"), Some(ListeningSocket { inode: 72, owner: None }));
        assert_eq!(listening_unix(unix, "/tmp/t.sock"), None);
    }
}

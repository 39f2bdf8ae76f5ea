//! Identifies the process of a server from its address, so that its processor time is not attributed to other programs, and
//! its end is noticed.

use super::{FileTexts, Here, MachineFiles};
use crate::route;
use std::collections::BTreeSet;
use std::net::IpAddr;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_words::problem::Problem;

/// Names of the programs of database servers. Another program that listens (a proxy, a tunnel) is not the server.
const SERVERS: &[&str] = &["mysqld", "mariadbd", "postgres", "postmaster", "observer", "seekdb"];

/// The process of the server at this address; `None` if it is on another machine, or cannot be identified. The address may also be one
/// of this machine's own in a network, or one of a container on it.
pub fn process_here(connector: &Connector) -> Option<u32> {
    let dsn = connector.dsn();
    if !dsn.is_local() {
        return process_at(&Here, dsn, route::host(dsn)?).ok()?;
    }
    let tables = |paths: &[&str]| Here.files(paths).unwrap_or_default();
    let socket = match unix_socket(dsn) {
        Some(path) => tables(&["/proc/net/unix"]).values().find_map(|table| listening_unix(table, &path))?,
        None => tcp_socket(&Here, dsn).ok()??,
    };
    process(&Here, dsn, socket).ok()?
}

/// The process of a server of this machine in whose network namespace this is an own address, and not one of a neighbour.
fn process_at(machine: &dyn MachineFiles, dsn: &Dsn, address: IpAddr) -> Result<Option<u32>, Problem> {
    let file = |pid: u32, name: &str| format!("/proc/{pid}/net/{name}");
    let mut there = Vec::new();
    for pid in eldest_servers(machine)? {
        let addresses = machine.files(&[&file(pid, "fib_trie"), &file(pid, "if_inet6")])?;
        if addresses.values().any(|table| has_address(table, address)) {
            there.push(pid);
        }
    }
    for pid in &there {
        let tables = machine.files(&[&file(*pid, "tcp"), &file(*pid, "tcp6")])?;
        if let Some(socket) = listening_on(&tables, dsn)
            && let Some(pid) = process_among(machine, &there, socket)?
        {
            return Ok(Some(pid));
        }
    }
    Ok(None)
}

/// The process of the server of an address on another machine, by its port there; `None` if it cannot be identified. Fails
/// if the machine cannot be reached any more.
pub fn process_on(machine: &dyn MachineFiles, dsn: &Dsn) -> Result<Option<u32>, Problem> {
    match tcp_socket(machine, dsn)? {
        Some(socket) => process(machine, dsn, socket),
        None => Ok(None),
    }
}

/// The account with whose rights a process of this machine acts; `None` if there is no such process.
pub fn account_of(pid: u32) -> Option<u32> {
    let status = Here.files(&[&format!("/proc/{pid}/status")]).ok()?.into_values().next()?;
    // The real user, and the effective one.
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().nth(1)?.parse().ok()
}

/// A socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ListeningSocket {
    inode: u64,
    /// The account that opened it, if it is known.
    owner: Option<u32>,
}

/// The process of a database server that the socket belongs to.
fn process(machine: &dyn MachineFiles, dsn: &Dsn, socket: ListeningSocket) -> Result<Option<u32>, Problem> {
    if !dsn.scheme.kind().is_server {
        return Ok(None);
    }
    process_among(machine, &eldest_servers(machine)?, socket)
}

/// That of these processes that the socket belongs to.
fn process_among(machine: &dyn MachineFiles, pids: &[u32], socket: ListeningSocket) -> Result<Option<u32>, Problem> {
    let read = statuses(machine, pids)?;
    let link = format!("socket:[{}]", socket.inode);
    for pid in pids {
        if machine.links(&format!("/proc/{pid}/fd/*"))?.into_values().any(|to| to == link) {
            return Ok(Some(*pid));
        }
    }
    // Open files of other accounts are not visible, but their owner is. For our own account all were examined: a proxy
    // of ours is not the server, even if a server runs as well.
    if socket.owner.is_none() || socket.owner == number_in(&read, "self", "Uid:") {
        return Ok(None);
    }
    let is_owners = |pid: &u32| number_in(&read, &pid.to_string(), "Uid:") == socket.owner;
    let of_owner: Vec<&u32> = pids.iter().filter(|pid| is_owners(pid)).collect();
    Ok(if let [one] = of_owner[..] { Some(*one) } else { None })
}

/// The processes of database servers that no other one is the parent of: PostgreSQL's main process is the parent of all its others.
fn eldest_servers(machine: &dyn MachineFiles) -> Result<Vec<u32>, Problem> {
    let pids = servers(machine)?;
    let read = statuses(machine, &pids.iter().copied().collect::<Vec<_>>())?;
    let parent = |pid: &u32| number_in(&read, &pid.to_string(), "PPid:");
    Ok(pids.iter().copied().filter(|pid| parent(pid).is_none_or(|parent| !pids.contains(&parent))).collect())
}

/// The states of these processes, and of our own.
fn statuses(machine: &dyn MachineFiles, pids: &[u32]) -> Result<FileTexts, Problem> {
    let names = pids.iter().map(u32::to_string).chain(["self".to_owned()]);
    let paths: Vec<String> = names.map(|name| format!("/proc/{name}/status")).collect();
    machine.files(&paths.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The first number of a line of `/proc/PID/status`.
fn number_in(statuses: &FileTexts, pid: &str, name: &str) -> Option<u32> {
    let text = statuses.get(&format!("/proc/{pid}/status"))?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
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
    Ok(listening_on(&machine.files(&["/proc/net/tcp", "/proc/net/tcp6"])?, dsn))
}

/// The socket that listens on the port of an address, from the tables of a network namespace.
fn listening_on(tables: &FileTexts, dsn: &Dsn) -> Option<ListeningSocket> {
    let port = dsn.port.or(dsn.scheme.kind().port)?;
    tables.values().find_map(|table| listening_tcp(table, port))
}

/// Whether a network namespace has this address, from its `fib_trie` (IPv4) or `if_inet6`.
fn has_address(table: &str, address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // `|-- 10.0.0.1` and, in a line below it, `/32 host LOCAL`.
            let address = address.to_string();
            let mut at = "";
            table.lines().any(|line| match line.trim_start().strip_prefix("|-- ") {
                Some(next) => {
                    at = next;
                    false
                }
                None => at == address && line.trim() == "/32 host LOCAL",
            })
        }
        IpAddr::V6(address) => {
            let digits = format!("{:032x}", address.to_bits());
            table.lines().any(|line| line.split_whitespace().next() == Some(&digits))
        }
    }
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

/// The socket that listens at a path, from `/proc/net/unix`, which does not give the owner.
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
    use crate::machine::recorded::RecordedFiles;

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

    #[test]
    fn a_server_in_a_container_is_found_by_its_address() {
        let of_container = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 172.17.0.0\n        /16 link UNICAST\n     |-- 172.17.0.2\n        /32 host LOCAL\n";
        let of_host =
            "Main:\n     |-- 172.17.0.1\n        /32 host LOCAL\n     |-- 192.0.2.2\n        /32 host LOCAL\n";
        let listens = "  sl\n 0: 00000000:0CEA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   999        0 8812 1 0 100 0 0 10 0";
        let machine = RecordedFiles(&[
            ("/proc/7/comm", "mariadbd"),
            ("/proc/7/status", "PPid:\t1\nUid:\t104\t104"),
            ("/proc/7/net/fib_trie", of_host),
            ("/proc/9/comm", "mariadbd"),
            ("/proc/9/status", "PPid:\t1\nUid:\t999\t999"),
            ("/proc/9/net/fib_trie", of_container),
            ("/proc/9/net/if_inet6", "20010db8000000000000000000000009 02 40 00 80 eth0"),
            ("/proc/9/net/tcp", listens),
            ("/proc/11/comm", "mariadbd"),
            ("/proc/11/status", "PPid:\t1\nUid:\t999\t999"),
            ("/proc/11/net/fib_trie", "Main:\n     |-- 172.17.0.4\n        /32 host LOCAL\n"),
            ("/proc/11/net/tcp", listens),
            ("/proc/self/status", "Uid:\t1000"),
        ]);
        let pid = |address: &str, port| {
            let host = if address.contains(':') { format!("[{address}]") } else { address.to_owned() };
            let dsn = Dsn::parse(&format!("mysql://u@{host}:{port}/d")).unwrap();
            process_at(&machine, &dsn, address.parse().unwrap()).unwrap()
        };
        assert_eq!(pid("172.17.0.2", 3306), Some(9));
        assert_eq!(pid("2001:db8::9", 3306), Some(9));
        assert_eq!(pid("172.17.0.4", 3306), Some(11), "another container, with the same account");
        assert_eq!(pid("172.17.0.2", 3307), None, "no process listens there");
        assert_eq!(pid("172.17.0.3", 3306), None, "a neighbour's address");
        assert_eq!(pid("172.17.0.1", 3306), None, "this machine's address, on which its server does not listen");
    }
}

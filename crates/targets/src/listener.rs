//! Identifies the process of a server on this machine from its address, so that its processor time is not
//! attributed to other programs, and its end is noticed.

use crate::proc;
use std::collections::BTreeSet;
use std::path::Path;
use tenbin_driver::Connector;
use tenbin_model::dsn::{Dsn, Scheme};

/// Names of the programs of database servers. Another program that listens (a proxy, a tunnel) is not the server.
const SERVERS: &[&str] = &["mysqld", "mariadbd", "postgres", "postmaster", "observer", "seekdb"];

/// The process of the server at this address; `None` if it is on another machine, or cannot be identified.
pub fn process(connector: &Connector) -> Option<u32> {
    let dsn = connector.dsn();
    if !dsn.is_local() || !matches!(dsn.scheme, Scheme::Mysql | Scheme::Postgres) {
        return None;
    }
    let (inode, owner) = socket(dsn)?;
    let servers: Vec<(u32, u32)> = processes().filter(|(pid, _)| is_server(*pid)).collect();
    let link = format!("socket:[{inode}]");
    let holding: BTreeSet<u32> = servers.iter().map(|(pid, _)| *pid).filter(|pid| holds(*pid, &link)).collect();
    // PostgreSQL's main process is the parent of all others.
    let first = |of: &BTreeSet<u32>| of.iter().copied().find(|pid| parent(*pid).is_none_or(|p| !of.contains(&p)));
    if let Some(pid) = first(&holding) {
        return Some(pid);
    }
    // Open files of other accounts are not visible, but their owner is. For our own account all were examined: a proxy
    // of ours is not the server, even if a server runs as well.
    if owner == Some(rustix::process::geteuid().as_raw()) {
        return None;
    }
    let of_owner: BTreeSet<u32> = servers.iter().filter(|(_, uid)| Some(*uid) == owner).map(|(pid, _)| *pid).collect();
    let eldest: Vec<u32> =
        of_owner.iter().copied().filter(|pid| parent(*pid).is_none_or(|p| !of_owner.contains(&p))).collect();
    match eldest.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// The socket that listens at this address: its inode, and its owner if it is known.
fn socket(dsn: &Dsn) -> Option<(u64, Option<u32>)> {
    if let Some(path) = dsn.options.get("socket") {
        let port = dsn.port.unwrap_or(5432);
        let path = match dsn.scheme {
            Scheme::Postgres => format!("{path}/.s.PGSQL.{port}"),
            _ => path.clone(),
        };
        return Some((listening_unix(&proc::read("/proc/net/unix"), &path)?, None));
    }
    let port = dsn.port.unwrap_or(if dsn.scheme == Scheme::Postgres { 5432 } else { 3306 });
    ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .find_map(|table| listening_tcp(&proc::read(table), port))
        .map(|(inode, uid)| (inode, Some(uid)))
}

/// Inode and owner of the socket that listens on a port, from `/proc/net/tcp`.
fn listening_tcp(table: &str, port: u16) -> Option<(u64, u32)> {
    table.lines().skip(1).find_map(|line| {
        // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
        let fields: Vec<&str> = line.split_whitespace().collect();
        let at = u16::from_str_radix(fields.get(1)?.rsplit_once(':')?.1, 16).ok()?;
        let listens = *fields.get(3)? == "0A";
        (listens && at == port).then_some((fields.get(9)?.parse().ok()?, fields.get(7)?.parse().ok()?))
    })
}

/// Inode of the socket that listens at a path, from `/proc/net/unix`.
fn listening_unix(table: &str, path: &str) -> Option<u64> {
    table.lines().skip(1).find_map(|line| {
        // Num RefCount Protocol Flags Type St Inode Path; the flag is SO_ACCEPTCON.
        let fields: Vec<&str> = line.split_whitespace().collect();
        let listens = *fields.get(3)? == "00010000";
        (listens && fields.get(7) == Some(&path)).then_some(fields.get(6)?.parse().ok()?)
    })
}

/// All processes with their owners.
fn processes() -> impl Iterator<Item = (u32, u32)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, entry.metadata().ok()?.uid()))
    })
}

fn is_server(pid: u32) -> bool {
    SERVERS.contains(&proc::read(&format!("/proc/{pid}/comm")).as_str())
}

fn parent(pid: u32) -> Option<u32> {
    let stat = proc::read(&format!("/proc/{pid}/stat"));
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn holds(pid: u32, link: &str) -> bool {
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|to| to == Path::new(link))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_tables_are_read() {
        let tcp = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
                   \x20  0: 0100007F:0CEB 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   103        0 111 1 0 20 4 30 10 -1\n\
                   \x20  1: 0100007F:0CEB 00000000:0000 0A 00000000:00000000 00:00000000 00000000   104        0 8812 1 0 100 0 0 10 0";
        assert_eq!(listening_tcp(tcp, 3307), Some((8812, 104)));
        assert_eq!(listening_tcp(tcp, 3306), None);
        let unix = "Num       RefCount Protocol Flags    Type St Inode Path\n\
                    0000000000000000: 00000003 00000000 00000000 0001 03 71 /tmp/s.sock\n\
                    0000000000000000: 00000002 00000000 00010000 0001 01 72 /tmp/s.sock\n\
                    0000000000000000: 00000003 00000000 00000000 0001 03 73";
        assert_eq!(listening_unix(unix, "/tmp/s.sock"), Some(72));
        assert_eq!(listening_unix(unix, "/tmp/t.sock"), None);
    }
}

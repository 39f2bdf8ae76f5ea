//! How clients reach the servers of (b) and (e): over TCP on the loopback interface, over a Unix socket, or from a network of their own, as
//! programs in a container do.

use clap::ValueEnum;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// The word of `--over`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Over {
    /// TCP on the loopback interface.
    Tcp,
    /// A Unix socket.
    Socket,
    /// TCP through a pair of interfaces that connects two network namespaces. Needs root.
    Namespace,
}

impl Over {
    /// As titles name it.
    pub fn name(self) -> &'static str {
        match self {
            Over::Tcp => "over TCP",
            Over::Socket => "over a Unix socket",
            Over::Namespace => "over TCP between two network namespaces",
        }
    }
}

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Host and port.
    Tcp(String, u16),
    /// The socket of MariaDB, or the directory of PostgreSQL's and the port that is part of its name.
    Socket(PathBuf, u16),
}

impl Address {
    /// A port on the loopback interface.
    pub fn here(port: u16) -> Address {
        Address::Tcp("127.0.0.1".into(), port)
    }
}

/// A network namespace with a pair of interfaces between it and ours; removed when dropped.
#[derive(Debug)]
pub struct Namespace(String);

impl Namespace {
    /// The address of our end.
    pub const HERE: &str = "10.213.97.1";
    /// The address of its end.
    pub const THERE: &str = "10.213.97.2";

    /// A new one.
    pub fn new() -> io::Result<Namespace> {
        let namespace = Namespace(format!("tenbin-bench-{}", std::process::id()));
        let (name, here) = (&namespace.0, format!("tbb{}", std::process::id()));
        ip(&format!("netns add {name}"))?;
        ip(&format!("link add {here} type veth peer name eth0 netns {name}"))?;
        ip(&format!("address add {}/30 dev {here}", Self::HERE))?;
        ip(&format!("link set {here} up"))?;
        ip(&format!("-n {name} address add {}/30 dev eth0", Self::THERE))?;
        ip(&format!("-n {name} link set eth0 up"))?;
        Ok(namespace)
    }

    /// The command that starts another one in it: nsenter(1).
    pub fn enter(&self) -> [String; 2] {
        ["nsenter".into(), format!("--net=/run/netns/{}", self.0)]
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // The interfaces go with it.
        let _ = ip(&format!("netns delete {}", self.0));
    }
}

fn ip(words: &str) -> io::Result<()> {
    let output = Command::new("ip").args(words.split(' ')).output();
    let output = output.map_err(|e| io::Error::other(format!("ip (iproute2) cannot be started: {e}")))?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("ip {words}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

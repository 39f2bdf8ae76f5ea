//! A network of its own for a program: a network namespace that is connected to this one by a pair of interfaces, as a
//! client's machine is to a server's.

use crate::run;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A network namespace; removed with its interfaces when dropped.
#[derive(Debug)]
pub struct Namespace {
    name: String,
    /// The first three parts of the addresses of both ends.
    subnet: String,
}

impl Namespace {
    /// A new one. Needs root.
    pub fn new() -> Namespace {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (pid, n) = (std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let name = format!("tenbin-{pid}-{n}");
        let subnet = format!("10.{}.{}", 64 + (pid >> 8) % 64, (pid + n) % 256);
        ip(&["netns", "add", &name]);
        let namespace = Namespace { name, subnet };
        let (here, there) = (namespace.interface(), "eth0");
        ip(&["link", "add", &here, "type", "veth", "peer", "name", there, "netns", &namespace.name]);
        ip(&["address", "add", &format!("{}/30", namespace.server()), "dev", &here]);
        ip(&["link", "set", &here, "up"]);
        namespace.ip(&["address", "add", &format!("{}/30", namespace.client()), "dev", there]);
        namespace.ip(&["link", "set", "lo", "up"]);
        namespace.ip(&["link", "set", there, "up"]);
        namespace
    }

    /// The address of our end, which programs in the namespace reach through their interface `eth0`.
    pub fn server(&self) -> String {
        format!("{}.1", self.subnet)
    }

    /// The address of the other end.
    pub fn client(&self) -> String {
        format!("{}.2", self.subnet)
    }

    /// Its name, by which it is found in `/run/netns`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The option of nsenter(1) that enters it.
    pub fn net(&self) -> String {
        format!("--net=/run/netns/{}", self.name)
    }

    /// The name of our end's interface.
    pub fn interface(&self) -> String {
        format!("tb{}", self.name.trim_start_matches("tenbin-"))
    }

    /// What our end sends is limited to this rate, as tc(8) writes it: `20mbit`. More waits in a queue.
    pub fn limit(&self, rate: &str) {
        let queue = ["root", "tbf", "rate", rate, "burst", "32kbit", "latency", "400ms"];
        run(Command::new("tc").args(["qdisc", "replace", "dev", &self.interface()]).args(queue));
    }

    /// This many percent of the packets are lost in each direction, as nft(8) drops them where they arrive.
    pub fn lose(&self, percent: u32) {
        let table = self.table();
        let drop = format!("numgen random mod 100 < {percent} drop");
        let hook = "{ type filter hook prerouting priority -300 ; }";
        for (through, interface) in [(None, self.interface()), (Some(self.net()), "eth0".to_owned())] {
            let rules = format!(
                "add table ip {table}; add chain ip {table} lossy {hook}; add rule ip {table} lossy iifname \"{interface}\" {drop}"
            );
            match through {
                Some(net) => run(Command::new("nsenter").args([&net, "nft"]).arg(rules)),
                None => run(Command::new("nft").arg(rules)),
            };
        }
    }

    /// The table of nft(8) in which we drop packets.
    fn table(&self) -> String {
        self.name.replace('-', "_")
    }

    /// `ip` with these arguments in the namespace.
    pub fn ip(&self, arguments: &[&str]) {
        ip(&[&["-n", &self.name], arguments].concat());
    }

    /// The `tenbin` of this build in the namespace. Only the network differs: unlike `ip netns exec`, nsenter(1) leaves
    /// `/sys` alone.
    pub fn tenbin(&self) -> Command {
        crate::tenbin_through("nsenter", &[&self.net()])
    }
}

impl Default for Namespace {
    fn default() -> Namespace {
        Namespace::new()
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = Command::new("nft").args(["delete", "table", "ip", &self.table()]).stderr(Stdio::null()).status();
        // The interfaces go with it.
        let _ = Command::new("ip").args(["netns", "delete", &self.name]).status();
    }
}

fn ip(arguments: &[&str]) {
    run(Command::new("ip").args(arguments));
}

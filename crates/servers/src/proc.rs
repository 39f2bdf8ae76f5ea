//! The few files of `/proc` that we read, parsed by pure functions. Times there are in ticks of 1/100 s.

use std::collections::{BTreeMap, BTreeSet};

/// Ticks per second; fixed for user space on every Linux architecture we build for.
const TICKS: f64 = 100.0;

/// A file under `/proc` or `/sys`, trimmed; empty when it is not there.
#[expect(clippy::disallowed_methods, reason = "the kernel's own files end")]
pub fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default().trim_end().to_owned()
}

/// The identifier of this start of the machine: a process number and its start time mean nothing after the next one.
pub fn boot() -> String {
    read("/proc/sys/kernel/random/boot_id")
}

/// How often an event of `/proc/vmstat` has happened.
pub fn event(vmstat: &str, name: &str) -> Option<f64> {
    vmstat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

/// Seconds of all processors together, from `/proc/stat`. `guest` is inside `user` already and left out.
pub fn cpu(stat: &str) -> BTreeMap<String, f64> {
    const NAMES: [&str; 8] = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"];
    let numbers = stat.lines().find_map(|l| l.strip_prefix("cpu ")).unwrap_or("").split_whitespace();
    NAMES
        .iter()
        .zip(numbers)
        .filter_map(|(n, v)| Some((format!("cpu_{n}_s"), v.parse::<f64>().ok()? / TICKS)))
        .collect()
}

/// Bytes over all interfaces but loopback, and over loopback, from `/proc/net/dev`.
pub fn network(dev: &str) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for line in dev.lines() {
        let Some((name, rest)) = line.split_once(':') else { continue };
        let fields: Vec<f64> = rest.split_whitespace().filter_map(|f| f.parse().ok()).collect();
        let [Some(received), Some(sent)] = [fields.first(), fields.get(8)] else { continue };
        let kind = if name.trim() == "lo" { "lo" } else { "net" };
        *sums.entry(format!("{kind}_rx_bytes")).or_insert(0.0) += received;
        *sums.entry(format!("{kind}_tx_bytes")).or_insert(0.0) += sent;
    }
    sums
}

/// Bytes, packets and drops received, and bytes, packets and drops sent by one interface, from `/proc/net/dev`; `None`
/// if there is none of this name.
pub fn interface(dev: &str, name: &str) -> Option<[u64; 6]> {
    let (_, rest) = dev.lines().filter_map(|line| line.split_once(':')).find(|(of, _)| of.trim() == name)?;
    let fields: Vec<u64> = rest.split_whitespace().filter_map(|f| f.parse().ok()).collect();
    match fields.as_slice() {
        [received, packets, _, drops, _, _, _, _, sent, sent_packets, _, sent_drops, ..] => {
            Some([*received, *packets, *drops, *sent, *sent_packets, *sent_drops])
        }
        _ => None,
    }
}

/// TCP segments sent, and those of them that were sent again, by all connections, from `/proc/net/snmp`. `OutSegs` does
/// not contain the latter (RFC 1213, tcpOutSegs).
pub fn tcp_segments(snmp: &str) -> Option<(u64, u64)> {
    let mut lines = snmp.lines().filter_map(|line| line.strip_prefix("Tcp:"));
    let (names, values) = (lines.next()?, lines.next()?);
    let of = |wanted: &str| {
        let mut both = names.split_whitespace().zip(values.split_whitespace());
        both.find(|(name, _)| *name == wanted)?.1.parse::<u64>().ok()
    };
    Some((of("OutSegs")?, of("RetransSegs")?))
}

/// Bytes and requests read and written, flushes, seconds busy, and the sum of the times of all requests of a kind, of these disks together, from `/proc/diskstats`
/// (Documentation/admin-guide/iostats.rst of Linux). Its sectors are of 512 bytes, whatever those of the disk are.
pub fn disks(diskstats: &str, names: &BTreeSet<String>) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for line in diskstats.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if !fields.get(2).is_some_and(|name| names.contains(*name)) {
            continue;
        }
        let figures = [
            ("disk_reads", 3, 1.0),
            ("disk_read_bytes", 5, 512.0),
            ("disk_writes", 7, 1.0),
            ("disk_written_bytes", 9, 512.0),
            ("disk_busy_s", 12, 1e-3),
            ("disk_read_wait_s", 6, 1e-3),
            ("disk_write_wait_s", 10, 1e-3),
            // From Linux 5.5 on.
            ("disk_flushes", 18, 1.0),
            ("disk_flush_wait_s", 19, 1e-3),
        ];
        for (name, place, factor) in figures {
            let Some(value) = fields.get(place).and_then(|field| field.parse::<f64>().ok()) else { continue };
            *sums.entry(name.to_owned()).or_insert(0.0) += value * factor;
        }
    }
    sums
}

/// Whether a block device is a whole disk, by its name: not a loop device, a disk in memory, a drive for removable media, or
/// one that is made of others.
pub fn is_disk(name: &str) -> bool {
    !["loop", "ram", "zram", "dm-", "md", "sr", "fd", "nbd", "drbd"].iter().any(|kind| name.starts_with(kind))
}

/// `name: value kB` lines of `/proc/meminfo`, in bytes.
pub fn memory(meminfo: &str, name: &str) -> Option<f64> {
    let line = meminfo.lines().find(|l| l.split(':').next() == Some(name))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}

/// User and system seconds and the start time in ticks since boot, from `/proc/PID/stat`. The name in parentheses may
/// contain any character.
pub fn process(stat: &str) -> Option<(f64, f64, u64)> {
    let rest = stat.rsplit_once(')')?.1;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |i: usize| fields.get(i)?.parse::<f64>().ok();
    Some((number(11)? / TICKS, number(12)? / TICKS, number(19)? as u64))
}

/// User and system seconds of a process's children that have ended, from `/proc/PID/stat`.
pub fn ended_children(stat: &str) -> Option<(f64, f64)> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let seconds = |i: usize| Some(fields.get(i)?.parse::<f64>().ok()? / TICKS);
    Some((seconds(13)?, seconds(14)?))
}

/// Nanoseconds that a thread has run, from its `schedstat`.
pub fn run_ns(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().next()?.parse().ok()
}

/// Nanoseconds that a thread was ready and waited for a processor, from its `schedstat`.
pub fn run_delay_ns(schedstat: &str) -> Option<u64> {
    schedstat.split_whitespace().nth(1)?.parse().ok()
}

/// The processors of the machine, from `/proc/stat`.
pub fn processors(stat: &str) -> usize {
    let of_one =
        |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    stat.lines().filter(of_one).count()
}

/// Tasks that are running or waiting for a processor at this moment, from `/proc/stat`.
pub fn running(stat: &str) -> Option<u32> {
    stat.lines().find_map(|l| l.strip_prefix("procs_running "))?.trim().parse().ok()
}

/// The number of processors in a list such as `0-3,8`, from `Cpus_allowed_list` of `/proc/PID/status`.
pub fn listed_processors(list: &str) -> Option<f64> {
    let count = |range: &str| {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let (from, to) = (from.trim().parse::<u32>().ok()?, to.trim().parse::<u32>().ok()?);
        Some(f64::from(to.checked_sub(from)?) + 1.0)
    };
    list.split(',').map(count).sum()
}

/// Whether a process is a zombie, from `/proc/PID/stat`.
pub fn ended(stat: &str) -> bool {
    stat.rsplit_once(')').is_some_and(|(_, rest)| matches!(rest.split_whitespace().next(), Some("Z" | "X")))
}

/// Microseconds that some task waited, from a file of `/proc/pressure`.
pub fn pressure_us(text: &str) -> Option<f64> {
    let line = text.lines().find(|l| l.starts_with("some"))?;
    line.split_whitespace().find_map(|w| w.strip_prefix("total="))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_texts_are_read() {
        let c = cpu("cpu  100 1 50 1000 7 0 3 25 9 0\ncpu0 1 2 3\n");
        assert_eq!((c["cpu_user_s"], c["cpu_steal_s"], c.len()), (1.0, 0.25, 8));
        let n = network(
            "Inter-|   Receive |  Transmit\n face |bytes packets\n    lo: 100 1 0 0 0 0 0 0 200 1 0 0 0 0 0 0\n  eth0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n  eth1: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n",
        );
        assert_eq!(
            (n["lo_rx_bytes"], n["lo_tx_bytes"], n["net_rx_bytes"], n["net_tx_bytes"]),
            (100.0, 200.0, 10.0, 12.0)
        );
        let eth0 = "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n eth01: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
        assert_eq!((interface(eth0, "eth0"), interface(eth0, "eth")), (Some([1, 2, 4, 9, 10, 12]), None));
        let snmp =
            "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm InSegs OutSegs RetransSegs\nTcp: 1 200 300 4\nUdp: x\nUdp: 1";
        assert_eq!((tcp_segments(snmp), tcp_segments("Tcp: a")), (Some((300, 4)), None));
        assert_eq!(memory("MemTotal:       1024 kB\nMemFree: 1 kB", "MemTotal"), Some(1_048_576.0));
        let disks = disks(
            " 254 0 vda 10 1 80 5 20 2 160 7 0 3000 12 0 0\n 254 1 vda1 9 1 79 5 20 2 160 7 0 9000 12\n 254 16 vdb 1 0 8 0 0 0 0 0 0 500 0",
            &BTreeSet::from(["vda".to_owned(), "vdb".to_owned()]),
        );
        assert_eq!((disks["disk_reads"], disks["disk_read_bytes"], disks["disk_busy_s"]), (11.0, 45056.0, 3.5));
        assert_eq!((disks["disk_writes"], disks["disk_written_bytes"]), (20.0, 81920.0));
        assert_eq!((listed_processors("0-3,8"), listed_processors("1")), (Some(5.0), Some(1.0)));
        assert_eq!((listed_processors(""), listed_processors("3-1")), (None, None));
        let stat = "42 (my (odd) name) S 1 42 42 0 -1 4194560 1 2 3 4 250 50 700 30 20 0 9 0 12345 100 200";
        assert_eq!(process(stat), Some((2.5, 0.5, 12345)));
        assert_eq!(ended_children(stat), Some((7.0, 0.3)));
        assert_eq!((run_delay_ns("12 345 6"), run_delay_ns("")), (Some(345), None));
        assert_eq!((run_ns("12 345 6"), run_ns("")), (Some(12), None));
        assert_eq!(processors("cpu  9 9\ncpu0 5 5\ncpu11 4 4\nctxt 1\nprocs_running 3"), 2);
        assert_eq!(running("cpu 1\nprocs_running 3\nprocs_blocked 0"), Some(3));
        assert!(!ended(stat) && ended(&stat.replace(") S", ") Z")));
        assert_eq!(pressure_us("some avg10=0.00 avg60=0.00 avg300=0.00 total=777\nfull avg10=0 total=1"), Some(777.0));
        assert!(
            cpu("").is_empty() && process("").is_none() && pressure_us("x").is_none() && network("garbage:").is_empty()
        );
    }
}

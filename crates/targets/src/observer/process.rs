//! The processes of a server on this machine: processor time, memory, disk.
//!
//! PostgreSQL has a process for each connection, which are children of the main process. The usage of ended children is
//! added to their parent, so the sums are counters.

use super::{Observer, ObserverEntry, PATIENCE, Sample};
use crate::proc;
use std::collections::BTreeMap;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "server.process",
    readings,
    period: None,
    patience: PATIENCE,
    connects: false,
    make: |subject| Some(Box::new(Process::new(subject.pid?))),
};

fn readings() -> Vec<ReadingSpec> {
    let counter = |name: &'static str, unit, en, ja| ReadingSpec::counter(name, unit, Whose::Server).label(en, ja);
    vec![
        counter("cpu_user_s", "s", "the server's CPU time, user mode", "サーバーの CPU 時間(ユーザーモード)"),
        counter("cpu_system_s", "s", "the server's CPU time, kernel", "サーバーの CPU 時間(カーネル)"),
        ReadingSpec::gauge("memory_bytes", "bytes", Whose::Server).label("the server's memory", "サーバーのメモリー"),
        counter("disk_read_bytes", "bytes", "the server's disk reads", "サーバーのディスク読み取り"),
        counter("disk_write_bytes", "bytes", "the server's disk writes", "サーバーのディスク書き込み"),
    ]
}

/// A process and its children.
struct Process {
    pid: u32,
    /// Its start time in ticks since boot, because its number may be reused.
    started: Option<u64>,
}

impl Process {
    fn new(pid: u32) -> Process {
        Process { pid, started: proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map(|(_, _, at)| at) }
    }
}

impl Observer for Process {
    fn read(&mut self) -> Result<Sample, Problem> {
        let stat = proc::read(&format!("/proc/{}/stat", self.pid));
        let found = proc::process(&stat).filter(|(_, _, at)| self.started == Some(*at) && !proc::ended(&stat));
        let (Some((mut user, mut system, _)), Some((user_ended, system_ended))) = (found, proc::ended_children(&stat))
        else {
            return Err(Problem::new(msg!("server-process-gone")).evidence(msg!("no-proc-stat", pid = self.pid)));
        };
        (user, system) = (user + user_ended, system + system_ended);
        let (mut private, mut shared, mut disk) = (0.0, 0.0, BTreeMap::new());
        for pid in std::iter::once(self.pid).chain(children(self.pid)) {
            let dir = format!("/proc/{pid}");
            if pid != self.pid
                && let Some((u, s, _)) = proc::process(&proc::read(&format!("{dir}/stat")))
            {
                (user, system) = (user + u, system + s);
            }
            let status = proc::read(&format!("{dir}/status"));
            let of = |name| proc::memory(&status, name).unwrap_or(0.0);
            private += of("RssAnon");
            // Program code and shared buffers are shared between all of them.
            shared = f64::max(shared, of("RssFile") + of("RssShmem"));
            for line in proc::read(&format!("{dir}/io")).lines() {
                if let Some((name @ ("read_bytes" | "write_bytes"), value)) = line.split_once(':') {
                    *disk.entry(format!("disk_{name}")).or_insert(0.0) += value.trim().parse::<f64>().unwrap_or(0.0);
                }
            }
        }
        let own = [("cpu_user_s", user), ("cpu_system_s", system), ("memory_bytes", private + shared)];
        let all = own.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(disk);
        Ok(all.collect::<BTreeMap<_, _>>().into())
    }
}

/// The children of a process: of its first thread, which is PostgreSQL's only one.
fn children(pid: u32) -> Vec<u32> {
    let listed = proc::read(&format!("/proc/{pid}/task/{pid}/children"));
    listed.split_whitespace().filter_map(|n| n.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_childs_time_counts_while_it_lives_and_after() {
        let busy = |seconds: &str| {
            let script =
                format!("end=$(($(date +%s%N) + {seconds}00000000)); while [ $(date +%s%N) -lt $end ]; do :; done");
            std::process::Command::new("sh").args(["-c", &script]).spawn().unwrap()
        };
        let mut us = Process::new(std::process::id());
        let cpu = |values: &BTreeMap<String, f64>| values["cpu_user_s"] + values["cpu_system_s"];
        let before = us.read().unwrap().values;
        let mut child = busy("5");
        child.wait().unwrap();
        let after = us.read().unwrap().values;
        assert!(cpu(&after) - cpu(&before) > 0.1, "{before:?} {after:?}");
        assert!(after.keys().all(|name| readings().iter().any(|spec| spec.name == *name)), "{after:?}");
        assert!(after["memory_bytes"] > 100_000.0 && after.contains_key("disk_write_bytes"), "{after:?}");
    }
}

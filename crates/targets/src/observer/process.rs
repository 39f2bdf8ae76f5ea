//! The processes of a server on this machine: processor time, memory, disk. The same readings on another host are in
//! `server_host.rs`.
//!
//! PostgreSQL has a process for each connection, which are children of the main process. The usage of ended children is
//! added to their parent, so the sums are counters.

use super::{Observer, ObserverEntry, PATIENCE, Sample};
use crate::machine::{FileTexts, Here, MachineFiles};
use crate::proc;
use std::collections::BTreeMap;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "server.process",
    readings: |_| readings(""),
    period: None,
    patience: PATIENCE,
    connects: false,
    edges: false,
    each: None,
    make: |subject| Some(Box::new(Process::new(subject.pid?))),
};

/// The readings, with names that start so.
pub(super) fn readings(start: &str) -> Vec<ReadingSpec> {
    let counter =
        |name, unit, en, ja| ReadingSpec::counter(format!("{start}{name}"), unit, Whose::Server).label(en, ja);
    let memory = ReadingSpec::gauge(format!("{start}memory_bytes"), "bytes", Whose::Server);
    vec![
        counter("cpu_user_s", "s", "the server's CPU time, user mode", "サーバーの CPU 時間(ユーザーモード)"),
        counter("cpu_system_s", "s", "the server's CPU time, kernel", "サーバーの CPU 時間(カーネル)"),
        memory.label("the server's memory", "サーバーのメモリー"),
        counter("disk_read_bytes", "bytes", "the server's disk reads", "サーバーのディスク読み取り"),
        counter("disk_write_bytes", "bytes", "the server's disk writes", "サーバーのディスク書き込み"),
    ]
}

/// The process of a server and its children, on any machine.
pub(super) struct ServerProcess {
    pid: u32,
    /// Its start time in ticks since boot, because its number may be reused.
    started: u64,
}

/// The files of a process that [`ServerProcess::values`] reads, also of its children.
pub(super) fn files_of(pid: u32) -> [String; 3] {
    ["stat", "status", "io"].map(|name| format!("/proc/{pid}/{name}"))
}

impl ServerProcess {
    /// The process of this number, if it exists. Fails if the machine cannot be reached any more.
    pub(super) fn find(machine: &dyn MachineFiles, pid: u32) -> Result<Option<ServerProcess>, Problem> {
        let stat = machine.files(&[&format!("/proc/{pid}/stat")])?.into_values().next().unwrap_or_default();
        Ok(proc::process(&stat).map(|(_, _, started)| ServerProcess { pid, started }))
    }

    /// Its own files, and the one that lists its children: those of its first thread, which is PostgreSQL's only one.
    pub(super) fn files(&self) -> Vec<String> {
        files_of(self.pid).into_iter().chain([self.list()]).collect()
    }

    fn list(&self) -> String {
        format!("/proc/{0}/task/{0}/children", self.pid)
    }

    /// Its children, from its own files.
    pub(super) fn children(&self, own: &FileTexts) -> Vec<u32> {
        let listed = own.get(&self.list()).map_or("", String::as_str);
        listed.split_whitespace().filter_map(|n| n.parse().ok()).collect()
    }

    /// The readings, from its own files and those of its children; `None` if it has ended.
    pub(super) fn values(&self, own: &FileTexts, of_children: &FileTexts) -> Option<BTreeMap<String, f64>> {
        let text = |read: &FileTexts, pid: u32, name: &str| {
            read.get(&format!("/proc/{pid}/{name}")).cloned().unwrap_or_default()
        };
        let stat = text(own, self.pid, "stat");
        let (user, system, _) = proc::process(&stat).filter(|(_, _, at)| self.started == *at && !proc::ended(&stat))?;
        let (user_ended, system_ended) = proc::ended_children(&stat)?;
        let (mut user, mut system) = (user + user_ended, system + system_ended);
        let (mut private, mut shared, mut disk) = (0.0, 0.0, BTreeMap::new());
        let children = self.children(own).into_iter().map(|pid| (pid, of_children));
        for (pid, read) in std::iter::once((self.pid, own)).chain(children) {
            if pid != self.pid
                && let Some((u, s, _)) = proc::process(&text(read, pid, "stat"))
            {
                (user, system) = (user + u, system + s);
            }
            let status = text(read, pid, "status");
            let of = |name| proc::memory(&status, name).unwrap_or(0.0);
            private += of("RssAnon");
            // Program code and shared buffers are shared between all of them.
            shared = f64::max(shared, of("RssFile") + of("RssShmem"));
            for line in text(read, pid, "io").lines() {
                if let Some((name @ ("read_bytes" | "write_bytes"), value)) = line.split_once(':') {
                    *disk.entry(format!("disk_{name}")).or_insert(0.0) += value.trim().parse::<f64>().unwrap_or(0.0);
                }
            }
        }
        let own = [("cpu_user_s", user), ("cpu_system_s", system), ("memory_bytes", private + shared)];
        Some(own.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(disk).collect())
    }
}

/// A process on this machine.
struct Process {
    pid: u32,
    /// `None`: it had ended before.
    process: Option<ServerProcess>,
}

impl Process {
    fn new(pid: u32) -> Process {
        // This machine can always be reached.
        Process { pid, process: ServerProcess::find(&Here, pid).ok().flatten() }
    }
}

impl Observer for Process {
    fn read(&mut self) -> Result<Sample, Problem> {
        let read = |paths: &[String]| Here.files(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let found = match &self.process {
            Some(process) => {
                let own = read(&process.files())?;
                let children: Vec<String> = process.children(&own).into_iter().flat_map(files_of).collect();
                process.values(&own, &read(&children)?)
            }
            None => None,
        };
        let gone = || Problem::new(msg!("server-process-gone")).evidence(msg!("no-proc-stat", pid = self.pid));
        found.map(Sample::from).ok_or_else(gone)
    }
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
        assert!(after.keys().all(|name| readings("").iter().any(|spec| spec.name == *name)), "{after:?}");
        assert!(after["memory_bytes"] > 100_000.0 && after.contains_key("disk_write_bytes"), "{after:?}");
    }
}

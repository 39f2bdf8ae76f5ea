//! The processes of a server on this machine: processor time, memory, disk, lost segments of TCP. The same readings on another host are in
//! `server_host.rs`.
//!
//! PostgreSQL has a process for each connection, which are children of the main process. The usage of ended children is
//! added to their parent, so the sums are counters.

use super::{Observer, ObserverEntry, Sample};
use std::collections::BTreeMap;
use tenbin_model::names::observer;
use tenbin_model::names::path;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_servers::machine::{FileTexts, Here, MachineFiles, ProcessorQuota};
use tenbin_servers::proc;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_PROCESS,
    readings: |_| readings(""),
    connects: false,
    make: |subject| Some(Box::new(Process::new(subject.pid?))),
    ..ObserverEntry::REGULAR
};

/// The readings, with names that start so.
pub(super) fn readings(start: &str) -> Vec<ReadingSpec> {
    let counter =
        |name, unit, en, ja| ReadingSpec::counter(format!("{start}{name}"), unit, Whose::Server).label(en, ja);
    let gauge = |name, unit, en, ja| ReadingSpec::gauge(format!("{start}{name}"), unit, Whose::Server).label(en, ja);
    let memory = ReadingSpec::gauge(format!("{start}memory_bytes"), "bytes", Whose::Server);
    vec![
        counter("cpu_user_s", "s", "the server's CPU time, user mode", "サーバーの CPU 時間(ユーザーモード)"),
        counter("cpu_system_s", "s", "the server's CPU time, kernel", "サーバーの CPU 時間(カーネル)"),
        memory.label("the server's memory", "サーバーのメモリー"),
        counter(
            "run_delay_s",
            "s",
            "the server's threads ready to run, waiting for a processor",
            "サーバーのスレッドの CPU 待ち時間",
        ),
        gauge("cpus_allowed", "", "processors that the server may run on", "サーバーが使えるプロセッサー数"),
        gauge(
            "cpu_quota_cores",
            "",
            "processors by the quota of its control group",
            "cgroup のクォータによるプロセッサー数",
        ),
        counter("cpu_periods", "", "periods of the quota", "クォータの周期数"),
        counter("cpu_throttled_periods", "", "periods in which the quota was used up", "クォータを使い切った周期数"),
        counter(
            "cpu_throttled_s",
            "s",
            "time in which the server was throttled, added up",
            "スロットリングされた時間(合計)",
        ),
        counter(
            path::SEGMENTS,
            "segments",
            "TCP segments sent by the server's machine",
            "サーバーのマシンが送信した TCP セグメント",
        ),
        counter(
            path::RETRANSMITTED,
            "segments",
            "TCP segments sent again by the server's machine",
            "サーバーのマシンが再送した TCP セグメント",
        ),
        counter("disk_read_bytes", "bytes", "the server's disk reads", "サーバーのディスク読み取り"),
        counter("disk_write_bytes", "bytes", "the server's disk writes", "サーバーのディスク書き込み"),
    ]
}

/// The process of a server and its children, on any machine.
pub(super) struct ServerProcess {
    pid: u32,
    /// Its start time in ticks since boot, because its number may be reused.
    started: u64,
    quota: ProcessorQuota,
    /// How long each thread has waited for a processor at the last sample, nanoseconds, by the path of its file; and all
    /// since the first sample.
    waited: BTreeMap<String, u64>,
    waited_ns: u64,
    /// Whether there were more threads than [`MOST_THREADS`]: then their waits are not read any more, because a sum without some
    /// of them would look like less.
    too_many: bool,
}

/// The most threads of a server that are looked at, with its children: each has a file of its own, which takes 4 µs to read.
const MOST_THREADS: usize = 1024;

impl ServerProcess {
    /// The process of this number, if it exists. Fails if the machine cannot be reached any more.
    pub(super) fn find(machine: &dyn MachineFiles, pid: u32) -> Result<Option<ServerProcess>, Problem> {
        let [stat, status] = ["stat", "status"].map(|name| format!("/proc/{pid}/{name}"));
        let mut read = machine.files(&[&stat, &status])?;
        let mut text = |path| read.remove(path).unwrap_or_default();
        let (stat, status) = (text(&stat), text(&status));
        let quota = ProcessorQuota::find(machine, pid)?;
        let (waited, waited_ns, too_many) = (BTreeMap::new(), 0, threads(&status) > MOST_THREADS);
        let of = |started| ServerProcess { pid, started, quota, waited, waited_ns, too_many };
        Ok(proc::process(&stat).map(|(_, _, started)| of(started)))
    }

    /// Its own files, and the one that lists its children: those of its first thread, which is PostgreSQL's only one.
    pub(super) fn files(&self) -> Vec<String> {
        self.files_of(self.pid).chain([self.list(), self.network()]).chain(self.quota.files()).collect()
    }

    /// Those of its children, which are found in its own files.
    pub(super) fn files_of_children(&mut self, own: &FileTexts) -> Vec<String> {
        let children = self.children(own);
        self.too_many |= children.len() > MOST_THREADS;
        children.into_iter().flat_map(|pid| self.files_of(pid)).collect()
    }

    fn files_of(&self, pid: u32) -> impl Iterator<Item = String> + use<> {
        let waits = (!self.too_many).then_some("task/*/schedstat");
        ["stat", "status", "io"].into_iter().chain(waits).map(move |name| format!("/proc/{pid}/{name}"))
    }

    fn list(&self) -> String {
        format!("/proc/{0}/task/{0}/children", self.pid)
    }

    /// The counters of TCP of its network, which that of a container or namespace is.
    fn network(&self) -> String {
        format!("/proc/{}/net/snmp", self.pid)
    }

    /// Its children, from its own files.
    fn children(&self, own: &FileTexts) -> Vec<u32> {
        let listed = own.get(&self.list()).map_or("", String::as_str);
        listed.split_whitespace().filter_map(|n| n.parse().ok()).collect()
    }

    /// The readings, from its own files and those of its children; `None` if it has ended.
    pub(super) fn values(&mut self, own: &FileTexts, of_children: &FileTexts) -> Option<BTreeMap<String, f64>> {
        let text = |read: &FileTexts, pid: u32, name: &str| {
            read.get(&format!("/proc/{pid}/{name}")).cloned().unwrap_or_default()
        };
        let stat = text(own, self.pid, "stat");
        let (user, system, _) = proc::process(&stat).filter(|(_, _, at)| self.started == *at && !proc::ended(&stat))?;
        let (user_ended, system_ended) = proc::ended_children(&stat)?;
        let (mut user, mut system) = (user + user_ended, system + system_ended);
        let (mut private, mut shared, mut disk, mut running) = (0.0, 0.0, BTreeMap::new(), 0);
        let children = self.children(own).into_iter().map(|pid| (pid, of_children));
        for (pid, read) in std::iter::once((self.pid, own)).chain(children) {
            if pid != self.pid
                && let Some((u, s, _)) = proc::process(&text(read, pid, "stat"))
            {
                (user, system) = (user + u, system + s);
            }
            let status = text(read, pid, "status");
            running += threads(&status);
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
        let (status, quota) = (text(own, self.pid, "status"), self.quota.values(own));
        let segments = proc::tcp_segments(&text(own, self.pid, "net/snmp"));
        self.too_many |= running > MOST_THREADS;
        let texts = own.iter().chain(of_children);
        let own = [("cpu_user_s", user), ("cpu_system_s", system), ("memory_bytes", private + shared)];
        let mut values: BTreeMap<String, f64> =
            own.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(disk).collect();
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        let allowed = allowed.and_then(|list| proc::listed_processors(list.trim()));
        values.extend(allowed.map(|n| ("cpus_allowed".to_owned(), n)));
        values.extend(quota);
        if let Some((sent, again)) = segments {
            let both = [(path::SEGMENTS, sent), (path::RETRANSMITTED, again)];
            values.extend(both.map(|(name, segments)| (name.to_owned(), segments as f64)));
        }
        values.extend(self.delay(texts).map(|seconds| ("run_delay_s".to_owned(), seconds)));
        Some(values)
    }

    /// How long its threads have waited for a processor since the first sample, seconds; `None` if the kernel does not
    /// count that, or there are too many of them. A thread that has ended keeps what it had waited at the last sample.
    fn delay<'f>(&mut self, texts: impl Iterator<Item = (&'f String, &'f String)>) -> Option<f64> {
        if self.too_many {
            return None;
        }
        let threads = texts.filter(|(path, _)| path.ends_with("/schedstat"));
        let now: BTreeMap<String, u64> =
            threads.filter_map(|(path, text)| Some((path.clone(), proc::run_delay_ns(text)?))).collect();
        let is_first = self.waited.is_empty();
        for (path, ns) in &now {
            // What threads had waited before the first sample is not counted; new ones have waited since.
            let before = self.waited.get(path).copied().unwrap_or(if is_first { *ns } else { 0 });
            self.waited_ns += ns.saturating_sub(before);
        }
        let is_counted = !now.is_empty();
        self.waited = now;
        is_counted.then_some(self.waited_ns as f64 / 1e9)
    }
}

/// The number of threads of a process, in its `status`.
fn threads(status: &str) -> usize {
    let listed = status.lines().find_map(|line| line.strip_prefix("Threads:"));
    listed.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

/// A process on this machine.
struct Process {
    pid: u32,
    /// `None`: it had ended before, or could not be read.
    process: Option<ServerProcess>,
    /// Whether it was there and could not be read, because this process has no open file left.
    unread: bool,
}

impl Process {
    fn new(pid: u32) -> Process {
        // This machine can always be reached.
        let process = ServerProcess::find(&Here, pid).ok().flatten();
        Process { pid, unread: process.is_none() && is_there(pid), process }
    }

    fn sample(&mut self, read: impl Fn(&[String]) -> Result<FileTexts, Problem>) -> Result<Sample, Problem> {
        let values = match &mut self.process {
            Some(process) => {
                let own = read(&process.files())?;
                if !own.contains_key(&format!("/proc/{}/stat", self.pid)) && is_there(self.pid) {
                    return Ok(Sample::default());
                }
                let children = process.files_of_children(&own);
                process.values(&own, &read(&children)?)
            }
            None if self.unread => return Ok(Sample::default()),
            None => None,
        };
        let gone = || Problem::new(msg!("server-process-gone")).evidence(msg!("no-proc-stat", pid = self.pid));
        values.map(Sample::from).ok_or_else(gone)
    }
}

/// Whether there is a process of this number, which takes no open file.
fn is_there(pid: u32) -> bool {
    std::fs::exists(format!("/proc/{pid}")).unwrap_or(true)
}

impl Observer for Process {
    fn read(&mut self) -> Result<Sample, Problem> {
        self.sample(|paths| Here.files(&paths.iter().map(String::as_str).collect::<Vec<_>>()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_childs_time_counts_while_it_lives_and_after() {
        // A fixed amount of work, however long it takes beside others.
        let work = "n=0; while [ $n -lt 1000000 ]; do n=$((n + 1)); done";
        let mut us = Process::new(std::process::id());
        let cpu = |values: &BTreeMap<String, f64>| values["cpu_user_s"] + values["cpu_system_s"];
        let before = us.read().unwrap().values;
        std::process::Command::new("sh").args(["-c", work]).status().unwrap();
        let after = us.read().unwrap().values;
        assert!(cpu(&after) - cpu(&before) > 0.02, "{before:?} {after:?}");
        assert!(after.keys().all(|name| readings("").iter().any(|spec| spec.name == *name)), "{after:?}");
        assert!(after["memory_bytes"] > 100_000.0 && after.contains_key("disk_write_bytes"), "{after:?}");
    }

    /// Who has no open file left reads nothing of a process that is there.
    #[test]
    fn a_process_that_cannot_be_read_is_not_gone() {
        let nothing = |_: &[String]| Ok(FileTexts::new());
        let mut us = Process::new(std::process::id());
        assert!(us.sample(nothing).unwrap().values.is_empty());
        assert!(us.read().unwrap().values.contains_key("memory_bytes"));
        us.pid = u32::MAX;
        assert!(us.sample(nothing).is_err_and(|problem| problem.what.is("server-process-gone")));
    }

    /// Of all or of none: the waits of some threads would look like less waiting.
    #[test]
    fn the_waits_of_too_many_threads_are_not_read() {
        let mut us = ServerProcess::find(&Here, std::process::id()).unwrap().unwrap();
        let read = |paths: Vec<String>| Here.files(&paths.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let own = read(us.files());
        assert!(us.values(&own, &FileTexts::new()).unwrap().contains_key("run_delay_s"), "this kernel counts it");
        let mut of = |n: usize| {
            let status = format!("/proc/{}/status", std::process::id());
            let mut own = own.clone();
            let now = own[&status].lines().find(|line| line.starts_with("Threads:")).unwrap().to_owned();
            let text = own[&status].replace(&now, &format!("Threads:\t{n}"));
            own.insert(status, text);
            let values = us.values(&own, &FileTexts::new()).unwrap();
            (values.contains_key("run_delay_s"), us.files().iter().any(|path| path.ends_with("/schedstat")))
        };
        assert_eq!((of(MOST_THREADS), of(MOST_THREADS + 1)), ((true, true), (false, false)));
        assert_eq!(of(1), (false, false), "what was not read in between is missing in the sum");
        let children: Vec<String> = (0..=MOST_THREADS).map(|pid| pid.to_string()).collect();
        let mut many = ServerProcess::find(&Here, std::process::id()).unwrap().unwrap();
        let listed = FileTexts::from([(many.list(), children.join(" "))]);
        assert!(!many.files_of_children(&listed).iter().any(|path| path.ends_with("/schedstat")));
    }
}

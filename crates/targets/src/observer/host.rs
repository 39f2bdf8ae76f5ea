//! The client's machine: processors, memory, disks, network, pressure. The same readings of a server's machine on another
//! host are in `server_host.rs`.

use super::{Observer, ObserverEntry, PATIENCE, Sample};
use crate::machine::{FileTexts, Here, MachineFiles};
use crate::proc;
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "client.host",
    readings: |_| readings_of(Whose::Client),
    period: None,
    patience: PATIENCE,
    connects: false,
    edges: false,
    each: None,
    make: |_| Some(Box::new(Host { disks: disks(&Here).unwrap_or_default() })),
};

/// What is read of the machine of the client, or of a server.
pub(super) fn readings_of(whose: Whose) -> Vec<ReadingSpec> {
    let label = |spec: ReadingSpec, en: &str, ja: &str| match whose {
        Whose::Client => spec.label(en.to_owned(), ja.to_owned()),
        _ => spec.label(format!("the server's machine: {en}"), format!("サーバーのマシン: {ja}")),
    };
    let counter = |name: &'static str, unit, en, ja| label(ReadingSpec::counter(name, unit, whose), en, ja);
    let seconds = |name, en, ja| counter(name, "s", en, ja);
    let memory = |name: &'static str, en, ja| label(ReadingSpec::gauge(name, "bytes", whose), en, ja);
    let network = if whose == Whose::Client { Whose::Network } else { whose };
    let sent = |name: &'static str, en, ja| label(ReadingSpec::counter(name, "bytes", network), en, ja);
    vec![
        seconds("cpu_user_s", "CPU time, user mode", "CPU 時間(ユーザーモード)"),
        seconds("cpu_nice_s", "CPU time, user mode at low priority", "CPU 時間(低優先度のユーザーモード)"),
        seconds("cpu_system_s", "CPU time, kernel", "CPU 時間(カーネル)"),
        seconds("cpu_irq_s", "CPU time, interrupts", "CPU 時間(割り込み)"),
        seconds("cpu_softirq_s", "CPU time, soft interrupts", "CPU 時間(ソフト割り込み)"),
        seconds("cpu_steal_s", "CPU time taken away by the hypervisor", "CPU 時間(ハイパーバイザーによるスティール)"),
        seconds("cpu_iowait_s", "CPU idle, waiting for I/O", "CPU アイドル時間(I/O 待ち)"),
        seconds("cpu_idle_s", "CPU idle", "CPU アイドル時間"),
        seconds("cpu_waited_s", "time in which a task waited for a processor", "CPU 待ちのタスクがあった時間"),
        seconds("memory_waited_s", "time in which a task waited for memory", "メモリー待ちのタスクがあった時間"),
        seconds("io_waited_s", "time in which a task waited for I/O", "I/O 待ちのタスクがあった時間"),
        memory("memory_available_bytes", "memory available", "利用可能なメモリー"),
        memory("memory_dirty_bytes", "memory to be written to disk", "ディスクへの書き込みを待つメモリー"),
        counter("swapped_in_pages", "pages", "pages read back from swap space", "スワップ領域から読み戻したページ"),
        counter("swapped_out_pages", "pages", "pages written to swap space", "スワップ領域へ書き出したページ"),
        counter("thermal_throttles", "", "processors slowed down because of heat", "発熱による CPU の速度低下"),
        counter("disk_read_bytes", "bytes", "read from disks", "ディスクからの読み取り"),
        counter("disk_written_bytes", "bytes", "written to disks", "ディスクへの書き込み"),
        counter("disk_reads", "", "disk reads", "ディスク読み取り回数"),
        counter("disk_writes", "", "disk writes", "ディスク書き込み回数"),
        seconds("disk_busy_s", "time in which disks were busy, added up", "ディスクが動作していた時間(合計)"),
        seconds("disk_read_wait_s", "time of disk reads, added up", "ディスク読み取りの時間(合計)"),
        seconds("disk_write_wait_s", "time of disk writes, added up", "ディスク書き込みの時間(合計)"),
        counter("disk_flushes", "", "disk flushes", "ディスクのフラッシュ回数"),
        seconds("disk_flush_wait_s", "time of disk flushes, added up", "ディスクのフラッシュの時間(合計)"),
        sent("net_rx_bytes", "received over the network", "ネットワーク受信"),
        sent("net_tx_bytes", "sent over the network", "ネットワーク送信"),
        sent("lo_rx_bytes", "received over loopback", "ループバック受信"),
        sent("lo_tx_bytes", "sent over loopback", "ループバック送信"),
    ]
}

/// The files that [`values`] reads.
pub(super) const FILES: [&str; 9] = [
    "/proc/stat",
    "/proc/net/dev",
    "/proc/meminfo",
    "/proc/diskstats",
    "/proc/pressure/cpu",
    "/proc/pressure/io",
    "/proc/pressure/memory",
    "/proc/vmstat",
    THROTTLES,
];

/// How often each processor was slowed down because of heat; absent in most virtual machines.
const THROTTLES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count";

/// The names of the whole disks of a machine.
pub(super) fn disks(machine: &dyn MachineFiles) -> Result<BTreeSet<String>, Problem> {
    let sizes = machine.files(&["/sys/block/*/size"])?;
    let names = sizes.keys().filter_map(|path| path.strip_prefix("/sys/block/")?.strip_suffix("/size"));
    Ok(names.filter(|name| proc::is_disk(name)).map(str::to_owned).collect())
}

/// The readings in the texts of [`FILES`].
pub(super) fn values(read: &FileTexts, disks: &BTreeSet<String>) -> BTreeMap<String, f64> {
    let text = |path: &str| read.get(path).map_or("", String::as_str);
    let mut values = proc::cpu(text("/proc/stat"));
    values.extend(proc::network(text("/proc/net/dev")));
    values.extend(proc::disks(text("/proc/diskstats"), disks));
    let memory = text("/proc/meminfo");
    values.extend(proc::memory(memory, "MemAvailable").map(|v| ("memory_available_bytes".to_owned(), v)));
    values.extend(proc::memory(memory, "Dirty").map(|v| ("memory_dirty_bytes".to_owned(), v)));
    let swapped = |name| proc::event(text("/proc/vmstat"), name);
    values.extend(swapped("pswpin").map(|pages| ("swapped_in_pages".to_owned(), pages)));
    values.extend(swapped("pswpout").map(|pages| ("swapped_out_pages".to_owned(), pages)));
    let throttles = read.iter().filter(|(path, _)| path.ends_with("/thermal_throttle/core_throttle_count"));
    let throttles = throttles.map(|(_, text)| text.trim().parse::<f64>().ok()).collect::<Option<Vec<_>>>();
    let throttles = throttles.filter(|all| !all.is_empty()).map(|all| all.iter().sum());
    values.extend(throttles.map(|n: f64| ("thermal_throttles".to_owned(), n)));
    for what in ["cpu", "io", "memory"] {
        let waited = proc::pressure_us(text(&format!("/proc/pressure/{what}")));
        values.extend(waited.map(|us| (format!("{what}_waited_s"), us / 1e6)));
    }
    values
}

/// This machine.
struct Host {
    disks: BTreeSet<String>,
}

impl Observer for Host {
    fn read(&mut self) -> Result<Sample, Problem> {
        Ok(values(&Here.files(&FILES)?, &self.disks).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_read_is_declared() {
        let declared = readings_of(Whose::Client);
        let read = Host { disks: disks(&Here).unwrap() }.read().unwrap().values;
        let known = |name: &&String| declared.iter().any(|spec| spec.name == **name);
        assert!(read.len() > 8 && read.keys().all(|name| known(&name)), "{read:?}");
    }
}

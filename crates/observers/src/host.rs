//! The client's machine: processors, memory, disks, network, pressure. The same readings of a server's machine on another
//! host are in `server_host.rs`.

use super::{Observer, ObserverEntry, Sample};
use std::collections::{BTreeMap, BTreeSet};
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_servers::machine::{FileTexts, Here, MachineFiles};
use tenbin_servers::proc;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::CLIENT_HOST,
    readings: |_| readings_of(Whose::Client),
    connects: false,
    make: |_| Some(Box::new(Host { disks: disks(&Here).unwrap_or_default() })),
    ..ObserverEntry::REGULAR
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
    let megahertz = |name: &'static str, en, ja| label(ReadingSpec::gauge(name, "MHz", whose), en, ja);
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
        megahertz("cpu_mhz", "frequency of the processors, mean", "CPU の周波数(平均)"),
        megahertz("cpu_base_mhz", "base frequency of the processors, mean", "CPU の基本周波数(平均)"),
        megahertz("cpu_max_mhz", "highest frequency of the processors, mean", "CPU の最高周波数(平均)"),
        label(
            ReadingSpec::gauge("cpu_governor_performance", "", whose),
            "processor governor is performance (1) or another (0)",
            "CPU ガバナーが performance(1)かそれ以外(0)か",
        ),
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
pub(super) const FILES: [&str; 13] = [
    "/proc/stat",
    "/proc/net/dev",
    "/proc/meminfo",
    "/proc/diskstats",
    "/proc/pressure/cpu",
    "/proc/pressure/io",
    "/proc/pressure/memory",
    "/proc/vmstat",
    THROTTLES,
    FREQUENCIES[0].1,
    FREQUENCIES[1].1,
    FREQUENCIES[2].1,
    GOVERNOR,
];

/// How often each processor was slowed down because of heat; absent in most virtual machines.
const THROTTLES: &str = "/sys/devices/system/cpu/cpu*/thermal_throttle/core_throttle_count";

/// Readings of frequencies, and the files that have them in kHz; absent in most virtual machines. Not every driver has the base frequency.
const FREQUENCIES: [(&str, &str); 3] = [
    ("cpu_mhz", "/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq"),
    ("cpu_base_mhz", "/sys/devices/system/cpu/cpu*/cpufreq/base_frequency"),
    ("cpu_max_mhz", "/sys/devices/system/cpu/cpu*/cpufreq/cpuinfo_max_freq"),
];

/// What decides on the frequency.
const GOVERNOR: &str = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";

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
    for (name, pattern) in FREQUENCIES {
        let file = pattern.rsplit('*').next().unwrap_or(pattern);
        let each = read.iter().filter(|(path, _)| path.ends_with(file));
        let each = each.map(|(_, text)| text.trim().parse::<f64>().ok()).collect::<Option<Vec<_>>>();
        let each = each.filter(|all| !all.is_empty());
        values.extend(each.map(|all| (name.to_owned(), all.iter().sum::<f64>() / all.len() as f64 / 1e3)));
    }
    let governor = read.get(GOVERNOR).map(|governor| f64::from(u8::from(governor.trim() == "performance")));
    values.extend(governor.map(|is| ("cpu_governor_performance".to_owned(), is)));
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

    #[test]
    fn frequencies_are_the_mean_of_the_processors_and_absent_where_there_are_none() {
        let of = |files: &[(&str, &str)]| {
            let at = |name: &str| format!("/sys/devices/system/cpu/{name}");
            let read = files.iter().map(|(name, text)| (at(name), (*text).to_owned())).collect();
            let values = values(&read, &BTreeSet::new());
            let shown: Vec<String> = values.iter().map(|(name, value)| format!("{name} {value}")).collect();
            shown.join(", ")
        };
        assert_eq!(
            of(&[
                ("cpu0/cpufreq/scaling_cur_freq", "1200000\n"),
                ("cpu1/cpufreq/scaling_cur_freq", "1600000"),
                ("cpu0/cpufreq/base_frequency", "2400000"),
                ("cpu0/cpufreq/cpuinfo_max_freq", "4000000"),
                ("cpu1/cpufreq/cpuinfo_max_freq", "3800000"),
                ("cpu0/cpufreq/scaling_governor", "powersave\n"),
            ]),
            "cpu_base_mhz 2400, cpu_governor_performance 0, cpu_max_mhz 3900, cpu_mhz 1400"
        );
        assert_eq!(of(&[("cpu0/cpufreq/scaling_governor", "performance")]), "cpu_governor_performance 1");
        assert_eq!(of(&[("cpu0/cpufreq/scaling_cur_freq", "<unknown>")]), "", "a driver that does not know it");
        assert_eq!(of(&[]), "", "a virtual machine");
    }
}

//! The client's machine: processors, memory, network, pressure.

use super::{Observer, ObserverEntry, PATIENCE, Sample};
use crate::proc;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "client.host",
    readings,
    period: None,
    patience: PATIENCE,
    connects: false,
    make: |_| Some(Box::new(Host)),
};

fn readings() -> Vec<ReadingSpec> {
    let seconds = |name: &'static str, en, ja| ReadingSpec::counter(name, "s", Whose::Client).label(en, ja);
    let sent = |name: &'static str, en, ja| ReadingSpec::counter(name, "bytes", Whose::Network).label(en, ja);
    let memory = |name: &'static str, en, ja| ReadingSpec::gauge(name, "bytes", Whose::Client).label(en, ja);
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
        seconds("io_waited_s", "time in which a task waited for I/O", "I/O 待ちのタスクがあった時間"),
        memory("memory_available_bytes", "memory available", "利用可能なメモリー"),
        memory("memory_dirty_bytes", "memory to be written to disk", "ディスクへの書き込みを待つメモリー"),
        sent("net_rx_bytes", "received over the network", "ネットワーク受信"),
        sent("net_tx_bytes", "sent over the network", "ネットワーク送信"),
        sent("lo_rx_bytes", "received over loopback", "ループバック受信"),
        sent("lo_tx_bytes", "sent over loopback", "ループバック送信"),
    ]
}

/// This machine.
struct Host;

impl Observer for Host {
    fn read(&mut self) -> Result<Sample, Problem> {
        let mut values = proc::cpu(&proc::read("/proc/stat"));
        values.extend(proc::network(&proc::read("/proc/net/dev")));
        let memory = proc::read("/proc/meminfo");
        values.extend(proc::memory(&memory, "MemAvailable").map(|v| ("memory_available_bytes".to_owned(), v)));
        values.extend(proc::memory(&memory, "Dirty").map(|v| ("memory_dirty_bytes".to_owned(), v)));
        for what in ["cpu", "io"] {
            let waited = proc::pressure_us(&proc::read(&format!("/proc/pressure/{what}")));
            values.extend(waited.map(|us| (format!("{what}_waited_s"), us / 1e6)));
        }
        Ok(values.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_read_is_declared() {
        let declared = readings();
        let read = Host.read().unwrap().values;
        let known = |name: &&String| declared.iter().any(|spec| spec.name == **name);
        assert!(read.len() > 8 && read.keys().all(|name| known(&name)), "{read:?}");
    }
}

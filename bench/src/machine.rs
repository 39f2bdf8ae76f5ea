//! What was measured on, and with which versions: a figure without it is worth nothing.

use serde::Serialize;
use std::path::Path;
use std::process::Command;

/// The machine and the versions.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// As the kernel names the processor.
    pub cpu: String,
    /// Cores we may use.
    pub cores: usize,
    /// The kernel's release.
    pub kernel: String,
    /// Memory in MiB.
    pub memory_mib: u64,
    /// Load average of the last minute at the start: what else the machine was doing.
    pub load_average: String,
    /// The peer's version.
    pub peer: String,
    /// Ours.
    pub tenbin: String,
    /// The real server's version.
    pub mariadb: String,
}

/// Looks at this machine.
pub fn describe(sysbench: &Path, tenbin: Option<&Path>) -> Machine {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let after = |text: &str, label: &str| {
        let line = text.lines().find(|l| l.starts_with(label))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let memory = after(&read("/proc/meminfo"), "MemTotal").unwrap_or_default();
    Machine {
        cpu: after(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
        memory_mib: memory.split(' ').next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024,
        load_average: read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned(),
        peer: version(sysbench),
        tenbin: tenbin.map(version).unwrap_or_default(),
        mariadb: version(Path::new("mariadbd")),
    }
}

fn version(program: &Path) -> String {
    match Command::new(program).arg("--version").output() {
        Ok(out) => String::from_utf8_lossy(&out.stdout).lines().next().unwrap_or_default().trim().to_owned(),
        Err(e) => format!("not found: {e}"),
    }
}

//! How a run presents itself to others on the same server.

/// A run for others to see: its name, process, machine and the time.
pub fn who(run: &str) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let since = jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S%:z");
    format!("{run} by process {} on {} since {since}", std::process::id(), host.trim())
}

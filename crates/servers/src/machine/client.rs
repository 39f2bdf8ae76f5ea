//! The machine of the clients: this one, and what of it Tenbin may use.

use super::{Here, ProcessorQuota, facts};
use crate::facts::Facts;
use crate::proc;

/// Facts about this machine as any other ([`facts()`]), and about what its clients get of it: `cores` that Tenbin may use,
/// the limit of its control group, the kernel's source of time, and the load when it started.
pub fn client() -> Facts {
    // This machine can always be reached.
    let mut all = facts(&Here, Some(std::process::id()), None).unwrap_or_default();
    let usable = std::thread::available_parallelism().map_or(String::new(), |n| n.to_string());
    let load = proc::read("/proc/loadavg").split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let own = [
        ("cores", usable),
        ("cgroup_cpu_limit", cgroup_cpu_limit()),
        ("clock_source", proc::read("/sys/devices/system/clocksource/clocksource0/current_clocksource")),
        ("load_average", load),
    ];
    all.extend(own.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (name.to_owned(), value)));
    all
}

/// What identifies this machine until it is started again: equal in all processes, containers and namespaces on it.
pub fn identity() -> String {
    proc::read("/proc/sys/kernel/random/boot_id").trim().to_owned()
}

/// The processor limit of our control group and of those above; empty if there is none.
fn cgroup_cpu_limit() -> String {
    let quota = ProcessorQuota::find(&Here, std::process::id()).ok().and_then(|quota| quota.cores(&Here));
    quota.map_or_else(String::new, |cores| format!("{cores:.2} cores"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::names::machine_facts::PREFIX;

    #[test]
    fn this_machine_has_processors_memory_a_kernel_and_limits() {
        let read = client();
        for name in ["threads", "memory", "kernel", "open_files_limit", "locked_memory_limit"] {
            assert!(read.contains_key(&format!("{PREFIX}{name}")), "{name}: {read:?}");
        }
        assert!(read["cores"].parse::<u32>().unwrap() > 0, "{read:?}");
        let own = facts(&Here, Some(std::process::id()), Some(&std::env::temp_dir().to_string_lossy())).unwrap();
        assert!(own.contains_key("machine.file_system") && own.contains_key("machine.mount_options"), "{own:?}");
    }
}

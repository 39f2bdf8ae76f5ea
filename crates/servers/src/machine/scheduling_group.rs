//! Whether two processes are in the same scheduling group of Linux. The kernel divides processors first among groups, and then among
//! the threads of each.
//!
//! A process is in the group of its control group, if that one has the controller `cpu` (cgroups(7)). Otherwise, if the kernel
//! groups automatically, it is in the group of its session: autogroup, sched(7).

use super::{FileTexts, Here, MachineFiles};

/// The roots under which a control group of version 2 may be found.
const ROOTS: [&str; 2] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

/// The group of whatever has no other.
const ROOT_GROUP: &str = "/";

/// Whether the process is known to be in the scheduling group of this process.
pub fn same_scheduling_group(pid: u32) -> bool {
    is_same(&Here, &pid.to_string()).unwrap_or(false)
}

/// `None` if it cannot be found out.
fn is_same(machine: &dyn MachineFiles, pid: &str) -> Option<bool> {
    let ours = group(machine, "self")?;
    Some(ours == group(machine, pid)?)
}

/// What identifies the group of a process: a path, or the name of an autogroup.
fn group(machine: &dyn MachineFiles, pid: &str) -> Option<String> {
    let (cgroup, autogroup) = (format!("/proc/{pid}/cgroup"), format!("/proc/{pid}/autogroup"));
    let enabled = "/proc/sys/kernel/sched_autogroup_enabled";
    let files = machine.files(&[&cgroup, &autogroup, enabled]).ok()?;
    let text = files.get(&cgroup)?;
    let own = match of_controller(text) {
        Some(path) => Some(path).filter(|path| *path != ROOT_GROUP).map(str::to_owned),
        None => with_controller(machine, text.lines().find_map(|line| line.strip_prefix("0::"))?),
    };
    match own {
        Some(group) => Some(group),
        None if files.get(enabled).map(String::as_str) == Some("1") => {
            // `/autogroup-4 nice 0`; the niceness is not its name. Processes that no session has been made for, as of the first one, are in
            // the kernel's own group, of which the file is empty.
            let name = files.get(&autogroup).and_then(|text| text.split_whitespace().next());
            Some(name.unwrap_or(ROOT_GROUP).to_owned())
        }
        None => Some(ROOT_GROUP.to_owned()),
    }
}

/// The path in the hierarchy of the controller `cpu`, if it has one of its own (version 1).
fn of_controller(cgroup: &str) -> Option<&str> {
    cgroup.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|controller| controller == "cpu").then_some(path)
    })
}

/// The nearest control group of version 2, from this one upwards, that has the controller `cpu`; `None` if that is the root.
fn with_controller(machine: &dyn MachineFiles, path: &str) -> Option<String> {
    let mut path = path.trim_end_matches('/');
    while !path.is_empty() {
        let weights = ROOTS.map(|root| format!("{root}{path}/cpu.weight"));
        let files: FileTexts = machine.files(&weights.each_ref().map(String::as_str)).unwrap_or_default();
        if !files.is_empty() {
            return Some(path.to_owned());
        }
        path = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::recorded::RecordedFiles;

    const AUTOGROUP: (&str, &str) = ("/proc/sys/kernel/sched_autogroup_enabled", "1");

    #[test]
    fn sessions_are_groups_unless_control_groups_are() {
        let ours = [("/proc/self/cgroup", "0::/a/b"), ("/proc/self/autogroup", "/autogroup-4 nice 0"), AUTOGROUP];
        let [own, session, enabled] = ours;
        let theirs = ("/proc/7/cgroup", "0::/a/c");
        let same = |files: &[(&'static str, &'static str)]| is_same(&RecordedFiles(files), "7");
        assert_eq!(
            same(&[own, session, enabled, theirs, ("/proc/7/autogroup", "/autogroup-4 nice 5")]),
            Some(true),
            "one session; neither control group has the controller"
        );
        assert_eq!(same(&[own, session, enabled, theirs, ("/proc/7/autogroup", "/autogroup-5 nice 0")]), Some(false));
        assert_eq!(
            same(&[own, session, theirs, ("/proc/7/autogroup", "/autogroup-5 nice 0")]),
            Some(true),
            "the kernel does not group sessions"
        );
        let weight = ("/sys/fs/cgroup/a/cpu.weight", "100");
        assert_eq!(
            same(&[own, session, enabled, theirs, ("/proc/7/autogroup", "/autogroup-5 nice 0"), weight]),
            Some(true),
            "both below one group that has the controller, so that sessions do not count"
        );
        let of_server = ("/sys/fs/cgroup/unified/a/c/cpu.weight", "100");
        assert_eq!(same(&[own, session, enabled, theirs, weight, of_server]), Some(false));
        assert_eq!(same(&[own, enabled, theirs]), Some(true), "both in the kernel's own group, which has no name");
        assert_eq!(same(&[own, session, enabled, theirs]), Some(false), "only the other one");
        assert_eq!(same(&[own, session, enabled]), None, "no such process");
    }

    #[test]
    fn the_hierarchy_of_version_1_goes_first() {
        let texts = |theirs: &'static str| {
            let ours = "5:cpuset:/x\n2:cpu,cpuacct:/service/a\n0::/";
            is_same(&RecordedFiles(&[("/proc/self/cgroup", ours), ("/proc/7/cgroup", theirs)]), "7")
        };
        assert_eq!(texts("5:cpuset:/y\n2:cpu,cpuacct:/service/a\n0::/z"), Some(true));
        assert_eq!(texts("5:cpuset:/x\n2:cpu,cpuacct:/service/b\n0::/"), Some(false));
        assert_eq!(texts("5:cpuset:/x\n2:cpu,cpuacct:/\n0::/"), Some(false));
    }

    #[test]
    fn this_process_is_in_its_own_group() {
        assert!(same_scheduling_group(std::process::id()));
        assert!(!same_scheduling_group(u32::MAX));
    }
}

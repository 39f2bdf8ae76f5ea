//! A control group for a server's process, or for programs that are started in it: a quota of processor time, or a limit of requests to its disk. Version 1 and
//! version 2 of control groups are used, whichever the machine has. Needs root.

use crate::tenbin_through;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A control group; when it is dropped, its process is put back and the group removed.
#[derive(Debug)]
pub struct ControlGroup {
    directory: PathBuf,
    /// The group that the process comes from.
    before: PathBuf,
    /// Whether groups have version 2.
    is_version_2: bool,
    /// The process in it; `None`: those that are started in it.
    pid: Option<u32>,
}

/// Where groups are mounted: version 2 alone, or the controllers of version 1.
const ROOT: &str = "/sys/fs/cgroup";

impl ControlGroup {
    /// The process may use this many percent of one processor.
    pub fn with_processor(pid: u32, percent: u32) -> ControlGroup {
        let group = ControlGroup::new("cpu", Some(pid));
        group.limit_processor(percent);
        group.enter();
        group
    }

    /// Programs that are started in it may use this many percent of one processor together.
    pub fn of_programs(percent: u32) -> ControlGroup {
        let group = ControlGroup::new("cpu", None);
        group.limit_processor(percent);
        group
    }

    /// The `tenbin` of this build in it.
    pub fn tenbin(&self) -> Command {
        let enter = format!("echo $$ > {}/cgroup.procs && exec \"$0\" \"$@\"", self.directory.display());
        tenbin_through("sh", &["-c", &enter])
    }

    fn limit_processor(&self, percent: u32) {
        let quota = percent * 1000;
        match self.is_version_2 {
            true => self.write("cpu.max", &format!("{quota} 100000")),
            false => {
                self.write("cpu.cfs_period_us", "100000");
                self.write("cpu.cfs_quota_us", &quota.to_string());
            }
        }
    }

    /// The process may read this often per second from the disk of a directory.
    pub fn with_reads(pid: u32, directory: &Path, per_second: u32) -> ControlGroup {
        ControlGroup::with_requests(pid, directory, ["riops", "read"], per_second)
    }

    /// The process may write this often per second to the disk of a directory.
    pub fn with_writes(pid: u32, directory: &Path, per_second: u32) -> ControlGroup {
        ControlGroup::with_requests(pid, directory, ["wiops", "write"], per_second)
    }

    fn with_requests(pid: u32, directory: &Path, names: [&str; 2], per_second: u32) -> ControlGroup {
        let group = ControlGroup::new("blkio", Some(pid));
        let (disk, [new, old]) = (disk(directory), names);
        match group.is_version_2 {
            true => group.write("io.max", &format!("{disk} {new}={per_second}")),
            false => group.write(&format!("blkio.throttle.{old}_iops_device"), &format!("{disk} {per_second}")),
        }
        group.enter();
        group
    }

    fn new(controller: &str, pid: Option<u32>) -> ControlGroup {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("tenbin-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let root = Path::new(ROOT);
        let is_version_2 = root.join("cgroup.controllers").exists();
        let mounted = if is_version_2 { root.to_owned() } else { root.join(controller) };
        // `0::/group` of version 2, `7:blkio:/group` or `2:cpu,cpuacct:/group` of version 1.
        let of_process = format!("/proc/{}/cgroup", pid.unwrap_or_else(std::process::id));
        let groups = fs::read_to_string(of_process).unwrap_or_default();
        let of_it = groups.lines().find_map(|line| {
            let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
            let is_it =
                if is_version_2 { controllers.is_empty() } else { controllers.split(',').any(|one| one == controller) };
            is_it.then(|| mounted.join(group.trim_start_matches('/')))
        });
        // From a container its group may not be visible.
        let before = of_it.filter(|group| group.is_dir()).unwrap_or_else(|| mounted.clone());
        if is_version_2 {
            let controller = if controller == "blkio" { "io" } else { controller };
            let _ = fs::write(root.join("cgroup.subtree_control"), format!("+{controller}"));
        }
        let directory = mounted.join(name);
        let hint = "hint: control groups must be mounted and writable: run the tests as root";
        fs::create_dir(&directory).unwrap_or_else(|e| panic!("{}: {e}; {hint}", directory.display()));
        ControlGroup { directory, before, is_version_2, pid }
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.directory.join(file);
        fs::write(&path, text).unwrap_or_else(|e| panic!("{text} > {}: {e}", path.display()));
    }

    fn enter(&self) {
        if let Some(pid) = self.pid {
            self.write("cgroup.procs", &pid.to_string());
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // A process that has ended is in no group.
        if let Some(pid) = self.pid {
            let _ = fs::write(self.before.join("cgroup.procs"), pid.to_string());
        }
        for _ in 0..50 {
            match fs::remove_dir(&self.directory) {
                Err(e) if e.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                _ => return,
            }
        }
    }
}

/// The number of the whole disk of a directory: `254:0`.
fn disk(directory: &Path) -> String {
    let number = fs::metadata(directory).expect("the directory is there").dev();
    let (major, minor) = (libc::major(number), libc::minor(number));
    let device = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
    let whole = match device.join("partition").exists() {
        true => fs::canonicalize(&device).expect("a device").parent().map(|disk| disk.join("dev")),
        false => None,
    };
    let read = |path: PathBuf| fs::read_to_string(path).expect("a disk has a number").trim().to_owned();
    whole.map_or_else(|| format!("{major}:{minor}"), read)
}

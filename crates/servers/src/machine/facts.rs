//! The facts of one machine for the table of machines: processors, memory, disks, network, kernel, and what concerns the
//! server on it: its data directory and the limits of its process.
//!
//! Sources: proc(5), sysfs(5), and Documentation/ABI of the Linux kernel.

use super::{FileTexts, MachineFiles};
use crate::facts::Facts;
use crate::proc;
use std::collections::BTreeSet;
use tenbin_model::names::machine_facts::PREFIX;
use tenbin_words::figure;
use tenbin_words::problem::Problem;
use tenbin_words::text::{short, visible};

/// The facts of a machine, and of the server on it: `pid` is its process and `directory` its data directory as the
/// server itself names it. All names start with [`PREFIX`]; what is not known is absent. Fails if the machine cannot be
/// reached any more.
pub fn facts(machine: &dyn MachineFiles, pid: Option<u32>, directory: Option<&str>) -> Result<Facts, Problem> {
    let read = machine.files(PATTERNS)?;
    let programs = machine.programs()?;
    let mut all = processors(&read, &programs);
    all.extend(system(&read, &programs));
    all.extend([("disks", list(disks(&read))), ("network", list(interfaces(&read)))]);
    if let Some(pid) = pid {
        let path = format!("/proc/{pid}/limits");
        all.extend(limits(text(&machine.files(&[&path])?, &path)));
    }
    if let Some(directory) = directory {
        let (directory, mounts) = in_namespace(machine, pid, directory)?;
        all.extend(storage(&read, &mounts, &directory));
        all.push(("data_directory", directory));
    }
    let kept = all.into_iter().filter(|(_, value)| !value.trim().is_empty());
    Ok(kept.map(|(name, value)| (format!("{PREFIX}{name}"), short(&visible(&value), MOST_CHARACTERS))).collect())
}

/// Longer values are cut off: a machine may have hundreds of disks.
const MOST_CHARACTERS: usize = 400;

const PATTERNS: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/sys/kernel/osrelease",
    "/etc/os-release",
    "/sys/devices/system/cpu/cpu*/topology/physical_package_id",
    "/sys/devices/system/cpu/cpu*/topology/core_id",
    "/sys/devices/system/node/node*/cpulist",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/block/*/dev",
    "/sys/block/*/size",
    "/sys/block/*/queue/rotational",
    "/sys/block/*/queue/scheduler",
    "/sys/block/*/device/model",
    "/sys/block/*/dm/name",
    // Partitions, and the devices below a logical volume or an array.
    "/sys/block/*/*/dev",
    "/sys/block/*/slaves/*/dev",
    "/sys/class/net/*/operstate",
    "/sys/class/net/*/speed",
    "/sys/class/net/*/mtu",
    // Of devices, and not of interfaces that exist only in the kernel.
    "/sys/class/net/*/device/uevent",
];

type Named = (&'static str, String);

fn text<'t>(read: &'t FileTexts, path: &str) -> &'t str {
    read.get(path).map_or("", String::as_str)
}

/// The names that stood for the first `*` of a pattern, with the texts of their files.
fn by_name<'t>(read: &'t FileTexts, before: &str, after: &str) -> Vec<(&'t str, &'t str)> {
    let name = |path: &'t str| path.strip_prefix(before)?.strip_suffix(after).filter(|name| !name.contains('/'));
    read.iter().filter_map(|(path, text)| Some((name(path)?, text.as_str()))).collect()
}

fn list(items: Vec<String>) -> String {
    items.join("; ")
}

/// The value of `name: value` lines, as in `/proc/cpuinfo` and the output of `lscpu`.
fn value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let of = |line: &'t str| line.split_once(':').filter(|(n, _)| n.trim() == name).map(|(_, value)| value.trim());
    text.lines().find_map(of).filter(|value| !value.is_empty() && *value != "-")
}

fn processors(read: &FileTexts, programs: &FileTexts) -> Vec<Named> {
    let cpuinfo = text(read, "/proc/cpuinfo");
    // On Arm the kernel has only numbers for the model; `lscpu` has a table of them.
    let model = value(cpuinfo, "model name").or_else(|| value(text(programs, "lscpu"), "Model name"));
    let cpu = "/sys/devices/system/cpu/";
    let sockets = by_name(read, cpu, "/topology/physical_package_id");
    let cores: BTreeSet<(&str, &str)> = by_name(read, cpu, "/topology/core_id")
        .into_iter()
        .map(|(cpu, core)| (sockets.iter().find(|(name, _)| *name == cpu).map_or("", |(_, socket)| socket), core))
        .collect();
    let threads = cpuinfo.lines().filter(|line| line.starts_with("processor")).count();
    let nodes = by_name(read, "/sys/devices/system/node/", "/cpulist").len();
    let counted = |n: usize| if n == 0 { String::new() } else { n.to_string() };
    vec![
        ("cpu", model.unwrap_or_default().to_owned()),
        ("sockets", counted(sockets.iter().map(|(_, socket)| socket).collect::<BTreeSet<_>>().len())),
        ("cores", counted(cores.len())),
        ("threads", counted(threads)),
        ("numa_nodes", counted(nodes)),
        ("governor", text(read, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").to_owned()),
    ]
}

fn system(read: &FileTexts, programs: &FileTexts) -> Vec<Named> {
    let memory = proc::memory(text(read, "/proc/meminfo"), "MemTotal");
    let release = text(read, "/etc/os-release");
    let release = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    vec![
        ("memory", memory.map_or(String::new(), figure::bytes)),
        (
            "product",
            ["sys_vendor", "product_name"].map(|name| text(read, &format!("/sys/class/dmi/id/{name}"))).join(" "),
        ),
        ("virtualisation", virtualisation(read, programs)),
        ("system", release.unwrap_or_default().trim_matches('"').to_owned()),
        ("kernel", text(read, "/proc/sys/kernel/osrelease").to_owned()),
        ("transparent_huge_pages", chosen(text(read, "/sys/kernel/mm/transparent_hugepage/enabled"))),
    ]
}

/// The selected word of a `/sys` file such as `always [madvise] never`.
fn chosen(text: &str) -> String {
    text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or(String::new(), |(word, _)| word.to_owned())
}

/// What the machine runs on: the hypervisor and the container.
fn virtualisation(read: &FileTexts, programs: &FileTexts) -> String {
    let hypervisor = value(text(programs, "lscpu"), "Hypervisor vendor").map(str::to_owned);
    let detected = Some(text(programs, "systemd-detect-virt")).filter(|found| !["", "none"].contains(found));
    let same = |found: &&str| hypervisor.as_ref().is_none_or(|name| !name.eq_ignore_ascii_case(found));
    let all: Vec<String> = hypervisor.iter().cloned().chain(detected.filter(same).map(str::to_owned)).collect();
    match (all.is_empty(), text(read, "/proc/cpuinfo").contains(" hypervisor")) {
        (true, true) => "yes".to_owned(),
        (true, false) => "not seen".to_owned(),
        (false, _) => all.join(", "),
    }
}

/// All whole disks, with what describes each.
fn disks(read: &FileTexts) -> Vec<String> {
    let sizes = by_name(read, "/sys/block/", "/size");
    let sectors = |size: &str| size.parse::<f64>().unwrap_or(0.0);
    let real = |(name, size): &(&str, &str)| proc::is_disk(name) && sectors(size) > 0.0;
    let described = |(name, _): (&str, &str)| {
        let disk = disk(read, name);
        let scheduler = if disk.scheduler.is_empty() { disk.scheduler } else { format!("({})", disk.scheduler) };
        let parts = [disk.model, disk.size, scheduler].into_iter().filter(|part| !part.is_empty());
        std::iter::once(name.to_owned()).chain(parts).collect::<Vec<_>>().join(" ")
    };
    sizes.into_iter().filter(real).map(described).collect()
}

/// What describes a disk; texts that are not known are empty.
struct Disk {
    model: String,
    size: String,
    rotational: &'static str,
    scheduler: String,
}

fn disk(read: &FileTexts, name: &str) -> Disk {
    let of = |file: &str| text(read, &format!("/sys/block/{name}/{file}")).trim();
    Disk {
        model: of("device/model").to_owned(),
        // Always in units of 512 bytes, whatever the disk's sectors are.
        size: of("size").parse::<f64>().map_or(String::new(), |sectors| figure::bytes(sectors * 512.0)),
        rotational: match of("queue/rotational") {
            "1" => "yes",
            "0" => "no",
            _ => "",
        },
        scheduler: match chosen(of("queue/scheduler")) {
            // `none` alone stands without brackets.
            none if none.is_empty() => of("queue/scheduler").to_owned(),
            scheduler => scheduler,
        },
    }
}

/// Network interfaces that are devices, with their speed and MTU.
fn interfaces(read: &FileTexts) -> Vec<String> {
    let up = by_name(read, "/sys/class/net/", "/operstate").into_iter().filter(|(_, state)| *state != "down");
    let device = |name: &str| read.contains_key(&format!("/sys/class/net/{name}/device/uevent"));
    let described = |(name, _): (&str, &str)| {
        let of = |file: &str| text(read, &format!("/sys/class/net/{name}/{file}"));
        // Virtual devices that do not know their speed say -1.
        let speed = match of("speed").parse::<i64>() {
            Ok(mbit) if mbit > 0 && mbit % 1000 == 0 => format!(" {} Gbit/s", mbit / 1000),
            Ok(mbit) if mbit > 0 => format!(" {mbit} Mbit/s"),
            _ => String::new(),
        };
        let driver = of("device/uevent").lines().find_map(|line| line.strip_prefix("DRIVER="));
        format!("{name}{speed}, MTU {}{}", of("mtu"), driver.map_or(String::new(), |driver| format!(", {driver}")))
    };
    up.filter(|(name, _)| device(name)).map(described).collect()
}

/// Soft and hard limits of a process.
fn limits(all: &str) -> Vec<Named> {
    let of = |name: &str| {
        let mut words = all.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").split_whitespace();
        match (words.next(), words.next()) {
            (Some(soft), Some(hard)) if soft == hard => soft.to_owned(),
            (Some(soft), Some(hard)) => format!("{soft} ({hard})"),
            _ => String::new(),
        }
    };
    vec![("open_files_limit", of("Max open files")), ("locked_memory_limit", of("Max locked memory"))]
}

/// The data directory without symbolic links, and the mounts that its server sees.
fn in_namespace(machine: &dyn MachineFiles, pid: Option<u32>, directory: &str) -> Result<(String, String), Problem> {
    let directory = if directory.len() > 1 { directory.trim_end_matches('/') } else { directory };
    let own = format!("/proc/{}/mountinfo", pid.map_or("self".to_owned(), |pid| pid.to_string()));
    let read = machine.files(&[&own, "/proc/self/mountinfo"])?;
    let mounts = read.get(&own).or_else(|| read.get("/proc/self/mountinfo")).cloned().unwrap_or_default();
    let of_server = machine.links(&own.replace("mountinfo", "ns/mnt"))?.into_values().next();
    let ours = machine.links("/proc/self/ns/mnt")?.into_values().next();
    // In a container the same path leads to another place.
    let same = of_server.is_none() || of_server == ours;
    let resolved = if same { machine.resolved(directory)? } else { None };
    Ok((resolved.unwrap_or_else(|| directory.to_owned()), mounts))
}

/// The file system of a directory, and the disk below it.
fn storage(read: &FileTexts, mounts: &str, directory: &str) -> Vec<Named> {
    let Some(mount) = mount_of(mounts, directory) else { return Vec::new() };
    let disks = device(read, &mount).map_or(Vec::new(), |device| below(read, &device));
    let mut all = vec![
        ("file_system", mount.kind),
        ("mounted_at", mount.at),
        ("mount_options", mount.options),
        ("data_disk", disks.join(", ")),
    ];
    // The disks of an array are usually alike.
    if let Some(Disk { model, size, rotational, scheduler }) = disks.first().map(|name| disk(read, name)) {
        all.extend([
            ("data_disk_model", model),
            ("data_disk_size", size),
            ("data_disk_rotational", rotational.to_owned()),
            ("data_disk_scheduler", scheduler),
        ]);
    }
    all
}

/// A line of `/proc/PID/mountinfo`.
struct Mount {
    numbers: String,
    at: String,
    kind: String,
    source: String,
    options: String,
}

/// The mount that a path is on: the one with the longest mount point; later ones hide earlier ones.
fn mount_of(mounts: &str, path: &str) -> Option<Mount> {
    let parse = |line: &str| {
        let (before, after) = line.split_once(" - ")?;
        let before: Vec<&str> = before.split(' ').collect();
        let mut after = after.split(' ');
        let [_, _, numbers, _, at, own, ..] = before[..] else { return None };
        let (kind, source, of_all) = (after.next()?, after.next()?, after.next().unwrap_or(""));
        let mut options: Vec<&str> = own.split(',').collect();
        options.extend(of_all.split(',').filter(|option| !option.is_empty() && !own.split(',').any(|o| o == *option)));
        Some(Mount {
            numbers: numbers.to_owned(),
            at: unescaped(at),
            kind: kind.to_owned(),
            source: unescaped(source),
            options: options.join(","),
        })
    };
    let is_on = |mount: &Mount| {
        mount.at == "/" || path.strip_prefix(&*mount.at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    mounts.lines().filter_map(parse).filter(is_on).max_by_key(|mount| mount.at.len())
}

/// Spaces, tabs, line ends and backslashes are octal numbers in `mountinfo`.
fn unescaped(text: &str) -> String {
    text.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
}

/// The name of the block device of a mount, such as `sda1` or `dm-0`.
fn device(read: &FileTexts, mount: &Mount) -> Option<String> {
    let named = |path: &str| {
        let rest = path.strip_prefix("/sys/block/")?.strip_suffix("/dev")?;
        // Below a device are its partitions, and links that are not.
        let mut names = rest.split('/');
        let last = names.next_back()?;
        names.all(|name| last.starts_with(name)).then(|| last.to_owned())
    };
    let by_number = read.iter().filter(|(_, numbers)| **numbers == mount.numbers).find_map(|(path, _)| named(path));
    // Btrfs and ZFS have numbers of their own.
    by_number.or_else(|| {
        let name = mount.source.strip_prefix("/dev/")?;
        let mapped = name.strip_prefix("mapper/");
        let of_mapper = by_name(read, "/sys/block/", "/dm/name").into_iter().find(|(_, dm)| Some(*dm) == mapped);
        let known = |path: &String| named(path).as_deref() == Some(name);
        of_mapper.map(|(dm, _)| dm.to_owned()).or_else(|| read.keys().any(known).then(|| name.to_owned()))
    })
}

/// The disks below a block device: that of a partition, those of a logical volume or an array.
fn below(read: &FileTexts, device: &str) -> Vec<String> {
    let (mut disks, mut todo) = (BTreeSet::new(), vec![device.to_owned()]);
    let mut seen = BTreeSet::new();
    while let Some(name) = todo.pop().filter(|name| seen.insert(name.clone())) {
        let partition = format!("/{name}/dev");
        let disk_of = |path: &String| {
            let disk = path.strip_prefix("/sys/block/")?.strip_suffix(&partition)?;
            (!disk.contains('/') && name.starts_with(disk)).then(|| disk.to_owned())
        };
        let disk = read.keys().find_map(disk_of).unwrap_or(name);
        let slaves = format!("/sys/block/{disk}/slaves/");
        let slaves: Vec<&str> =
            read.keys().filter_map(|path| path.strip_prefix(&slaves)?.strip_suffix("/dev")).collect();
        if slaves.is_empty() {
            disks.insert(disk);
        }
        todo.extend(slaves.into_iter().map(str::to_owned));
    }
    disks.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: &[(&str, &str)]) -> FileTexts {
        all.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    /// A machine as recorded.
    struct Recorded {
        files: FileTexts,
        links: FileTexts,
        programs: FileTexts,
    }

    impl MachineFiles for Recorded {
        fn files(&self, _: &[&str]) -> Result<FileTexts, Problem> {
            Ok(self.files.clone())
        }
        fn links(&self, pattern: &str) -> Result<FileTexts, Problem> {
            Ok(self.links.iter().filter(|(path, _)| *path == pattern).map(|(p, t)| (p.clone(), t.clone())).collect())
        }
        fn resolved(&self, path: &str) -> Result<Option<String>, Problem> {
            Ok((path == "/var/lib/mysql").then(|| "/data/db one".to_owned()))
        }
        fn programs(&self) -> Result<FileTexts, Problem> {
            Ok(self.programs.clone())
        }
    }

    fn table(facts: &Facts) -> String {
        facts.iter().map(|(name, value)| format!("{}: {value}\n", name.strip_prefix(PREFIX).unwrap())).collect()
    }

    #[test]
    fn a_server_with_two_sockets_and_a_logical_volume() {
        let cpu = |n: u32, socket: &str, core: &str| {
            let at = format!("/sys/devices/system/cpu/cpu{n}/topology/");
            [(format!("{at}physical_package_id"), socket.to_owned()), (format!("{at}core_id"), core.to_owned())]
        };
        let mut files = texts(&[
            (
                "/proc/cpuinfo",
                "processor\t: 0\nmodel name\t: Xeon Gold\nprocessor\t: 1\nprocessor\t: 2\nprocessor\t: 3",
            ),
            ("/proc/meminfo", "MemTotal:       263885000 kB\nMemFree: 1 kB"),
            ("/proc/sys/kernel/osrelease", "5.14.0-503.el9.x86_64"),
            ("/etc/os-release", "NAME=x\nPRETTY_NAME=\"Rocky Linux 9.5\""),
            ("/sys/devices/system/node/node0/cpulist", "0-1"),
            ("/sys/devices/system/node/node1/cpulist", "2-3"),
            ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance"),
            ("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"),
            ("/sys/class/dmi/id/sys_vendor", "Dell Inc."),
            ("/sys/class/dmi/id/product_name", "PowerEdge R650"),
            ("/sys/block/dm-0/dev", "253:0"),
            ("/sys/block/dm-0/size", "5000000000"),
            ("/sys/block/dm-0/dm/name", "vg-data"),
            ("/sys/block/dm-0/slaves/nvme0n1p2/dev", "259:2"),
            ("/sys/block/dm-0/slaves/nvme1n1/dev", "259:3"),
            ("/sys/block/nvme0n1/dev", "259:0"),
            ("/sys/block/nvme0n1/size", "3750748848"),
            ("/sys/block/nvme0n1/queue/rotational", "0"),
            ("/sys/block/nvme0n1/queue/scheduler", "[none] mq-deadline kyber"),
            ("/sys/block/nvme0n1/device/model", "SAMSUNG MZQL21T9HCJR   "),
            ("/sys/block/nvme0n1/nvme0n1p2/dev", "259:2"),
            ("/sys/block/nvme1n1/dev", "259:3"),
            ("/sys/block/nvme1n1/size", "3750748848"),
            ("/sys/block/sda/dev", "8:0"),
            ("/sys/block/sda/size", "468862128"),
            ("/sys/block/loop0/dev", "7:0"),
            ("/sys/block/loop0/size", "100"),
            ("/sys/class/net/eno1/operstate", "up"),
            ("/sys/class/net/eno1/speed", "25000"),
            ("/sys/class/net/eno1/mtu", "9000"),
            ("/sys/class/net/eno1/device/uevent", "DRIVER=mlx5_core\nPCI_CLASS=20000"),
            ("/sys/class/net/eno2/operstate", "down"),
            ("/sys/class/net/eno2/device/uevent", "DRIVER=mlx5_core"),
            ("/sys/class/net/docker0/operstate", "up"),
            (
                "/proc/77/mountinfo",
                "25 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n\
                 60 25 253:0 / /data rw,noatime shared:1 - xfs /dev/mapper/vg-data rw,attr2,noquota\n\
                 61 25 8:2 / /data/db\\040other rw - ext4 /dev/sda2 rw",
            ),
            (
                "/proc/77/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max open files            32768                65536                files     \n\
                 Max locked memory         unlimited            unlimited            bytes     ",
            ),
        ]);
        files.extend([cpu(0, "0", "0"), cpu(1, "0", "1"), cpu(2, "1", "0"), cpu(3, "1", "1")].into_iter().flatten());
        let machine = Recorded {
            files,
            links: texts(&[("/proc/77/ns/mnt", "mnt:[4026531841]"), ("/proc/self/ns/mnt", "mnt:[4026531841]")]),
            programs: texts(&[("systemd-detect-virt", "none")]),
        };
        let read = facts(&machine, Some(77), Some("/var/lib/mysql/")).unwrap();
        insta::assert_snapshot!(table(&read), @r"
        cores: 4
        cpu: Xeon Gold
        data_directory: /data/db one
        data_disk: nvme0n1, nvme1n1
        data_disk_model: SAMSUNG MZQL21T9HCJR
        data_disk_rotational: no
        data_disk_scheduler: none
        data_disk_size: 1.75 TiB
        disks: nvme0n1 SAMSUNG MZQL21T9HCJR 1.75 TiB (none); nvme1n1 1.75 TiB; sda 224 GiB
        file_system: xfs
        governor: performance
        kernel: 5.14.0-503.el9.x86_64
        locked_memory_limit: unlimited
        memory: 252 GiB
        mount_options: rw,noatime,attr2,noquota
        mounted_at: /data
        network: eno1 25 Gbit/s, MTU 9000, mlx5_core
        numa_nodes: 2
        open_files_limit: 32768 (65536)
        product: Dell Inc. PowerEdge R650
        sockets: 2
        system: Rocky Linux 9.5
        threads: 4
        transparent_huge_pages: madvise
        virtualisation: not seen
        ");
    }

    #[test]
    fn a_directory_of_a_container_is_looked_up_among_its_mounts() {
        let machine = Recorded {
            files: texts(&[
                (
                    "/proc/9/mountinfo",
                    "1 0 0:50 / / rw - overlay overlay rw\n2 1 8:17 /x /var/lib/mysql rw - xfs /dev/sdb1 rw",
                ),
                ("/sys/block/sdb/sdb1/dev", "8:17"),
                ("/sys/block/sdb/size", "2048"),
                ("/sys/block/sdb/queue/scheduler", "none"),
            ]),
            links: texts(&[("/proc/9/ns/mnt", "mnt:[2]"), ("/proc/self/ns/mnt", "mnt:[1]")]),
            programs: FileTexts::new(),
        };
        let read = facts(&machine, Some(9), Some("/var/lib/mysql")).unwrap();
        insta::assert_snapshot!(table(&read), @r"
        data_directory: /var/lib/mysql
        data_disk: sdb
        data_disk_scheduler: none
        data_disk_size: 1 MiB
        disks: sdb 1 MiB (none)
        file_system: xfs
        mount_options: rw
        mounted_at: /var/lib/mysql
        virtualisation: not seen
        ");
    }

    #[test]
    fn what_is_missing_or_damaged_is_left_out() {
        let machine = Recorded { files: FileTexts::new(), links: FileTexts::new(), programs: FileTexts::new() };
        assert_eq!(table(&facts(&machine, None, None).unwrap()), "virtualisation: not seen\n");
        let garbage = "- \u{1b}[31m \n\n - - - \n:::\n9 9 9";
        let files = PATTERNS.iter().map(|path| (path.replace('*', "x"), garbage.to_owned()));
        let files = files.chain([("/proc/1/mountinfo".to_owned(), garbage.to_owned())]).collect();
        let machine = Recorded { files, links: FileTexts::new(), programs: texts(&[("lscpu", garbage)]) };
        let read = facts(&machine, Some(1), Some("/var/lib/mysql")).unwrap();
        assert!(read.values().all(|value| !value.contains('\u{1b}')), "{read:?}");
    }
}

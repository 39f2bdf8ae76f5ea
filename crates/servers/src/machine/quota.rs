//! The processor quota of the control group of a process, and how often it was used up. Both versions of control groups are
//! read, and all groups above: the smallest quota counts.

use super::{FileTexts, MachineFiles};
use std::collections::BTreeMap;
use tenbin_words::problem::Problem;

/// Where the controller of processors may be mounted: version 2 alone or beside version 1, and version 1.
const MOUNTS: [(&str, &str); 4] = [
    ("", "/sys/fs/cgroup"),
    ("", "/sys/fs/cgroup/unified"),
    ("cpu", "/sys/fs/cgroup/cpu"),
    ("cpu", "/sys/fs/cgroup/cpu,cpuacct"),
];

/// The directories of the control groups of a process.
#[derive(Debug, Clone, Default)]
pub struct ProcessorQuota {
    directories: Vec<String>,
}

/// The reading of the quota, processors.
const QUOTA: &str = "cpu_quota_cores";

/// The files of a directory with the quota: version 2, and version 1.
const FILES: [&str; 4] = ["cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.stat"];

impl ProcessorQuota {
    /// That of a process. Fails if its machine cannot be reached any more.
    pub fn find(machine: &dyn MachineFiles, pid: u32) -> Result<ProcessorQuota, Problem> {
        let text = machine.files(&[&format!("/proc/{pid}/cgroup")])?.into_values().next().unwrap_or_default();
        let candidates: Vec<String> = directories(&text);
        let stats: Vec<String> = candidates.iter().map(|directory| format!("{directory}/cpu.stat")).collect();
        let there = machine.files(&stats.iter().map(String::as_str).collect::<Vec<_>>())?;
        let exists = |directory: &String| there.contains_key(&format!("{directory}/cpu.stat"));
        Ok(ProcessorQuota { directories: candidates.into_iter().filter(exists).collect() })
    }

    /// The files that [`ProcessorQuota::values`] reads.
    pub fn files(&self) -> Vec<String> {
        self.directories.iter().flat_map(|directory| FILES.map(|name| format!("{directory}/{name}"))).collect()
    }

    /// The smallest quota, processors; `None` if there is none.
    pub fn cores(&self, machine: &dyn MachineFiles) -> Option<f64> {
        let files = self.files();
        let read = machine.files(&files.iter().map(String::as_str).collect::<Vec<_>>()).ok()?;
        self.values(&read).get(QUOTA).copied()
    }

    /// The readings of the group with the smallest quota; none if there is no quota.
    pub fn values(&self, read: &FileTexts) -> BTreeMap<String, f64> {
        let of = |directory: &String| {
            let text = |name: &str| read.get(&format!("{directory}/{name}")).map_or("", String::as_str);
            let quota =
                quota_v2(text("cpu.max")).or_else(|| quota_v1(text("cpu.cfs_quota_us"), text("cpu.cfs_period_us")))?;
            Some((quota, text("cpu.stat")))
        };
        let smallest = self.directories.iter().filter_map(of).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((quota, stat)) = smallest else { return BTreeMap::new() };
        let line = |name: &str| {
            let value = stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            value.and_then(|n| n.trim().parse::<f64>().ok())
        };
        let seconds = line("throttled_usec").map(|us| us / 1e6).or_else(|| line("throttled_time").map(|ns| ns / 1e9));
        let all = [
            (QUOTA, Some(quota)),
            ("cpu_periods", line("nr_periods")),
            ("cpu_throttled_periods", line("nr_throttled")),
            ("cpu_throttled_s", seconds),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

/// The directories that the control groups of `/proc/PID/cgroup` may have, with those above.
fn directories(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        for (controller, mount) in MOUNTS {
            if controllers.split(',').any(|of| of == controller) {
                let mut path = path.trim_end_matches('/');
                loop {
                    all.push(format!("{mount}{path}"));
                    let Some((above, _)) = path.rsplit_once('/') else { break };
                    path = above;
                }
            }
        }
    }
    all
}

/// Processors by `cpu.max`: `50000 100000`, or `max 100000` without a limit.
fn quota_v2(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    quota_v1(quota, period)
}

/// Processors by quota and period; a quota of −1 means no limit.
fn quota_v1(quota: &str, period: &str) -> Option<f64> {
    let (quota, period) = (quota.trim().parse::<f64>().ok()?, period.trim().parse::<f64>().ok()?);
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_quota_of_all_groups_above_counts() {
        assert_eq!(
            directories("9:name=systemd:/\n1:cpu,cpuacct:/pod/db\n0::/own"),
            [
                "/sys/fs/cgroup/cpu/pod/db",
                "/sys/fs/cgroup/cpu/pod",
                "/sys/fs/cgroup/cpu",
                "/sys/fs/cgroup/cpu,cpuacct/pod/db",
                "/sys/fs/cgroup/cpu,cpuacct/pod",
                "/sys/fs/cgroup/cpu,cpuacct",
                "/sys/fs/cgroup/own",
                "/sys/fs/cgroup",
                "/sys/fs/cgroup/unified/own",
                "/sys/fs/cgroup/unified",
            ]
        );
        let of = |files: &[(&str, &str)]| {
            let directories = vec!["/g/a/b".to_owned(), "/g/a".to_owned()];
            let read = files.iter().map(|(name, text)| (format!("/g/{name}"), (*text).to_owned())).collect();
            let values = ProcessorQuota { directories }.values(&read);
            values.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
        };
        let stat = "usage_usec 9\nnr_periods 40\nnr_throttled 30\nthrottled_usec 2500000";
        assert_eq!(
            of(&[("a/b/cpu.max", "max 100000"), ("a/cpu.max", "50000 100000"), ("a/cpu.stat", stat)]),
            "cpu_periods 40, cpu_quota_cores 0.5, cpu_throttled_periods 30, cpu_throttled_s 2.5"
        );
        let first = [
            ("a/b/cpu.cfs_quota_us", "20000"),
            ("a/b/cpu.cfs_period_us", "100000"),
            ("a/b/cpu.stat", "nr_periods 4\nnr_throttled 3\nthrottled_time 1500000000"),
        ];
        assert_eq!(of(&first), "cpu_periods 4, cpu_quota_cores 0.2, cpu_throttled_periods 3, cpu_throttled_s 1.5");
        assert_eq!(of(&[("a/cpu.cfs_quota_us", "-1"), ("a/cpu.cfs_period_us", "100000")]), "");
        assert_eq!(of(&[]), "");
    }
}

//! The machines of the client and the targets side by side: one column each. A row that is the same on all of them has its
//! value once.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_verdict::machine::{self, MachineFacts};
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "machines",
    heading: || msg!("section-machines"),
    values,
    template: include_str!("../../templates/machines.html"),
};

/// The names of the facts in recordings and on the page, in reading order.
const NAMES: &[bilingual::DisplayName] = &[
    ("cloud_instance", || msg!("machine-cloud-instance")),
    ("cloud_cluster", || msg!("machine-cloud-cluster")),
    ("cloud_class", || msg!("machine-cloud-class")),
    ("cloud_engine", || msg!("machine-cloud-engine")),
    ("cloud_storage", || msg!("machine-cloud-storage")),
    ("cloud_zone", || msg!("machine-cloud-zone")),
    ("cloud_multi_az", || msg!("machine-cloud-multi-az")),
    ("cloud_source", || msg!("machine-cloud-source")),
    ("cloud_parameter_group", || msg!("machine-cloud-parameter-group")),
    ("cpu", || msg!("environment-cpu")),
    ("sockets", || msg!("machine-sockets")),
    ("cores", || msg!("machine-cores")),
    ("threads", || msg!("machine-threads")),
    ("numa_nodes", || msg!("machine-numa-nodes")),
    ("governor", || msg!("environment-governor")),
    ("memory", || msg!("environment-memory")),
    ("transparent_huge_pages", || msg!("environment-transparent-huge-pages")),
    ("product", || msg!("machine-product")),
    ("virtualisation", || msg!("machine-virtualisation")),
    ("system", || msg!("environment-system")),
    ("kernel", || msg!("environment-kernel")),
    ("disks", || msg!("machine-disks")),
    ("network", || msg!("machine-network")),
    ("data_directory", || msg!("machine-data-directory")),
    ("mounted_at", || msg!("machine-mounted-at")),
    ("file_system", || msg!("machine-file-system")),
    ("mount_options", || msg!("machine-mount-options")),
    ("data_disk", || msg!("machine-data-disk")),
    ("data_disk_model", || msg!("machine-data-disk-model")),
    ("data_disk_size", || msg!("machine-data-disk-size")),
    ("data_disk_rotational", || msg!("machine-data-disk-rotational")),
    ("data_disk_scheduler", || msg!("machine-data-disk-scheduler")),
    ("open_files_limit", || msg!("machine-open-files-limit")),
    ("locked_memory_limit", || msg!("machine-locked-memory-limit")),
];

/// What the names of facts about managed replicas begin with; the name of the replica follows.
const REPLICA: &str = "cloud_replica_";

fn values(m: &PageContext<'_>) -> Option<Value> {
    let machines = machine::all(m.summary);
    if machines.is_empty() {
        return None;
    }
    let index_of = |key: &str| {
        let key = if key.starts_with(REPLICA) { "cloud_parameter_group" } else { key };
        NAMES.iter().position(|n| n.0 == key).unwrap_or(NAMES.len())
    };
    let mut names: Vec<&str> = machine::names(&machines).into_iter().collect();
    names.sort_by_key(|name| index_of(name));
    let rows: Vec<Value> = names
        .into_iter()
        .map(|name| {
            let called = match (name.strip_prefix(REPLICA), NAMES.get(index_of(name))) {
                (Some(replica), _) => msg!("machine-cloud-replica", replica),
                (None, Some((_, called))) => called(),
                (None, None) => foreign(name),
            };
            row(bilingual::html(&called), name, &machines)
        })
        .collect();
    let title = |machine: &MachineFacts<'_>| match machine.about {
        "client" => bilingual::html(&msg!("whose-client")),
        target => m.target(target),
    };
    let columns: Vec<Value> = machines.iter().map(title).collect();
    let not_seen = m.targets.iter().filter(|target| !machines.iter().any(|machine| machine.about == **target));
    let not_seen: Vec<Value> = not_seen.map(|target| m.target(target)).collect();
    Some(context! { columns, rows, not_seen })
}

/// One fact on all machines. What concerns only servers is missing in the client's column, and does not make a difference.
fn row(called: Value, name: &str, machines: &[MachineFacts<'_>]) -> Value {
    let values: Vec<Option<&str>> = machines.iter().map(|machine| machine.values.get(name).copied()).collect();
    let mut there = values.iter().flatten();
    let first = there.next();
    let differs = there.any(|value| Some(value) != first);
    let everywhere = values.len() > 1 && !differs && values.iter().all(Option::is_some);
    let shown = |value: &Option<&str>| value.map_or_else(|| "–".into(), bilingual::fact);
    let values: Vec<Value> = values.iter().take(if everywhere { 1 } else { values.len() }).map(shown).collect();
    context! { name => called, found => values, differs, everywhere }
}

//! `oltp_update_index`: one UPDATE of the indexed column of a row per transaction.

use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use super::{COMMON, INDEX_UPDATES};
use tenbin_workload::options::{RANDOM, Resolved};
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_update_index",
    about: "one UPDATE of the indexed column of a row",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, &[INDEX_UPDATES], RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let times = Resolved(options).count32("index_updates");
        Ok(workload(name, options, connector, vec![StatementGroup::new(times, &[Verb::IndexUpdate])]))
    })
};

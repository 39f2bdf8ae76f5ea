//! `oltp_update_non_index`: one UPDATE of an unindexed column of a row per transaction.

use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use super::{COMMON, NON_INDEX_UPDATES};
use tenbin_workload::options::{RANDOM, Resolved};
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_update_non_index",
    about: "one UPDATE of an unindexed column of a row",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, &[NON_INDEX_UPDATES], RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        let times = Resolved(options).count32("non_index_updates");
        Ok(workload(name, options, connector, vec![StatementGroup::new(times, &[Verb::NonIndexUpdate])]))
    })
};

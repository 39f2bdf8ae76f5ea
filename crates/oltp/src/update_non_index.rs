//! `oltp_update_non_index`: one UPDATE of an unindexed column of a row per transaction.

use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use super::{COMMON, NON_INDEX_UPDATES};
use tenbin_model::workload::Ends;
use tenbin_workload::options::{RANDOM, Resolved};
use tenbin_workload::{RunsOn, SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_update_non_index",
    about: "one UPDATE of an unindexed column of a row",
    family: "sysbench",
    runs_on: RunsOn::Database,
    dataset: "sysbench",
    shared: SHARED,
    reads_only: false,
    ends: Ends::Never,
    paces_with: None,
    settle: |_| {},
    options: &[COMMON, &[NON_INDEX_UPDATES], RANDOM],
    make: |name, options, connector| {
        let times = Resolved(options).count32("non_index_updates");
        Ok(workload(name, options, connector, vec![StatementGroup::new(times, &[Verb::NonIndexUpdate])]))
    },
};

//! `oltp_delete`: one row is deleted by its key and not inserted again, so that more and more of them find nothing.

use super::COMMON;
use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use tenbin_model::workload::Ends;
use tenbin_workload::options::RANDOM;
use tenbin_workload::{RunsOn, SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_delete",
    about: "one DELETE of one row by id",
    family: "sysbench",
    runs_on: RunsOn::Database,
    dataset: "sysbench",
    shared: SHARED,
    reads_only: false,
    ends: Ends::Never,
    paces_with: None,
    settle: |_| {},
    options: &[COMMON, RANDOM],
    make: |name, options, connector| {
        Ok(workload(name, options, connector, vec![StatementGroup::new(1, &[Verb::Delete])]))
    },
};

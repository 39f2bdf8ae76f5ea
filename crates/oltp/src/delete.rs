//! `oltp_delete`: one row is deleted by its key and not inserted again, so that more and more of them find nothing.

use super::COMMON;
use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use tenbin_workload::options::RANDOM;
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_delete",
    about: "one DELETE of one row by id",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        Ok(workload(name, options, connector, vec![StatementGroup::new(1, &[Verb::Delete])]))
    })
};

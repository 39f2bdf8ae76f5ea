//! `oltp_point_select`: one row by its key per transaction. As in sysbench the number of point selects is always one.

use super::COMMON;
use super::event::{StatementGroup, Verb};
use super::transaction::workload;
use tenbin_workload::options::RANDOM;
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_point_select",
    about: "one SELECT of one row by id",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    options: &[COMMON, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        Ok(workload(name, options, connector, vec![StatementGroup::new(1, &[Verb::PointSelect])]))
    })
};

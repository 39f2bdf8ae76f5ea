//! `oltp_read_only`: the reading half of `oltp_read_write`.

use super::transaction::{in_transaction, reads, workload};
use super::{COMMON, READS, SKIP_TRX};
use tenbin_model::workload::Ends;
use tenbin_workload::options::RANDOM;
use tenbin_workload::{RunsOn, SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_read_only",
    about: "10 point selects and 4 ranges in a transaction (16 statements)",
    family: "sysbench",
    runs_on: RunsOn::Database,
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    ends: Ends::Never,
    paces_with: None,
    settle: |_| {},
    options: &[COMMON, READS, SKIP_TRX, RANDOM],
    make: |name, options, connector| Ok(workload(name, options, connector, in_transaction(options, reads(options)))),
};

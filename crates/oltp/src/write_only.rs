//! `oltp_write_only`: the writing half of `oltp_read_write`.

use super::transaction::{in_transaction, workload, writes};
use super::{COMMON, SKIP_TRX, WRITES};
use tenbin_model::workload::Ends;
use tenbin_workload::options::RANDOM;
use tenbin_workload::{RunsOn, SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_write_only",
    about: "2 updates, delete and insert in a transaction (6 statements)",
    family: "sysbench",
    runs_on: RunsOn::Database,
    dataset: "sysbench",
    shared: SHARED,
    reads_only: false,
    ends: Ends::Never,
    paces_with: None,
    settle: |_| {},
    options: &[COMMON, WRITES, SKIP_TRX, RANDOM],
    make: |name, options, connector| Ok(workload(name, options, connector, in_transaction(options, writes(options)))),
};

//! `oltp_read_only`: the reading half of `oltp_read_write`.

use super::transaction::{in_transaction, reads, workload};
use super::{COMMON, READS, SKIP_TRX};
use tenbin_workload::options::RANDOM;
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_read_only",
    about: "10 point selects and 4 ranges in a transaction (16 statements)",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    reads_only: true,
    options: &[COMMON, READS, SKIP_TRX, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        Ok(workload(name, options, connector, in_transaction(options, reads(options))))
    })
};

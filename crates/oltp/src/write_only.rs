//! `oltp_write_only`: the writing half of `oltp_read_write`.

use super::transaction::{in_transaction, workload, writes};
use super::{COMMON, SKIP_TRX, WRITES};
use tenbin_workload::options::RANDOM;
use tenbin_workload::{SHARED, WorkloadEntry};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "oltp_write_only",
    about: "2 updates, delete and insert in a transaction (6 statements)",
    family: "sysbench",
    dataset: "sysbench",
    shared: SHARED,
    options: &[COMMON, WRITES, SKIP_TRX, RANDOM],
    ..WorkloadEntry::made_by(|name, options, connector| {
        Ok(workload(name, options, connector, in_transaction(options, writes(options))))
    })
};

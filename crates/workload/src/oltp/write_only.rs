//! `oltp_write_only`: the writing half of `oltp_read_write`.

use super::transaction::{in_transaction, workload, writes};
use super::{COMMON, SKIP_TRX, WRITES};
use crate::list::Entry;
use crate::options::RANDOM;

pub(crate) const ENTRY: Entry = Entry {
    name: "oltp_write_only",
    about: "2 updates, delete and insert in a transaction (6 statements)",
    dataset: "sysbench",
    options: &[COMMON, WRITES, SKIP_TRX, RANDOM],
    make: |name, options, connector| Ok(workload(name, options, connector, in_transaction(options, writes(options)))),
};

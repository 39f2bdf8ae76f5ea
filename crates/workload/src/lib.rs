//! What clients do: tables, rows, statements, transactions, random data.
//!
//! A [`Workload`] makes [`Client`]s; the engine decides when a client's next transaction starts and a [`TransactionContext`]
//! takes down how long each statement took. A [`Dataset`] creates, fills, recognises and drops the tables.
//! A new workload is one new file and one line in [`workloads`].

mod admin;
mod catalogue;
mod client;
mod dataset;
mod dialect;
mod digits;
pub mod distribution;
mod engines;
mod entry;
mod host;
mod list;
mod mark;
mod oltp;
pub mod options;
mod random;
pub mod script;
pub mod slap;
mod stream;
mod sysbench;
mod system;
mod tpcc;

pub use client::{BoxFuture, Client, StatementRecord, TransactionContext, Workload};
pub use dataset::{Checked, Dataset, DatasetState, Examined, PartState, Progress, When};
pub use entry::{DatasetEntry, LoadedWith, MakeDataset, MakeWorkload, RunsOn, WorkloadEntry};
pub use list::{
    add_workload, catalog, data_options, dataset, datasets, find_dataset, find_workload, fits, has_own_schema,
    load_options, reads_only, split, workload, workload_on, workloads, wrong_data, wrong_load,
};
pub use mark::{announce, announced, withdraw};
pub use options::OptionError;
pub use random::{Random, Template};
pub use system::refuse_system_schema;

/// The form of column `c` of sysbench's tables: ten groups of digits.
const C_FORM: &str = "###########-###########-###########-###########-###########-###########-###########-###########-\
                      ###########-###########";

/// The form of column `pad`: five groups of digits.
const PAD_FORM: &str = "###########-###########-###########-###########-###########";

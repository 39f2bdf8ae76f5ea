//! What a workload and a data set are, and what several of them share. The list of all is in the crate `workloads`.
//!
//! A [`Workload`] creates [`Client`]s, which the engine drives (crate `client`). A [`Dataset`] creates, loads,
//! recognises and drops tables. Their entries ([`WorkloadEntry`], [`DatasetEntry`]) contain everything that other code
//! needs to know, including options ([`options`]).
//!
//! What they share: [`Random`] and [`distribution`] for random values, [`literals`] and [`digits`] for values in SQL,
//! [`names`] for those of what is counted, and [`tables`] for inspecting, marking, loading and dropping tables.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod dataset;
pub mod digits;
pub mod distribution;
mod entry;
pub mod literals;
pub mod names;
pub mod options;
pub mod tables;

pub use dataset::{
    Checked, Dataset, DatasetSlice, DatasetState, Examined, LoadSlices, LoadStep, PartState, Progress, Steps, When,
};
pub use entry::{DatasetEntry, LoadedWith, MakeDataset, MakeWorkload, RunsOn, SHARED, WorkloadEntry, canonical};
pub use options::OptionError;
pub use tenbin_client::{
    BoxFuture, Client, MemoryRange, Random, StatementRecord, TargetReach, Template, TransactionContext, ValueForm,
    Workload,
};

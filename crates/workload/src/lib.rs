//! What a workload and a data set are, and what several of them share. Which there are stands in the crate `workloads`.
//!
//! A [`Workload`] makes [`Client`]s, which the engine drives (crate `client`). A [`Dataset`] creates, fills, recognises and drops the tables. Each states in its
//! entry ([`WorkloadEntry`], [`DatasetEntry`]) everything that others need to know of it, its options ([`options`]) included.
//!
//! What they share: [`Random`] and [`distribution`] draw, [`literals`] and [`digits`] write values into SQL, and [`tables`] has what
//! looking at, marking, loading and dropping tables takes.

mod dataset;
pub mod digits;
pub mod distribution;
mod entry;
pub mod literals;
pub mod options;
pub mod tables;

pub use dataset::{Checked, Dataset, DatasetState, Examined, PartState, Progress, When};
pub use entry::{DatasetEntry, LoadedWith, MakeDataset, MakeWorkload, RunsOn, SHARED, WorkloadEntry, canonical};
pub use options::OptionError;
pub use tenbin_client::{BoxFuture, Client, Random, StatementRecord, Template, TransactionContext, Workload};

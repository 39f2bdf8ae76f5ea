//! The interface between what clients do and when they do it: everything that the engine knows about workloads.
//!
//! A [`Workload`] creates [`Client`]s; the engine decides when a client's next transaction starts, and a
//! [`TransactionContext`] records how long each statement took. A statement ends with a [`Reply`] or an [`Error`],
//! which come from the drivers. All randomness comes from [`Random`].

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod client;
mod error;
mod memory;
mod random;
mod reply;

pub use client::{BoxFuture, Client, StatementRecord, TargetReach, TransactionContext, ValueForm, Workload};
pub use error::{Class, Error};
pub use memory::MemoryRange;
pub use random::{Random, Template};
pub use reply::{Reply, Transport};

//! The seam between what clients do and when they do it: what the engine knows of workloads, and nothing else of them.
//!
//! A [`Workload`] makes [`Client`]s; the engine decides when a client's next transaction starts, and a [`TransactionContext`] takes
//! down how long each statement took. A statement ends with a [`Reply`] or an [`Error`], which the drivers make. All randomness comes
//! from [`Random`].

mod client;
mod error;
mod random;
mod reply;

pub use client::{BoxFuture, Client, StatementRecord, TransactionContext, Workload};
pub use error::{Class, Error};
pub use random::{Random, Template};
pub use reply::{Reply, Transport};

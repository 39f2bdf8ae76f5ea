//! Database drivers: sockets, TLS, authentication, prepared statements, error classes.
//!
//! A [`Connector`] opens [`Connection`]s to one database. A connection is an enum over the
//! drivers, so that a statement costs no virtual call; a new driver is one new file and one line in each `match`
//! below. Drivers know nothing of rates, statistics or workloads, and read no clock.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod addresses;
mod command;
mod connection;
mod connector;
pub mod credentials;
mod event_loop;
mod idle;
mod mysql;
mod null;
mod postgres;
mod quoting;
mod row_budget;
mod rows;
mod sqlite;
mod transport;
mod value;

pub use command::Command;
pub use connection::{Connection, Prepared};
pub use connector::{Abandoned, Connector};
pub use event_loop::event_loop;
pub use idle::Idle;
pub use postgres::{
    KeptResult, KeptResults, LONG_TRANSACTION, OpenTransaction, PipelinedReply, PostgresSession, SessionError,
};
pub use quoting::Quoting;
pub use rows::{Results, Rows};
pub use tenbin_client::{Class, Error, MemoryRange, Reply, Transport};
pub use value::{Source, Table, Value, double_text, float_text, real_text};

//! Speaks to databases: sockets, TLS, authentication, prepared statements, error classes.
//!
//! A [`Connector`] knows how to reach one database and opens [`Connection`]s. A connection is an enum over the
//! drivers, so that a statement costs no virtual call; a new driver is one new file and one line in each `match`
//! below. Drivers know nothing of rates, statistics or workloads, and read no clock.

mod addresses;
mod ask;
mod connection;
mod connector;
mod error;
mod event_loop;
mod line;
mod mysql;
mod null;
mod postgres;
mod rows;
mod seen;
mod sqlite;
mod value;

pub use ask::Ask;
pub use connection::{Connection, Prepared};
pub use connector::{Abandoned, Connector, Transport};
pub use error::{Class, Error};
pub use event_loop::event_loop;
pub use rows::{Results, Rows};
pub use value::{Reply, Source, Table, Value};

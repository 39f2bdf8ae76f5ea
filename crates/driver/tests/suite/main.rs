//! Connections to servers of this process: one that plays MySQL 8, one that answers at once.

mod fake;
mod fake_mysql8;
mod null_server;

//! Shared by data sets: reading the schema, marking tables as ours, loading with several connections, SQL dialects.

pub mod admin;
pub mod announcement;
pub mod attached;
pub mod catalogue;
pub mod created;
pub mod definition;
pub mod dialect;
pub mod engines;
mod identity;
pub mod mark;
mod mark_table;
pub mod objects;
pub mod others;
pub mod parts;
pub mod stream;
pub mod system;
pub mod writers;

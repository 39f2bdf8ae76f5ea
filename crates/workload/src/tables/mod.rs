//! What data sets share: how the schema is read, tables are marked as ours, loaded with many streams, and told apart by dialect.

pub mod admin;
pub mod catalogue;
pub mod dialect;
pub mod engines;
pub mod mark;
pub mod stream;
pub mod system;

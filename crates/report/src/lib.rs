//! Run directories, and what is generated from them: the page and the exports. This crate knows only events and their
//! summary.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bilingual;
mod chart;
mod chart_data;
pub mod export;
pub mod figures;
pub mod history;
pub mod page;
pub mod published;
mod rows;
pub mod store;

pub use rows::{failed, group_table};

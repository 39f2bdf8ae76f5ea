//! What keys of `[targets.<name>]` that are more than one value are read into. What they need of each other is checked when all of a
//! target's keys have been read (`target.rs`).

pub mod apply;
pub mod cloud;
pub mod draft;
pub mod exporters;
pub mod replicas;

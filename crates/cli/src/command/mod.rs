//! One file per command, each with one function of the command's name.

pub mod bench;
pub mod check;
pub mod completions;
pub mod demo;
pub mod doctor;
pub mod list;
pub mod load;
pub mod plan;
pub mod report;
pub mod run;
pub mod sandbox;
pub mod script;

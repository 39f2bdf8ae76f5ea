//! One file per command, each with one function of the command's name; [`as_loaded`] is shared by those that work on
//! tables.

pub mod as_loaded;
pub mod audit;
pub mod bench;
pub mod bundle;
pub mod check;
pub mod compare;
pub mod completions;
pub mod data;
pub mod demo;
pub mod diff;
pub mod doctor;
pub mod gate;
pub mod history;
pub mod hosts;
pub mod label;
pub mod list;
pub mod load;
pub mod load_host;
pub mod man;
pub mod names;
pub mod plan;
pub mod report;
pub mod restore_settings;
pub mod run;
pub mod sandbox;
pub mod script;
pub mod show;
pub mod stored_runs;
mod target;
pub mod verify;

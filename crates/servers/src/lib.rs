//! Systems under test: private servers, facts about servers and this machine, their settings and data.
//!
//! [`sandbox`] starts servers, [`facts`] describes servers and machines, [`doctor`]
//! checks whether a server and this machine are ready to be measured, [`disk`] determines free space, [`mod@waiting`]
//! what a server that does not answer is doing, [`settings`] sets variables of existing servers and puts them back,
//! [`command`] runs commands of the user, [`machine`] describes the machines of client and servers, [`offline`] changes the
//! data of a stopped server, [`link`] simulates a slow line to a private server, [`exporter`] reads Prometheus exporters, [`in_use`] finds which process works in a
//! directory, [`rights`] with whose rights files are touched, [`state`] where notes are that outlive a restart, [`lasting`] how they name files. Nothing here knows plans or pages.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod authorities;
pub mod changed;
pub mod claim;
pub mod cloud;
pub mod command;
pub mod disk;
pub mod doctor;
pub mod exporter;
pub mod facts;
pub mod finding;
pub mod golden;
pub mod in_use;
pub mod inspection;
pub mod lasting;
pub mod link;
mod list_setting;
pub mod machine;
pub mod offline;
pub mod own_threads;
pub mod proc;
pub mod remembered;
pub mod removal;
pub mod replica;
pub mod rights;
pub mod role;
pub mod route;
pub mod sandbox;
pub mod sandbox_directory;
mod server_query;
pub mod service;
pub mod settings;
pub mod settling;
pub mod state;
pub mod table_users;
mod waiting;

pub use waiting::{Waiting, waiting};

//! The order of execution of a run.
//!
//! [`run()`] gets trials from an [`Agenda`](tenbin_verdict::agenda::Agenda) and sends events to a [`Listener`].
//! [`complete`] adds all options to a trial before it is reported. Per trial: [`test_bed`] provides what the trial
//! needs (server, connector, data set, workload), [`preflight`] refuses trials that would fail, [`data`] brings the
//! data into their required state, the engine drives the clients, and observers sample. Everything outside of the run
//! is an [`Environment`], which is passed in; [`Live`] is the real one. [`check`] validates the options of a plan;
//! [`forecast`] determines what a plan would do and why it would fail.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod around_trial;
mod carried;
mod catch_up;
mod ceiling;
pub mod check;
mod claims;
mod complete;
mod data;
mod duet;
mod earlier_servers;
mod emitter;
mod environment;
pub mod forecast;
mod golden;
mod golden_database;
mod golden_work;
pub mod hint;
mod hooks;
mod identity;
mod inspect;
mod late;
mod live;
mod load_hosts;
mod managed;
pub mod option_files;
mod own_tables;
mod permission;
mod plan_line;
pub mod plan_paths;
mod preflight;
mod request;
mod restore_command;
mod room;
mod run;
mod settle;
mod test_bed;
mod thread_tries;
mod together;
mod trial;
mod try_out;
mod used_files;
mod variables;

pub use claims::Claims;
pub use data::unit;
pub use emitter::Listener;
pub use environment::{
    EndedBeside, Environment, Observers, PrivateServer, Settling, SliceLoaders, TargetSettings, TogetherListener, Work,
};
pub use golden::{golden_store, recover};
pub use live::{Live, look_at_machine};
pub use load_hosts::{HOST_COMMAND, LabSite, LoadHostSets};
pub use permission::{may_drop, nothing_lost_with_ours, writable};
pub use request::{Checks, EarlierRun, PrebuiltWorkload, Request, Resumed};
pub use room::warning as room_warning;
pub use run::{run, run_in};
pub use test_bed::{connector, dataset, workload};
pub use try_out::on_private_servers;

//! The order of things in a run, and doubts about it.
//!
//! [`run()`] asks an [`Agenda`](tenbin_model::agenda::Agenda) for trials and tells a [`Listener`] what happens; it does not know who
//! that is. [`complete`] gives every trial all its options before it is told. Per trial: [`test_bed`] brings up what the trial stands on (server,
//! connector, data set, workload), [`data`] puts the data into its known state, after [`preflight`] has refused what could
//! not go well; the engine drives, observers look on.
//! What it touches outside of itself is an [`Environment`], handed in; [`Live`] is the real one.
//! [`check`] says what is wrong with a plan's options, [`forecast`] what a plan would do and why it could not go well.

pub mod check;
mod claims;
mod complete;
mod data;
mod emitter;
mod environment;
pub mod forecast;
pub mod hint;
mod live;
mod permission;
mod preflight;
mod room;
mod run;
mod test_bed;
mod trial;

pub use claims::Claims;
pub use environment::{Environment, Observers, PrivateServer};
pub use live::Live;
pub use permission::writable;
pub use room::warning as room_warning;
pub use run::{Listener, PrebuiltWorkload, Request, run, run_in};
pub use test_bed::{connector, dataset, workload};

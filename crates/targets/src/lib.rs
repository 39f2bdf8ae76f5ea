//! Systems under test: private servers, facts about servers and this machine, and observation during a run.
//!
//! [`sandbox`] starts servers, [`facts`] describes servers and machines, [`observer`] samples during trials, [`doctor`]
//! checks whether a server and this machine are ready to be measured, [`disk`] determines free space, [`mod@waiting`]
//! what a server that does not answer is doing. Nothing here knows plans or pages.

pub mod changed;
pub mod claim;
pub mod disk;
pub mod doctor;
pub mod facts;
pub mod listener;
pub mod observer;
mod proc;
pub mod role;
pub mod sandbox;
mod waiting;

pub use waiting::{Waiting, waiting};

//! Systems under test: private servers that we start and stop, what they and this machine are, what they do meanwhile.
//!
//! [`sandbox`] starts servers, [`facts`] says what something is, [`observer`] watches while load is driven, [`doctor`] says beforehand
//! whether a server and this machine are fit to be measured, [`disk`] how much room there is for data,
//! [`mod@waiting`] what keeps a server that does not answer. Nothing here knows of plans or pages.

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

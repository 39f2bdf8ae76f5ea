//! Servers, storage and Tenbin itself break: what was measured stays true.

mod ceiling;
mod effect;
mod hosts;
mod injected;
mod others;
mod sandbox;
mod server;
mod storage;

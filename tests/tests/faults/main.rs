//! Servers, storage and Tenbin itself break: what was measured stays true.

mod ceiling;
mod injected;
mod others;
mod sandbox;
mod server;
mod storage;

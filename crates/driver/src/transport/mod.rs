//! What drivers of servers share: the line to the other side, before and below any protocol.
//!
//! [`access`] reads from an address how the line is to be made, once per connector; [`connect`] makes it, and encrypts it where
//! the protocol says so; [`stream`] is the open line; [`read_buffer`] holds what has arrived; [`frames`] packs what goes over it; [`tls`] says what each mode verifies.

pub(crate) mod access;
pub(crate) mod connect;
pub(crate) mod frames;
pub(crate) mod read_buffer;
pub(crate) mod stream;
pub(crate) mod tls;

/// Characters that are kept of what a server calls itself.
pub(crate) const VERSION_MOST: usize = 200;

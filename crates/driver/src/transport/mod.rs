//! Shared by the drivers for servers: the connection below the protocol.
//!
//! [`access`] reads the options for connecting from an address, once per connector; [`connect`] connects, and starts
//! TLS when the protocol requires it; [`stream`] is the open connection; [`channel`] its bytes in both directions, of which
//! [`read_buffer`] holds those that were received and not read;
//! [`stream::frames`] is compression; [`tls`] defines what each mode verifies.

pub(crate) mod access;
pub(crate) mod channel;
pub(crate) mod connect;
pub(crate) mod read_buffer;
pub(crate) mod stream;
pub(crate) mod tls;

/// Maximum length of the version that a server reports, in characters.
pub(crate) const VERSION_MOST: usize = 200;

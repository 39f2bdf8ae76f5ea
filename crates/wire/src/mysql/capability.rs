//! Capability flags that client and server negotiate. The low 32 bits are MySQL's, the high 32 MariaDB's.

/// The server is not MariaDB 10.2 or later (which clears it, to tell that its own capabilities follow).
pub const MYSQL: u64 = 1;
/// Count found rather than changed rows.
pub const FOUND_ROWS: u64 = 1 << 1;
/// Longer column flags.
pub const LONG_FLAG: u64 = 1 << 2;
/// The handshake response names a schema.
pub const CONNECT_WITH_DB: u64 = 1 << 3;
/// After the login all traffic is compressed with zlib ([`super::compressed`]).
pub const COMPRESS: u64 = 1 << 5;
/// `LOAD DATA LOCAL` may ask this client for data.
pub const LOCAL_FILES: u64 = 1 << 7;
/// Protocol of 4.1, the only one supported here.
pub const PROTOCOL_41: u64 = 1 << 9;
/// TLS after the greeting.
pub const SSL: u64 = 1 << 11;
/// Status flags come with replies.
pub const TRANSACTIONS: u64 = 1 << 13;
/// Twenty-byte nonce, hashed passwords.
pub const SECURE_CONNECTION: u64 = 1 << 15;
/// Several statements in one text.
pub const MULTI_STATEMENTS: u64 = 1 << 16;
/// Several results from one text.
pub const MULTI_RESULTS: u64 = 1 << 17;
/// Several results from one prepared statement (`CALL`).
pub const PS_MULTI_RESULTS: u64 = 1 << 18;
/// Authentication methods have names.
pub const PLUGIN_AUTH: u64 = 1 << 19;
/// The proof of the password may be longer than 255 bytes.
pub const PLUGIN_AUTH_LENENC: u64 = 1 << 21;
/// MariaDB from 10.6: the definitions of columns are left out of a reply if they are those that the client has from the preparation or
/// a former execution. Its own client library, which sysbench and others use, asks for it; it saves the server a tenth of the processor
/// time of a point select.
pub const CACHE_METADATA: u64 = 1 << 36;
/// The capabilities that we request; those that the server lacks are removed ([`agreed`]).
pub const OURS: u64 = MYSQL
    | LONG_FLAG
    | LOCAL_FILES
    | PROTOCOL_41
    | TRANSACTIONS
    | SECURE_CONNECTION
    | MULTI_STATEMENTS
    | MULTI_RESULTS
    | PS_MULTI_RESULTS
    | PLUGIN_AUTH
    | PLUGIN_AUTH_LENENC
    | CACHE_METADATA;

/// The capabilities that both sides have.
pub fn agreed(server: u64) -> u64 {
    let both = server & OURS;
    // A MariaDB that has capabilities of its own clears the bit; we confirm that by clearing it as well. In the
    // greeting of a server that sets it, these bytes have another meaning.
    if server & MYSQL == 0 { both & !MYSQL } else { both & 0xFFFF_FFFF }
}

/// Server status: a transaction of the session is open.
pub const STATUS_IN_TRANSACTION: u16 = 0x0001;
/// Server status: another result follows this one.
pub const STATUS_MORE_RESULTS: u16 = 0x0008;

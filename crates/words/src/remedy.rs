//! What a hint resolves: the attribute `.remedy` of hints in the catalogue. A front end of another tool has words of its own for
//! each of them, and shows those instead of the hint.

/// What a hint resolves, or whom it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Another user or password.
    Account,
    /// Create the schema, or name another.
    Schema,
    /// See whether the server is running.
    Server,
    /// Drop tables or files, and create them again.
    Recreate,
    /// Create missing data.
    Load,
    /// Encrypt the connection.
    RequireTls,
    /// Do not encrypt it.
    DisableTls,
    /// Verify the certificate in another way.
    TlsMode,
    /// Name the authority that signed the certificate.
    Authority,
    /// Do not compress.
    Compression,
    /// Send statements as text.
    Unprepared,
    /// Ignore an error.
    Ignore,
    /// Only with a command, an address or a plan of Tenbin.
    Tenbin,
}

/// All of them with their names in the catalogue. If a hint has several parts, the first of this list counts.
pub const REMEDIES: &[(&str, Remedy)] = &[
    ("account", Remedy::Account),
    ("schema", Remedy::Schema),
    ("server", Remedy::Server),
    ("recreate", Remedy::Recreate),
    ("load", Remedy::Load),
    ("require-tls", Remedy::RequireTls),
    ("disable-tls", Remedy::DisableTls),
    ("tls-mode", Remedy::TlsMode),
    ("authority", Remedy::Authority),
    ("compression", Remedy::Compression),
    ("unprepared", Remedy::Unprepared),
    ("ignore", Remedy::Ignore),
    ("tenbin", Remedy::Tenbin),
];

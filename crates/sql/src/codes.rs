//! The codes of errors that are ours, in the form of SQLSTATEs.

/// Of a result that is not what `expect` says.
pub(crate) const EXPECTATION_FAILED: &[u8; 5] = b"TN001";

/// Of a command of a script that fails, of `\gset` without a row, and of a transaction that a script leaves open.
pub(crate) const COMMAND_FAILED: &[u8; 5] = b"TN002";

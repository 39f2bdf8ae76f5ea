//! Which Tenbin this is. Only the binary knows the commit that it was built from, and tells it once.

use std::sync::OnceLock;

static VERSION: OnceLock<&'static str> = OnceLock::new();

/// Sets the version that runs record: `0.1.0 (0123456789ab)`; the first call determines it.
pub fn set(version: &'static str) {
    let _ = VERSION.set(version);
}

/// The version; before it was set, that of the package.
pub fn version() -> &'static str {
    VERSION.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}

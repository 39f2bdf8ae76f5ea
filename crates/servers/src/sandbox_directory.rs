//! Where private servers are.

use std::path::PathBuf;

/// The directory of this user's sandboxes, which may not exist yet: `TENBIN_STATE_DIR`, else `tenbin-UID` in the
/// directory for temporary files.
pub fn intended() -> PathBuf {
    match std::env::var_os("TENBIN_STATE_DIR") {
        Some(dir) => std::path::absolute(&dir).unwrap_or_else(|_| PathBuf::from(&dir)),
        None => std::env::temp_dir().join(format!("tenbin-{}", rustix::process::geteuid().as_raw())),
    }
}

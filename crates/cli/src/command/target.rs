//! The target of a command that is given an address.

use crate::args::Secret;
use tenbin_model::trial::Target;

/// A target that is only an address.
pub fn target(dsn: &str, secret: &Secret) -> Target {
    Target {
        dsn: Some(dsn.to_owned()),
        password_env: secret.password_env.clone(),
        password_file: secret.password_file.as_ref().map(|p| p.display().to_string()),
        ..Target::named("target", 0)
    }
}

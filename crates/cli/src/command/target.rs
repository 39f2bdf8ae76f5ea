//! The target of a command that is given an address.

use crate::args::Secret;
use std::collections::BTreeMap;
use tenbin_model::trial::Target;

/// A target that is only an address.
pub fn target(dsn: &str, secret: &Secret) -> Target {
    Target {
        name: "target".into(),
        place: 0,
        dsn: Some(dsn.to_owned()),
        password_env: secret.password_env.clone(),
        password_file: secret.password_file.as_ref().map(|p| p.display().to_string()),
        sandbox: None,
        server: BTreeMap::new(),
        allow: Vec::new(),
    }
}

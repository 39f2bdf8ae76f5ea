//! How `ssh` reaches a machine: that of a server that is looked at, or a load host.

use serde::{Deserialize, Serialize};

/// How `ssh` reaches a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SshAccess {
    /// The destination: `user@host`, a name in the configuration of `ssh`, or `ssh://user@host:port`.
    pub destination: String,
    /// Another configuration file than the user's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
}

impl SshAccess {
    /// Whether this can be a destination: no option of `ssh`, and without a password, which every user of this machine would see.
    pub fn is_destination(text: &str) -> bool {
        let host = text.strip_prefix("ssh://").unwrap_or(text);
        let user = host.rsplit_once('@').map_or("", |(user, _)| user);
        !host.is_empty() && !host.starts_with('-') && !user.contains(':') && !host.contains(char::is_whitespace)
    }

    /// `user@host`, and the port if the destination has one.
    pub fn parts(&self) -> (&str, Option<&str>) {
        let Some(uri) = self.destination.strip_prefix("ssh://") else { return (&self.destination, None) };
        let uri = uri.trim_end_matches('/');
        match uri.rsplit_once(':') {
            Some((place, port)) if !port.is_empty() && port.chars().all(|c| c.is_ascii_digit()) => (place, Some(port)),
            _ => (uri, None),
        }
    }
}

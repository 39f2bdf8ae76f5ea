//! Prometheus exporters that a plan names for a target: their addresses, and which of their figures are recorded.

mod selection;

pub use selection::{ExporterReadings, select};

use crate::dsn::{UNRESERVED, redact_web};
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What the names of the observers of exporters begin with; that of an exporter in the plan follows.
pub const OBSERVER: &str = "exporter.";

/// The shortest time from one scrape to the next, milliseconds, unless the plan says it: a scrape may cost a server more
/// than all other observers together.
pub const LEAST_EVERY_MS: u64 = 1000;

/// An exporter of a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exporter {
    /// Its name in the plan; the same on all targets for what is compared.
    pub name: String,
    /// Its address, without a password and without what may be one in its query.
    pub url: String,
    /// The environment variable that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_env: Option<String>,
    /// The file that holds the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_file: Option<String>,
    /// The file of the certificate authority of an `https` address; `None`: the public ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
    /// Patterns of the series that are recorded; empty: a choice of those that are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The time from one scrape to the next, milliseconds; `None`: the reporting interval, but at least
    /// [`LEAST_EVERY_MS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_ms: Option<u64>,
}

impl Exporter {
    /// The name under which its password is kept, apart from those of targets and replicas.
    pub fn secret_name(&self, target: &str) -> String {
        format!("{target}/exporters/{}", self.name)
    }

    /// The name under which its address is kept for requests, if its query has secrets.
    pub fn secret_address(&self, target: &str) -> String {
        format!("{}/url", self.secret_name(target))
    }
}

/// The address of an exporter. Its `Debug` leaves the password and the secrets in its query out.
#[derive(Clone, PartialEq, Eq)]
pub struct ExporterUrl {
    /// The address without user and password.
    plain: String,
    /// The user name; empty when not given.
    pub user: String,
    /// The password, if it was in the text.
    pub password: Option<String>,
}

impl std::fmt::Debug for ExporterUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.without_password())
    }
}

impl ExporterUrl {
    /// Parses `http://user:password@host:9104/metrics`. Without a path, `/metrics` is added, as Prometheus does it.
    ///
    /// # Errors
    ///
    /// Why it is not a URL of an exporter, as a sentence.
    pub fn parse(text: &str) -> Result<ExporterUrl, Message> {
        let strange = || msg!("not-an-exporter-address", address = format_args!("{:?}", crate::dsn::redact(text)));
        let (scheme, rest) = text.split_once("://").ok_or_else(strange)?;
        if !["http", "https"].contains(&scheme) || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(strange());
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (login, host) = authority.rsplit_once('@').map_or((None, authority), |(login, host)| (Some(login), host));
        let path = path.split('#').next().unwrap_or_default();
        let path = match path {
            "" | "/" => "/metrics".to_owned(),
            query if query.starts_with('?') => format!("/metrics{query}"),
            path => path.to_owned(),
        };
        if !is_place(host) || !path.is_ascii() {
            return Err(strange());
        }
        let (user, password) = match login.map(|login| login.split_once(':').unwrap_or((login, ""))) {
            None => (String::new(), None),
            Some((user, password)) => {
                let password = decoded(password).ok_or_else(strange)?;
                (decoded(user).ok_or_else(strange)?, Some(password).filter(|password| !password.is_empty()))
            }
        };
        Ok(ExporterUrl { plain: format!("{scheme}://{host}{path}"), user, password })
    }

    /// The address without user and password, for a request; its query may have secrets.
    pub fn plain(&self) -> &str {
        &self.plain
    }

    /// The address without user and password as it may be shown.
    pub fn shown(&self) -> String {
        redact_web(&self.plain)
    }

    /// Whether its query has what may be a secret.
    pub fn has_secrets(&self) -> bool {
        self.shown() != self.plain
    }

    /// The address with the user, as it may be shown and stored.
    pub fn without_password(&self) -> String {
        self.with_user(&self.shown())
    }

    /// The address with the user and with the secrets in its query, without a password.
    pub fn complete(&self) -> String {
        self.with_user(&self.plain)
    }

    fn with_user(&self, plain: &str) -> String {
        match plain.split_once("://").filter(|_| !self.user.is_empty()) {
            Some((scheme, rest)) => format!("{scheme}://{}@{rest}", utf8_percent_encode(&self.user, UNRESERVED)),
            None => plain.to_owned(),
        }
    }
}

/// Whether this is a host, or `[::1]`, and possibly a port.
fn is_place(place: &str) -> bool {
    let (host, port, of_host): (_, _, fn(char) -> bool) =
        match place.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, port)) => (host, port, |c| c.is_ascii_hexdigit() || ":.".contains(c)),
            None => {
                let end = place.find(':').unwrap_or(place.len());
                (&place[..end], &place[end..], |c| c.is_ascii_alphanumeric() || "-._".contains(c))
            }
        };
    let port_is_one = port.is_empty()
        || port.strip_prefix(':').and_then(|port| port.parse::<u16>().ok()).is_some_and(|port| port > 0);
    !host.is_empty() && host.chars().all(of_host) && port_is_one
}

/// A text in which `%40` stands for `@`; `None` if a `%` stands for nothing.
fn decoded(text: &str) -> Option<String> {
    let is_byte = |after: &str| after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if !text.split('%').skip(1).all(is_byte) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let of = |text: &str| {
            ExporterUrl::parse(text)
                .map(|url| format!("{} {:?} {:?}", url.plain(), url.user, url.password))
                .unwrap_or_else(|e| e.english().to_owned())
        };
        let all = [
            "http://db:9104",
            "http://db:9104/",
            "https://db/probe?module=a&target=b#part",
            "http://[::1]:9104?collect[]=standard",
            "http://bench:a%40b%3a@db:9104/metrics",
            "http://bench@db/m",
            "db:9104",
            "ftp://db",
            "http://",
            "http://db:0",
            "http://db:99999/",
            "http://[zz]/",
            "http://d b/",
            "http://u:secret@/metrics",
            "http://u:%zz@db/",
        ];
        insta::assert_snapshot!(all.map(of).join("\n"), @r#"
        http://db:9104/metrics "" None
        http://db:9104/metrics "" None
        https://db/probe?module=a&target=b "" None
        http://[::1]:9104/metrics?collect[]=standard "" None
        http://db:9104/metrics "bench" Some("a@b:")
        http://db/m "bench" None
        "db:9104" is not the address of an exporter
        "ftp://db" is not the address of an exporter
        "http://" is not the address of an exporter
        "http://db:0" is not the address of an exporter
        "http://db:99999/" is not the address of an exporter
        "http://[zz]/" is not the address of an exporter
        "http://d b/" is not the address of an exporter
        "http://u@/metrics" is not the address of an exporter
        "http://u@db/" is not the address of an exporter
        "#);
        let url = ExporterUrl::parse("http://be%40nch:secret@db:9104").unwrap();
        assert_eq!(url.without_password(), "http://be%40nch@db:9104/metrics");
        assert_eq!(format!("{url:?}"), url.without_password());
    }

    #[test]
    fn a_secret_in_the_query_is_asked_with_and_never_shown() {
        let url = ExporterUrl::parse("https://mon:pw@db:9104/m?token=Zq9&collect[]=standard").unwrap();
        assert_eq!(url.plain(), "https://db:9104/m?token=Zq9&collect[]=standard");
        assert_eq!(url.without_password(), "https://mon@db:9104/m?token=…&collect[]=standard");
        assert!(url.has_secrets() && !format!("{url:?}").contains("Zq9"));
        assert!(!ExporterUrl::parse("https://db/probe?module=a&target=b").unwrap().has_secrets());
    }
}

//! How to connect to one server, read from its address once and used for every connection: TLS, and the time limit.

use super::tls::{self, Mode};
use crate::{Class, Error};
use rustls::ClientConfig;
use std::sync::Arc;
use std::time::Duration;
use tenbin_model::dsn::{Dsn, READ_ONLY};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How to connect to one server.
#[derive(Debug)]
pub struct Access {
    mode: Mode,
    /// Present for every mode but `disabled`.
    pub config: Option<Arc<ClientConfig>>,
    /// How long the server may take.
    pub patience: Duration,
    /// Whether sessions are made in which nothing can be changed.
    pub read_only: bool,
}

/// An option of an address that is on or off.
pub fn switch(dsn: &Dsn, name: &str) -> Result<bool, Problem> {
    match dsn.options.get(name).map_or("off", String::as_str) {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        value => Err(Problem::new(msg!("option-not-on-or-off", name, value)).hint(msg!("use-option-on-or-off", name))),
    }
}

/// Why a login failed.
pub enum Failed {
    /// In the TLS handshake itself.
    Tls(Error),
    /// Anything else.
    Other(Error),
}

impl From<Error> for Failed {
    fn from(e: Error) -> Self {
        Failed::Other(e)
    }
}

impl Access {
    /// Checks the address's options and reads the files that they name.
    pub fn new(dsn: &Dsn) -> Result<Access, Problem> {
        let (mode, config) = tls::configure(dsn)?;
        let seconds = match dsn.options.get("connect_timeout_s") {
            None => 10.0,
            Some(text) => match text.parse::<f64>() {
                Ok(s) if s > 0.0 && s < 1e6 => s,
                _ => return Err(Problem::new(msg!("connect-timeout-not-seconds", value = text))),
            },
        };
        let patience = Duration::from_secs_f64(seconds);
        Ok(Access { mode, config, patience, read_only: switch(dsn, READ_ONLY)? })
    }

    /// Calls `enter` with the requested mode; with `preferred` once more without TLS if TLS itself fails (very old
    /// servers).
    pub async fn open<T>(&self, enter: impl AsyncFn(Mode) -> Result<T, Failed>) -> Result<T, Error> {
        let patiently = async |mode| {
            let slow = || {
                let waited = msg!("login-took-too-long", patience = self.patience.as_secs_f64());
                let hint = msg!("firewall-in-between");
                Failed::Other(Error::new(Class::Refused, waited).hint(hint))
            };
            tokio::time::timeout(self.patience, enter(mode)).await.unwrap_or_else(|_| Err(slow()))
        };
        match patiently(self.mode).await {
            Err(Failed::Tls(_)) if self.mode == Mode::Preferred => patiently(Mode::Disabled).await,
            other => other,
        }
        .map_err(|f| match f {
            Failed::Tls(e) | Failed::Other(e) => e,
        })
    }
}

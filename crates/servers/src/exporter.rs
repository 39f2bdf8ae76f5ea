//! Reads a Prometheus exporter over HTTP: one request, one text, whose series the plan or a choice of the known ones
//! selects.
//!
//! No redirect is followed, so that a login is never sent elsewhere, and no proxy of the environment is used: an
//! exporter is on the network of its server.

use crate::authorities;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::path::Path;
use std::time::Duration;
use tenbin_model::dsn::{Password, redact};
use tenbin_model::exporter::{Exporter, ExporterReadings, ExporterUrl, LEAST_EVERY_MS, select};
use tenbin_model::exposition;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::short;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Error};

/// Most bytes of an answer. That of mysqld_exporter has about 200 KiB.
const LARGEST: u64 = 16 << 20;
/// The longest wait for an answer, whatever the period.
const LONGEST: Duration = Duration::from_secs(5);
/// The formats that are read. The older one is preferred, which all exporters write best.
const FORMATS: &str = "text/plain;version=0.0.4, application/openmetrics-text;version=1.0.0;q=0.5, */*;q=0.1";
/// What the content type of OpenMetrics begins with.
const OPEN_METRICS: &str = "application/openmetrics-text";

/// What is needed to read an exporter.
#[derive(Debug, Clone)]
pub struct ExporterAccess {
    /// Its part of the plan.
    pub exporter: Exporter,
    /// The password, if there is one.
    pub password: Option<Password>,
    /// The address for requests, if its query has secrets: that of the exporter is without them.
    pub address: Option<Password>,
}

/// An exporter that can be read.
#[derive(Debug)]
pub struct ExporterClient {
    exporter: Exporter,
    url: ExporterUrl,
    /// The value of the header with the login, if there is one.
    login: Option<Password>,
    /// How long an answer is waited for.
    patience: Duration,
    agent: Agent,
}

impl ExporterClient {
    /// The client of an exporter that is read once in this time.
    ///
    /// # Errors
    ///
    /// The certificate authority cannot be read.
    pub fn new(access: &ExporterAccess, every: Duration) -> Result<ExporterClient, Problem> {
        let ExporterAccess { exporter, password, address } = access;
        let address = address.as_ref().map_or(exporter.url.as_str(), Password::reveal);
        let url = ExporterUrl::parse(address).map_err(Problem::new)?;
        let login = |password: &Password| BASE64_STANDARD.encode(format!("{}:{}", url.user, password.reveal()));
        let login = password.as_ref().map(login);
        let login = login.map(|login| Password::new(format!("Basic {login}")));
        // An answer must be there before the next request.
        let patience = every.mul_f64(0.9).min(LONGEST);
        let tls = match &exporter.ca {
            None => TlsConfig::default(),
            Some(file) => TlsConfig::builder().root_certs(root_certs(file)?).build(),
        };
        let config = Agent::config_builder()
            .timeout_global(Some(patience))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .user_agent(concat!("tenbin/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls)
            .build();
        Ok(ExporterClient { exporter: exporter.clone(), url, login, patience, agent: config.new_agent() })
    }

    /// Asks for the figures, and selects.
    ///
    /// # Errors
    ///
    /// No answer in time, or one that is not of an exporter.
    pub fn scrape(&self) -> Result<ExporterReadings, Problem> {
        let failed = |evidence: Message| {
            let what = msg!("exporter-not-read", exporter = self.exporter.name);
            let evidence = Message::joined([foreign(self.url.without_password()), evidence], "\n");
            Problem::new(what).evidence(evidence)
        };
        let curl = || msg!("try-by-hand", command = format!("curl -sS '{}'", self.url.shown()));
        let broken = |error: Error| match error {
            Error::Timeout(_) | Error::BodyStalled => failed(msg!("exporter-slow", ms = self.patience.as_millis()))
                .hint(msg!("read-exporter-less-often", exporter = self.exporter.name)),
            Error::BodyExceedsLimit(_) => {
                failed(msg!("exporter-answer-too-large", mebibytes = LARGEST >> 20)).hint(curl())
            }
            error => failed(foreign(short(&redact(&error.to_string()), SHOWN))).hint(curl()),
        };
        let mut request = self.agent.get(self.url.plain()).header(ACCEPT, FORMATS);
        if let Some(login) = &self.login {
            request = request.header(AUTHORIZATION, login.reveal());
        }
        let mut answer = request.call().map_err(broken)?;
        let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let status = answer.status();
        if status.is_redirection() {
            let to = short(&redact(header(LOCATION)), SHOWN);
            return Err(
                failed(msg!("exporter-redirects", status = status.as_u16(), to)).hint(msg!("name-that-address"))
            );
        }
        if !status.is_success() {
            let problem = failed(foreign(status));
            let login = [401, 403].contains(&status.as_u16());
            return Err(problem.hint(if login { msg!("give-exporter-login") } else { curl() }));
        }
        let (is_open_metrics, is_page) =
            (header(CONTENT_TYPE).starts_with(OPEN_METRICS), header(CONTENT_TYPE).starts_with("text/html"));
        let bytes = answer.body_mut().with_config().limit(LARGEST).read_to_vec().map_err(broken)?;
        let text = String::from_utf8_lossy(&bytes);
        let read = exposition::read(&text).map_err(|e| {
            let problem = failed(e.words());
            problem.hint(if is_page { msg!("name-path-of-metrics") } else { curl() })
        })?;
        if is_open_metrics && !read.ended {
            return Err(failed(msg!("exposition-cut-short")).hint(curl()));
        }
        if read.samples.is_empty() {
            return Err(failed(msg!("exposition-empty")).hint(curl()));
        }
        Ok(select(&read, &self.exporter.names))
    }
}

/// Most characters of foreign text in a problem.
const SHOWN: usize = 200;

/// The time from one scrape to the next, in a trial with this reporting interval.
pub fn period(exporter: &Exporter, interval: Duration) -> Duration {
    match exporter.every_ms {
        Some(ms) => Duration::from_millis(ms),
        None => interval.max(Duration::from_millis(LEAST_EVERY_MS)),
    }
}

fn root_certs(file: &str) -> Result<RootCerts, Problem> {
    let unreadable =
        |why| Problem::new(msg!("exporter-ca-unreadable", file)).evidence(why).hint(msg!("look-at-file", name = file));
    authorities::read(Path::new(file)).map_err(unreadable)
}

//! Requests to AWS: signed, sent again when AWS asks for it, and their failures explained.

use super::credentials::{self, AwsCredentials};
use super::sign::{Scope, authorization};
use super::xml;
use crate::authorities;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_model::cloud::CloudAccess;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::{short, visible};

/// One request.
#[derive(Debug, Clone)]
pub struct AwsRequest<'a> {
    /// The service, as its address and the signature name it: `rds`, `monitoring`.
    pub service: &'static str,
    /// The permission that it needs: `rds:DescribeDBInstances`.
    pub permission: &'static str,
    /// The type of the body.
    pub content_type: &'static str,
    /// The header `x-amz-target` of the JSON protocols.
    pub target: Option<&'static str>,
    /// The body.
    pub body: &'a str,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct AwsAnswer {
    /// The body.
    pub text: String,
    /// The time by the clock of AWS, seconds since 1970; whole seconds.
    pub unix_s: Option<i64>,
}

/// The way to AWS for one managed server.
#[derive(Debug)]
pub struct AwsClient {
    /// Which server, and how it is reached.
    pub access: CloudAccess,
    agent: ureq::Agent,
    credentials: Option<AwsCredentials>,
    stop: StopSignal,
}

/// How long one attempt may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How often a request is sent, and how long before the second time; each further pause is twice as long: 6 s in all.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(400);
/// The largest answer that is read: hundreds of parameters are some 100 kB.
const MOST_BYTES: u64 = 8 << 20;

/// A failure as AWS reports it.
struct AwsRefusal {
    status: u16,
    code: String,
    text: String,
}

impl AwsClient {
    /// Nothing is sent yet. A stop ends waiting.
    pub fn new(access: &CloudAccess, stop: &StopSignal) -> Result<AwsClient, Problem> {
        let config = ureq::Agent::config_builder().timeout_global(Some(ANSWER)).http_status_as_error(false);
        // A signature must not go elsewhere.
        let config = config.max_redirects(0).tls_config(certificates()?);
        let credentials = None;
        Ok(AwsClient { access: access.clone(), agent: config.build().into(), credentials, stop: stop.clone() })
    }

    /// Sends a request, and again if AWS is busy or throttles it. Fails with what AWS says.
    pub fn call(&mut self, request: &AwsRequest<'_>) -> Result<AwsAnswer, Problem> {
        let (start, mut renewed, mut attempt) = (Instant::now(), false, 0);
        loop {
            attempt += 1;
            let refusal = match self.once(request)? {
                Ok(answer) => return Ok(answer),
                Err(refusal) => refusal,
            };
            if is_expired(&refusal.code) && !std::mem::replace(&mut renewed, true) {
                // They may have been renewed where they were found.
                self.credentials = None;
                continue;
            }
            if !is_busy(&refusal) || attempt >= ATTEMPTS || self.stop.asked() {
                return Err(self.problem(request, &refusal, attempt, start.elapsed()));
            }
            self.pause(PAUSE * 2u32.pow(attempt - 1));
        }
    }

    /// Lets time pass, until a stop is requested.
    pub fn pause(&self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time && !self.stop.asked() {
            std::thread::sleep(Duration::from_millis(20).min(time));
        }
    }

    fn once(&mut self, request: &AwsRequest<'_>) -> Result<Result<AwsAnswer, AwsRefusal>, Problem> {
        let credentials = match self.credentials.take() {
            Some(known) => known,
            None => credentials::find(&self.access, &|name| std::env::var(name).ok())?,
        };
        let credentials = self.credentials.insert(credentials);
        let address = self.access.address(request.service);
        let at = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
        let host = address.split_once("://").map_or(address.as_str(), |(_, host)| host);
        let mut headers = BTreeMap::from([("content-type", request.content_type), ("host", host), ("x-amz-date", &at)]);
        headers.extend(request.target.map(|target| ("x-amz-target", target)));
        headers.extend(credentials.token.as_ref().map(|token| ("x-amz-security-token", token.reveal())));
        let scope = Scope {
            key: &credentials.key,
            secret: credentials.secret.reveal(),
            region: &self.access.region,
            service: request.service,
            at: &at,
        };
        let signature = authorization(&scope, &headers, request.body.as_bytes());
        let mut post = self.agent.post(format!("{address}/")).header("authorization", signature);
        for (name, value) in headers {
            post = post.header(name, value);
        }
        let unreachable = |e: ureq::Error| {
            let what = msg!("cloud-not-reached", address);
            Problem::new(what).evidence(foreign(e)).hint(foreign(format_args!("curl -sS {address}")))
        };
        let mut reply = post.send(request.body).map_err(unreachable)?;
        let unix_s = reply.headers().get("date").and_then(|date| date.to_str().ok()).and_then(unix_s);
        let status = reply.status().as_u16();
        let text = reply.body_mut().with_config().limit(MOST_BYTES).read_to_string().map_err(unreachable)?;
        Ok(if status == 200 { Ok(AwsAnswer { text, unix_s }) } else { Err(refusal(status, &text)) })
    }

    /// What AWS said, and one command.
    fn problem(&self, request: &AwsRequest<'_>, refusal: &AwsRefusal, attempts: u32, took: Duration) -> Problem {
        let AwsRefusal { status, code, text } = refusal;
        let access = &self.access;
        // The text about a wrong signature repeats the headers, the token among them.
        let hidden = self.credentials.iter().flat_map(|c| c.token.iter().chain([&c.secret]));
        let text = hidden.fold(text.clone(), |text, secret| text.replace(secret.reveal(), "***"));
        let evidence = short(&visible(&format!("{code}: {text}")), 400);
        let who = foreign(access.command("sts get-caller-identity"));
        let (name, permission) = (access.name(), request.permission);
        let (what, hint) = match code.as_str() {
            _ if is_expired(code) => {
                (msg!("cloud-credentials-expired"), msg!("cloud-renew-credentials", command = who))
            }
            "InvalidClientTokenId"
            | "UnrecognizedClientException"
            | "SignatureDoesNotMatch"
            | "InvalidSignatureException"
            | "AuthFailure"
            | "IncompleteSignature"
            | "InvalidAccessKeyId"
            | "MissingAuthenticationToken" => {
                (msg!("cloud-credentials-refused"), msg!("cloud-check-credentials", command = who))
            }
            "AccessDenied" | "AccessDeniedException" | "UnauthorizedOperation" | "NotAuthorized" => (
                msg!("cloud-permission-missing", permission),
                msg!("cloud-grant-permission", permission, command = who),
            ),
            "DBInstanceNotFound" | "DBInstanceNotFoundFault" => (
                msg!("cloud-instance-unknown", name, region = access.region),
                foreign(access.command("rds describe-db-instances --query 'DBInstances[].DBInstanceIdentifier'")),
            ),
            "DBClusterNotFound" | "DBClusterNotFoundFault" => (
                msg!("cloud-cluster-unknown", name = access.cluster.as_deref().unwrap_or(name), region = access.region),
                foreign(access.command("rds describe-db-clusters --query 'DBClusters[].DBClusterIdentifier'")),
            ),
            "DBParameterGroupNotFound" | "DBParameterGroupNotFoundFault" => {
                (msg!("cloud-group-unknown", name, region = access.region), describe(access))
            }
            "InvalidDBParameterGroupState"
            | "InvalidDBParameterGroupStateFault"
            | "InvalidDBInstanceState"
            | "InvalidDBInstanceStateFault" => (msg!("cloud-not-now", permission, name), describe(access)),
            _ if is_busy(refusal) => {
                let seconds = format!("{:.1}", took.as_secs_f64());
                (msg!("cloud-throttled", permission, attempts, seconds), msg!("cloud-try-later"))
            }
            _ => (msg!("cloud-refused", permission, status), who),
        };
        Problem::new(what).evidence(foreign(evidence)).hint(hint)
    }
}

/// The command that shows the states of an instance and of its parameter group.
fn describe(access: &CloudAccess) -> Message {
    let of = access.instance.as_ref().map(|name| format!(" --db-instance-identifier {name}")).unwrap_or_default();
    foreign(access.command(&format!("rds describe-db-instances{of}")))
}

/// Other certificate authorities than the usual ones, where the tools of AWS find them.
fn certificates() -> Result<ureq::tls::TlsConfig, Problem> {
    let config = ureq::tls::TlsConfig::builder();
    let Some(path) = std::env::var("AWS_CA_BUNDLE").ok().filter(|path| !path.is_empty()) else {
        return Ok(config.build());
    };
    let unreadable = |why| Problem::new(msg!("cloud-authorities-unreadable", path)).evidence(why);
    Ok(config.root_certs(authorities::read(Path::new(&path)).map_err(unreadable)?).build())
}

/// The code and the text of a failure, in XML (RDS) or JSON (CloudWatch).
fn refusal(status: u16, text: &str) -> AwsRefusal {
    let of_json = || {
        let json: serde_json::Value = serde_json::from_str(text).ok()?;
        let value = |names: &[&str]| names.iter().find_map(|name| json.get(*name)?.as_str()).map(str::to_owned);
        // `com.amazonaws.cloudwatch#ThrottlingException`
        let code = value(&["__type", "code"])?;
        let code = code.rsplit('#').next().unwrap_or_default().to_owned();
        Some((code, value(&["message", "Message"]).unwrap_or_default()))
    };
    let of_xml = || {
        let tree = xml::parse(text).ok()?;
        let value = |name: &str| {
            let node = tree.descendants().find(|node| node.tag_name().name() == name);
            node.and_then(|node| node.text()).map(str::to_owned)
        };
        Some((value("Code")?, value("Message").unwrap_or_default()))
    };
    let (code, text) = of_xml().or_else(of_json).unwrap_or_else(|| (format!("HTTP {status}"), text.to_owned()));
    AwsRefusal { status, code, text }
}

/// Whether the credentials were valid once.
fn is_expired(code: &str) -> bool {
    matches!(code, "ExpiredToken" | "ExpiredTokenException" | "RequestExpired" | "TokenRefreshRequired")
}

/// Whether the same request may succeed a moment later.
fn is_busy(refusal: &AwsRefusal) -> bool {
    let throttled = ["Throttling", "ThrottlingException", "ThrottledException", "RequestLimitExceeded", "SlowDown"];
    let more = ["TooManyRequestsException", "RequestThrottled", "RequestThrottledException", "InternalFailure"];
    let code = refusal.code.as_str();
    throttled.contains(&code) || more.contains(&code) || refusal.status == 429 || refusal.status >= 500
}

/// `Mon, 23 Nov 2026 01:59:29 GMT` in seconds since 1970.
fn unix_s(date: &str) -> Option<i64> {
    jiff::fmt::rfc2822::parse(date).ok().map(|date| date.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_read_in_xml_and_in_json_and_garbage_is_no_panic() {
        let read = |status, text| {
            let refusal = refusal(status, text);
            format!("{} | {} | {}", refusal.code, refusal.text, is_busy(&refusal))
        };
        let xml = "<ErrorResponse xmlns=\"x\"><Error><Type>Sender</Type><Code>Throttling</Code>\
                   <Message>Rate exceeded</Message></Error></ErrorResponse>";
        assert_eq!(read(400, xml), "Throttling | Rate exceeded | true");
        let json = r#"{"__type":"com.amazonaws.cloudwatch#AccessDeniedException","Message":"no"}"#;
        assert_eq!(read(400, json), "AccessDeniedException | no | false");
        for text in ["", "<", "<a/>", "{}", "{\"__type\": 7}", "<!doctype html>\n<p>no</p>"] {
            assert_eq!(read(503, text), format!("HTTP 503 | {text} | true"));
        }
    }

    #[test]
    fn the_clock_of_aws_is_read() {
        assert_eq!(unix_s("Mon, 23 Nov 2026 01:59:29 GMT"), Some(1_795_399_169));
        assert_eq!(unix_s("yesterday"), None);
    }
}

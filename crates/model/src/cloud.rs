//! A server that is managed by a provider: which one it is there, and how the provider's interfaces are reached.

use serde::{Deserialize, Serialize};
use tenbin_words::shell;

/// An instance of Amazon RDS or a cluster of Amazon Aurora; at least one of the two is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudAccess {
    /// The identifier of the DB instance; `None`: the instance of the cluster that writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The identifier of the DB cluster (Aurora).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// Its region: `ap-northeast-1`.
    pub region: String,
    /// The profile in the user's configuration of AWS; `None`: that of the environment, or `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The longest wait after the load for the figures of CloudWatch, milliseconds; 0: no wait.
    #[serde(default = "usual_wait_ms")]
    pub wait_ms: u64,
    /// The address of an imitation of AWS, `http://127.0.0.1:5000`; `None`: the addresses of AWS in the region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
}

/// Figures of CloudWatch come one to three minutes late.
pub const USUAL_WAIT_MS: u64 = 240_000;

fn usual_wait_ms() -> u64 {
    USUAL_WAIT_MS
}

impl CloudAccess {
    /// The address of a service (`rds`, `monitoring`) in the region.
    ///
    /// Source: <https://docs.aws.amazon.com/general/latest/gr/rds-service.html>.
    pub fn address(&self, service: &str) -> String {
        let region = &self.region;
        let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
        let own = self.endpoint.as_ref().map(|endpoint| endpoint.trim_end_matches('/').to_owned());
        own.unwrap_or_else(|| format!("https://{service}.{region}.{domain}"))
    }

    /// What the user called it.
    pub fn name(&self) -> &str {
        self.instance.as_ref().or(self.cluster.as_ref()).map_or("", String::as_str)
    }

    /// A command of the AWS command line with the region, profile and address of this server.
    pub fn command(&self, rest: &str) -> String {
        let option = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!(" --{name} {}", shell::word(value))).unwrap_or_default()
        };
        let (profile, endpoint) = (option("profile", &self.profile), option("endpoint-url", &self.endpoint));
        format!("aws {rest} --region {}{profile}{endpoint}", self.region)
    }
}

/// Whether this can be a name of a region: it becomes a part of a host name.
pub fn is_region(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.contains('-') && text.chars().all(plain)
}

/// Whether this can be an identifier of an instance or a cluster: letters, digits and hyphens, first a letter, at most 63.
///
/// Source: <https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_CreateDBInstance.html>.
pub fn is_identifier(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.len() <= 63 && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(plain)
}

/// Whether this can be the address of an imitation: a scheme, a host and a port, and nothing else.
pub fn is_endpoint(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:[]".contains(c);
    rest.map(|rest| rest.trim_end_matches('/')).is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_commands_are_those_of_the_region() {
        let mut access = CloudAccess {
            instance: Some("db-1".into()),
            cluster: None,
            region: "ap-northeast-1".into(),
            profile: None,
            wait_ms: USUAL_WAIT_MS,
            endpoint: None,
        };
        assert_eq!(access.address("rds"), "https://rds.ap-northeast-1.amazonaws.com");
        assert_eq!(access.command("sts get-caller-identity"), "aws sts get-caller-identity --region ap-northeast-1");
        access.region = "cn-north-1".into();
        assert_eq!(access.address("monitoring"), "https://monitoring.cn-north-1.amazonaws.com.cn");
        access.profile = Some("my bench".into());
        access.endpoint = Some("http://127.0.0.1:5000/".into());
        assert_eq!(access.address("rds"), "http://127.0.0.1:5000");
        let command = access.command("rds help");
        let there = "--endpoint-url http://127.0.0.1:5000/";
        assert_eq!(command, format!("aws rds help --region cn-north-1 --profile 'my bench' {there}"));
    }

    #[test]
    fn names_that_would_lead_elsewhere_are_recognised() {
        assert!(is_region("us-gov-west-1") && is_identifier("db-1") && is_endpoint("http://[::1]:5000"));
        for region in ["", "x.example.com/", "US-EAST-1", "tokyo", "a-1/../"] {
            assert!(!is_region(region), "{region}");
        }
        for name in ["", "-db", "1db", "db_1", "db&Action=Delete"] {
            assert!(!is_identifier(name), "{name}");
        }
        for address in ["", "127.0.0.1:5000", "http://", "http://a@b", "http://a/b", "ftp://a"] {
            assert!(!is_endpoint(address), "{address}");
        }
    }
}

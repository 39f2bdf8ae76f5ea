//! Signatures of requests to AWS: Signature Version 4, for what our requests are: `POST /` without a query.
//!
//! Source: <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>.

use ring::{digest, hmac};
use std::collections::BTreeMap;
use tenbin_words::hex::hex;

/// Whose signature it is, for what, and when.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The identifier of the key.
    pub key: &'a str,
    /// The key itself.
    pub secret: &'a str,
    /// The region.
    pub region: &'a str,
    /// The service: `rds`, `monitoring`.
    pub service: &'a str,
    /// When, as `20150830T123600Z`.
    pub at: &'a str,
}

/// The header `authorization` of a `POST /` with this body. `headers` are those that are signed, by their names in lower
/// case; `host` and `x-amz-date` must be among them.
pub fn authorization(scope: &Scope<'_>, headers: &BTreeMap<&str, &str>, body: &[u8]) -> String {
    let Scope { key, secret, region, service, at } = scope;
    let day = at.get(..8).unwrap_or(at);
    let names = headers.keys().copied().collect::<Vec<_>>().join(";");
    let lines: String = headers.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
    let request = format!("POST\n/\n\n{lines}\n{names}\n{}", sha256(body));
    let within = format!("{day}/{region}/{service}/aws4_request");
    let to_sign = format!("AWS4-HMAC-SHA256\n{at}\n{within}\n{}", sha256(request.as_bytes()));
    let first = format!("AWS4{secret}").into_bytes();
    let own = [day, region, service, "aws4_request"].iter().fold(first, |key, part| mac(&key, part));
    let signature = hex(&mac(&own, &to_sign));
    format!("AWS4-HMAC-SHA256 Credential={key}/{within}, SignedHeaders={names}, Signature={signature}")
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
}

fn sha256(bytes: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, bytes).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCOPE: Scope<'_> = Scope {
        key: "AKIDEXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        region: "us-east-1",
        service: "service",
        at: "20150830T123600Z",
    };

    fn signature(headers: &[(&str, &str)], body: &str) -> String {
        let mut all = BTreeMap::from([("host", "example.amazonaws.com"), ("x-amz-date", SCOPE.at)]);
        all.extend(headers.iter().copied());
        let header = authorization(&SCOPE, &all, body.as_bytes());
        header.split_once("SignedHeaders=").unwrap().1.to_owned()
    }

    /// The requests of AWS's published test suite that are of our kind: `post-vanilla`, `post-x-www-form-urlencoded`,
    /// `post-sts-header-before`.
    #[test]
    fn signatures_are_those_of_the_published_test_suite() {
        assert_eq!(
            signature(&[], ""),
            "host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        );
        assert_eq!(
            signature(&[("content-type", "application/x-www-form-urlencoded")], "Param1=value1"),
            "content-type;host;x-amz-date, \
             Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
        );
        const TOKEN: &str = "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
        assert_eq!(
            signature(&[("x-amz-security-token", TOKEN)], ""),
            "host;x-amz-date;x-amz-security-token, \
             Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        );
    }
}

//! Proofs of the password: SCRAM-SHA-256, bound to the TLS channel where both sides can, and MD5.

use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, ScramSha256};
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The authentication that the server requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthRequest {
    /// Nothing more: the login is complete.
    Nothing,
    /// The password in clear text.
    Clear,
    /// The password hashed with this salt.
    Md5([u8; 4]),
    /// One of these mechanisms.
    Sasl(Vec<String>),
    /// SASL continues with this.
    SaslNext(Vec<u8>),
    /// SASL ends with this, the server's own proof.
    SaslLast(Vec<u8>),
    /// A method that is not supported.
    Other(&'static str),
}

impl AuthRequest {
    /// Reads the body of an authentication message.
    pub fn parse(body: &[u8]) -> Result<AuthRequest, super::Fault> {
        let mut f = super::message::Fields::new(body, "authentication request");
        Ok(match f.i32()? {
            0 => AuthRequest::Nothing,
            3 => AuthRequest::Clear,
            5 => AuthRequest::Md5(*f.bytes(4)?.first_chunk().unwrap_or(&[0; 4])),
            10 => {
                let mut all = Vec::new();
                while !matches!(f.rest(), [] | [0]) {
                    all.push(String::from_utf8_lossy(f.text()?).into_owned());
                }
                AuthRequest::Sasl(all)
            }
            11 => AuthRequest::SaslNext(f.rest().to_vec()),
            12 => AuthRequest::SaslLast(f.rest().to_vec()),
            2 => AuthRequest::Other("Kerberos V5"),
            6 => AuthRequest::Other("SCM credentials"),
            7 | 8 => AuthRequest::Other("GSSAPI"),
            9 => AuthRequest::Other("SSPI"),
            _ => AuthRequest::Other("an unknown method"),
        })
    }
}

/// The answer to a request for MD5.
pub fn md5(user: &str, password: &str, salt: [u8; 4]) -> String {
    md5_hash(user.as_bytes(), password.as_bytes(), salt)
}

/// How SCRAM is bound to the TLS channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding {
    /// Not possible: the connection is not encrypted, or its certificate has no hash to bind to.
    Cannot,
    /// Possible, but the server does not offer it. The proof states this too, so that an attacker cannot have removed
    /// the offer.
    NotOffered,
    /// To the server's certificate, by this hash (RFC 5929, `tls-server-end-point`).
    Certificate(Vec<u8>),
}

/// An exchange of SCRAM-SHA-256 proofs.
pub struct Scram(ScramSha256);

/// PostgreSQL's `scram_iterations` is 4,096 by default; this many rounds take some seconds.
const ROUNDS_MOST: u64 = 5_000_000;

impl Scram {
    /// Begins. With a certificate the mechanism's name is `SCRAM-SHA-256-PLUS`.
    pub fn new(password: &str, binding: Binding) -> (Scram, &'static str) {
        let (binding, mechanism) = match binding {
            Binding::Cannot => (ChannelBinding::unsupported(), "SCRAM-SHA-256"),
            Binding::NotOffered => (ChannelBinding::unrequested(), "SCRAM-SHA-256"),
            Binding::Certificate(hash) => (ChannelBinding::tls_server_end_point(hash), "SCRAM-SHA-256-PLUS"),
        };
        (Scram(ScramSha256::new(password.as_bytes(), binding)), mechanism)
    }

    /// The client's first message.
    pub fn first(&self) -> &[u8] {
        self.0.message()
    }

    /// The client's answer to the server's first message. Fails if that does not belong to the client's first message.
    pub fn next(&mut self, servers: &[u8]) -> Result<&[u8], String> {
        // r=…,s=…,i=ROUNDS: each round is work that cannot be interrupted.
        let rounds = servers.split(|b| *b == b',').find_map(|part| part.strip_prefix(b"i="));
        let rounds = rounds.and_then(|n| std::str::from_utf8(n).ok()).and_then(|n| n.parse::<u64>().ok());
        if rounds.is_some_and(|n| n > ROUNDS_MOST) {
            return Err(format!("it asks for more than {ROUNDS_MOST} rounds of SCRAM"));
        }
        self.0.update(servers).map_err(|e| e.to_string())?;
        Ok(self.0.message())
    }

    /// Checks that the server knows the password too.
    pub fn last(&mut self, servers: &[u8]) -> Result<(), String> {
        self.0.finish(servers).map_err(|e| e.to_string())
    }
}

/// The hash of a certificate (DER) that SCRAM is bound to: with the hash of the certificate's own signature, SHA-256
/// for the weak old ones (RFC 5929, 4.1). `None` where the signature has no such hash (Ed25519) or is not known here.
pub fn certificate_hash(der: &[u8]) -> Option<Vec<u8>> {
    // Certificate ::= SEQUENCE { toBeSigned SEQUENCE, signatureAlgorithm SEQUENCE { OID, … }, … }
    let (certificate, _) = element(der, 0x30)?;
    let (_, after) = element(certificate, 0x30)?;
    let (algorithm, _) = element(after, 0x30)?;
    let (oid, _) = element(algorithm, 0x06)?;
    const RSA: &[u8] = &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01];
    const ECDSA: &[u8] = &[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04];
    let last = |prefix: &[u8]| oid.strip_prefix(prefix);
    match (last(RSA), last(ECDSA)) {
        // With MD5, SHA-1, SHA-256; ECDSA with SHA-1, SHA-256.
        (Some([4 | 5 | 11]), _) | (_, Some([1] | [3, 2])) => Some(Sha256::digest(der).to_vec()),
        (Some([12]), _) | (_, Some([3, 3])) => Some(Sha384::digest(der).to_vec()),
        (Some([13]), _) | (_, Some([3, 4])) => Some(Sha512::digest(der).to_vec()),
        _ => None,
    }
}

/// The content of the DER element at the start of `bytes`, which must have this tag, and what follows it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (first, rest) = bytes.split_first()?;
    let (len, rest) = rest.split_first()?;
    let (len, rest) = match len {
        n @ 0..=0x7F => (usize::from(*n), rest),
        // The number of bytes that the length has.
        n @ 0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(n & 0x7F))?;
            (digits.iter().fold(0, |all, d| all << 8 | usize::from(*d)), rest)
        }
        _ => return None,
    };
    (*first == tag).then(|| rest.split_at_checked(len)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        [&[tag, 0x82, (content.len() >> 8) as u8, content.len() as u8][..], content].concat()
    }

    #[test]
    fn the_signature_chooses_the_hash() {
        let certificate = |oid: &[u8]| {
            let parts = [der(0x30, &[0; 300]), der(0x30, &der(0x06, oid)), der(0x03, &[0; 64])].concat();
            der(0x30, &parts)
        };
        let rsa = |n| [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, n];
        let lengths =
            [rsa(5), rsa(11), rsa(12), rsa(13)].map(|oid| certificate_hash(&certificate(&oid)).unwrap().len());
        assert_eq!(lengths, [32, 32, 48, 64]);
        let ecdsa = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 3, 3];
        assert_eq!(certificate_hash(&certificate(&ecdsa)).unwrap().len(), 48);
        assert_eq!(certificate_hash(&certificate(&[0x2B, 0x65, 0x70])), None, "Ed25519");
        let whole = certificate(&ecdsa);
        assert!((0..whole.len() - 70).all(|n| certificate_hash(&whole[..n]).is_none()));
    }

    #[test]
    fn no_server_makes_us_work_for_hours() {
        let (mut scram, _) = Scram::new("secret", Binding::Cannot);
        let nonce = String::from_utf8_lossy(scram.first()).split_once("r=").unwrap().1.to_owned();
        let challenge = format!("r={nonce}x,s=c2FsdA==,i=4000000000");
        assert!(scram.next(challenge.as_bytes()).unwrap_err().contains("rounds of SCRAM"));
    }

    #[test]
    fn requests_are_read() {
        assert_eq!(AuthRequest::parse(b"\0\0\0\0"), Ok(AuthRequest::Nothing));
        assert_eq!(AuthRequest::parse(b"\0\0\0\x05abcd"), Ok(AuthRequest::Md5(*b"abcd")));
        let sasl = AuthRequest::parse(b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0");
        assert_eq!(sasl, Ok(AuthRequest::Sasl(vec!["SCRAM-SHA-256-PLUS".into(), "SCRAM-SHA-256".into()])));
        assert!(AuthRequest::parse(b"\0\0\0\x05ab").is_err() && AuthRequest::parse(b"\0").is_err());
        // The hash of PostgreSQL's documentation: md5(md5(password + user) + salt).
        assert_eq!(md5("md5_user", "password", [0x2a, 0x3d, 0x8f, 0xe0]), "md562af4dd09bbb41884907a838a3233294");
    }
}

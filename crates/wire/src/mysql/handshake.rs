//! The server's greeting and the client's response (Protocol::HandshakeV10, Protocol::HandshakeResponse41,
//! Protocol::SSLRequest).

use super::bytes::{Bytes, put_lenenc_str, put_nul_str};
use super::{Fault, auth, capability};

/// The first message of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// The version that it reports.
    pub version: String,
    /// Its number for this connection.
    pub connection_id: u32,
    /// Its capabilities; see [`capability`].
    pub capabilities: u64,
    /// The nonce that passwords are hashed with; 20 bytes in every method but ed25519.
    pub nonce: Vec<u8>,
    /// The authentication method it proposes.
    pub plugin: String,
}

impl Greeting {
    /// Reads a greeting of protocol version 10.
    pub fn parse(message: &[u8]) -> Result<Greeting, Fault> {
        let mut b = Bytes::new(message, "greeting");
        if b.u8()? != 10 {
            return Err(Fault::Unsupported("a protocol version other than 10"));
        }
        let version = String::from_utf8_lossy(b.nul_str()?).into_owned();
        let connection_id = b.u32()?;
        let mut nonce = b.take(8)?.to_vec();
        b.take(1)?;
        let low = u64::from(b.u16()?);
        if b.is_empty() {
            return Err(Fault::Unsupported("the protocol before MySQL 4.1"));
        }
        b.take(3)?;
        let high = u64::from(b.u16()?);
        let length = usize::from(b.u8()?);
        b.take(6)?;
        let mariadb = u64::from(b.u32()?);
        let mut capabilities = low | high << 16;
        if capabilities & capability::MYSQL == 0 {
            capabilities |= mariadb << 32;
        }
        let rest = length.saturating_sub(8).max(13).min(b.len());
        nonce.extend_from_slice(b.take(rest)?);
        let plugin = match capabilities & capability::PLUGIN_AUTH {
            0 => "mysql_native_password".to_owned(),
            _ => {
                let name = b.rest();
                let name = name.strip_suffix(&[0]).unwrap_or(name);
                String::from_utf8_lossy(name).into_owned()
            }
        };
        nonce.truncate(auth::nonce_length(&plugin));
        Ok(Greeting {
            version: version.trim_start_matches("5.5.5-").to_owned(),
            connection_id,
            capabilities,
            nonce,
            plugin,
        })
    }
}

/// utf8mb4_general_ci; servers before 5.5.3 do not know it and use their default.
const CHARACTER_SET: u8 = 45;
/// The largest packet that we announce to accept.
const MAX_PACKET: u32 = 1 << 24;

fn head(out: &mut Vec<u8>, capabilities: u64) {
    out.extend_from_slice(&(capabilities as u32).to_le_bytes());
    out.extend_from_slice(&MAX_PACKET.to_le_bytes());
    out.push(CHARACTER_SET);
    out.extend_from_slice(&[0; 19]);
    out.extend_from_slice(&((capabilities >> 32) as u32).to_le_bytes());
}

/// Requests TLS; the handshake response follows inside it.
pub fn ssl_request(out: &mut Vec<u8>, capabilities: u64) {
    head(out, capabilities | capability::SSL);
}

/// The handshake response. `capabilities` as negotiated, with [`capability::SSL`] when inside TLS, and
/// [`capability::CONNECT_WITH_DB`] when `database` is to be sent.
pub fn response(out: &mut Vec<u8>, capabilities: u64, user: &str, proof: &[u8], database: &str, plugin: &str) {
    head(out, capabilities);
    put_nul_str(out, user.as_bytes());
    if capabilities & capability::PLUGIN_AUTH_LENENC != 0 {
        put_lenenc_str(out, proof);
    } else {
        out.push(proof.len() as u8);
        out.extend_from_slice(proof);
    }
    if capabilities & capability::CONNECT_WITH_DB != 0 {
        put_nul_str(out, database.as_bytes());
    }
    if capabilities & capability::PLUGIN_AUTH != 0 {
        put_nul_str(out, plugin.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// MySQL 8.0's greeting, built field by field from the protocol's documentation.
    fn mysql8() -> Vec<u8> {
        let mut g = vec![10];
        g.extend_from_slice(b"8.0.36\0");
        g.extend_from_slice(&77u32.to_le_bytes());
        g.extend_from_slice(b"abcdefgh\0");
        g.extend_from_slice(&0xFFFFu16.to_le_bytes());
        g.push(255);
        g.extend_from_slice(&2u16.to_le_bytes());
        g.extend_from_slice(&0xDFFFu16.to_le_bytes());
        g.push(21);
        g.extend_from_slice(&[0; 10]);
        g.extend_from_slice(b"ijklmnopqrst\0caching_sha2_password\0");
        g
    }

    #[test]
    fn greetings_of_both_families() {
        let g = Greeting::parse(&mysql8()).unwrap();
        assert_eq!((g.version.as_str(), g.connection_id, g.plugin.as_str()), ("8.0.36", 77, "caching_sha2_password"));
        assert_eq!(g.nonce, b"abcdefghijklmnopqrst");
        let mut maria = mysql8();
        // MariaDB: an old prefix before the version, the lowest capability bit cleared.
        maria.splice(1..7, *b"5.5.5-11.4.5-MariaDB");
        let low = maria.iter().position(|b| *b == b'h').unwrap() + 2;
        maria[low] = 0xFE;
        let g = Greeting::parse(&maria).unwrap();
        assert_eq!((g.version.as_str(), g.capabilities & capability::MYSQL), ("11.4.5-MariaDB", 0));
        assert!(matches!(Greeting::parse(&[9, b'4', 0]), Err(Fault::Unsupported(_))));
    }

    proptest! {
        #[test]
        fn a_broken_greeting_is_a_fault_and_no_panic(cut in 0usize..90, at in 0usize..80, byte: u8) {
            let mut g = mysql8();
            let at = at % g.len();
            g[at] = byte;
            g.truncate(cut);
            let _ = Greeting::parse(&g);
        }
    }
}

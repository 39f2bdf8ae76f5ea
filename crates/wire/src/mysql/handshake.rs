//! Before the first statement: the server's greeting, the request for TLS, our answer, and what may come before "OK".

use super::bytes::{Bytes, put_lenenc, put_lenenc_str, put_nul_str};
use super::capability as cap;
use super::{Fault, ServerError, packet};

/// A greeting, password proof or public key is far smaller than this.
pub const MESSAGE_MAX: usize = 1 << 16;

/// The first message of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// As it calls itself, such as `8.0.36` or `10.11.19-MariaDB-deb12`.
    pub version: String,
    /// Its number for this connection (`KILL` takes it).
    pub connection_id: u32,
    /// Random bytes that the proof of the password is made with; 20 of them.
    pub nonce: Vec<u8>,
    /// What it can do ([`cap`]).
    pub capabilities: u64,
    /// The method of authentication it would like.
    pub plugin: String,
}

impl Greeting {
    /// Reads the first message. `Ok(Err(_))` when the server does not let anyone in right now (1040, 1129, 1130, …).
    pub fn parse(message: &[u8]) -> Result<Result<Greeting, ServerError>, Fault> {
        let mut bytes = Bytes::new(message, "greeting");
        match bytes.u8()? {
            0xFF => return ServerError::parse(message).map(Err),
            10 => {}
            _ => return Err(Fault::Unsupported("a protocol other than version 10")),
        }
        let version = bytes.nul_str()?;
        // Some MariaDB put this before their version, so that old replicas accept it.
        let version = version.strip_prefix(b"5.5.5-").unwrap_or(version);
        let connection_id = bytes.u32()?;
        let mut nonce = bytes.take(8)?.to_vec();
        bytes.u8()?;
        let low = bytes.u16()?;
        bytes.take(3)?; // character set, status
        let high = bytes.u16()?;
        let nonce_len = bytes.u8()?;
        bytes.take(6)?;
        let extended = bytes.u32()?;
        let mut capabilities = u64::from(low) | u64::from(high) << 16;
        if capabilities & cap::MYSQL == 0 {
            capabilities |= u64::from(extended) << 32;
        }
        if capabilities & (cap::PROTOCOL_41 | cap::SECURE_CONNECTION) != cap::PROTOCOL_41 | cap::SECURE_CONNECTION {
            return Err(Fault::Unsupported("the protocol of MySQL before 4.1"));
        }
        let rest = bytes.take(usize::from(nonce_len).saturating_sub(8).max(13).min(bytes.len()))?;
        nonce.extend_from_slice(rest.strip_suffix(b"\0").unwrap_or(rest));
        if nonce.len() < 20 {
            return Err(bytes.fault());
        }
        let plugin = if capabilities & cap::PLUGIN_AUTH != 0 { until_nul(bytes.rest()) } else { "" };
        Ok(Ok(Greeting {
            version: String::from_utf8_lossy(version).into_owned(),
            connection_id,
            nonce,
            capabilities,
            plugin: if plugin.is_empty() { "mysql_native_password".to_owned() } else { plugin.to_owned() },
        }))
    }

    /// The number of the character set to talk in: utf8mb4, or utf8 where the server (before 5.5.3) has no other.
    pub fn charset(&self) -> u8 {
        let mut numbers = self.version.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse::<u32>().unwrap_or(0));
        let version: [u32; 3] = std::array::from_fn(|_| numbers.next().unwrap_or(0));
        if version < [5, 5, 3] { 33 } else { 45 }
    }
}

/// A name up to its ending zero byte, which some servers forget. Empty when it is no text.
fn until_nul(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).unwrap_or_default()
}

/// Who we are, in answer to the greeting.
#[derive(Debug, Clone, Copy)]
pub struct Login<'a> {
    /// The account's name.
    pub user: &'a str,
    /// The schema to begin in; empty for none.
    pub database: &'a str,
    /// The method the proof was made with.
    pub plugin: &'a str,
    /// The proof of the password.
    pub proof: &'a [u8],
    /// Names and values that the server may show beside this connection.
    pub attributes: &'a [(&'a str, &'a str)],
}

/// Capabilities of this connection: what the greeting offers of ours.
pub fn capabilities(greeting: &Greeting, tls: bool, database: &str) -> u64 {
    let mut agreed = cap::agreed(greeting.capabilities);
    if tls {
        agreed |= cap::SSL;
    }
    if !database.is_empty() {
        agreed |= cap::CONNECT_WITH_DB;
    }
    agreed
}

/// The largest message we announce to send or take.
const PACKET_MAX: u32 = 1 << 30;

fn put_head(out: &mut Vec<u8>, capabilities: u64, charset: u8) {
    out.extend_from_slice(&(capabilities as u32).to_le_bytes());
    out.extend_from_slice(&PACKET_MAX.to_le_bytes());
    out.push(charset);
    out.extend_from_slice(&[0; 19]);
    out.extend_from_slice(&((capabilities >> 32) as u32).to_le_bytes());
}

/// Appends the request to start TLS; it goes out in the clear and our answer follows inside.
pub fn tls_request(out: &mut Vec<u8>, sequence: u8, capabilities: u64, charset: u8) -> u8 {
    packet::message(out, sequence, |out| put_head(out, capabilities, charset))
}

/// Appends our answer to the greeting. `login` holds no zero byte (see [`Login::is_sound`]).
pub fn answer(out: &mut Vec<u8>, sequence: u8, capabilities: u64, charset: u8, login: &Login<'_>) -> u8 {
    packet::message(out, sequence, |out| {
        put_head(out, capabilities, charset);
        put_nul_str(out, login.user.as_bytes());
        if capabilities & cap::PLUGIN_AUTH_LENENC != 0 {
            put_lenenc_str(out, login.proof);
        } else {
            // At most 64 bytes: no method proves a password with more in its first message.
            out.push(login.proof.len().min(255) as u8);
            out.extend_from_slice(&login.proof[..login.proof.len().min(255)]);
        }
        if capabilities & cap::CONNECT_WITH_DB != 0 {
            put_nul_str(out, login.database.as_bytes());
        }
        if capabilities & cap::PLUGIN_AUTH != 0 {
            put_nul_str(out, login.plugin.as_bytes());
        }
        if capabilities & cap::CONNECT_ATTRS != 0 {
            let mut attributes = Vec::new();
            for (name, value) in login.attributes {
                put_lenenc_str(&mut attributes, name.as_bytes());
                put_lenenc_str(&mut attributes, value.as_bytes());
            }
            put_lenenc(out, attributes.len() as u64);
            out.extend_from_slice(&attributes);
        }
    })
}

impl Login<'_> {
    /// Whether it can be written at all: names end with a zero byte, so none may hold one.
    pub fn is_sound(&self) -> bool {
        ![self.user, self.database, self.plugin].iter().any(|text| text.contains('\0'))
    }
}

/// What a server says to our proof of the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Come in.
    Welcome,
    /// Stay out.
    Refused(ServerError),
    /// Prove it by another method, with another nonce.
    Switch {
        /// The method's name; `mysql_old_password` for the request that carries no name.
        plugin: String,
        /// The nonce, as long as the method wants it.
        nonce: Vec<u8>,
    },
    /// Something that only the method understands.
    More(Vec<u8>),
}

impl Verdict {
    /// Reads a message that came after our answer.
    pub fn parse(message: &[u8]) -> Result<Verdict, Fault> {
        let mut bytes = Bytes::new(message, "answer to the password");
        Ok(match bytes.u8()? {
            0x00 => Verdict::Welcome,
            0xFF => Verdict::Refused(ServerError::parse(message)?),
            0x01 => Verdict::More(bytes.rest().to_vec()),
            0xFE if bytes.is_empty() => Verdict::Switch { plugin: "mysql_old_password".to_owned(), nonce: Vec::new() },
            0xFE => {
                let plugin = String::from_utf8_lossy(bytes.nul_str()?).into_owned();
                let nonce = bytes.rest();
                Verdict::Switch { plugin, nonce: nonce.strip_suffix(b"\0").unwrap_or(nonce).to_vec() }
            }
            _ => return Err(bytes.fault()),
        })
    }
}

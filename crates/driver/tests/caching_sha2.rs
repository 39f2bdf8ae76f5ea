//! caching_sha2_password in full, against a server made here from the protocol's documentation: MySQL 8 and 9 cannot be had
//! everywhere that this is tested.

#![expect(clippy::unwrap_used, reason = "a test may")]

use rsa::pkcs8::{EncodePublicKey, LineEnding};
use rsa::{Oaep, RsaPrivateKey};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::thread::{JoinHandle, spawn};
use tenbin_driver::{Class, Connection, Connector, Error, Transport};
use tenbin_model::dsn::Dsn;

const PASSWORD: &str = "the-Right-pässword";
const NONCE: &[u8; 20] = b"nonce of 20 bytes !!";
const BOTH: [Transport; 2] = [Transport::Shared, Transport::Alone];

/// What the server does beyond the plain case.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// The account is in the server's cache: the proof is enough.
    cached: bool,
    /// It greets with another method and switches to this one.
    switches: bool,
    /// Nobody can listen: the full way sends the password as it is.
    safe: bool,
    /// What it says is its key is none.
    no_key: bool,
}

struct Wire<S>(S, Vec<u8>);

impl<S: Read + Write> Wire<S> {
    fn send(&mut self, number: u8, payload: &[u8]) {
        let head = [&(payload.len() as u32).to_le_bytes()[..3], &[number]].concat();
        self.0.write_all(&[&head, payload].concat()).unwrap();
    }

    /// The packet with this number; `None` when the client has gone.
    fn take(&mut self, number: u8) -> Option<Vec<u8>> {
        let mut head = [0; 4];
        self.0.read_exact(&mut head).ok()?;
        assert_eq!(head[3], number, "packet number");
        let mut payload = vec![0; u32::from_le_bytes([head[0], head[1], head[2], 0]) as usize];
        self.0.read_exact(&mut payload).ok()?;
        self.1.extend_from_slice(&payload);
        Some(payload)
    }
}

fn greeting(plugin: &str) -> Vec<u8> {
    let mut g = b"\x0a8.4.3\0\x07\0\0\0".to_vec();
    g.extend_from_slice(&NONCE[..8]);
    g.push(0);
    // All but TLS and compression.
    g.extend_from_slice(&0xF7DFu16.to_le_bytes());
    g.push(255);
    g.extend_from_slice(&2u16.to_le_bytes());
    g.extend_from_slice(&0x00FFu16.to_le_bytes());
    g.push(21);
    g.extend_from_slice(&[0; 10]);
    g.extend_from_slice(&NONCE[8..]);
    g.push(0);
    g.extend_from_slice(plugin.as_bytes());
    g.push(0);
    g
}

/// Method and proof out of the answer to the greeting.
fn login(answer: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut fields = answer[32..].splitn(2, |b| *b == 0);
    assert_eq!(fields.next().unwrap(), b"somebody");
    let rest = fields.next().unwrap();
    let proof = rest[1..1 + usize::from(rest[0])].to_vec();
    let mut rest = rest[1 + proof.len()..].split(|b| *b == 0);
    assert_eq!(rest.next().unwrap(), b"sbtest");
    (rest.next().unwrap().to_vec(), proof)
}

fn proven(proof: &[u8], nonce: &[u8]) -> bool {
    let stored = Sha256::digest(Sha256::digest(PASSWORD));
    let mix = Sha256::new().chain_update(stored).chain_update(nonce).finalize();
    let once: Vec<u8> = proof.iter().zip(mix).map(|(a, b)| a ^ b).collect();
    proof.len() == 32 && Sha256::digest(once) == stored
}

/// One connection to its end; answers with all that the client sent.
fn serve(stream: impl Read + Write, ways: Ways, key: &RsaPrivateKey) -> Vec<u8> {
    let mut wire = Wire(stream, Vec::new());
    talk(&mut wire, ways, key);
    wire.1
}

fn talk(wire: &mut Wire<impl Read + Write>, ways: Ways, key: &RsaPrivateKey) -> Option<()> {
    let mut nonce = *NONCE;
    wire.send(0, &greeting(if ways.switches { "mysql_native_password" } else { "caching_sha2_password" }));
    let (plugin, mut proof) = login(&wire.take(1)?);
    let mut number = 2;
    if ways.switches {
        assert_eq!(plugin, b"mysql_native_password");
        nonce.reverse();
        wire.send(2, &[b"\xFEcaching_sha2_password\0", &nonce[..], &[0]].concat());
        proof = wire.take(3)?;
        number = 4;
    }
    let mut welcome = ways.cached && proven(&proof, &nonce);
    if welcome {
        wire.send(number, &[1, 3]);
        number += 1;
    } else if !proof.is_empty() {
        wire.send(number, &[1, 4]);
        let mut full = wire.take(number + 1)?;
        number += 2;
        if !ways.safe {
            assert_eq!(full, [2], "the request for the key");
            let pem = key.to_public_key().to_public_key_pem(LineEnding::LF).unwrap();
            wire.send(
                number,
                &[&b"\x01"[..], if ways.no_key { &b"no key at all"[..] } else { pem.as_bytes() }].concat(),
            );
            let mixed = key.decrypt(Oaep::new::<Sha1>(), &wire.take(number + 1)?).unwrap();
            full = mixed.iter().zip(nonce.iter().cycle()).map(|(a, b)| a ^ b).collect();
            number += 2;
        }
        welcome = full == [PASSWORD.as_bytes(), &[0]].concat();
    }
    if !welcome {
        wire.send(number, b"\xFF\x15\x04#28000Access denied for user 'somebody'@'localhost' (using password: YES)");
        return None;
    }
    let ok = [0, 0, 0, 2, 0, 0, 0];
    wire.send(number, &ok);
    while let Some(command) = wire.take(0) {
        if command != b"\x03SELECT 1" {
            break;
        }
        wire.send(1, &ok);
    }
    None
}

/// A key too small for anything but a test, which need not wait for a larger one.
fn key() -> RsaPrivateKey {
    RsaPrivateKey::new(&mut rand_core::OsRng, 768).unwrap()
}

fn by_tcp(ways: Ways, key: &RsaPrivateKey) -> (String, JoinHandle<Vec<u8>>) {
    let (listener, key) = (TcpListener::bind("127.0.0.1:0").unwrap(), key.clone());
    let dsn = format!("mysql://somebody@127.0.0.1:{}/sbtest", listener.local_addr().unwrap().port());
    (dsn, spawn(move || serve(listener.accept().unwrap().0, ways, &key)))
}

fn enter(dsn: &str, password: &str, transport: Transport) -> Result<String, Error> {
    let connector = Connector::new(Dsn::parse(dsn).unwrap(), Some(password.to_owned())).unwrap();
    let work = async {
        let mut c: Connection = connector.connect(transport).await?;
        c.query("SELECT 1").await?;
        let version = c.server_version().to_owned();
        c.close().await;
        Ok(version)
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn contains(sent: &[u8], word: &str) -> bool {
    sent.windows(word.len()).any(|w| w == word.as_bytes())
}

#[test]
fn fast_and_full_with_and_without_a_switch_of_method() {
    let key = key();
    for transport in BOTH {
        for cached in [true, false] {
            for switches in [true, false] {
                let (dsn, server) = by_tcp(Ways { cached, switches, ..Ways::default() }, &key);
                assert_eq!(enter(&dsn, PASSWORD, transport).unwrap(), "8.4.3");
                assert!(!contains(&server.join().unwrap(), PASSWORD), "the password went over an open line");
            }
        }
    }
}

#[test]
fn over_a_unix_socket_the_password_goes_as_it_is() {
    let key = key();
    let dir = tempfile::tempdir().unwrap();
    for (n, transport) in BOTH.into_iter().enumerate() {
        let path = dir.path().join(n.to_string());
        let (listener, key) = (UnixListener::bind(&path).unwrap(), key.clone());
        let ways = Ways { safe: true, ..Ways::default() };
        let server = spawn(move || serve(listener.accept().unwrap().0, ways, &key));
        let dsn = format!("mysql://somebody@localhost/sbtest?socket={}", path.display());
        assert_eq!(enter(&dsn, PASSWORD, transport).unwrap(), "8.4.3");
        assert!(contains(&server.join().unwrap(), PASSWORD));
    }
}

#[test]
fn a_wrong_password_is_refused_and_told_nowhere() {
    let key = key();
    for transport in BOTH {
        for cached in [true, false] {
            for password in ["the-Wrong-one", ""] {
                let (dsn, server) = by_tcp(Ways { cached, ..Ways::default() }, &key);
                let error = enter(&dsn, password, transport).unwrap_err();
                assert_eq!((error.class(), error.number()), (Class::Refused, Some(1045)), "{error}");
                assert!(error.problem("connecting").mend.is_some());
                assert!(!format!("{error} {error:?}").contains("the-Wrong-one"), "{error}");
                assert!(!contains(&server.join().unwrap(), "the-Wrong-one"));
            }
        }
    }
}

#[test]
fn a_key_that_is_none_gets_nothing() {
    let key = key();
    let (dsn, server) = by_tcp(Ways { no_key: true, ..Ways::default() }, &key);
    let error = enter(&dsn, PASSWORD, Transport::Shared).unwrap_err();
    assert_eq!(error.class(), Class::Refused, "{error}");
    assert!(!error.to_string().contains(PASSWORD));
    assert!(!contains(&server.join().unwrap(), PASSWORD));
}

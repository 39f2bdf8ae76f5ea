//! A server of our own for what cannot be installed here: it speaks MySQL 8's side of the handshake and of
//! `caching_sha2_password` in full, with TLS and RSA, and breaks off wherever a test wants it to.
//!
//! One thread takes connections one after the other. What each client did is written down and comes back from
//! [`Fake::finish`], in the clear bytes of the wire too, so that a test can say what must never be among them.

#![expect(clippy::unwrap_used, reason = "a test may")]

use rsa::pkcs8::{DecodePrivateKey, EncodePublicKey, LineEnding};
use rsa::{Oaep, RsaPrivateKey};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::JoinHandle;
use tenbin_wire::mysql::{auth, packet};

/// The nonce of every greeting.
pub const NONCE: &[u8; 20] = b"abcdefghijklmnopqrst";
/// The nonce of every request to switch to another method.
pub const SECOND: &[u8; 20] = b"ABCDEFGHIJKLMNOPQRST";

/// `CLIENT_SSL`.
const SSL: u32 = 1 << 11;
/// All that MySQL 8.0 can do, as its documentation has it, without compression and TLS.
const CAPABILITIES: u32 = 0xDFFF_FFFF & !(1 << 5) & !SSL;

/// How the server behaves; what is not set is as MySQL 8 does it.
#[derive(Clone)]
pub struct Script {
    /// Its version as it calls itself.
    pub version: &'static str,
    /// The method its greeting proposes.
    pub proposes: &'static str,
    /// The method of the account.
    pub method: &'static str,
    /// The password of the account.
    pub password: &'static str,
    /// Whether it has TLS.
    pub tls: bool,
    /// The certificate it shows, a file of [`KEYS`].
    pub certificate: &'static str,
    /// Where it leaves MySQL's way.
    pub quirk: Quirk,
}

/// Ways to behave badly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quirk {
    /// None.
    None,
    /// An error instead of a greeting.
    Error(u16, &'static str),
    /// An error in answer to any password.
    Refuse(u16, &'static str),
    /// Promises TLS and then answers with an alert of TLS 1.0, as yaSSL does to newer clients.
    OldTls,
    /// Sends this as its public key.
    Key(&'static str),
    /// Asks for another proof of the password without end.
    AskForever,
    /// Asks for the password form of before MySQL 4.1.
    OldPassword,
    /// A nonce for `client_ed25519` that ends in a zero byte, as one in 256 does.
    NonceEndsInZero,
    /// Ends an idle connection: an unsolicited error with packet number 0, and goodbye.
    IdleTooLong,
    /// Closes the connection at the first statement.
    Hangup,
    /// Sends an OK behind the greeting at once, as somebody on the way may do.
    Injected,
    /// Sends an OK behind the end of the login at once, and takes part in compression.
    InjectedLate,
    /// Sends its RSA key without the mark of more data.
    BareKey,
}

impl Default for Script {
    fn default() -> Self {
        Script {
            version: "8.0.36",
            proposes: "caching_sha2_password",
            method: "caching_sha2_password",
            password: "tsunami-7",
            tls: true,
            certificate: "cert.pem",
            quirk: Quirk::None,
        }
    }
}

/// The running server.
pub struct Fake {
    /// Its address without the account: `127.0.0.1:PORT`.
    pub address: String,
    /// Its socket.
    pub socket: PathBuf,
    seen: Arc<Mutex<ClientLog>>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
    _dir: tempfile::TempDir,
}

/// What clients did.
#[derive(Default)]
pub struct ClientLog {
    /// Steps in order.
    pub steps: Vec<String>,
    /// All bytes that came outside TLS.
    pub clear: Vec<u8>,
}

impl Fake {
    /// Starts it; clients are served one after the other, those by TCP beside those by its socket.
    pub fn start(script: Script) -> Fake {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("s.sock");
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let unix = UnixListener::bind(&socket).unwrap();
        let address = tcp.local_addr().unwrap().to_string();
        let seen = Arc::new(Mutex::new(ClientLog::default()));
        // Hashes of passwords that it has seen in full, as the server's cache has them.
        let cache = Arc::new(Mutex::new(Option::<String>::None));
        let over = Arc::new(AtomicBool::new(false));
        let lines: [(bool, Accept); 2] = [
            (false, Box::new(move || tcp.accept().map(|(line, _)| Box::new(line) as Box<dyn Line>))),
            (true, Box::new(move || unix.accept().map(|(line, _)| Box::new(line) as Box<dyn Line>))),
        ];
        let threads = lines.map(|(local, mut accept)| {
            let (script, seen, cache, over) = (script.clone(), seen.clone(), cache.clone(), over.clone());
            std::thread::spawn(move || {
                while let Ok(line) = accept() {
                    if over.load(Ordering::Acquire) {
                        break;
                    }
                    serve(line, local, &script, &seen, &cache);
                }
            })
        });
        Fake { address, socket, seen, over, threads: threads.into(), _dir: dir }
    }

    /// Stops it and tells what it saw.
    pub fn finish(mut self) -> ClientLog {
        self.over.store(true, Ordering::Release);
        let _ = std::net::TcpStream::connect(&self.address);
        let _ = std::os::unix::net::UnixStream::connect(&self.socket);
        for thread in self.threads.drain(..) {
            thread.join().unwrap();
        }
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

type Accept = Box<dyn FnMut() -> io::Result<Box<dyn Line>> + Send>;

trait Line: Read + Write + Send {}
impl<T: Read + Write + Send> Line for T {}

/// One client's line; writes down what comes in the clear.
struct Session<'a> {
    line: Option<Box<dyn Line>>,
    encrypted: bool,
    sequence: u8,
    arrived: Vec<u8>,
    seen: &'a Mutex<ClientLog>,
}

impl Session<'_> {
    fn step(&self, what: impl Into<String>) {
        self.seen.lock().unwrap().steps.push(what.into());
    }

    fn send(&mut self, payload: &[u8]) -> io::Result<()> {
        let mut out = Vec::new();
        self.sequence = packet::message(&mut out, self.sequence, |out| out.extend_from_slice(payload));
        self.line.as_mut().unwrap().write_all(&out)?;
        self.line.as_mut().unwrap().flush()
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        loop {
            if let Some(m) = packet::take(&self.arrived, &mut self.sequence, 1 << 20).map_err(io::Error::other)? {
                let (payload, used) = (m.payload.into_owned(), m.used);
                self.arrived.drain(..used);
                return Ok(payload);
            }
            // Not one byte more than this message has: what follows a request for TLS is for TLS to read.
            let wanted =
                self.arrived.first_chunk::<4>().map_or(4, |h| (u32::from_le_bytes(*h) & 0xFF_FFFF) as usize + 4);
            let mut chunk = vec![0; wanted - self.arrived.len()];
            let n = self.line.as_mut().unwrap().read(&mut chunk)?;
            if n == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if !self.encrypted {
                self.seen.lock().unwrap().clear.extend_from_slice(&chunk[..n]);
            }
            self.arrived.extend_from_slice(&chunk[..n]);
        }
    }

    fn error(&mut self, code: u16, words: &str) -> io::Result<()> {
        let payload = [&[0xFF][..], &code.to_le_bytes(), b"#HY000", words.as_bytes()].concat();
        self.send(&payload)
    }

    fn ok(&mut self) -> io::Result<()> {
        self.send(&[0, 0, 0, 2, 0, 0, 0])
    }
}

/// A client that goes away early is no failure of the server.
fn serve(line: Box<dyn Line>, local: bool, script: &Script, seen: &Mutex<ClientLog>, cache: &Mutex<Option<String>>) {
    let mut s = Session { line: Some(line), encrypted: false, sequence: 0, arrived: Vec::new(), seen };
    if let Err(e) = talk(&mut s, local, script, cache) {
        s.step(format!("ended: {:?}", e.kind()));
    }
}

fn talk(s: &mut Session<'_>, local: bool, script: &Script, cache: &Mutex<Option<String>>) -> io::Result<()> {
    if let Quirk::Error(code, words) = script.quirk {
        // Before the handshake an error carries no state.
        return s.send(&[&[0xFF][..], &code.to_le_bytes(), words.as_bytes()].concat());
    }
    if script.quirk == Quirk::Injected {
        let mut both = Vec::new();
        packet::message(&mut both, 0, |out| out.extend_from_slice(&greeting(script)));
        // The numbers that the answers to a login inside TLS have.
        for sequence in [2, 3] {
            packet::message(&mut both, sequence, |out| out.extend_from_slice(&[0, 0, 0, 2, 0, 0, 0]));
        }
        s.sequence = 1;
        s.line.as_mut().unwrap().write_all(&both)?;
    } else {
        s.send(&greeting(script))?;
    }
    let mut answer = s.receive()?;
    if answer.len() == 32 && u32::from_le_bytes([answer[0], answer[1], answer[2], answer[3]]) & SSL != 0 {
        s.step("tls");
        if script.quirk == Quirk::OldTls {
            // Alert, version 3.1 (TLS 1.0), two bytes: fatal, protocol version.
            return s.line.as_mut().unwrap().write_all(&[21, 3, 1, 0, 2, 2, 70]);
        }
        let session = ServerConnection::new(server_config(script.certificate)).map_err(io::Error::other)?;
        s.line = Some(Box::new(StreamOwned::new(session, s.line.take().unwrap())));
        s.encrypted = true;
        answer = s.receive()?;
    }
    let login = read_answer(&answer).ok_or_else(|| io::Error::other("an answer that cannot be read"))?;
    s.step(format!("{} by {}", login.user, login.plugin));
    if let Quirk::Refuse(code, words) = script.quirk {
        return s.error(code, words);
    }
    let accepted = prove(s, local, script, cache, login)?;
    if !accepted {
        return s.error(1045, "Access denied for user 'moon'@'localhost' (using password: YES)");
    }
    s.step("in");
    if script.quirk == Quirk::InjectedLate {
        let mut both = Vec::new();
        let next = packet::message(&mut both, s.sequence, |out| out.extend_from_slice(&[0, 0, 0, 2, 0, 0, 0]));
        packet::message(&mut both, next, |out| out.extend_from_slice(&[0, 0, 0, 2, 0, 0, 0]));
        return s.line.as_mut().unwrap().write_all(&both);
    }
    s.ok()?;
    statements(s, script)
}

fn prove(
    s: &mut Session<'_>,
    local: bool,
    script: &Script,
    cache: &Mutex<Option<String>>,
    login: Answer,
) -> io::Result<bool> {
    let (mut proof, mut nonce) = (login.proof, NONCE.to_vec());
    match script.quirk {
        Quirk::OldPassword => {
            s.send(&[0xFE])?;
            s.receive()?;
            return Ok(false);
        }
        Quirk::AskForever => loop {
            s.send(&[b"\xFEmysql_native_password\0", &SECOND[..], b"\0"].concat())?;
            s.receive()?;
        },
        _ => {}
    }
    if login.plugin != script.method {
        nonce = if script.quirk == Quirk::NonceEndsInZero {
            [&[7; 31][..], &[0]].concat()
        } else if script.method == "client_ed25519" {
            vec![7; 32]
        } else {
            SECOND.to_vec()
        };
        // MariaDB's signature has a nonce of its own length and no zero byte behind it.
        let end: &[u8] = if script.method == "client_ed25519" { b"" } else { b"\0" };
        s.send(&[b"\xFE", script.method.as_bytes(), b"\0", &nonce, end].concat())?;
        s.step(format!("switch to {}", script.method));
        proof = s.receive()?;
    }
    let right = script.password.as_bytes();
    match script.method {
        "mysql_native_password" => Ok(proof == auth::native(right, &nonce)),
        "client_ed25519" => Ok(proof == auth::ed25519(right, &nonce)),
        "mysql_clear_password" => Ok(proof == [right, b"\0"].concat()),
        "sha256_password" => {
            if proof == [1] {
                let private = RsaPrivateKey::from_pkcs8_pem(&KEYS.0).map_err(io::Error::other)?;
                let public = private.to_public_key().to_public_key_pem(LineEnding::LF).map_err(io::Error::other)?;
                s.step("by RSA");
                let mark: &[u8] = if script.quirk == Quirk::BareKey { b"" } else { b"\x01" };
                s.send(&[mark, public.as_bytes()].concat())?;
                let mixed = private.decrypt(Oaep::new::<sha1::Sha1>(), &s.receive()?).map_err(io::Error::other)?;
                proof = mixed.iter().zip(nonce.iter().cycle()).map(|(p, n)| p ^ n).collect();
            } else if s.encrypted {
                s.step("in clear text inside");
            } else if proof != [0] {
                return Ok(false);
            }
            Ok(proof == [right, b"\0"].concat())
        }
        "caching_sha2_password" => {
            if proof.is_empty() || proof == [0] {
                return Ok(right.is_empty());
            }
            let known = cache.lock().unwrap().clone();
            if known.is_some_and(|known| proof == auth::caching_sha2(known.as_bytes(), &nonce)) {
                s.step("fast");
                s.send(&[1, 3])?;
                return Ok(true);
            }
            s.send(&[1, 4])?;
            let mut packet = s.receive()?;
            if s.encrypted || local {
                s.step("full in clear text inside");
            } else {
                if packet != [2] {
                    return Ok(false);
                }
                let private = RsaPrivateKey::from_pkcs8_pem(&KEYS.0).map_err(io::Error::other)?;
                let public = private.to_public_key().to_public_key_pem(LineEnding::LF).map_err(io::Error::other)?;
                let pem = if let Quirk::Key(other) = script.quirk { other } else { &public };
                s.step("full by RSA");
                s.send(&[b"\x01", pem.as_bytes()].concat())?;
                let mixed = private.decrypt(Oaep::new::<sha1::Sha1>(), &s.receive()?).map_err(io::Error::other)?;
                packet = mixed.iter().zip(nonce.iter().cycle()).map(|(p, n)| p ^ n).collect();
            }
            let accepted = packet == [right, b"\0"].concat();
            if accepted {
                *cache.lock().unwrap() = Some(script.password.to_owned());
            }
            Ok(accepted)
        }
        _ => Ok(false),
    }
}

/// Answers every statement with one row of one column until the client leaves.
fn statements(s: &mut Session<'_>, script: &Script) -> io::Result<()> {
    if script.quirk == Quirk::IdleTooLong {
        s.sequence = 0;
        return s.error(4031, "The client was disconnected by the server because of inactivity.");
    }
    loop {
        s.sequence = 0;
        let command = s.receive()?;
        if script.quirk == Quirk::Hangup || command.first() == Some(&1) {
            return Ok(());
        }
        s.send(&[1])?;
        s.send(b"\x03def\x00\x00\x00\x011\x00\x0c\x3f\x00\x01\x00\x00\x00\x08\x81\x00\x00\x00\x00")?;
        s.send(&[0xFE, 0, 0, 2, 0])?;
        s.send(b"\x011")?;
        s.send(&[0xFE, 0, 0, 2, 0])?;
    }
}

/// Protocol::HandshakeV10, field by field.
fn greeting(script: &Script) -> Vec<u8> {
    let mut capabilities = if script.tls { CAPABILITIES | SSL } else { CAPABILITIES };
    if script.quirk == Quirk::InjectedLate {
        capabilities |= 1 << 5;
    }
    let mut g = vec![10];
    g.extend_from_slice(script.version.as_bytes());
    g.push(0);
    g.extend_from_slice(&77u32.to_le_bytes());
    g.extend_from_slice(&NONCE[..8]);
    g.push(0);
    g.extend_from_slice(&(capabilities as u16).to_le_bytes());
    g.push(255);
    g.extend_from_slice(&2u16.to_le_bytes());
    g.extend_from_slice(&((capabilities >> 16) as u16).to_le_bytes());
    g.push(21);
    g.extend_from_slice(&[0; 10]);
    g.extend_from_slice(&NONCE[8..]);
    g.push(0);
    g.extend_from_slice(script.proposes.as_bytes());
    g.push(0);
    g
}

struct Answer {
    user: String,
    proof: Vec<u8>,
    plugin: String,
}

/// Protocol::HandshakeResponse41 with a length-encoded proof, as a client of these capabilities sends it.
fn read_answer(message: &[u8]) -> Option<Answer> {
    let capabilities = u32::from_le_bytes(*message.first_chunk::<4>()?);
    let mut rest = message.get(32..)?;
    let text = |rest: &mut &[u8]| {
        let end = rest.iter().position(|b| *b == 0)?;
        let text = String::from_utf8(rest[..end].to_vec()).ok()?;
        *rest = &rest[end + 1..];
        Some(text)
    };
    let user = text(&mut rest)?;
    // Proofs are shorter than 251 bytes, so that both forms of their length are the same byte.
    let n = usize::from(*rest.first()?);
    let proof = rest.get(1..1 + n)?.to_vec();
    rest = &rest[1 + n..];
    if capabilities & 8 != 0 {
        text(&mut rest)?;
    }
    Some(Answer { user, proof, plugin: text(&mut rest)? })
}

/// A private key, a certificate of it that signs itself, for `localhost` and 127.0.0.1, and the directory where it lies
/// as `cert.pem`; `other.pem` is the same for another name, `old.pem` is out of date, `stranger.pem` has another key. They are
/// made once for a build: each test may run in a process of its own, beside the others.
pub static KEYS: LazyLock<(String, String, PathBuf)> = LazyLock::new(|| {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fake-keys");
    if !dir.is_dir() {
        let fresh = dir.with_extension(std::process::id().to_string());
        std::fs::create_dir_all(&fresh).unwrap();
        make_keys(&fresh);
        // Another process may have been faster.
        if std::fs::rename(&fresh, &dir).is_err() {
            std::fs::remove_dir_all(&fresh).unwrap();
        }
    }
    let read = |name: &str| std::fs::read_to_string(dir.join(name)).unwrap();
    (read("key.pem"), read("cert.pem"), dir)
});

fn make_keys(dir: &Path) {
    std::fs::write(dir.join("ext"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n").unwrap();
    let here = "subjectAltName=DNS:localhost,IP:127.0.0.1";
    let there = "subjectAltName=DNS:other.example";
    for (make, name) in [
        (
            "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=fake -addext NAME -keyout key.pem -out cert.pem",
            here,
        ),
        (
            "req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=fake -addext NAME -keyout no.pem -out stranger.pem",
            here,
        ),
        ("req -x509 -key key.pem -days 3650 -subj /CN=fake -addext NAME -out other.pem", there),
        ("req -new -key key.pem -subj /CN=fake -out old.csr", here),
        ("x509 -req -in old.csr -signkey key.pem -days -1 -extfile ext -out old.pem", here),
    ] {
        let output = Command::new("openssl")
            .args(make.split(' ').map(|word| if word == "NAME" { name } else { word }))
            .current_dir(dir)
            .output()
            .expect("openssl is missing; hint: apt-get install openssl");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn server_config(certificate: &str) -> Arc<ServerConfig> {
    let cert = CertificateDer::from_pem_file(KEYS.2.join(certificate)).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEYS.0.as_bytes()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert], key)
        .unwrap();
    Arc::new(config)
}

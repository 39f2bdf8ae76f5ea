//! A server that falls silent: everything goes through to a real one until a test wants it to say nothing more.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tenbin_model::dsn::Dsn;

/// A way to another server that takes what clients say for ever, and gives no answer after this many messages of theirs.
#[derive(Debug)]
pub struct Mute {
    dsn: String,
    unanswered: Arc<AtomicBool>,
}

/// What the ways of all clients share.
#[derive(Debug, Clone)]
struct Shared {
    /// How many more messages are answered.
    left: Arc<AtomicU64>,
    unanswered: Arc<AtomicBool>,
}

impl Mute {
    /// Before the server at this address; the greeting comes through, and answers to `messages` messages of all clients
    /// together (the first one of each is its login).
    pub fn before(address: &str, messages: u64) -> Mute {
        let mut dsn = Dsn::parse(address).expect("an address");
        let server = (dsn.host.clone(), dsn.port.expect("a test's server has a port"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        dsn.port = Some(listener.local_addr().expect("it is bound").port());
        let mut text = dsn.to_string();
        if let Some(password) = &dsn.password {
            // `Display` leaves it out.
            text = text.replacen('@', &format!(":{password}@"), 1);
        }
        let shared = Shared { left: Arc::new(AtomicU64::new(messages)), unanswered: Arc::default() };
        let unanswered = shared.unanswered.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect((server.0.as_str(), server.1)) else { continue };
                let shared = shared.clone();
                std::thread::spawn(move || between(client, server, &shared));
            }
        });
        Mute { dsn: text, unanswered }
    }

    /// Its address.
    pub fn dsn(&self) -> &str {
        &self.dsn
    }

    /// Whether a message has gone unanswered.
    pub fn is_mute(&self) -> bool {
        self.unanswered.load(Ordering::SeqCst)
    }
}

/// Carries the client's messages to the server; what it answers goes back on a thread of its own.
fn between(mut client: TcpStream, mut server: TcpStream, shared: &Shared) {
    let (mut back, mut from) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut back);
        let _ = back.shutdown(Shutdown::Both);
    });
    let mut bytes = [0; 65536];
    while let Ok(n @ 1..) = client.read(&mut bytes) {
        let answered = shared.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok();
        if !answered {
            shared.unanswered.store(true, Ordering::SeqCst);
        } else if server.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}
